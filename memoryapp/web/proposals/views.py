"""The page of a proposal to forget memories, and its buttons."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods
from django_htmx.http import trigger_client_event

from conversations.models import ConversationOrigin
from instances.access import Request, visible_row
from memoryapp.forgetting.deletion import DeletionResult
from memoryapp.forgetting.proposals import AlreadyDecided, forget_proposed
from memoryapp.forgetting.undo_buffer import UNDO_SECONDS
from memoryapp.models import Answer, ProposedDeletion
from memoryapp.web.layout import show
from memoryapp.web.memory.page import deletion_message
from memoryapp.web.proposals.cards import proposal_cards, who_decides
from memoryapp.web.version_token import parse_token

DECIDED = _("This was decided already. Here is the result.")
CHANGED = _(
    "Nothing was forgotten: the memory has changed since you opened this. Here is its new text."
)
NOTHING_CHECKED = _("Select at least one memory. Nothing was changed.")


@require_http_methods(["GET", "POST"])
def proposal(request: Request, pk: int) -> HttpResponse:
    """Show what an answer proposes to forget; a POST forgets or keeps what is checked."""
    rows = Answer.objects.select_related("message", "conversation").filter(
        proposed_deletions__isnull=False
    )
    answer = visible_row(request, rows.distinct(), pk)
    forgotten = _decide(request, answer) if request.method == "POST" else None
    undo_token = forgotten.undo_token if forgotten else None
    # The undo token is shown in this response only.
    if request.method == "POST" and not request.htmx and undo_token is None:
        return redirect(_address_of_turn(answer))
    cards = proposal_cards(answer.instance, [answer])
    if not cards:
        raise Http404  # The answer has been replaced meanwhile.
    context: dict[str, Any] = {
        "section": "conversations",
        "card": cards[0],
        "conversation": answer.conversation,
        "deciders": who_decides(answer.instance),
        "undo_token": undo_token,
        "seconds": UNDO_SECONDS,
        "listing": {"beside": f"instance={answer.instance.slug}"},
        "back": _address_of_turn(answer),
    }
    response = show(request, "proposals/page.html", "proposals/_card.html", context)
    if forgotten and forgotten.count:
        trigger_client_event(response, "forgotten")  # The notes in the chat tell it, too.
    return response


def _decide(request: Request, answer: Answer) -> DeletionResult | None:
    """Carry out the decision, and tell the person about it."""
    tokens = map(parse_token, request.POST.getlist("memory"))
    seen = dict(token for token in tokens if token)
    if not seen:
        messages.warning(request, NOTHING_CHECKED)
        return None
    if request.POST.get("decision") != "forget":
        _keep(request, answer, list(seen))
        return None
    try:
        forgotten = forget_proposed(answer, seen, by=request.user)
    except AlreadyDecided:
        messages.warning(request, DECIDED)
        return None
    if forgotten.count:
        messages.success(request, deletion_message(forgotten))
    if forgotten.count < len(seen):
        messages.warning(request, CHANGED)
    return forgotten


def _keep(request: Request, answer: Answer, ids: list[int]) -> None:
    chosen = answer.proposed_deletions.filter(memory_id__in=ids)
    if kept := chosen.decide(ProposedDeletion.Decision.KEPT, by=request.user):
        text = ngettext("Kept %(number)s memory.", "Kept %(number)s memories.", kept)
        messages.success(request, text % {"number": kept})
    else:
        messages.warning(request, DECIDED)


def _address_of_turn(answer: Answer) -> str:
    """Return the address of the message that was answered, in the chat or in the transcript."""
    if answer.conversation.origin != ConversationOrigin.CHAT:
        return answer.message.get_absolute_url()
    chat = reverse("chat_with", args=[answer.conversation_id])
    return f"{chat}?turn={answer.message.position}#t{answer.message.position}"
