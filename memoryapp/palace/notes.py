"""Notes: drawers that people write."""

from collections.abc import Callable
from dataclasses import dataclass

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.sanitizer import sanitize
from instances.actor import Actor
from instances.models import Instance
from instances.translatable import translated
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.embeddings.search_text import write_search_text
from memoryapp.models import Activity, Drawer, Palace, Wing, WingKind
from memoryapp.models.names import clean_name, slug
from memoryapp.palace.filing import GENERAL, PlacedMessage, Wings, closet_of, new_drawer, room_of
from memoryapp.privacy import pii
from memoryapp.privacy.redaction_words import redactions_in_words, refusal_in_words
from memoryapp.suppression.sensitivity import is_kept

#: The longest note.
MAX_NOTE_CHARACTERS = 20_000


class NoteRefused(ValueError):
    """The note cannot be stored. The message says what to change, ``code`` the reason."""

    def __init__(self, message: str, code: str = "invalid") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class NewNote:
    """A note, and where it belongs. The wing is found by its name, or created."""

    text: str
    wing: str
    topic: str = ""
    end_user: str = ""
    #: The kind of the wing if it is created.
    kind: WingKind = WingKind.TOPIC


def add_note(
    instance: Instance,
    note: NewNote,
    *,
    by: Actor,
    in_same_transaction: Callable[[Drawer], object] | None = None,
) -> Drawer:
    """Put *note* into its wing. Secrets are treated as in a memory. The vector is made after the
    transaction, so do not call this inside of one. Raises `NoteRefused`.
    """
    text = admitted(instance, note.text)
    name = clean_name(_admitted_name(instance, note.wing))
    if not slug(name):
        raise NoteRefused(_("Enter what the note is about: a person, a project or a topic."))
    topic = clean_name(_admitted_name(instance, note.topic)) or GENERAL
    with transaction.atomic():
        end_user = instance.canonical_end_user(sanitize(note.end_user)[:200])
        wings = Wings(Palace.objects.hold(instance.pk), instance, end_user)
        wings.find_or_make([PlacedMessage(0, name, note.kind)])
        drawer = _new_note_drawer(wings[name], topic)
        drawer.note = text
        drawer.save()
        _finish(drawer, by)
        if in_same_transaction is not None:
            in_same_transaction(drawer)
    embed_drawers(instance, [drawer.pk])
    return drawer


def change_note(drawer: Drawer, text: str, *, by: Actor) -> Drawer:
    """Replace the text of a note, which keeps its pointer. Do not call it inside a transaction.
    Raises `NoteRefused`, and `Drawer.DoesNotExist` if it has been deleted.
    """
    if drawer.message_id is not None:
        raise NoteRefused(_("Messages cannot be edited. Add a note instead."))
    instance = drawer.instance
    text = admitted(instance, text)
    with transaction.atomic():
        Palace.objects.hold(instance.pk)
        drawer = drawer.locked()
        if drawer.note == text:
            return drawer
        drawer.note = text
        drawer.save(update_fields=["note"])
        drawer.embeddings.all().delete()
        _finish(drawer, by)
    embed_drawers(instance, [drawer.pk])
    return drawer


def admitted(instance: Instance, text: str) -> str:
    """Return *text* as a note may store it; raises `NoteRefused`."""
    text = sanitize(text).replace("\r\n", "\n").strip()
    if not text:
        raise NoteRefused(_("Enter a text."))
    if len(text) > MAX_NOTE_CHARACTERS:
        raise NoteRefused(
            _("A note has at most %(most)s characters; this one has %(number)s.")
            % {"most": intcomma(MAX_NOTE_CHARACTERS), "number": intcomma(len(text))}
        )
    examined = pii.examine(text, pii.PIIMode(instance.pii_policy))
    if examined.refusal:
        raise NoteRefused(translated(refusal_in_words(examined)), "pii_rejected")
    if examined.findings and not pii.says_more(examined.text):
        secrets = translated(redactions_in_words(examined.redactions))
        raise NoteRefused(
            _("It contains nothing but %(secrets)s.") % {"secrets": secrets}, "pii_rejected"
        )
    if not is_kept(instance, examined.text):
        raise NoteRefused(
            _("It is about an area that is not kept here (Settings → Never kept)."), "not_kept"
        )
    return examined.text


def _admitted_name(instance: Instance, name: str) -> str:
    name = sanitize(name)
    examined = pii.examine(name, pii.PIIMode(instance.pii_policy))
    if examined.findings or examined.refusal:
        raise NoteRefused(
            _("The name contains a secret, and would be shown in lists."), "pii_rejected"
        )
    return name


def _new_note_drawer(wing: Wing, topic: str) -> Drawer:
    room = room_of(wing, None)
    drawer = new_drawer(wing, room, closet_of(room, topic))
    room.save(update_fields=["last_drawer"])
    drawer.said_at = timezone.now()
    return drawer


def _finish(drawer: Drawer, by: Actor) -> None:
    write_search_text(drawer.instance, [drawer.pk])
    # Named by its number: the text of a note is in the note alone.
    drawer.instance.activity.record(by, Activity.Action.NOTED, about=str(drawer))
