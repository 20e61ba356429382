"""The one call to the language model: what it is shown, and what it has said."""

from collections.abc import Sequence

from django.db.models import Max

from conversations.models import Conversation, Message, Role
from memoryapp.llm.structured import ask
from memoryapp.mining import prompt, windows
from memoryapp.mining.parse import Filing, FilingContext
from memoryapp.models import Run, Usage, Wing
from memoryapp.providers.endpoints import Endpoint
from memoryapp.text.recalled_context import without_recalled

#: Wings whose names the model is given, the latest ones.
MAX_KNOWN_SUBJECTS = 40


def ask_about(run: Run, endpoint: Endpoint, turns: Sequence[Message]) -> Filing:
    """Ask the model behind *endpoint* about *turns*, in the order of their conversation.

    Raises:
        ProviderError: it did not answer as it should.
        UnusableAnswer: nothing of what it wrote can be used.

    """
    conversation, instance = run.conversation, run.conversation.instance
    return ask(
        instance,
        Usage.Source.MINE,
        endpoint,
        Filing,
        run=run,
        system=prompt.SYSTEM,
        user=prompt.question(
            [_line(turn) for turn in _before(conversation, turns[0])],
            [_line(turn) for turn in turns],
            known=_known_subjects(conversation),
            time_zone=instance.time_zone,
        ),
        context=FilingContext(
            positions=frozenset(turn.position for turn in turns),
            by_people=frozenset(turn.position for turn in turns if turn.role == Role.USER),
        ),
    )


def _known_subjects(conversation: Conversation) -> list[str]:
    """Names of wings of the same person, those first where something was filed last."""
    wings = Wing.objects.filter(instance=conversation.instance, end_user=conversation.end_user)
    latest = wings.annotate(latest=Max("rooms__pk")).order_by("-latest", "-pk")
    return list(latest.values_list("name", flat=True)[:MAX_KNOWN_SUBJECTS])


def _before(conversation: Conversation, first: Message) -> list[Message]:
    earlier = conversation.messages.filter(
        position__lt=first.position, role__in=[Role.USER, Role.ASSISTANT]
    )
    return list(earlier.defer("search").order_by("-position")[: windows.CONTEXT_MESSAGES])[::-1]


def _line(turn: Message) -> prompt.PromptLine:
    text = without_recalled(turn.content)
    if turn.caption:
        text = f"{text} [shared a picture: {turn.caption}]".strip()
    speaker = turn.author or ("Assistant" if turn.role == Role.ASSISTANT else "User")
    if turn.author and turn.role == Role.ASSISTANT:
        speaker = f"{turn.author} (assistant)"
    return prompt.PromptLine(turn.position, speaker, text, turn.sent_at)
