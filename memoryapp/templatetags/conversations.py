"""Tags of the pages for conversations."""

from django import template
from django.utils.translation import gettext as _

from conversations.models import Message
from memoryapp.extraction.message_status import MessageStatus
from memoryapp.web.conversations.message_signs import MessageSign, sign_of
from memoryapp.web.status import CAP_IN_SHORT

register = template.Library()


@register.simple_tag
def message_sign(
    message: Message, status: MessageStatus, memory_is_off: bool
) -> MessageSign | None:
    """Return the sign of a message in a transcript."""
    return sign_of(message, status, memory_is_off=memory_is_off)


@register.simple_tag
def run_state(state: str | None, watermark: int, capped: bool = False) -> str:
    """Say how far the extraction of a conversation has come."""
    if state == "queued" and capped:
        return _("waiting to be read: %(reason)s") % {"reason": CAP_IN_SHORT}
    words = {
        "queued": _("waiting to be read"),
        "running": _("being read"),
        "failed": _("could not be read"),
    }
    return words.get(state or "", _("read") if watermark else _("not read yet"))
