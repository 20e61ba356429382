"""Actions on conversations and imports: extraction on request, and deletion."""

from collections.abc import Iterator

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST

from conversations.access import visible_conversation
from conversations.models import Import, Message
from instances.access import Request, needs, visible_row, with_instance
from instances.actor import Actor
from instances.models import Instance, InstanceRole
from instances.url_state import is_way_back
from memoryapp.disclosure import disclosed, revealed
from memoryapp.extraction.run import (
    WithoutMemory,
    queue_again,
    queue_again_with_model,
    queue_all,
    queue_by_hand,
    read_by_builtin_reader,
)
from memoryapp.models import Activity, may_read
from memoryapp.models.muted_messages import with_text
from memoryapp.tasks.dispatch import hand_over_on_commit
from memoryapp.trust.conversation_deletion import (
    effect_of_deleting,
    forget_conversation,
    learned_from,
)
from memoryapp.web.layout import show
from memoryapp.web.sharing import end_sharing, share_or_propose

#: Why nothing can be read.
NO_READER = gettext_lazy(
    "No language model is set up, and the built-in reader is off. Set up a model in Settings."
)
#: Why a conversation is never read.
WITHOUT_MEMORY = gettext_lazy("This conversation is without memory, so it is not read for facts.")


@require_http_methods(["GET", "POST"])
def message(request: Request, pk: int) -> HttpResponse:
    """Show a message with its secrets masked. A POST shows them; the activity says to whom."""
    rows = Message.objects.select_related("conversation", "muted").defer("search")
    message = with_text(visible_row(request, rows, pk))
    if request.method == "POST":
        message.instance.activity.record(
            Actor(request.user),
            Activity.Action.REVEALED,
            conversation_id=message.conversation_id,
            about=f"message {message.position}",
            end_user=message.conversation.end_user,
        )
        shown = revealed(message)
    else:
        shown = disclosed(message.instance, message)
    context = {
        "section": "conversations",
        "conversation": message.conversation,
        "message": message,
        "shown": shown,
        "prose": bool(request.GET.get("prose")) and message.is_prose,
    }
    return show(request, "conversations/message.html", "partials/verbatim.html", context)


@require_POST
def read_now(request: Request, pk: int) -> HttpResponse:
    """Queue the conversation for extraction, even if the instance does not do so by itself."""
    conversation = visible_conversation(request, pk)
    if not conversation.instance.can_read:
        messages.error(request, NO_READER)
        return redirect(conversation)
    try:
        with transaction.atomic():
            hand_over_on_commit(queue_by_hand(conversation))
    except WithoutMemory:
        messages.info(request, WITHOUT_MEMORY)
        return redirect(conversation)
    back = request.POST.get("next", "")
    if is_way_back(back):
        return redirect(back)
    if may_read(conversation.instance):
        messages.success(request, _("The conversation is being read. The results appear here."))
    else:
        messages.warning(request, _("The conversation is waiting to be read."))
    return redirect(conversation)


@require_POST
def read_again(request: Request, pk: int) -> HttpResponse:
    """Queue the conversation for extraction from its beginning."""
    conversation = visible_conversation(request, pk)
    if not conversation.instance.can_read:
        messages.error(request, NO_READER)
        return redirect(conversation)
    try:
        with transaction.atomic():
            run = queue_again(conversation)
            if run is not None:
                hand_over_on_commit(run)
    except WithoutMemory:
        messages.info(request, WITHOUT_MEMORY)
        return redirect(conversation)
    if run is None:
        messages.warning(request, _("The conversation is being read. Try again when this is done."))
    else:
        messages.success(
            request,
            _(
                "The conversation is read again from the beginning. Known facts are not stored "
                "twice, and deleted ones do not come back."
            ),
        )
    return redirect(conversation)


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
@with_instance("conversations")
def read_again_with_model(request: Request, instance: Instance) -> HttpResponse:
    """Ask whether the model is to read again what the built-in reader has read; then queue it."""
    if request.method == "POST" and instance.has_language_model:
        queued = queue_again_with_model(instance)
        messages.success(
            request,
            ngettext(
                "%(number)s conversation will be read again. Known facts are not stored twice, and "
                "deleted ones do not come back.",
                "%(number)s conversations will be read again. Known facts are not stored twice, "
                "and deleted ones do not come back.",
                queued,
            )
            % {"number": _number(queued)},
        )
        return redirect(f"{reverse('conversations')}?instance={instance.slug}")
    context = {
        "section": "conversations",
        "instance": instance,
        "conversations": read_by_builtin_reader(instance).count(),
    }
    return render(request, "conversations/read_again.html", context)


@require_http_methods(["GET", "POST"])
@needs(InstanceRole.MEMBER)
def delete(request: Request, pk: int) -> HttpResponse:
    """Ask whether to keep the memories from a conversation; then delete it."""
    conversation = visible_conversation(request, pk)
    instance = conversation.instance
    choice = request.POST.get("memories")
    if request.method == "POST" and choice in ("keep", "delete"):
        done = forget_conversation(
            conversation, with_memories=choice == "delete", by=Actor(request.user)
        )
        messages.success(request, " ".join(_deleted_in_words(done.deleted, done.taken_back)))
        return redirect(f"{reverse('conversations')}?instance={instance.slug}")
    effect = effect_of_deleting(conversation)
    context = {
        "section": "conversations",
        "conversation": conversation,
        "theirs": learned_from(conversation).count(),
        "only_here": len(effect.stored),
        "changed": len(effect.changed),
    }
    return render(request, "conversations/delete.html", context)


@require_POST
@needs(InstanceRole.MEMBER)
def share(request: Request, pk: int) -> HttpResponse:
    """Share a conversation with a group, or propose it."""
    conversation = visible_conversation(request, pk)
    share_or_propose(request, conversation)
    return redirect(conversation)


@require_POST
@needs(InstanceRole.MEMBER)
def unshare(request: Request, pk: int) -> HttpResponse:
    """Have the group told a conversation no longer."""
    conversation = visible_conversation(request, pk)
    end_sharing(request, conversation)
    back = request.POST.get("next", "")
    return redirect(back if is_way_back(back) else conversation.get_absolute_url())


@require_POST
def read_imported(request: Request, pk: int) -> HttpResponse:
    """Queue all conversations of an import for extraction."""
    import_ = visible_row(request, Import.objects.all(), pk)
    if not import_.instance.can_read:
        messages.error(request, NO_READER)
        return redirect(import_)
    queued = queue_all(import_.brought.all())
    messages.success(
        request,
        ngettext(
            "%(number)s conversation will be read. Memories appear as it goes on.",
            "%(number)s conversations will be read. Memories appear as it goes on.",
            queued,
        )
        % {"number": _number(queued)},
    )
    return redirect(import_)


def _deleted_in_words(memories: int, restored: int) -> Iterator[str]:
    """Say that a conversation was deleted, with so many memories and changes of memories."""
    if memories:
        text = ngettext(
            "Deleted the conversation and %(number)s memory.",
            "Deleted the conversation and %(number)s memories.",
            memories,
        )
        yield text % {"number": _number(memories)}
    else:
        yield _("Deleted the conversation.")
    if restored:
        text = ngettext(
            "Restored the earlier version of %(number)s memory.",
            "Restored the earlier versions of %(number)s memories.",
            restored,
        )
        yield text % {"number": _number(restored)}


def _number(count: int) -> str:
    return number_format(count, force_grouping=True)
