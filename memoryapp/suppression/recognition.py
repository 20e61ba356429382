"""Recognises a deleted fact by keyed hashes, which contain no word of it."""

import hashlib
from collections.abc import Callable
from functools import cache

from django.utils.crypto import salted_hmac

from instances.models import HashKey, Instance
from memoryapp.models import SuppressedStatement, SuppressionRule
from memoryapp.policy.minhash import Signature, likeness

#: Returns the hash key for the memories of an end user.
HashKeyOf = Callable[[str], bytes]

#: Share of common words from which two texts are the same fact; see docs/decisions.md.
SAME_FACT = 0.5


def same_fact(
    new: Signature, old: SuppressionRule | SuppressedStatement, *, least: float = SAME_FACT
) -> bool:
    """True if a text with the signature *new* states what *old* stands for."""
    return likeness(new, Signature(bytes(old.words), bytes(old.names))) >= least


def digest(text: str, key: bytes) -> bytes:
    """Return the keyed hash by which a text is recognised, whatever its spaces and capitals."""
    plain = " ".join(text.casefold().split())
    return hashlib.blake2b(plain.encode(), key=key, digest_size=16).digest()


def hash_key_of(instance: Instance) -> HashKeyOf:
    """Return the function for the hash keys of this instance's end users. It loads the instance's
    own key once, when it is first called.
    """
    own = cache(lambda: HashKey.of(instance.pk))

    def key(end_user: str) -> bytes:
        return salted_hmac(
            "keepsake.never-again", end_user, secret=own(), algorithm="sha256"
        ).digest()

    return key
