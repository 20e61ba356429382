"""The call to the language model about messages that may state facts."""

from collections.abc import Collection, Sequence
from zoneinfo import ZoneInfo

from django.utils import timezone

from conversations.models import Message
from memoryapp.extraction import prompt
from memoryapp.extraction.parse import ExtractedFacts, FactsWithAreas, ShortFacts
from memoryapp.extraction.transcript import TranscriptLine, build
from memoryapp.llm.structured import NO_MODEL, NoModel, ask
from memoryapp.models import Run, Usage
from memoryapp.providers.configured import chat_endpoint
from memoryapp.suppression.sensitivity import NOT_KEPT


def ask_about(
    run: Run,
    new: Sequence[Message],
    earlier: Sequence[Message],
    *,
    telling: Collection[int],
    room: int,
    briefly: bool,
) -> ExtractedFacts | None:
    """Ask the model about the *new* messages, with the *earlier* ones as context, in *room*
    characters: return the facts that it proposes of those whose positions are in *telling*; None:
    there was nothing to ask. It is asked *briefly* if it is slow.

    Raises `NoModel`, `ProviderError` and `UnusableAnswer`.
    """
    instance = run.conversation.instance
    transcript = build(
        [line_of(message) for message in earlier],
        [line_of(message) for message in new],
        time_zone=instance.time_zone,
        room=room,
        brief=briefly,
    )
    if not transcript.new:
        return None
    endpoint = chat_endpoint(instance)
    if endpoint is None:
        raise NoModel(NO_MODEL)
    with_areas = not briefly and bool(instance.areas_handled(*NOT_KEPT))
    form = ShortFacts if briefly else FactsWithAreas if with_areas else ExtractedFacts
    now = timezone.now().astimezone(ZoneInfo(instance.time_zone))
    return ask(
        instance,
        Usage.Source.EXTRACT,
        endpoint,
        form,
        about=[run.conversation.end_user],
        run=run,
        system=prompt.SHORT if briefly else prompt.SYSTEM,
        user=prompt.question(
            transcript,
            now=now,
            time_zone=instance.time_zone,
            guidance=instance.guidance,
            with_areas=with_areas,
        ),
        context={each.position: each.content for each in new if each.position in telling},
    )


def line_of(message: Message) -> TranscriptLine:
    """Return the line of *message* in the transcript."""
    return TranscriptLine(
        position=message.position,
        role=message.role,
        content=message.content,
        sent_at=message.sent_at,
        author=message.author,
        caption=message.caption,
        tool_name=message.tool_name,
        tool_calls=message.tool_calls,
    )
