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
from instances.access import Request, signed_in, with_instance
from instances.models import Instance, InstanceRole, User
from memoryapp.assistant import answer_threads, submission
from memoryapp.assistant.submission import SubmissionRefused
from memoryapp.models import Answer
from memoryapp.web.chat import sse
from memoryapp.web.chat.thread import (
    Thread,
    last_exchange,
    notes_on,
    thread_of,
)
from memoryapp.web.layout import show

#: Chats in the list; the conversations screen has all of them.
MAX_CHATS = 30


@require_http_methods(["GET", "POST"])
@with_instance("chat")
def chat(request: Request, instance: Instance) -> HttpResponseBase:
    """Show the chats of an instance and a form for a new one; a POST begins it."""
    agents = list(instance.agents.all())
    chosen = request.POST.get("agent") or request.GET.get("agent") or ""
    agent = next((each for each in agents if each.slug == chosen), None)
    if chosen and agent is None:
        raise Http404
    end_user = request.POST.get("end_user", "")
    context = {"agents": agents, "agent": agent, "end_user": end_user}
    if request.method == "POST":
        text = request.POST.get("message", "")
        begin = partial(
            submission.begin_conversation, instance, text, agent=agent, end_user=end_user
        )
        return _asked(request, instance, begin, context | {"text": text})
    return _page(request, instance, context)


@require_http_methods(["GET", "POST"])
def chat_with(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show a chat; a POST adds a message."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    if request.method == "POST":
        text = request.POST.get("message", "")
        ask = partial(submission.add_message, conversation, text)
        return _asked(request, conversation.instance, ask, {"text": text}, conversation)
    if conversation.origin != ConversationOrigin.CHAT:
        return redirect(conversation)
    thread = thread_of(conversation)
    context = _thread_context(request, thread)
    if request.htmx:
        return show(request, "chat/page.html", "chat/_notes.html", context)
    return _page(request, conversation.instance, context)


@require_POST
def again(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Answer the last message again."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    ask_again = partial(submission.retry, conversation)
    return _asked(request, conversation.instance, ask_again, {}, conversation)


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop the answer; the text so far stays."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    submission.stop(conversation)
    for attempt in Answer.objects.filter(conversation=conversation).running():
        answer_threads.stop(attempt.pk)
    if _wants_events(request):
        return HttpResponse(status=204)
    return redirect(address_of(conversation))


@require_GET
def follow(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the rest of the answer that is being written, or that has been finished meanwhile."""
    request = signed_in(request)
    conversation = visible_conversation(request, pk)
    attempt = Answer.objects.filter(conversation=conversation).order_by("pk").last()
    if attempt is None:
        raise Http404
    return sse.stream(attempt, None, partial(_drawn, request, conversation.pk))


def address_of(conversation: Conversation) -> str:
    """Return the address of the chat."""
    return reverse("chat_with", args=[conversation.pk])


def _asked(
    request: Request,
    instance: Instance,
    make: Callable[[], Answer],
    context: dict[str, Any],
    conversation: Conversation | None = None,
) -> HttpResponseBase:
    """Have the answer given, and show it on its way: as events to a page that asks for them, else
    by leading to the page that does.
    """
    try:
        attempt = answer_threads.begin(instance, make)
    except SubmissionRefused as refused:
        if _wants_events(request):
            return JsonResponse({"detail": str(refused)}, status=422)
        if conversation is not None:
            context = _thread_context(request, thread_of(conversation)) | context
        return _page(request, instance, context | {"refused": str(refused)}, status=422)
    begun = attempt.conversation
    if not _wants_events(request):
        return redirect(f"{address_of(begun)}#t{attempt.message.position}")
    # A page that does not show the last message is told that it is out of date.
    last = begun.messages.filter(position__lt=attempt.message.position, role=Role.USER)
    begin: dict[str, Any] = {
        "html": _drawn(request, begun.pk, "exchange"),
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
    return sse.stream(attempt, begin, partial(_drawn, request, begun.pk))


def _drawn(request: Request, pk: int, part: str) -> str:
    """The last exchange of a conversation with the notes on it, or the notes alone, as the page
    shows them.
    """
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
    }


def _page(
    request: Request, instance: Instance, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    chats = instance.conversations.filter(origin=ConversationOrigin.CHAT)
    page = {
        "section": "chat",
        "chats": chats.order_by("-last_activity_at", "-id")[:MAX_CHATS],
        "ready": instance.has_language_model,
        "managers": [] if instance.has_language_model else _managers(instance),
        "longest": submission.MAX_MESSAGE_CHARACTERS,
    }
    return show(request, "chat/page.html", "chat/page.html", page | context, status=status)


def _managers(instance: Instance) -> list[str]:
    """Say who may change the settings."""
    names = User.objects.filter(
        membership__instance=instance, membership__role=InstanceRole.MANAGER
    )
    superadmins = User.objects.filter(is_superuser=True, is_active=True)
    asked = names.values_list("username", flat=True) or superadmins.values_list(
        "username", flat=True
    )
    return sorted(asked)[:3]


def _wants_events(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "") == "text/event-stream"
