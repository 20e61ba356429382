"""The built-in reader as a source of candidates: messages in, facts in the form of a model's."""

from collections.abc import Collection, Iterable, Sequence

from conversations.models import Message
from instances.models import Instance
from memoryapp.builtin_reader import Fact, Spoken, read
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.policy.endings import ends
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
        _extracted(fact, has_key=_is_current(fact, found, instance.single_valued_keys))
        for fact in found
    ]


def _is_current(fact: Fact, found: Sequence[Fact], single_valued: Collection[str]) -> bool:
    """Whether no later one of *found* gives the key of *fact* another value, or ends it. What was
    said before in the same messages is no longer the value: it stays as a fact without a key.
    """
    key = fact.label.key
    later = [each for each in found if each.position > fact.position]
    replaced = is_single_valued(key, single_valued) and any(each.label.key == key for each in later)
    return not (replaced or (key and any(ends(each.text, fact.text) for each in later)))


def _extracted(fact: Fact, *, has_key: bool) -> ExtractedFact:
    return ExtractedFact.model_construct(
        message=fact.position,
        content=fact.text,
        category=fact.label.category,
        importance=fact.label.importance,
        tags=(),
        valid_until=fact.last_day,
        key=fact.label.key if has_key else "",
        value=fact.label.value if has_key else "",
        source="user_explicit" if fact.is_asked_for else "conversation",
        confidence=None,
    )
