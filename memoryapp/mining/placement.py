"""Decides where messages are filed, and which statements of theirs the graph receives."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from zoneinfo import ZoneInfo

from conversations.models import Conversation, Message
from instances.models import Instance
from instances.tiers import Tier, TierHandling
from memoryapp.embeddings.drawer_text import searchable_text
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn
from memoryapp.graph.predicates import in_words
from memoryapp.language.speakers import author_name
from memoryapp.llm.answers import Dropped
from memoryapp.mining.parse import FiledEntity, FiledRelation, Filing
from memoryapp.models import Drawer, EntityKind, WingKind
from memoryapp.models.aaak import Tags
from memoryapp.models.names import clean_name, slug
from memoryapp.palace.filing import GENERAL, PlacedMessage
from memoryapp.pipeline.gate_source import said_lines, tiered_lines
from memoryapp.policy.evidence import AuthorsWords, TieredEvidence
from memoryapp.policy.gate import Source, is_said, unsaid_name
from memoryapp.policy.review import speaks_to_assistant
from memoryapp.privacy import pii

#: Slugs that a model uses for a speaker whose name it does not know.
_SPEAKER = frozenset({"user", "the-user", "i", "me", "speaker", "the-speaker"})
#: The name of such a speaker in the graph.
NAMELESS = "The user"


@dataclass
class MiningPlan:
    """Where some messages are filed, and what they state."""

    placed: list[PlacedMessage]
    #: Relations with their tier and the id of their message.
    relations: list[tuple[int, Tier, FiledRelation]] = field(default_factory=list)
    entities: list[FiledEntity] = field(default_factory=list)
    #: By position.
    messages: dict[int, Message] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)

    def statements(self, drawers: Mapping[int, Drawer]) -> list[StatementIn]:
        """The statements of messages that have been filed: *drawers* by message."""
        return [
            StatementIn(
                subject=self._person(relation.subject, message),
                predicate=relation.predicate,
                object=self._object(relation.object, message),
                said_at=drawers[message].said_at,
                valid_from=relation.since,
                ends=relation.ends,
                single_valued=relation.single,
                confidence=relation.confidence,
                tier=tier,
                drawer_id=drawers[message].pk,
            )
            for message, tier, relation in self.relations
            if message in drawers
        ]

    def mentions(self, drawers: Mapping[int, Drawer]) -> list[EntityMention]:
        """The entities that the filed messages name."""
        return [
            EntityMention(_named(entity), drawer_id=drawer.pk)
            for entity in self.entities
            for position in entity.turns
            if position in self.messages
            and (drawer := drawers.get(self.messages[position].pk)) is not None
        ]

    def _person(self, name: str, message: int) -> NamedEntity:
        """The entity called *name*, or the author of *message* if that means its speaker."""
        if slug(name) in _SPEAKER:
            author = next((m.author for m in self.messages.values() if m.pk == message), "")
            name = clean_name(author) if slug(author_name(author)) else NAMELESS
        return self._known(name) or NamedEntity(name, EntityKind.PERSON)

    def _object(self, text: str, message: int) -> NamedEntity | str:
        if slug(text) in _SPEAKER:
            return self._person(text, message)
        return self._known(text) or text

    def _known(self, name: str) -> NamedEntity | None:
        for entity in self.entities:
            if slug(name) in (slug(entity.name), *map(slug, entity.aliases)):
                return _named(entity)
        return None


def _named(entity: FiledEntity) -> NamedEntity:
    return NamedEntity(entity.name, entity.kind, entity.aliases)


def by_conversation(conversation: Conversation, messages: Sequence[Message]) -> MiningPlan:
    """File *messages* under the title of their conversation, or the day on which it began."""
    wing = _wing_of(conversation)
    return MiningPlan([PlacedMessage(message.pk, wing) for message in messages])


def by_model(
    conversation: Conversation,
    messages: Sequence[Message],
    filing: Filing,
    earlier: Sequence[Message] = (),
) -> MiningPlan:
    """File *messages* as the model says, except that names with secrets are not used, and that the
    graph gets no name and no date that *messages* and the *earlier* ones do not have.
    """
    secrets = _SecretFilter(conversation.instance, messages)
    plan = MiningPlan(
        _placed(conversation, messages, filing, secrets),
        messages={message.position: message for message in messages},
        dropped=filing.all_dropped(),
    )
    gate = _GraphGate(conversation, [*earlier, *messages], secrets)
    for relation in filing.relations:
        tier = gate.tier_of(relation)
        if problem := gate.problem_of(relation, tier):
            plan.dropped.append(Dropped(relation.turn, problem))
        else:
            plan.relations.append((plan.messages[relation.turn].pk, tier, relation))
    for entity in filing.entities:
        if not secrets.allow(entity.name):
            continue
        if not gate.is_said(entity.name):
            problem = "an entity has a name that was not said"
            plan.dropped.append(Dropped(entity.turns[0], problem))
            continue
        plan.entities.append(entity.model_copy(update={"aliases": gate.aliases_of(entity)}))
    return plan


def _placed(
    conversation: Conversation,
    messages: Sequence[Message],
    filing: Filing,
    secrets: "_SecretFilter",
) -> list[PlacedMessage]:
    subject = filing.subject
    if subject.name and secrets.allow(subject.name):
        wing, kind = subject.name, WingKind(subject.kind)
        aliases = tuple(filter(secrets.allow, subject.aliases))
    else:
        wing, kind, aliases = _wing_of(conversation), WingKind.TOPIC, ()
    placed = []
    turns = filing.by_position
    for message in messages:
        topic, tags = "", Tags()
        if turn := turns.get(message.position):
            topic = turn.topic if secrets.allow(turn.topic) else ""
            names_by_kind = asdict(turn.tags).items()
            tags = Tags(**{kind: tuple(filter(secrets.allow, n)) for kind, n in names_by_kind})
        placed.append(PlacedMessage(message.pk, wing, kind, aliases, topic or GENERAL, tags))
    return placed


class _GraphGate:
    """Decides what of a model's relations and entities is supported by the messages it has read."""

    def __init__(
        self, conversation: Conversation, messages: Sequence[Message], secrets: "_SecretFilter"
    ) -> None:
        self._instance, self._secrets = conversation.instance, secrets
        lines = said_lines(messages, conversation.instance.time_zone)
        people = list(filter(None, [conversation.end_user]))
        self._evidence = TieredEvidence(tiered_lines(messages, lines), people=people)
        self._source = Source(lines, people=people)
        self._authors_words = AuthorsWords(lines, people=people)

    def is_said(self, name: str) -> bool:
        return slug(name) in _SPEAKER or not unsaid_name(name, self._source)

    def problem_of(self, relation: FiledRelation, tier: Tier) -> str:
        """Why *relation* is not taken from *tier*; empty if it is."""
        parts = (relation.subject, relation.predicate, relation.object)
        if not all(map(self._secrets.allow, parts)):
            return "a relation holds a secret"
        if not (self.is_said(relation.subject) and self.is_said(relation.object)):
            return "a relation has a name that was not said"
        if self._authors_words.lack(_in_words(relation)):
            return "a relation of the user is another's"
        if relation.since and not is_said(relation.since, self._source):
            return "a relation has a date that was not said"
        return _unbelievable(self._instance, relation, tier)

    def tier_of(self, relation: FiledRelation) -> Tier:
        """How far *relation* is believed: by whose words it is said, whatever the model says."""
        names = [name for name in (relation.subject, relation.object) if slug(name) not in _SPEAKER]
        words = in_words(relation.predicate)
        return Tier(
            self._evidence.tier_of_relation(
                names, words, said_in=relation.turn, since=relation.since
            )
        )

    def aliases_of(self, entity: FiledEntity) -> tuple[str, ...]:
        """Return the aliases of *entity* that were said, and by which the user calls it."""
        return tuple(
            alias
            for alias in entity.aliases
            if self._secrets.allow(alias)
            and self.is_said(alias)
            and self._gives_name(entity, alias)
        )

    def _gives_name(self, entity: FiledEntity, alias: str) -> bool:
        """True if the user calls *entity* by *alias*: by its names it is decided what is said of
        it.
        """
        names = [entity.name, alias]
        tiers = (self._evidence.tier_of_relation(names, said_in=turn) for turn in entity.turns)
        return any(tier >= Tier.USER for tier in tiers)


def _in_words(relation: FiledRelation) -> str:
    subject = NAMELESS if slug(relation.subject) in _SPEAKER else relation.subject
    return f"{subject} {in_words(relation.predicate)} {relation.object}."


def _unbelievable(instance: Instance, relation: FiledRelation, tier: Tier) -> str:
    """Why *relation* is not taken from *tier*; empty if it is. Relations cannot wait for review."""
    if tier >= Tier.USER:
        return ""
    if speaks_to_assistant(f"{relation.subject} {in_words(relation.predicate)} {relation.object}"):
        return "a relation speaks to the assistant"
    if instance.handling_of(tier) != TierHandling.KEEP:
        return "a relation is of a tier that is not kept by itself"
    return ""


def _wing_of(conversation: Conversation) -> str:
    title = clean_name(searchable_text(conversation.instance, conversation.title))
    if slug(title):
        return title
    zone = ZoneInfo(conversation.instance.time_zone)
    return f"Conversation of {conversation.created_at.astimezone(zone):%Y-%m-%d}"


class _SecretFilter:
    """Recognises the secrets of some messages in names, where nothing announces them."""

    def __init__(self, instance: Instance, messages: Sequence[Message]) -> None:
        self._off = instance.pii_policy == pii.PIIMode.OFF
        text = "\n".join(message.content for message in messages)
        self._known = {} if self._off else pii.secrets_in(text)

    def allow(self, text: str) -> bool:
        """True if *text* may become a name, a tag or a value."""
        if self._off:
            return True
        examined = pii.examine(text, known=self._known)
        return not examined.findings and not examined.refusal
