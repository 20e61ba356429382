"""The built-in reader as a source of candidates: messages in, facts in the form of a model's."""

from collections.abc import Iterable, Sequence

from conversations.models import Message
from instances.models import Instance
from memoryapp.builtin_reader import Fact, Spoken, read
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.policy.keyed_facts import is_single_valued


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
    return [
        _extracted(fact, has_key=fact.position >= latest)
        for fact, latest in zip(found, _latest(found, instance), strict=True)
    ]


def _latest(found: Sequence[Fact], instance: Instance) -> list[int]:
    """For each fact, the position of the last one that gives its key a value. What was said before
    in the same messages is no longer the value: it stays as a fact without a key.
    """
    last: dict[str, int] = {}
    for fact in found:
        if is_single_valued(fact.label.key, instance.single_valued_keys):
            last[fact.label.key] = fact.position
    return [last.get(fact.label.key, 0) for fact in found]


def _extracted(fact: Fact, *, has_key: bool) -> ExtractedFact:
    return ExtractedFact.model_construct(
        message=fact.position,
        content=fact.text,
        category=fact.label.category,
        importance=fact.label.importance,
        tags=(),
        valid_until=None,
        key=fact.label.key if has_key else "",
        value=fact.label.value if has_key else "",
        source="user_explicit" if fact.is_asked_for else "conversation",
        confidence=None,
    )
