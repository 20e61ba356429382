"""Names of memories and their sources on the screens, in the language of the page."""

from django.utils import timezone
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from instances.tiers import Tier
from memoryapp.models import Category, Memory, MemoryRevision, RefusedProposal, Version
from memoryapp.models.memory import Attributed
from memoryapp.trust.change_source import SAVED_BY_ASSISTANT, ChangeSource
from memoryapp.web.day_formats import day, day_and_time

_CATEGORIES = {
    Category.GENERAL: pgettext_lazy("category of a memory", "general"),
    Category.PREFERENCE: pgettext_lazy("category of a memory", "preference"),
    Category.FACT: pgettext_lazy("category of a memory", "fact"),
    Category.EVENT: pgettext_lazy("category of a memory", "event"),
    Category.RELATIONSHIP: pgettext_lazy("category of a memory", "relationship"),
    Category.DECISION: pgettext_lazy("category of a memory", "decision"),
}
_TIERS = {
    Tier.DOCUMENT: gettext_lazy("from a web page or document, unverified"),
    Tier.TOOL: gettext_lazy("from a tool, unverified"),
    Tier.ASSISTANT: gettext_lazy("said by the assistant, unverified"),
    Tier.USER: gettext_lazy("said by the user"),
    Tier.PERSON: gettext_lazy("entered by a person"),
}
_APPROVED = {
    Tier.DOCUMENT: gettext_lazy("from a web page or document, approved by a person"),
    Tier.TOOL: gettext_lazy("from a tool, approved by a person"),
    Tier.ASSISTANT: gettext_lazy("said by the assistant, approved by a person"),
    Tier.USER: gettext_lazy("said by the user, approved by a person"),
    Tier.PERSON: gettext_lazy("entered by a person, approved by a person"),
}
#: By the words that are stored with a refused proposal.
_REFUSED = {
    "is a question": gettext_lazy("It is a question"),
    "is a command to the assistant": gettext_lazy("It is a command to the assistant"),
    "has an end date that was not said": gettext_lazy("It has an end date that was not said"),
    "was only asked, not told": gettext_lazy("It was asked, not stated"),
    "has a name that was not said": gettext_lazy("It has a name that was not said"),
    "has a date that was not said": gettext_lazy("It has a date that was not said"),
    "has a number that was not said": gettext_lazy("It has a number that was not said"),
    "tells nothing but a date": gettext_lazy("It contains only a date"),
    "says what was not said": gettext_lazy("It says something that was not said"),
    "says where somebody lives, which was not said": gettext_lazy(
        "It says where a person lives, which was not said"
    ),
    "is about the assistant": gettext_lazy("It is about the assistant"),
    "is about someone else than who said it": gettext_lazy(
        "It is about another person than the one who said it"
    ),
    "was said about another person": gettext_lazy("It was said about another person"),
}


def category_name(category: str) -> str:
    """The name of a category."""
    return str(_CATEGORIES[Category(category)]) if category in Category.values else category


def category_names() -> list[tuple[str, str]]:
    """The categories for a form that has no room for their meanings."""
    return [(each.value, capfirst(category_name(each))) for each in Category]


def category_choices() -> list[tuple[str, str]]:
    """The categories for a form, each with its meaning."""
    return [
        (
            each.value,
            _("%(category)s – %(meaning)s")
            % {"category": capfirst(category_name(each)), "meaning": each.meaning},
        )
        for each in Category
    ]


def provenance(row: Attributed) -> str:
    """Where a memory, a revision or a statement comes from, and how far it is trusted."""
    return str((_APPROVED if row.approved_at else _TIERS)[Tier(row.tier)])


def refused_because(proposal: RefusedProposal) -> str:
    """Why a proposal was refused."""
    words = _REFUSED.get(proposal.words)
    return str(words) if words else _("It %(reason)s") % {"reason": proposal.words}


def grouped(count: int) -> str:
    """Write a count with thousands separators."""
    return number_format(count, force_grouping=True)


def memories_counted(count: int) -> str:
    """Write a number of memories, for a text that is not a sentence with it."""
    return ngettext("%(number)s memory", "%(number)s memories", count) % {"number": grouped(count)}


def valid_end(row: Memory | MemoryRevision | Version) -> str:
    """Until when a memory that expires is valid."""
    if row.expires_at is not None:
        return day_and_time(row.expires_at)
    return day(row.valid_until) if row.valid_until else ""


def has_expired(memory: Memory) -> bool:
    """True if a memory is no longer valid."""
    return memory.is_expired(timezone.localdate())


def source_in_words(source: ChangeSource) -> str:
    """Name of a source of changes, as the end of "What came from …"."""
    parts = []
    if source.key:
        parts.append(_("the API key “%(name)s”") % {"name": source.key.name})
    if source.conversation:
        # Its title may repeat what was said in it.
        parts.append(_("a conversation"))
    if source.import_:
        parts.append(_("the file %(name)s") % {"name": source.import_.filename})
    if source.tool == SAVED_BY_ASSISTANT:
        parts.append(_("the assistant’s own notes"))
    elif source.tool:
        parts.append(_("the tool %(name)s") % {"name": source.tool})
    if not parts:
        parts.append(_("programs and conversations"))
    if source.since:
        parts.append(_("since %(moment)s") % {"moment": day_and_time(source.since)})
    if source.until:
        parts.append(_("before %(moment)s") % {"moment": day_and_time(source.until)})
    return " ".join(parts)
