"""Proposals of a model that the gate refused: stored for people to look at, and kept by hand.

A refused text passes the same validation as a memory, so that no secret and nothing that was
deleted for good stands here.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from instances.actor import Actor
from instances.tiers import Tier
from instances.translatable import as_translatable
from memoryapp.models import Origin, RefusedProposal, Run
from memoryapp.pipeline.candidates import Candidate, Outcome, Writer
from memoryapp.pipeline.packed_candidates import packed, unpacked
from memoryapp.pipeline.validation import Admitted
from memoryapp.pipeline.write import RememberOptions, remember
from memoryapp.policy.gate import Refusal


@dataclass(frozen=True)
class RefusedCandidate:
    """A validated candidate, and why it was refused."""

    admitted: Admitted
    refusal: Refusal

    @property
    def candidate(self) -> Candidate:
        return self.admitted.candidate


def store_refused(run: Run, refused: Sequence[RefusedCandidate]) -> None:
    """Store what *run* has refused, instead of what it refused of these messages before. Belongs in
    the transaction that ends the run.
    """
    messages = {each.candidate.message_id for each in refused}
    rows = RefusedProposal.objects.filter(instance=run.instance_id)
    rows.filter(message__in=messages).delete()
    RefusedProposal.objects.bulk_create(
        RefusedProposal(
            instance_id=run.instance_id,
            run=run,
            conversation_id=run.conversation_id,
            message_id=each.candidate.message_id,
            end_user=each.candidate.end_user,
            content=each.candidate.content,
            as_memory=packed(each.candidate),
            reason=each.refusal.reason,
            words=as_translatable(each.refusal.words),
        )
        for each in refused
        if each.candidate.message_id
    )
    if refused:
        rows.trim(run.instance)


def keep_refused(proposal: RefusedProposal, *, by: Actor, lifting: bool = False) -> Outcome:
    """Store *proposal* all the same, as what a person decided. Raises `Rejected`, and
    `RefusedProposal.DoesNotExist` if another person has decided about it meanwhile.
    """

    def decided(outcomes: list[Outcome]) -> None:
        deleted, _ = proposal.row().delete()
        if not deleted:
            raise RefusedProposal.DoesNotExist

    (outcome,) = remember(
        proposal.instance,
        # The person stands for it, and not the model.
        [replace(candidate_of(proposal), origin=None, confidence=None)],
        Writer(Origin.MANUAL, by, tier=Tier.PERSON),
        RememberOptions(lift_rules=lifting),
        in_same_transaction=decided,
    )
    return outcome


def candidate_of(proposal: RefusedProposal) -> Candidate:
    """The candidate that *proposal* was."""
    return unpacked(
        proposal.as_memory,
        proposal.content,
        proposal.end_user,
        conversation_id=proposal.conversation_id,
        message_id=proposal.message_id,
    )
