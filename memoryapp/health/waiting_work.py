"""Why conversations wait to be read: one answer for every screen, and for the API."""

from dataclasses import dataclass
from enum import StrEnum

from instances.models import Instance
from memoryapp.models import Run, may_read
from memoryapp.models.fair_queue import waits_for_share
from memoryapp.models.runs import RunCounts
from memoryapp.telemetry.heartbeat import WorkerState, worker_state


class WaitReason(StrEnum):
    """Reason that keeps conversations from being read."""

    #: None waits.
    NONE = ""
    #: The cost cap of the month is reached.
    CAP = "cost_cap"
    #: The holder of the instance has used its share of the workers.
    SHARE = "share"
    NO_WORKER = "no_worker"
    #: Redis does not answer, through which work reaches the workers.
    NO_QUEUE = "queue_unreachable"
    #: Nothing but the work before them.
    TURN = "turn"


@dataclass(frozen=True)
class WaitingWork:
    """The conversations of an instance that are read or wait for it, and why they wait."""

    counts: RunCounts
    reason: WaitReason
    #: True if the cost cap of the month is reached, even if nothing waits.
    capped: bool
    #: Tasks under way for the holder, if that is the reason; else 0.
    share_used: int = 0


def waiting_work(instance: Instance) -> WaitingWork:
    """Count the conversations of *instance* that are read or wait for it."""
    counts = Run.objects.extractions().filter(instance=instance).counts()
    capped = not may_read(instance)
    share_used = waits_for_share(instance) if counts.stuck and not capped else 0
    return WaitingWork(counts, _reason(counts, capped, share_used), capped, share_used)


def _reason(counts: RunCounts, capped: bool, share_used: int) -> WaitReason:
    if not counts.waiting:
        return WaitReason.NONE
    if capped:
        return WaitReason.CAP
    if share_used:
        return WaitReason.SHARE
    # What waits for a moment only may be about to start, and what runs has a worker.
    if not counts.stuck or counts.running:
        return WaitReason.TURN
    return _WITHOUT_WORKER.get(worker_state(), WaitReason.TURN)


_WITHOUT_WORKER = {
    WorkerState.MISSING: WaitReason.NO_WORKER,
    WorkerState.UNKNOWN: WaitReason.NO_QUEUE,
}
