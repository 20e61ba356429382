"""Encryption at rest: provider keys, second factors, and other secrets in the database.

There may be several keys: the first encrypts, all decrypt. See `instances.key_rotation`.
"""

import hashlib
import hmac
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings

from instances.translatable import translatable


class UnreadableSecret(Exception):
    """None of the present keys decrypts a stored secret."""


def encrypt(value: str) -> str:
    """Encrypt *value* into an ASCII token (Fernet: AES-128-CBC with HMAC-SHA256)."""
    return _fernet().encrypt(value.encode()).decode()


def decrypt(token: str) -> str:
    """Decrypt a token of `encrypt`; raises `UnreadableSecret` if its key is gone."""
    try:
        return _fernet().decrypt(token.encode()).decode()
    except InvalidToken:
        raise UnreadableSecret(
            translatable(
                "A stored key cannot be read, because ENCRYPTION_KEY has changed. Enter the key "
                "again."
            )
        ) from None


def rotate(token: str) -> str:
    """Return *token* encrypted with the first key. Raises `UnreadableSecret`."""
    try:
        Fernet(encryption_keys()[0]).decrypt(token.encode())
    except InvalidToken:
        pass
    else:
        return token
    try:
        return _fernet().rotate(token.encode()).decode()
    except InvalidToken:
        raise UnreadableSecret from None


def derive(purpose: str) -> str:
    """Return a key for *purpose*, derived from the first encryption key (HMAC-SHA256, hex)."""
    return hmac.new(encryption_keys()[0].encode(), purpose.encode(), hashlib.sha256).hexdigest()


def encryption_keys() -> list[str]:
    """Return the keys, the encrypting one first: from the environment, else from the file.

    The file is read each time, so running processes need no restart when it changes.
    """
    if settings.ENCRYPTION_KEY:
        return [settings.ENCRYPTION_KEY, *settings.ENCRYPTION_KEY_FALLBACKS]
    return Path(settings.ENCRYPTION_KEY_FILE).read_text().split()


def _fernet() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in encryption_keys()])
