"""Background work with a model on this machine: one call at a time.

Calls to such a server share its processors, and take its prompt cache from each other. An answer
that a person waits for comes first, then reading, then filing.
"""

from typing import Protocol

from django.db import transaction

from instances.models import Instance
from memoryapp.models import Answer, Run, Summary, waiting_at_cap
from memoryapp.providers.configured import reader_abilities
from memoryapp.runs.locks import wait_for_lock


class ServerBusy(Exception):
    """The server is at work, or other work comes first: the caller tries again later."""


class Claimable(Protocol):
    """A row of background work."""

    def claim(self) -> bool:
        """Claim it for the calling worker; return whether that worked."""


def claim_in_turn(work: Claimable, instance: Instance) -> bool:
    """Claim *work*, which calls the model that reads for *instance*, as `Claimable.claim` does.

    Raises `ServerBusy`.
    """
    if not reader_abilities(instance).is_local:
        return work.claim()
    with transaction.atomic():
        # Two workers must not both find the server free.
        wait_for_lock(f"model server:{instance.chat_address}")
        if _is_busy(work, instance):
            raise ServerBusy
        return work.claim()


def _is_busy(work: Claimable, instance: Instance) -> bool:
    """True if other work with the server of *instance* is under way, or comes first."""
    sharing = Instance.objects.filter(provider=instance.provider, base_url=instance.base_url)
    under_way = (
        Answer.objects.filter(instance__in=sharing).running().exists()
        or Run.objects.filter(instance__in=sharing, state=Run.State.RUNNING).exists()
        or Summary.objects.filter(instance__in=sharing).exclude(lease_until=None).exists()
    )
    if under_way or not (isinstance(work, Run) and work.is_mining):
        return under_way
    # What was read for a conversation is still in the server's cache when it is filed. What the cap
    # keeps from being read may take weeks.
    first = Run.objects.filter(instance__in=sharing).before_filing(work)
    return first.exclude(instance__in=waiting_at_cap()).exists()


def lease_seconds(instance: Instance, usual: float) -> float:
    """How long one piece of work may take, with the model that reads for *instance*."""
    return max(usual, reader_abilities(instance).work_seconds)
