"""Authentication by API key: mem0's client sends ``Authorization: Token ks_…``, clients of its
self-hosted server ``X-API-Key: ks_…``.
"""

from django.http import HttpRequest
from ninja import Router

from instances.models import Permission
from memoryapp.api.auth import KEY_HEADER, Caller, Key

#: One router, since the methods of one address are in several modules.
router = Router()


class Mem0Key(Key):
    """An API key in one of the ways in which mem0's clients send it."""

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Return the caller, None without a key."""
        alone = request.headers.get(KEY_HEADER, "").strip()
        if alone and "Authorization" not in request.headers:
            return self.authenticate(request, alone)
        return super().__call__(request)


READ, WRITE, DELETE = (
    Mem0Key(scope, schemes=("token", "bearer"))
    for scope in (Permission.READ, Permission.WRITE, Permission.DELETE)
)
#: For keys of one person as well: what these operations see and change is about that person.
ANY, READ_OWN, WRITE_OWN, DELETE_OWN = (
    Mem0Key(*scopes, schemes=("token", "bearer"), keeps_to_person=True)
    for scopes in ([], [Permission.READ], [Permission.WRITE], [Permission.DELETE])
)
