"""The state of an instance's vectors, as the card of the settings shows it."""

from dataclasses import dataclass
from functools import cached_property

from instances.models import Instance
from memoryapp.embeddings.missing_vectors import DRAWERS, MEMORIES, VectorKind
from memoryapp.models import EmbeddingJob
from memoryapp.providers.configured import space_of


@dataclass(frozen=True)
class VectorState:
    """The state of an instance's vectors. Missing ones are counted when they are shown."""

    instance: Instance
    #: The name of the current space.
    space: str
    #: The latest change of model, while it is open or can be reversed.
    reembedding: EmbeddingJob | None
    #: The job that fills in missing vectors, while it runs.
    fill_in: EmbeddingJob | None

    @cached_property
    def missing(self) -> int:
        """The number of memories without a vector in the current space."""
        return self._count(MEMORIES)

    @cached_property
    def missing_turns(self) -> int:
        """The same for messages."""
        return self._count(DRAWERS)

    def _count(self, kind: VectorKind) -> int:
        return kind.without_vector(self.instance, self.space).count()

    @property
    def has_missing(self) -> int:
        """The number of missing vectors."""
        return self.missing + self.missing_turns

    @property
    def is_going_over(self) -> bool:
        """True if a change of model is in progress, so that none can be chosen."""
        return self.reembedding is not None and self.reembedding.is_open

    @property
    def is_running(self) -> bool:
        """True if a job is running, so that the page polls."""
        return any(job is not None and job.is_running for job in (self.reembedding, self.fill_in))


def vector_state(instance: Instance) -> VectorState:
    """Return the state of the vectors of *instance*, with two queries."""
    jobs = instance.embedding_jobs
    space = space_of(instance.embeddings)
    latest = jobs.filter(kind=EmbeddingJob.Kind.REEMBED).first()
    return VectorState(
        instance,
        space,
        reembedding=latest if latest and (latest.is_open or latest.can_go_back) else None,
        fill_in=jobs.filter(
            kind=EmbeddingJob.Kind.FILL_IN, state=EmbeddingJob.State.RUNNING
        ).first(),
    )
