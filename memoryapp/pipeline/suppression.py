"""The stage of the write path that keeps out suppressed facts; see `memoryapp.suppression`."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from instances.models import Instance
from instances.translatable import translatable
from memoryapp.models import Origin, SuppressionRule
from memoryapp.pipeline.candidates import Candidate, Rejected, Writer
from memoryapp.suppression import rules
from memoryapp.suppression.rules import Suppression

CODE = "never_again"
FROM_HERE = translatable("A memory that was learned from this message has been deleted.")
RULE = translatable(
    "It was deleted and must not be learned again. To bring it back, remove the rule under "
    "Memory, Removed, Blocked, or add the memory by hand."
)


class Suppressed(Rejected):
    """The candidate states a deleted fact that must not be learned again."""

    def __init__(self, suppression: Suppression) -> None:
        super().__init__(RULE if suppression.rules else FROM_HERE, CODE)
        self.suppression = suppression


def kept_out(
    instance: Instance, candidates: Sequence[Candidate], *, by_hand: bool = False
) -> dict[int, Suppressed]:
    """Return the reasons for *candidates* that are suppressed, by index, with two queries."""
    found = rules.suppressions(instance, candidates, by_hand=by_hand)
    return {index: Suppressed(each) for index, each in found.items()}


def check(
    instance: Instance, candidates: Sequence[Candidate], writer: Writer, *, lift_rules: bool
) -> None:
    """Raise `Suppressed` if one of *candidates* is suppressed; with ``lift_rules``, delete the
    rules for it instead.
    """
    suppressed = kept_out(instance, candidates, by_hand=writer.origin == Origin.MANUAL)
    if suppressed and not lift_rules:
        raise next(iter(suppressed.values()))
    lifted = {rule.memory_id for reason in suppressed.values() for rule in reason.suppression.rules}
    if lifted:  # Deleting nothing takes Django as long as a short statement.
        SuppressionRule.objects.filter(instance=instance, memory_id__in=lifted).delete()


@contextmanager
def counting_hits() -> Iterator[None]:
    """Count a suppressed candidate, outside the transaction that it rolls back."""
    try:
        yield
    except Suppressed as reason:
        count_hits([reason])
        raise


def count_hits(reasons: Iterable[Suppressed]) -> None:
    """Count for each rule that it has suppressed a candidate."""
    rules.count_hits(reason.suppression for reason in reasons)
