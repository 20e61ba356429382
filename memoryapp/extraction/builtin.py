"""The built-in reader as a source of candidates: messages in, facts in the form of a model's."""

from collections.abc import Iterable

from conversations.models import Message
from instances.models import Instance
from memoryapp.builtin_reader import Fact, Spoken, read
from memoryapp.extraction.parse import ExtractedFact


def facts_of(messages: Iterable[Message], instance: Instance) -> list[ExtractedFact]:
    """The facts that people state in *messages*, read by rules."""
    found = read(
        [
            Spoken(
                position=message.position,
                role=message.role,
                text=message.content,
                said_on=instance.date_of(message.sent_at),
                author=message.author,
            )
            for message in messages
        ],
        usual_language=instance.language,
    )
    return [_extracted(fact) for fact in found]


def _extracted(fact: Fact) -> ExtractedFact:
    return ExtractedFact.model_construct(
        message=fact.position,
        content=fact.text,
        category=fact.label.category,
        importance=fact.label.importance,
        tags=(),
        valid_until=fact.last_day,
        key=fact.label.key,
        value=fact.label.value,
        source="user_explicit" if fact.is_asked_for else "conversation",
        confidence=None,
    )
