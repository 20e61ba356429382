"""Authentication by API key, which mem0's client sends as ``Authorization: Token ks_…``."""

from ninja import Router

from instances.models import Permission
from memoryapp.api.auth import Key

#: One router, since the methods of one address are in several modules.
router = Router()

ANY, READ, WRITE, DELETE = (
    Key(*scopes, schemes=("token", "bearer"))
    for scopes in ([], [Permission.READ], [Permission.WRITE], [Permission.DELETE])
)
