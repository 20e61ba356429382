"""The `/chat` screen: talk to the assistant of an instance, and see what its memory did."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from conversations.access import visible_conversation
from conversations.models import Conversation, ConversationOrigin, Role
from instances.access import Request, with_instance
from instances.models import Instance, InstanceRole, User
from instances.translatable import translated
from memoryapp.assistant import answer_threads, submission
from memoryapp.assistant.submission import SubmissionRefused
from memoryapp.models import Answer
from memoryapp.web.chat import sse
from memoryapp.web.chat.thread import Thread, last_exchange, notes_on, thread_of
from memoryapp.web.layout import show
from memoryapp.web.proposals.cards import who_decides

#: Chats in the list; the conversations screen has all of them.
MAX_CHATS = 30


@require_http_methods(["GET", "POST"])
@with_instance("chat")
def chat(request: Request, instance: Instance) -> HttpResponseBase:
    """Show the chats of an instance and a form for a new one; a POST starts it."""
    agents = list(instance.agents.all())
    chosen = request.POST.get("agent") or request.GET.get("agent") or ""
    agent = next((each for each in agents if each.slug == chosen), None)
    if chosen and agent is None:
        raise Http404
    end_user = request.POST.get("end_user", "")
    without_memory = (request.POST.get("memory") or request.GET.get("memory")) == "off"
    context = {
        "agents": agents,
        "agent": agent,
        "end_user": end_user,
        "without_memory": without_memory,
    }
    if request.method == "POST":
        text = request.POST.get("message", "")
        begin = partial(
            submission.begin_conversation,
            instance,
            text,
            agent=agent,
            end_user=end_user,
            without_memory=without_memory,
        )
        return _submit(request, instance, begin, context | {"text": text})
    return _page(request, instance, context)


@require_http_methods(["GET", "POST"])
def chat_with(request: Request, pk: int) -> HttpResponseBase:
    """Show a chat; a POST adds a message."""
    conversation = visible_conversation(request, pk)
    if request.method == "POST":
        text = request.POST.get("message", "")
        ask = partial(submission.add_message, conversation, text)
        return _submit(request, conversation.instance, ask, {"text": text}, conversation)
    if conversation.origin != ConversationOrigin.CHAT:
        return redirect(conversation)
    thread = thread_of(conversation)
    context = _thread_context(request, thread)
    if request.htmx:
        return show(request, "chat/page.html", "chat/_notes_response.html", context)
    return _page(request, conversation.instance, context)


@require_POST
def again(request: Request, pk: int) -> HttpResponseBase:
    """Answer the last message again."""
    conversation = visible_conversation(request, pk)
    retry = partial(submission.retry, conversation)
    return _submit(request, conversation.instance, retry, {}, conversation)


@require_POST
def stop(request: Request, pk: int) -> HttpResponse:
    """Stop the answer; the text so far stays."""
    conversation = visible_conversation(request, pk)
    submission.stop(conversation)
    for attempt in Answer.objects.filter(conversation=conversation).running():
        answer_threads.stop(attempt.pk)
    if _wants_events(request):
        return HttpResponse(status=204)
    return redirect(address_of(conversation))


@require_GET
def follow(request: Request, pk: int) -> HttpResponseBase:
    """Stream the rest of the latest answer, which may have been finished meanwhile. What is secret
    in it can be masked only once it is whole, so viewers see it then.
    """
    conversation = visible_conversation(request, pk)
    role = conversation.instance.role_of(request.user)
    words = role in InstanceRole.MEMBER.and_above
    attempt = Answer.objects.filter(conversation=conversation).order_by("pk").last()
    if attempt is None:
        raise Http404
    draw = partial(_render_part, request, conversation.pk)
    return sse.stream(attempt, None, draw, words=words)


def address_of(conversation: Conversation) -> str:
    """Return the address of the chat."""
    return reverse("chat_with", args=[conversation.pk])


def _submit(
    request: Request,
    instance: Instance,
    make: Callable[[], Answer],
    context: dict[str, Any],
    conversation: Conversation | None = None,
) -> HttpResponseBase:
    """Start the answer that *make* creates. Stream it to a page that asks for events; otherwise
    redirect to the page that does.
    """
    try:
        attempt = answer_threads.begin(instance, make)
    except SubmissionRefused as refused:
        if _wants_events(request):
            return JsonResponse({"detail": translated(str(refused))}, status=422)
        if conversation is not None:
            context = _thread_context(request, thread_of(conversation)) | context
        return _page(request, instance, context | {"refused": translated(str(refused))}, status=422)
    begun = attempt.conversation
    if not _wants_events(request):
        return redirect(f"{address_of(begun)}#t{attempt.message.position}")
    # By the position of the previous message, the page notices that it is out of date.
    last = begun.messages.filter(position__lt=attempt.message.position, role=Role.USER)
    begin: dict[str, Any] = {
        "html": _render_part(request, begun.pk, "exchange"),
        "after": last.order_by("position").values_list("position", flat=True).last(),
    }
    if conversation is None:
        begin |= {
            "url": address_of(begun),
            "title": begun.title,
            "head": render_to_string("chat/_head.html", {"conversation": begun}, request),
            "entry": render_to_string(
                "chat/_entry.html", {"row": begun, "conversation": begun}, request
            ),
        }
    return sse.stream(attempt, begin, partial(_render_part, request, begun.pk))


def _render_part(request: Request, pk: int, part: str) -> str:
    """Render the last exchange of a conversation with its notes, or only the notes."""
    conversation = Conversation.objects.select_related("instance").filter(pk=pk).first()
    if conversation is None:
        return ""  # Deleted while it was being answered.
    context = _thread_context(request, last_exchange(conversation))
    return render_to_string(
        f"chat/_{part}.html", context | {"instance": conversation.instance}, request
    )


def _thread_context(request: Request, thread: Thread) -> dict[str, Any]:
    chosen = thread.at(request.GET.get("turn"))
    return {
        "conversation": thread.conversation,
        "thread": thread,
        "each": chosen,
        "chosen": chosen,
        "notes": notes_on(thread.conversation, chosen) if chosen else None,
        "deciders": who_decides(thread.conversation.instance),
    }


def _page(
    request: Request, instance: Instance, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    chats = instance.conversations.filter(origin=ConversationOrigin.CHAT)
    page = {
        "section": "chat",
        "chats": chats.order_by("-last_activity_at", "-id")[:MAX_CHATS],
        "ready": instance.has_language_model,
        "managers": _managers(request, instance),
        "longest": submission.MAX_MESSAGE_CHARACTERS,
    }
    return show(request, "chat/page.html", "chat/page.html", page | context, status=status)


def _managers(request: Request, instance: Instance) -> list[str]:
    """Return the names of people who can connect a language model, if it takes someone else."""
    role = instance.role_of(request.user)
    if instance.has_language_model or role == InstanceRole.MANAGER:
        return []
    managers = User.objects.filter(
        membership__instance=instance, membership__role=InstanceRole.MANAGER
    )
    superadmins = User.objects.filter(is_superuser=True, is_active=True)
    return sorted(user.username for user in managers or superadmins)[:3]


def _wants_events(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "text/event-stream"
