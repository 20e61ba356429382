"""From a request to a conversation: through the instances that the person may see."""

from django.shortcuts import get_object_or_404

from conversations.models import Conversation
from instances.access import Request, on_screen
from instances.models import Instance


def visible_conversation(request: Request, pk: int) -> Conversation:
    """Return the conversation if the person may see it, else raise `Http404`."""
    found = get_object_or_404(
        Conversation.objects.filter(instance__in=Instance.objects.visible_to(request.user))
        .select_related("instance", "agent")
        .prefetch_related("instance__secrets"),
        pk=pk,
    )
    on_screen(request, found.instance)
    return found
