"""Removes memories for a caller: for good, or into the bin, as the caller is trusted."""

from django.db.models import QuerySet
from django.http import HttpRequest

from instances.models import Instance, Permission
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import ApiError
from memoryapp.forgetting.archive import archive
from memoryapp.forgetting.deletion import forget
from memoryapp.models import Memory


def may_forget(request: HttpRequest) -> bool:
    """True if the caller may delete memories for good: people, and keys with that permission."""
    return Permission.FORGET in caller_of(request).scopes


def remove(
    request: HttpRequest,
    instance: Instance,
    memories: QuerySet[Memory],
    *,
    never_again: bool = False,
) -> int:
    """Forget *memories* of *instance* if the caller may, else archive them; return how many there
    were. Raises `ApiError` if ``never_again`` is asked for without that permission.
    """
    actor = caller_of(request).actor
    if may_forget(request):
        return forget(instance, memories, by=actor, never_again=never_again)
    if never_again:
        raise ApiError(403, "scope_required", "never_again needs a key with permission to forget.")
    return archive(instance, memories, by=actor)
