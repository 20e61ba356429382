"""The call to the language model about messages that are to be filed."""

from collections.abc import Sequence

from django.db.models import Max

from conversations.models import Conversation, Message, Role
from memoryapp.language.speakers import head
from memoryapp.llm.structured import ask
from memoryapp.mining import prompt, windows
from memoryapp.mining.parse import Filing, FilingContext
from memoryapp.models import Run, Usage, Wing
from memoryapp.policy.recalled_context import without_recalled
from memoryapp.providers.endpoints import Endpoint

#: The latest wings, whose names the model is given.
MAX_KNOWN_SUBJECTS = 40


def ask_about(
    run: Run, endpoint: Endpoint, messages: Sequence[Message], earlier: Sequence[Message]
) -> Filing:
    """Ask the model at *endpoint* about *messages*, in the order of their conversation, with the
    *earlier* ones as context; raises `ProviderError` and `UnusableAnswer`.
    """
    conversation, instance = run.conversation, run.conversation.instance
    return ask(
        instance,
        Usage.Source.MINE,
        endpoint,
        Filing,
        about=[conversation.end_user],
        run=run,
        system=prompt.SYSTEM,
        user=prompt.question(
            [_line(message) for message in earlier],
            [_line(message) for message in messages],
            known=_known_subjects(conversation),
            time_zone=instance.time_zone,
        ),
        context=FilingContext(
            positions=frozenset(m.position for m in messages),
            by_people=frozenset(m.position for m in messages if m.role == Role.USER),
        ),
    )


def _known_subjects(conversation: Conversation) -> list[str]:
    """Names of wings of the same person, those with the latest rooms first."""
    wings = Wing.objects.filter(instance=conversation.instance, end_user=conversation.end_user)
    latest = wings.annotate(latest=Max("rooms__pk")).order_by("-latest", "-pk")
    return list(latest.values_list("name", flat=True)[:MAX_KNOWN_SUBJECTS])


def messages_before(first: Message, conversation: Conversation) -> list[Message]:
    """The messages before *first* that the model is shown as well."""
    earlier = conversation.messages.filter(
        position__lt=first.position, role__in=[Role.USER, Role.ASSISTANT]
    )
    return list(earlier.defer("search").order_by("-position")[: windows.CONTEXT_MESSAGES])[::-1]


def _line(message: Message) -> prompt.PromptLine:
    text = without_recalled(message.content)
    if message.caption:
        text = f"{text} [shared a picture: {message.caption}]".strip()
    speaker = head(str(message.role), message.author)
    return prompt.PromptLine(message.position, speaker, text, message.sent_at)
