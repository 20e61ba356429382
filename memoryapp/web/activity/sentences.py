"""Texts of the activity screen: what was done, and by which part of Keepsake."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.html import conditional_escape, escape, format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from instances.models import ApiKey, Instance
from memoryapp.models import Activity, Kept

Action = Activity.Action

#: Kinds of activity, by their names in the URL, with their labels.
KINDS: dict[str, tuple[Promise, list[Action]]] = {
    "added": (
        gettext_lazy("Added"),
        [Action.CREATED, Action.APPROVED, Action.IMPORTED, Action.SHARED],
    ),
    "changed": (
        gettext_lazy("Changed"),
        [
            Action.UPDATED,
            Action.RESTORED,
            Action.JOINED_UP,
            Action.PINNED,
            Action.UNPINNED,
            Action.SHARING_PROPOSED,
            Action.CONVERSATION_SHARED,
            Action.NOTE_SHARED,
            Action.SHARING_ENDED,
            Action.MARKED_STALE,
            Action.MARKED_FRESH,
        ],
    ),
    "deleted": (gettext_lazy("Deleted"), [Action.DELETED, Action.ARCHIVED, Action.REJECTED]),
    "undone": (
        gettext_lazy("Undone"),
        [
            Action.UNDONE,
            Action.ROLLED_BACK,
            Action.UNDELETED,
            Action.UNARCHIVED,
            Action.REVIEW_UNDONE,
        ],
    ),
    "rated": (gettext_lazy("Feedback"), [Action.RATED, Action.CONFIRMED]),
    "graph": (
        gettext_lazy("Graph"),
        [
            Action.RELATIONS_LEARNED,
            Action.RELATION_ADDED,
            Action.RELATION_WITHDRAWN,
            Action.ENTITY_RENAMED,
            Action.ENTITIES_MERGED,
        ],
    ),
    "palace": (
        gettext_lazy("Palace"),
        [Action.FILED, Action.UNFILED, Action.REORGANISED, Action.NOTED],
    ),
    "documents": (
        gettext_lazy("Documents"),
        [Action.DOCUMENTS_STORED, Action.DOCUMENTS_DELETED],
    ),
    "summaries": (gettext_lazy("Summaries"), [Action.SUMMED_UP]),
    "people": (
        gettext_lazy("People"),
        [Action.ERASED, Action.IDS_JOINED, Action.FILE_EXPORTED],
    ),
    "holds": (
        gettext_lazy("Legal holds"),
        [Action.HOLD_SET, Action.HOLD_LIFTED],
    ),
    "retention": (
        gettext_lazy("Retention"),
        [Action.EXPIRED, Action.RETENTION_SET, Action.RETENTION_REMOVED],
    ),
    "secrets": (gettext_lazy("Secrets shown"), [Action.REVEALED]),
    "settings": (
        gettext_lazy("Settings and access"),
        [
            Action.SETTINGS,
            Action.KEY_MADE,
            Action.KEY_REVOKED,
            Action.CONNECTED,
            Action.DISCONNECTED,
            Action.INVITED,
            Action.UNINVITED,
            Action.JOINED,
            Action.ROLE_CHANGED,
            Action.LEFT,
            Action.PASSWORD_LINK,
            Action.PASSWORD_RESET,
            Action.BUNDLE_EXPORTED,
        ],
    ),
}

#: Actors that are no person, by the first word of `via`.
SYSTEM_ACTORS: dict[str, Promise] = {
    "extraction": gettext_lazy("The language model reader"),
    "builtin_reader": gettext_lazy("The built-in reader"),
    "mining": gettext_lazy("Palace filing"),
    "summary": gettext_lazy("The summary writer"),
    "assessment": gettext_lazy("Memory rating"),
    "decay": gettext_lazy("The nightly check"),
    "assistant": gettext_lazy("The assistant"),
    "api": gettext_lazy("The API"),
    "mcp": gettext_lazy("An MCP client"),
    "import": gettext_lazy("An import"),
    "demo": gettext_lazy("The demo"),
    "reembedding": gettext_lazy("The switch of the embedding model"),
    "bin": gettext_lazy("The bin"),
    "retention": gettext_lazy("A retention rule"),
    "restore": gettext_lazy("A restored backup"),
    "link": gettext_lazy("A password link"),
    "screen": gettext_lazy("A deleted account"),
}


def _relations_added(n: int) -> str:
    return ngettext(
        "%(actor)s added a relation to the graph",
        "%(actor)s added %(n)s relations to the graph",
        n,
    )


#: The sentences, for a number of rows. ``%(actor)s`` is who did it, ``%(n)s`` the number,
#: ``%(about)s`` what the entry names.
SENTENCES: dict[Action, Callable[[int], str]] = {
    Action.CREATED: lambda n: ngettext(
        "%(actor)s added a memory", "%(actor)s added %(n)s memories", n
    ),
    Action.APPROVED: lambda n: ngettext(
        "%(actor)s approved a memory", "%(actor)s approved %(n)s memories", n
    ),
    Action.UPDATED: lambda n: ngettext(
        "%(actor)s changed a memory", "%(actor)s changed %(n)s memories", n
    ),
    Action.IMPORTED: lambda n: ngettext(
        "%(actor)s imported a memory", "%(actor)s imported %(n)s memories", n
    ),
    Action.DELETED: lambda n: ngettext(
        "%(actor)s deleted a memory", "%(actor)s deleted %(n)s memories", n
    ),
    Action.ARCHIVED: lambda n: ngettext(
        "%(actor)s moved a memory to the bin", "%(actor)s moved %(n)s memories to the bin", n
    ),
    Action.UNARCHIVED: lambda n: ngettext(
        "%(actor)s restored a memory from the bin",
        "%(actor)s restored %(n)s memories from the bin",
        n,
    ),
    Action.RESTORED: lambda n: _("%(actor)s restored an earlier version of a memory"),
    Action.JOINED_UP: lambda n: ngettext(
        "%(actor)s merged a memory", "%(actor)s merged %(n)s memories", n
    ),
    Action.PINNED: lambda n: _("%(actor)s pinned a memory"),
    Action.UNPINNED: lambda n: _("%(actor)s unpinned a memory"),
    Action.SHARING_PROPOSED: lambda n: _("%(actor)s proposed sharing with %(about)s"),
    Action.CONVERSATION_SHARED: lambda n: _("%(actor)s shared a conversation with %(about)s"),
    Action.NOTE_SHARED: lambda n: _("%(actor)s shared a note with %(about)s"),
    Action.SHARING_ENDED: lambda n: _("%(actor)s stopped sharing with %(about)s"),
    Action.SHARED: lambda n: ngettext(
        "%(actor)s shared a memory with %(about)s",
        "%(actor)s shared %(n)s memories with %(about)s",
        n,
    ),
    Action.RATED: lambda n: _("%(actor)s gave feedback on a memory"),
    Action.CONFIRMED: lambda n: _("%(actor)s confirmed a memory"),
    Action.UNDONE: lambda n: ngettext(
        "%(actor)s undid a change to a memory", "%(actor)s undid changes to %(n)s memories", n
    ),
    Action.ROLLED_BACK: lambda n: ngettext(
        "%(actor)s rolled back %(about)s: a memory",
        "%(actor)s rolled back %(about)s: %(n)s memories",
        n,
    ),
    Action.UNDELETED: lambda n: ngettext(
        "%(actor)s restored a deleted memory", "%(actor)s restored %(n)s deleted memories", n
    ),
    Action.REJECTED: lambda n: ngettext(
        "%(actor)s rejected a statement in review",
        "%(actor)s rejected %(n)s statements in review",
        n,
    ),
    Action.REVIEW_UNDONE: lambda n: ngettext(
        "%(actor)s undid the decision about a statement in review",
        "%(actor)s undid the decision about %(n)s statements in review",
        n,
    ),
    Action.RELATION_ADDED: _relations_added,
    Action.RELATION_WITHDRAWN: lambda n: _("%(actor)s removed a relation from the graph"),
    Action.ENTITY_RENAMED: lambda n: _("%(actor)s renamed an entity in the graph"),
    Action.ENTITIES_MERGED: lambda n: _("%(actor)s merged two entities in the graph"),
    Action.RELATIONS_LEARNED: _relations_added,
    Action.SETTINGS: lambda n: _("%(actor)s changed the settings: %(about)s"),
    Action.KEY_MADE: lambda n: _("%(actor)s created the API key “%(about)s”"),
    Action.KEY_REVOKED: lambda n: _("%(actor)s revoked the API key “%(about)s”"),
    Action.CONNECTED: lambda n: _("%(actor)s connected the app “%(about)s”"),
    Action.DISCONNECTED: lambda n: _("%(actor)s disconnected the app “%(about)s”"),
    Action.JOINED: lambda n: _("%(actor)s added %(about)s as a member"),
    Action.LEFT: lambda n: _("%(actor)s removed the member %(about)s"),
    Action.INVITED: lambda n: _("%(actor)s invited %(about)s"),
    Action.UNINVITED: lambda n: _("%(actor)s withdrew the invitation of %(about)s"),
    Action.ROLE_CHANGED: lambda n: _("%(actor)s changed the role of %(about)s"),
    Action.PASSWORD_LINK: lambda n: _("%(actor)s created a password link for %(about)s"),
    Action.PASSWORD_RESET: lambda n: _("%(actor)s set a new password for %(about)s"),
    Action.FILED: lambda n: ngettext(
        "%(actor)s filed a message in the palace", "%(actor)s filed %(n)s messages in the palace", n
    ),
    Action.UNFILED: lambda n: ngettext(
        "%(actor)s deleted a message from the palace",
        "%(actor)s deleted %(n)s messages from the palace",
        n,
    ),
    Action.REORGANISED: lambda n: _("%(actor)s reorganised the palace: %(about)s"),
    Action.NOTED: lambda n: _("%(actor)s wrote a note in the palace"),
    Action.DOCUMENTS_STORED: lambda n: ngettext(
        "%(actor)s stored a document", "%(actor)s stored %(n)s documents", n
    ),
    Action.DOCUMENTS_DELETED: lambda n: ngettext(
        "%(actor)s deleted a document", "%(actor)s deleted %(n)s documents", n
    ),
    Action.SUMMED_UP: lambda n: _("%(actor)s wrote a summary of a person"),
    Action.MARKED_STALE: lambda n: ngettext(
        "%(actor)s marked a memory as stale", "%(actor)s marked %(n)s memories as stale", n
    ),
    Action.MARKED_FRESH: lambda n: ngettext(
        "%(actor)s found that a memory is no longer stale",
        "%(actor)s found that %(n)s memories are no longer stale",
        n,
    ),
    Action.ERASED: lambda n: _("%(actor)s erased a person"),
    Action.IDS_JOINED: lambda n: _("%(actor)s joined two ids of one person"),
    Action.HOLD_SET: lambda n: _("%(actor)s set the legal hold “%(about)s”"),
    Action.HOLD_LIFTED: lambda n: _("%(actor)s lifted the legal hold “%(about)s”"),
    Action.RETENTION_SET: lambda n: _("%(actor)s added the retention rule “%(about)s”"),
    Action.RETENTION_REMOVED: lambda n: _("%(actor)s removed the retention rule “%(about)s”"),
    Action.EXPIRED: lambda n: _("%(actor)s deleted what was due: %(about)s (%(n)s)"),
    Action.FILE_EXPORTED: lambda n: _("%(actor)s exported the data of a person"),
    Action.BUNDLE_EXPORTED: lambda n: _("%(actor)s exported the instance with everything in it"),
    Action.REVEALED: lambda n: _("%(actor)s looked at the secrets in a message"),
}


def part_in_words(via: str, keys: Mapping[str, ApiKey]) -> str:
    """Return which part of the application `via` names, with the name of its key from *keys*."""
    part, _space, prefix = via.partition(" ")
    actor = str(SYSTEM_ACTORS.get(part, part))
    if (key := keys.get(prefix)) is None:
        return actor
    return _("%(actor)s, key “%(key)s”") % {"actor": actor, "key": key.name}


def sentence_of(activity: Activity, actor: str, count: int) -> SafeString:
    """Return what *activity* and the rest of its act tell, *count* in all, with *actor* in bold."""
    action, about = Action(activity.action), activity.about
    text = SENTENCES[action](count)
    if action is Action.ROLLED_BACK and not count:
        text = _("%(actor)s rolled back %(about)s")
    elif action is Action.SETTINGS and not about:
        text = _("%(actor)s changed the settings")
    elif action is Action.JOINED and activity.by and str(activity.by) == about:
        text = _("%(actor)s became a member")
    elif action is Action.ERASED and about.startswith("asked for"):
        text = _("%(actor)s started to erase a person")
    elif action is Action.EXPIRED:
        about = str(dict(Kept.choices).get(about, about))
    return filled(text, actor, count, about)


def filled(text: str, actor: str, count: int, about: str) -> SafeString:
    """Fill in the *text* of a sentence, with *actor* in bold."""
    values = {
        "actor": format_html("<b><bdi>{}</bdi></b>", actor),
        "n": intcomma(count),
        "about": conditional_escape(about),
    }
    return SafeString(escape(text) % values)


def changes_of(activity: Activity) -> list[str]:
    """Return which settings *activity* has changed, from what to what."""
    fields = {field.name: field for field in Instance._meta.get_fields()}
    # The log outlives a setting.
    known = [change for change in activity.changes if change[0] in fields]
    return [_change_in_words(fields[name], *values) for name, *values in known]


def _change_in_words(field: Any, *values: Any) -> str:
    label = capfirst(str(field.verbose_name))
    if not values:
        return label
    before, after = (_value_in_words(field, value) for value in values)
    return f"{label}: {before} → {after}"


def _value_in_words(field: Any, value: Any) -> str:
    if value in (None, "", []):
        return _("empty")
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    label = dict(field.flatchoices or ()).get(value, value)
    return number_format(label) if isinstance(label, int | float) else str(label)


def way_of(activity: Activity) -> str:
    """Return how a person did it; empty if it was on a screen."""
    via = activity.via.partition(" ")[0]
    if activity.by is None or via == "screen" or activity.action == Action.IMPORTED:
        return ""
    ways = {
        "api": _("through the API"),
        "mcp": _("through MCP"),
        "import": _("with an import"),
        "assistant": _("in a chat"),
        "reembedding": _("by switching the embedding model"),
    }
    return ways.get(via, via)
