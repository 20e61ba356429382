"""Encryption at rest for provider keys and second factors."""

from dataclasses import dataclass

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class UnreadableSecret(Exception):
    """A stored secret does not open with today's ENCRYPTION_KEY."""


@dataclass(frozen=True)
class EncryptedColumn:
    """A column that holds what `encrypt` makes: as it is, or under *keys* of a JSON object."""

    model: str
    field: str
    keys: tuple[str, ...] = ()


#: All that is encrypted in the database. What a change of the key has to go through.
ENCRYPTED_COLUMNS = (
    EncryptedColumn("instances.Secret", "token"),
    EncryptedColumn("mfa.Authenticator", "data", ("secret", "seed")),
)


def encrypt(value: str) -> str:
    """Encrypt *value* into an ASCII token (Fernet: AES-128-CBC with HMAC-SHA256)."""
    return _fernet().encrypt(value.encode()).decode()


def decrypt(token: str) -> str:
    """Open what `encrypt` made; raises `UnreadableSecret` when the key has changed."""
    try:
        return _fernet().decrypt(token.encode()).decode()
    except InvalidToken:
        raise UnreadableSecret(
            "A stored key cannot be read, because ENCRYPTION_KEY has changed. Enter the key again."
        ) from None


def _fernet() -> Fernet:
    return Fernet(settings.ENCRYPTION_KEY)
