"""Who asks: programs with a key, which mem0's client sends as ``Authorization: Token ks_…``."""

from ninja import Router

from instances.models import Permission
from memoryapp.api.auth import Key


class TokenKey(Key):
    """An API key as mem0's client sends it, or as everywhere else."""

    schemes = ("token", "bearer")


#: All addresses, in one place: the methods of one address stand in several modules.
router = Router()

ANY, READ, WRITE, DELETE = (
    TokenKey(scope) for scope in (None, Permission.READ, Permission.WRITE, Permission.DELETE)
)
