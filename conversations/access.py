"""From a request to a conversation: through the instances that the person may see."""

from conversations.models import Conversation
from instances.access import Request, visible_row


def visible_conversation(request: Request, pk: int) -> Conversation:
    """Return the conversation if the person may see it, else raise `Http404`."""
    rows = Conversation.objects.select_related("agent").prefetch_related("instance__secrets")
    return visible_row(request, rows, pk)
