"""Secrets within a bundle, encrypted with a passphrase (scrypt, AES-256-GCM)."""

import base64
import json
from secrets import token_bytes
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

#: Cost, block size and lanes of scrypt: 128 MB and a good half second. They are not read from a
#: file, which could ask for any.
_N, _R, _P = 2**17, 8, 1
_SALT_BYTES, _NONCE_BYTES = 16, 12

MIN_PASSPHRASE = 12


class WrongPassphrase(ValueError):
    """The passphrase is not the one with which the secrets were encrypted, or they were changed."""


def seal(content: Any, passphrase: str) -> str:
    """Return *content*, which JSON has, encrypted as a JSON object."""
    salt, nonce = token_bytes(_SALT_BYTES), token_bytes(_NONCE_BYTES)
    sealed = AESGCM(_key(passphrase, salt)).encrypt(nonce, json.dumps(content).encode(), None)
    parts = {"salt": salt, "nonce": nonce, "content": sealed}
    return json.dumps({name: base64.b64encode(part).decode() for name, part in parts.items()})


def unseal(text: bytes, passphrase: str) -> Any:
    """Return what `seal` has encrypted. Raises `WrongPassphrase`, and `ValueError` or `KeyError`
    for what is no such text.
    """
    parts = json.loads(text)
    salt, nonce, sealed = (
        base64.b64decode(parts[name], validate=True) for name in ("salt", "nonce", "content")
    )
    try:
        return json.loads(AESGCM(_key(passphrase, salt)).decrypt(nonce, sealed, None))
    except InvalidTag as error:
        raise WrongPassphrase from error


def _key(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, n=_N, r=_R, p=_P).derive(passphrase.encode())
