"""The gate for extracted facts: the messages that were read are their source, and decide how far
each is believed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from conversations.models import Conversation, Message, Role
from instances.tiers import Tier
from memoryapp.extraction.parse import ExtractedFact
from memoryapp.language.marking import gettext_noop
from memoryapp.pipeline.gate_source import said_lines, tiered_lines
from memoryapp.policy.evidence import AuthorsWords, TieredEvidence
from memoryapp.policy.gate import Refusal, RefusalReason, Source, is_said, is_usable_key, refusal
from memoryapp.policy.keyed_facts import canonical


@dataclass(frozen=True)
class JudgedFact:
    """A fact that a reader proposes, with what the messages say about it."""

    fact: ExtractedFact
    #: Why it is not stored; None if it may be.
    refusal: Refusal | None
    #: How far it is believed: by whose words support it, whatever the reader says.
    tier: Tier
    #: Its end date, if that was said.
    valid_until: date | None
    #: Both; or both empty, if they say something else than the text.
    key: str
    value: str

    @property
    def is_said_by_people(self) -> bool:
        """True if it may be stored, and people have said it themselves."""
        return self.refusal is None and self.tier >= Tier.USER


class Gate:
    """Judges the facts that a reader proposes, by the messages that it was shown."""

    def __init__(self, conversation: Conversation, messages: Sequence[Message]) -> None:
        """*messages* are those of *conversation* that the reader was shown."""
        read = [message for message in messages if message.role != Role.SYSTEM]
        self._places = {message.position: place for place, message in enumerate(read)}
        people = [conversation.end_user] if conversation.end_user else []
        lines = said_lines(read, conversation.instance.time_zone)
        self._source = Source(lines, people=people)
        self._authors_words = AuthorsWords(lines, people=people)
        self._evidence = TieredEvidence(tiered_lines(read, lines), people=people)

    def judge(self, fact: ExtractedFact) -> JudgedFact:
        """Return *fact* with what the messages say about it."""
        until = self._valid_until(fact)
        tier = self._evidence.tier_of(fact.content, said_in=fact.message, valid_until=until)
        key, value = self._key_and_value(fact)
        said_in = [self._places[fact.message]]
        refused = refusal(fact.content, self._source, said_in=said_in)
        if not refused and self._authors_words.lack(fact.content, said_in=said_in):
            words = gettext_noop("is about someone else than who said it")
            refused = Refusal(RefusalReason.SUBJECT, words)
        return JudgedFact(fact, refused, Tier(tier), until, key, value)

    def _valid_until(self, fact: ExtractedFact) -> date | None:
        day, cited = fact.valid_until, self._places[fact.message]
        said = day and is_said(day, self._source, fact.content, said_in=[cited])
        return day if said else None

    def _key_and_value(self, fact: ExtractedFact) -> tuple[str, str]:
        key, value = fact.key or "", fact.value or ""
        if not (key and is_usable_key(key, value, fact.content, self._source)):
            return "", ""
        # Synonyms get one key, so that a new value replaces the present one whatever a model
        # calls it.
        return canonical(key), value
