"""A person's file as one archive: pages to read in any browser, and all rows as JSON lines.

It is made while it is sent, a few rows at a time, so that it may be larger than memory.
"""

import json
from collections.abc import Callable, Generator, Iterator
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import get_language, override
from django.utils.translation import gettext_lazy as _

from conversations.models import Conversation
from memoryapp.bundle.streamed_zip import File, parts_of
from memoryapp.models import (
    Activity,
    Drawer,
    Memory,
    MemoryRevision,
    MemorySource,
    RefusedProposal,
    Relation,
    Summary,
)
from memoryapp.models.erasures import hash_of
from memoryapp.people.inventory import (
    HOLDINGS,
    Holding,
    Person,
    columns_of,
    counts_of,
    holding_of,
)
from memoryapp.privacy.verbatim import masked_within

#: Rows that are loaded at a time.
CHUNK_SIZE = 200


def filename(person: Person) -> str:
    """The name of the archive: without the person's id, which may not fit a file system."""
    digest = hash_of(person.instance.pk, person.ids[0])[:8]
    day = timezone.localdate().isoformat()
    return f"keepsake-{person.instance.slug}-person-{digest}-{day}.zip"


def archive_of(person: Person) -> Generator[bytes]:
    """Return the parts of the archive (zip), in the present language."""
    # It is sent when the request is over, and its language with it.
    return parts_of(_files(person, get_language()))


def _files(person: Person, language: str) -> Iterator[File]:
    """Yield the files of the archive, in the order in which a reader wants them."""
    counts = counts_of(person)
    held = [(holding, counts[holding.label]) for holding in HOLDINGS if holding.label in counts]
    yield "index.html", [_page("index", person, language, held=held)]
    for name, title, rows in _PAGES:
        yield f"{name}.html", _pages_rows(person, language, name, title, rows(person))
    for conversation in _conversations(person).iterator(chunk_size=CHUNK_SIZE):
        messages = (
            conversation.messages.order_by("position").select_related("muted").defer("search")
        )
        name = f"conversations/{conversation.pk}.html"
        began = timezone.localtime(conversation.created_at)
        title = format_lazy(_("Conversation of {day}"), day=f"{began:%Y-%m-%d}")
        yield (
            name,
            _pages_rows(person, language, "message", title, messages, conversation=conversation),
        )
    for holding in HOLDINGS:
        if counts.get(holding.label):
            yield f"data/{holding.label}.jsonl", _json_lines(person, holding)


def _rows(model: type[Any]) -> Callable[[Person], QuerySet[Any]]:
    return holding_of(model._meta.label).rows


def _memories(person: Person) -> QuerySet[Any]:
    return (
        _rows(Memory)(person)
        .defer("search")
        .order_by("pk")
        .prefetch_related(
            Prefetch("revisions", MemoryRevision.objects.order_by("pk")),
            Prefetch(
                "sources",
                MemorySource.objects.in_conversations()
                .select_related("message")
                .defer("message__search"),
            ),
        )
    )


def _conversations(person: Person) -> QuerySet[Conversation]:
    return _rows(Conversation)(person).order_by("created_at", "pk")


def _notes(person: Person) -> QuerySet[Drawer]:
    notes = _rows(Drawer)(person).filter(message=None)
    return notes.select_related("closet__room__wing").defer("search").order_by("pk")


def _relations(person: Person) -> QuerySet[Relation]:
    rows = Relation.objects.filter(instance=person.instance, end_user__in=person.ids)
    return rows.select_related("subject", "object").order_by("subject", "predicate", "valid_from")


def _activity(person: Person) -> QuerySet[Activity]:
    rows: QuerySet[Activity] = _rows(Activity)(person).select_related("by").order_by("pk")
    return rows


#: The pages of the archive, each with its title and its rows; a template of the name shows a row.
_PAGES: tuple[tuple[str, Promise, Callable[[Person], QuerySet[Any]]], ...] = (
    ("memories", _("Memories"), _memories),
    ("summary", _("Summary"), _rows(Summary)),
    ("conversations", _("Conversations"), _conversations),
    ("notes", _("Notes"), _notes),
    ("graph", _("People and things"), _relations),
    ("refused", _("Refused proposals"), _rows(RefusedProposal)),
    ("activity", _("Activity"), _activity),
)


def _page(template: str, person: Person, language: str, **context: Any) -> str:
    context |= {
        "person": person,
        "instance": person.instance,
        "language": language,
        "now": timezone.now(),
    }
    with override(language):
        return render_to_string(f"people/export/{template}.html", context)


def _pages_rows(
    person: Person,
    language: str,
    template: str,
    title: Promise,
    rows: QuerySet[Any],
    **context: Any,
) -> Iterator[str]:
    """Yield a page: its beginning, one piece for each row, and its end."""
    yield _page("_begin", person, language, title=title, top="../" if context else "", **context)
    number = 0
    for row in rows.iterator(chunk_size=CHUNK_SIZE):
        number += 1
        yield _page(f"_{template}", person, language, row=row, **context)
    yield _page("_end", person, language, number=number)


def _json_lines(person: Person, holding: Holding) -> Iterator[str]:
    """Yield each row of a table as a JSON object in one line, with secrets masked as on screens."""
    columns = [
        column.attname
        for column in columns_of(holding.model)
        if column.attname not in holding.left_out
    ]
    policy = person.instance.pii_policy
    rows = holding.rows(person).order_by("pk").values(*columns)
    for row in rows.iterator(chunk_size=CHUNK_SIZE):
        for name in holding.verbatim:
            row[name] = masked_within(row[name], policy)
        yield json.dumps(row, default=_as_text, ensure_ascii=False) + "\n"


def _as_text(value: Any) -> str:
    return str(value.isoformat() if hasattr(value, "isoformat") else value)
