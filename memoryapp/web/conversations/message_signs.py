"""The sign of a message in a transcript: what was done with it, in an icon and a few words."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from conversations.models import Message
from memoryapp.extraction.message_status import MessageState, MessageStatus

#: The icon and the words of each state without memories.
SIGNS = {
    MessageState.NOTHING_KEPT: ("minus", gettext_lazy("Nothing to remember")),
    MessageState.REJECTED: ("ban", gettext_lazy("Nothing kept")),
    MessageState.CONTEXT: ("check", gettext_lazy("Read")),
    MessageState.MUTED: ("eye-off", gettext_lazy("Not recalled")),
    MessageState.LEFT_OUT: ("minus", gettext_lazy("Not read")),
    MessageState.UNREAD: ("circle", gettext_lazy("Not read yet")),
    MessageState.WAITING: ("clock", gettext_lazy("Waiting")),
    MessageState.READING: ("loader", gettext_lazy("Being read")),
    MessageState.FAILED: ("triangle-alert", gettext_lazy("Failed")),
}


@dataclass(frozen=True)
class MessageSign:
    """Sign for what was done with a message."""

    icon: str
    label: str
    failed: bool = False
    #: True if its state is told in full behind it.
    tells_fate: bool = True


def sign_of(
    message: Message, status: MessageStatus, *, memory_is_off: bool = False
) -> MessageSign | None:
    """Return the sign of a *message* that is loaded by `messages_with_outcomes`.

    None if nothing was done with it because *memory_is_off*, which is told once above them all.
    """
    refused = len(message.refused.all())
    if status.sources:
        return MessageSign("bookmark", _memories(len(status.sources)))
    if refused and not status.failed:
        text = ngettext("%(number)s refused", "%(number)s refused", refused)
        return MessageSign("ban", text % {"number": number_format(refused)})
    if memory_is_off and status.state is MessageState.UNREAD:
        if getattr(message, "proposing", None):
            proposed = _("The assistant proposed to forget something")
            return MessageSign("trash-2", proposed, tells_fate=False)
        if getattr(message, "drawer", None) is None:
            return None
        return MessageSign("landmark", _("In Palace"), tells_fate=False)
    icon, label = SIGNS[status.state]
    return MessageSign(icon, str(label), failed=status.failed)


def _memories(count: int) -> str:
    text = ngettext("%(number)s memory", "%(number)s memories", count)
    return text % {"number": number_format(count)}
