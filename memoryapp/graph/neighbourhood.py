"""Relations of the entities that a question names."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from conversations.scripts import UNSPACED
from instances.models import Instance
from memoryapp.graph.predicates import in_words
from memoryapp.models import Entity, Mention, Relation
from memoryapp.models.names import slug

#: The longest name: in words, and in characters for scripts without spaces.
MAX_NAME_WORDS, MAX_UNSPACED_CHARACTERS = 5, 12
#: Names are looked for in the first characters of a question.
MAX_QUESTION_CHARACTERS = 1_000

#: Scripts that are written without spaces: a name may begin and end anywhere.
_UNSPACED = re.compile(f"[{UNSPACED}々]+")


@dataclass(frozen=True)
class RelationFact:
    """A relation in words."""

    #: The id of the relation, for as long as the statement exists that opens it.
    id: int
    subject_id: int
    object_id: int | None
    subject: str
    predicate: str
    object: str
    valid_from: date | None
    valid_to: date | None
    #: True if `valid_from` was stated; otherwise it is the day of the first statement.
    dated: bool
    confidence: int
    said_at: datetime
    #: Where it comes from, in words.
    provenance: str
    end_user: str
    tier: int
    #: The ids of the statements that it stands on.
    statements: Sequence[int]

    @property
    def sentence(self) -> str:
        """For example "Anna works at Acme (2021-03-01 to 2024-05-31)"."""
        when = ""
        if self.valid_from and self.valid_to:
            when = f" ({self.valid_from} to {self.valid_to})"
        elif self.valid_to:
            when = f" (until {self.valid_to})"
        elif self.valid_from and self.dated:
            when = f" (since {self.valid_from})"
        return f"{self.subject} {in_words(self.predicate)} {self.object}{when}"


def relations_of(
    instance: Instance,
    people: Sequence[str] | None,
    named: Sequence[str | int],
    *,
    as_of: date | None = None,
    limit: int = 20,
) -> list[RelationFact]:
    """The relations of the entities *named*, by their names or ids: open ones first, then those of
    the highest tier, then by the latest statement. *people* None: of every person. With *as_of*,
    only those that held that day.
    """
    ids = {each for each in named if isinstance(each, int)}
    slugs = {slug(each) for each in named if isinstance(each, str)}
    entities = Entity.objects.filter(instance=instance)
    if people is not None:
        entities = entities.filter(end_user__in=people)
    ids = {*entities.filter(pk__in=ids).values_list("pk", flat=True)} if ids else ids
    if slugs:
        ids.update(entities.called(slugs).values_list("pk", flat=True))
    if not ids:
        return []
    relations = Relation.objects.about(instance, ids, most=2 * limit).select_related(
        "subject", "object"
    )
    if as_of is not None:
        relations = relations.as_of(as_of)
    ranked = sorted(relations, key=lambda r: (r.is_open, r.tier, r.said_at, r.pk), reverse=True)
    return [as_fact(relation) for relation in ranked if not relation.is_overruled][:limit]


def as_fact(relation: Relation) -> RelationFact:
    """Return *relation*, loaded with its entities, as a fact in words."""
    return RelationFact(
        id=relation.pk,
        subject_id=relation.subject_id,
        object_id=relation.object_id,
        subject=relation.subject.name,
        predicate=relation.predicate,
        object=relation.object.name if relation.object else relation.value,
        valid_from=relation.valid_from,
        valid_to=relation.valid_to,
        dated=relation.dated,
        confidence=relation.confidence,
        said_at=relation.said_at,
        provenance=relation.provenance,
        end_user=relation.end_user,
        tier=relation.tier,
        statements=relation.statements,
    )


def entities_named_in(instance: Instance, people: Sequence[str] | None, question: str) -> list[int]:
    """The ids of the entities that *question* names, by any of their names, with one query. The
    longest name first: a question about New York is not about York.
    """
    names = {name: len(name) for name in possible_names(question)}
    rows = Mention.objects.filter(instance=instance, slug__in=names)
    if people is not None:
        rows = rows.filter(entity__end_user__in=people)
    longest: dict[int, int] = {}
    for entity, name in rows.values_list("entity", "slug").distinct():
        longest[entity] = max(longest.get(entity, 0), names[name])
    return sorted(longest, key=lambda entity: (-longest[entity], entity))


def possible_names(question: str) -> Iterator[str]:
    """The slugs of all sequences of words in *question*, and of characters without spaces."""
    text = unicodedata.normalize("NFKC", question)[:MAX_QUESTION_CHARACTERS]
    words = re.findall(r"\w[\w'’.+#]*", re.sub(r"['’]s\b", "", text))
    for start in range(len(words)):
        for end in range(start + 1, min(len(words), start + MAX_NAME_WORDS) + 1):
            if name := slug(" ".join(words[start:end])):
                yield name
    for run in _UNSPACED.findall(text):
        for start in range(len(run)):
            for end in range(start + 1, min(len(run), start + MAX_UNSPACED_CHARACTERS) + 1):
                if name := slug(run[start:end]):
                    yield name
