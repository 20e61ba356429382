"""Deleting what matches filters: memories, or only the labels by which they match."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest

from memoryapp.api.auth import caller_of, instance_named
from memoryapp.api.mem0.filters import no_field
from memoryapp.api.mem0.search import condition_of
from memoryapp.api.rest.removal import remove
from memoryapp.models import Memory, SuppressedStatement
from memoryapp.pipeline.labelling import take_labels


def remove_matching(request: HttpRequest, given: Any) -> int:
    """Remove the memories that match the filters *given*, which must name their owner. A memory
    that others of the same kind have stated as well only loses the labels that the filters name.
    Return how many memories there were of both sorts. Raises `ApiError`.

    The program starts anew for these owners: what it adds from now on is learned, even if it says
    the same. After the deletion of a single memory, a history that is sent again teaches nothing.
    """
    instance = instance_named(request, None)
    condition = condition_of(request, instance, given)
    for name in condition.of_metadata:
        # A mistyped field, under NOT, would delete more than was meant.
        raise no_field(name)
    memories = Memory.objects.in_instance(instance).filter(condition.q)
    with transaction.atomic():
        kept = take_labels(instance, memories, condition.labels, by=caller_of(request).actor)
        ids = list(memories.values_list("pk", flat=True))
        removed = remove(request, instance, memories)
        SuppressedStatement.objects.let_be_said_anew(instance, ids)
        return kept + removed
