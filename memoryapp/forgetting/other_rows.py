"""Rows besides memories that state what is forgotten, and are deleted with it."""

from instances.models import Instance
from memoryapp.forgetting.muting import Wordings
from memoryapp.models import HeldStatement, MemoryRevision, RefusedProposal, SavedFilter
from memoryapp.policy.restatement import restates, stating
from memoryapp.suppression.rules import suppressions


def merges_stating(instance: Instance, wordings: Wordings) -> dict[int, int]:
    """Return the revisions of merges by which other memories still state these facts, each with its
    memory: as ids. Without the revision, the merge cannot be undone any more.
    """
    people = {person for person, _ in wordings.values()}
    revisions = MemoryRevision.objects.filter(
        reason=MemoryRevision.Reason.JOINED,
        memory__instance=instance,
        memory__end_user__in=people,
    ).exclude(memory__in=wordings)
    rows = {
        pk: (memory, person, statement)
        for pk, memory, person, statement in revisions.values_list(
            "pk", "memory", "memory__end_user", "statement"
        )
    }
    texts = {pk: (person, statement) for pk, (_, person, statement) in rows.items()}
    return {pk: rows[pk][0] for pk in stating(texts, wordings.values())}


def undecided_stating(
    instance: Instance, wordings: Wordings, *, everywhere: bool
) -> list[RefusedProposal | HeldStatement]:
    """Return refused proposals and held statements that are not to be learned again, after
    suppressed statements and rules have been left for what is forgotten; ``everywhere``, all that
    state it.
    """
    people = {person for person, _ in wordings.values()}
    refused = RefusedProposal.objects.filter(instance=instance, end_user__in=people)
    held = HeldStatement.objects.waiting().filter(instance=instance, end_user__in=people)
    rows: list[RefusedProposal | HeldStatement] = [*refused, *held]
    suppressed = suppressions(instance, rows)
    texts = {index: (row.end_user, row.content) for index, row in enumerate(rows)}
    stated = stating(texts, wordings.values() if everywhere else ())
    return [rows[index] for index in stated | suppressed.keys()]


def filters_stating(instance: Instance, wordings: Wordings) -> list[SavedFilter]:
    """Return the saved filters that state one of these facts."""
    return [
        each
        for each in SavedFilter.objects.filter(instance=instance)
        if any(
            restates(each.text, text, person=person)
            for person, texts in wordings.values()
            for text in texts
        )
    ]
