"""From what is known of turns to where they belong, and to what the graph learns from them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp.embeddings.drawer_text import searchable_text
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn
from memoryapp.llm.answers import Dropped
from memoryapp.mining.parse import FiledEntity, FiledRelation, Filing
from memoryapp.models import Drawer, EntityKind, WingKind
from memoryapp.models.aaak import KINDS, Tags
from memoryapp.models.names import clean_name, slug
from memoryapp.palace.filing import GENERAL, PlacedMessage
from memoryapp.text import pii

#: What a model calls a speaker without a known name.
_SPEAKER = frozenset({"user", "the-user", "i", "me", "speaker", "the-speaker"})
#: How such a one is called in the graph.
NAMELESS = "The user"


@dataclass
class MiningPlan:
    """What is to be done with some turns."""

    placed: list[PlacedMessage]
    #: What the turns say, by their message.
    relations: list[tuple[int, FiledRelation]] = field(default_factory=list)
    entities: list[FiledEntity] = field(default_factory=list)
    #: Messages of the turns, by their position.
    messages: dict[int, Message] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)

    def said(self, drawers: Mapping[int, Drawer]) -> list[StatementIn]:
        """What the graph learns, of the turns that have been filed: *drawers* by message."""
        return [
            StatementIn(
                subject=self._named(self._speaker(relation.subject, message), EntityKind.PERSON),
                predicate=relation.predicate,
                object=self._object(relation.object, message),
                said_at=drawers[message].said_at,
                valid_from=relation.since,
                ends=relation.ends,
                single_valued=relation.single,
                confidence=relation.confidence,
                drawer_id=drawers[message].pk,
            )
            for message, relation in self.relations
            if message in drawers
        ]

    def mentioned(self, drawers: Mapping[int, Drawer]) -> list[EntityMention]:
        """Who and what the filed turns speak of."""
        return [
            EntityMention(NamedEntity(thing.name, thing.kind, thing.aliases), drawer_id=drawer.pk)
            for thing in self.entities
            for position in thing.turns
            if position in self.messages
            and (drawer := drawers.get(self.messages[position].pk)) is not None
        ]

    def _speaker(self, name: str, message: int) -> str:
        if slug(name) not in _SPEAKER:
            return name
        author = next((m.author for m in self.messages.values() if m.pk == message), "")
        return clean_name(author) if slug(author) else NAMELESS

    def _object(self, written: str, message: int) -> NamedEntity | str:
        if slug(written) in _SPEAKER:
            return self._named(self._speaker(written, message), EntityKind.PERSON)
        known = self._thing(written)
        return NamedEntity(known.name, known.kind, known.aliases) if known else written

    def _named(self, name: str, otherwise: str) -> NamedEntity:
        known = self._thing(name)
        return (
            NamedEntity(known.name, known.kind, known.aliases)
            if known
            else NamedEntity(name, otherwise)
        )

    def _thing(self, name: str) -> FiledEntity | None:
        wanted = slug(name)
        return next(
            (
                thing
                for thing in self.entities
                if wanted in (slug(thing.name), *map(slug, thing.aliases))
            ),
            None,
        )


def by_conversation(conversation: Conversation, turns: Sequence[Message]) -> MiningPlan:
    """File *turns* under the title of their conversation, or the day on which it began."""
    wing = wing_of(conversation)
    return MiningPlan([PlacedMessage(turn.pk, wing) for turn in turns])


def by_model(conversation: Conversation, turns: Sequence[Message], filing: Filing) -> MiningPlan:
    """File *turns* as a model has said, but for what holds a secret: no name is made of one."""
    clean = _Cleaner(conversation.instance, turns)
    subject = filing.subject
    if subject.name and clean.keeps(subject.name):
        wing, kind = subject.name, WingKind(subject.kind)
        aliases = tuple(filter(clean.keeps, subject.aliases))
    else:
        wing, kind, aliases = wing_of(conversation), WingKind.TOPIC, ()
    placed = []
    described_by = filing.by_position
    for turn in turns:
        described = described_by.get(turn.position)
        topic = described.topic if described and clean.keeps(described.topic) else ""
        tags = {
            each: tuple(filter(clean.keeps, getattr(described.tags, each))) if described else ()
            for each in KINDS.values()
        }
        placed.append(PlacedMessage(turn.pk, wing, kind, aliases, topic or GENERAL, Tags(**tags)))
    messages = {turn.position: turn for turn in turns}
    dropped = filing.all_dropped()
    relations = []
    for relation in filing.relations:
        if all(map(clean.keeps, (relation.subject, relation.predicate, relation.object))):
            relations.append((messages[relation.turn].pk, relation))
        else:
            dropped.append(Dropped(relation.turn, "a relation holds a secret"))
    entities = [
        thing.model_copy(update={"aliases": tuple(filter(clean.keeps, thing.aliases))})
        for thing in filing.entities
        if clean.keeps(thing.name)
    ]
    return MiningPlan(placed, relations, entities, messages, dropped)


def wing_of(conversation: Conversation) -> str:
    """The wing of *conversation* as a whole."""
    title = clean_name(searchable_text(conversation.instance, conversation.title))
    if slug(title):
        return title
    zone = ZoneInfo(conversation.instance.time_zone)
    return f"Conversation of {conversation.created_at.astimezone(zone):%Y-%m-%d}"


class _Cleaner:
    """Knows the secrets that were said, and so finds them in names that stand alone."""

    def __init__(self, instance: Instance, turns: Sequence[Message]) -> None:
        self._off = instance.pii_policy == pii.PIIMode.OFF
        said = "\n".join(turn.content for turn in turns)
        self._known = {} if self._off else pii.secrets_in(said)

    def keeps(self, text: str) -> bool:
        """Whether *text* may become a name, a tag or a value."""
        if self._off:
            return True
        examined = pii.examine(text, known=self._known)
        return not examined.findings and not examined.refusal
