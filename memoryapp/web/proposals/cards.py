"""Cards for what an answer proposes to forget, as the chat and the page of the proposal show it."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.functional import SimpleLazyObject

from instances.models import Instance, InstanceRole, User
from memoryapp.models import Answer, Memory, ProposedDeletion
from memoryapp.web.version_token import version_token

#: Names of people who may decide.
MAX_NAMES = 3


@dataclass(frozen=True)
class ProposedMemory:
    """A memory that is proposed to be forgotten, and what became of it."""

    proposal: ProposedDeletion
    #: None if it has been deleted.
    memory: Memory | None

    @property
    def token(self) -> str:
        """The version of the memory that the page shows."""
        return version_token(self.memory) if self.memory else ""

    @property
    def is_open(self) -> bool:
        """True if there is something to decide."""
        return self.memory is not None and not self.proposal.decision

    @property
    def has_changed(self) -> bool:
        """True if it has been changed since it was proposed."""
        return self.memory is not None and self.memory.updated_at != self.proposal.memory_updated_at


@dataclass(frozen=True)
class ProposalCard:
    """All that one answer proposes to forget."""

    answer: Answer
    memories: list[ProposedMemory]

    @property
    def open(self) -> list[ProposedMemory]:
        """Memories about which a person has not decided yet."""
        return [each for each in self.memories if each.is_open]


def proposal_cards(instance: Instance, answers: Collection[Answer]) -> list[ProposalCard]:
    """Return the cards of those *answers* of *instance* that propose something, in two queries."""
    proposals: dict[int, list[ProposedDeletion]] = defaultdict(list)
    rows = ProposedDeletion.objects.filter(answer__in=[answer.pk for answer in answers])
    for row in rows.select_related("decided_by"):
        proposals[row.answer_id].append(row)
    ids = [row.memory_id for rows in proposals.values() for row in rows]
    memories = instance.memories.defer("search").in_bulk(ids) if ids else {}
    return [
        ProposalCard(
            answer,
            [ProposedMemory(row, memories.get(row.memory_id)) for row in proposals[answer.pk]],
        )
        for answer in answers
        if answer.pk in proposals
    ]


def who_decides(instance: Instance) -> "SimpleLazyObject[list[str]]":
    """Return the names of people who may delete memories of *instance*, looked up when needed."""
    return SimpleLazyObject(lambda: _deciders(instance))


def _deciders(instance: Instance) -> list[str]:
    may_delete = Q(
        membership__instance=instance, membership__role__in=InstanceRole.MEMBER.and_above
    )
    people = User.objects.filter(is_active=True)
    return _names(people.filter(may_delete)) or _names(people.filter(is_superuser=True))


def _names(people: Iterable[User]) -> list[str]:
    return sorted(person.username for person in people)[:MAX_NAMES]
