"""The two readers of conversations: a language model, and the built-in one, which needs none."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from conversations.models import Message, Role
from instances.models import Instance
from memoryapp.extraction.gate import Gate, JudgedFact
from memoryapp.extraction.llm_call import ask_about
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.extraction.transcript import MAX_CHARACTERS
from memoryapp.extraction.windows import (
    MAX_CHARACTERS_BUILTIN,
    MAX_NEW_MESSAGES_BUILTIN,
    MessageWindow,
    context_for,
)
from memoryapp.language.marking import gettext_noop
from memoryapp.llm.answers import Dropped
from memoryapp.models import Run
from memoryapp.policy.gate import Refusal, RefusalReason
from memoryapp.providers.configured import reader_abilities
from memoryapp.reader import Fact, Spoken, read


@dataclass(frozen=True)
class Reading:
    """The facts that a reader has found in new messages."""

    facts: list[JudgedFact]
    #: What it proposed that was unusable.
    dropped: Sequence[Dropped] = ()
    #: The text that the facts were learned from; empty: each from its own message.
    source_text: str = ""
    #: True if it was cut off, and more facts were to come.
    breaks_off: bool = False


class BuiltinReader:
    """Reads by rules. What others than the user say, it does not read."""

    #: Who it is in the activity log.
    via = "builtin_reader"
    is_model = False
    #: The roles of messages that it learns from.
    roles = (Role.USER,)

    def __init__(self, run: Run) -> None:
        self._conversation = run.conversation

    def window(self) -> MessageWindow:
        """Window that is read at once."""
        return MessageWindow(MAX_CHARACTERS_BUILTIN, MAX_NEW_MESSAGES_BUILTIN)

    def read(self, new: Sequence[Message], telling: Mapping[int, Message]) -> Reading:
        """Read *new* messages. Facts may be learned from those that are *telling*, by position."""
        gate = Gate(self._conversation, list(telling.values()))
        return Reading(list(map(gate.judge, facts_of(new, self._conversation.instance))))


class ModelReader:
    """Has a language model read. What a slow one misses, the built-in reader reads."""

    via = "extraction"
    is_model = True
    roles = (Role.USER, Role.TOOL)

    def __init__(self, run: Run) -> None:
        self._run, self._conversation = run, run.conversation
        abilities = reader_abilities(run.conversation.instance)
        self._is_slow = abilities.is_slow
        self._room = abilities.conversation_characters(MAX_CHARACTERS)

    def window(self) -> MessageWindow:
        """Window that is read at once: in each further attempt half as much, since the answer may
        have been too long for the model.
        """
        return MessageWindow(self._room).halved(self._run.attempts - 1)

    def read(self, new: Sequence[Message], telling: Mapping[int, Message]) -> Reading:
        """Read *new* messages. Facts may be learned from those that are *telling*, by position."""
        earlier = self._before(new)
        answer = ask_about(
            self._run, new, earlier, telling=telling, room=self._room, briefly=self._is_slow
        )
        if answer is None:
            return Reading([])
        gate = Gate(self._conversation, [*earlier, *new])
        facts = list(map(gate.judge, answer.memories))
        if self._is_slow:
            facts = [_unless_mixed_up(fact) for fact in facts]
            facts += self._overlooked(new, facts, gate)
        # All messages, since the model may point to one and quote another.
        source_text = "\n".join(message.content for message in telling.values())
        return Reading(facts, answer.dropped["memories"], source_text, answer.breaks_off)

    def _before(self, new: Sequence[Message]) -> list[Message]:
        """The earlier messages that are shown with *new* ones."""
        before = self._conversation.messages.filter(position__lt=new[0].position).defer("search")
        return list(before.order_by("-position")[: context_for(len(new))])[::-1]

    def _overlooked(
        self, new: Sequence[Message], facts: Sequence[JudgedFact], gate: Gate
    ) -> list[JudgedFact]:
        """Facts that the built-in reader finds in messages of which a small model has made no
        usable fact: it overlooks some, and gets others wrong.
        """
        learned = {each.fact.message for each in facts if each.is_said_by_people}
        found = facts_of(new, self._conversation.instance)
        return [gate.judge(fact) for fact in found if fact.message not in learned]


def _unless_mixed_up(judged: JudgedFact) -> JudgedFact:
    """Refuse a fact of a small model that no person has said: it mixes up who said what, and takes
    a wrong answer of the assistant for a fact.
    """
    if judged.refusal or judged.is_said_by_people:
        return judged
    words = gettext_noop("was not said by a person, and small models mix up who said what")
    return replace(judged, refusal=Refusal(RefusalReason.UNSUPPORTED, words))


def reader_for(run: Run) -> BuiltinReader | ModelReader:
    """The reader of the conversation of *run*."""
    return BuiltinReader(run) if run.conversation.instance.reads_by_itself else ModelReader(run)


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
