"""What memory has to do with a conversation: reading it by hand, and what its end means."""

from functools import partial

from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from conversations.models import Conversation
from instances.access import Request, on_screen, signed_in
from instances.models import Instance
from memoryapp.extraction.reading import NO_MODEL, queue, retry
from memoryapp.models import MemorySource, Run
from memoryapp.pipeline.forgetting import forget
from memoryapp.tasks import hand_over


@require_POST
def read_now(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue the conversation for reading, whatever the instance does by itself."""
    request = signed_in(request)
    conversation = _visible(request, pk)
    if not conversation.instance.has_language_model:
        messages.error(request, NO_MODEL)
        return redirect(conversation)
    with transaction.atomic():
        failed = Run.objects.filter(conversation=conversation).standing_failures().first()
        run = failed if failed and retry(failed) else queue(conversation)
        if run is not None:
            transaction.on_commit(partial(hand_over, run.pk))
    messages.success(request, "The conversation is being read. What it gives appears here.")
    return redirect(conversation)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask what is to become of the memories that came from it; then delete the conversation."""
    request = signed_in(request)
    conversation = _visible(request, pk)
    instance = conversation.instance
    # A link whose change was taken back is an account of a message, and no origin any more.
    links = MemorySource.objects.filter(instance=instance).exclude(
        action=MemorySource.Action.UNDONE
    )
    here = links.filter(conversation=conversation)
    elsewhere = links.exclude(conversation=conversation)
    theirs = instance.memories.filter(pk__in=here.values("memory"))
    only_here = theirs.exclude(pk__in=elsewhere.values("memory"))
    choice = request.POST.get("memories")
    if request.method == "POST" and choice in ("keep", "delete"):
        with transaction.atomic():
            gone = forget(instance, only_here, by=request.user) if choice == "delete" else 0
            conversation.delete()
        also = f" and {gone:,} of its memories" if gone else ""
        messages.success(request, f"Deleted the conversation{also}.")
        return redirect(f"{reverse('conversations')}?instance={instance.slug}")
    context = {
        "section": "conversations",
        "conversation": conversation,
        "theirs": theirs.count(),
        "only_here": only_here.count(),
    }
    return render(request, "conversations/delete.html", context)


def _visible(request: Request, pk: int) -> Conversation:
    instances = Instance.objects.visible_to(request.user)
    found = get_object_or_404(
        Conversation.objects.filter(instance__in=instances).select_related("instance"), pk=pk
    )
    on_screen(request, found.instance)
    return found
