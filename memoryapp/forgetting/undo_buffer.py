"""Keeps deleted rows for ten seconds, so that a deletion, or a decision in review, can be undone.

The rows are deleted from PostgreSQL at once. A copy of them (see `undo_copy`) expires in Redis,
encrypted with a new key that is stored nowhere: only the page that answers the deletion contains
it. The first undo deletes the copy.
"""

import logging
import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import timedelta

import redis
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.forgetting import suppressing
from memoryapp.forgetting.undo_copy import RestoredRows, unpack
from memoryapp.models import (
    Activity,
    ArchivedMemory,
    Erasure,
    Summary,
)
from memoryapp.runs.locks import lock_out_writers

logger = logging.getLogger(__name__)

#: The time that people are told, and the extra time in Redis for requests under way.
UNDO_SECONDS, GRACE = 10, 2
#: Seconds after the erasure of a person in which none of their memories are restored: as long as
#: any copy exists, a second attempt included.
ERASURE_SECONDS = 60


class NothingToUndo(Exception):
    """The ten seconds are over, or the deletion has been undone already."""


class WrongUndoToken(Exception):
    """The key is wrong: made for another person or another instance, or invented."""


@dataclass(frozen=True)
class UndoToken:
    """The key to one deletion, for the page that answers it and nothing else."""

    name: str
    key: str


def keep(copied: bytes | None, instance: Instance, user: User) -> UndoToken | None:
    """Store *copied*, encrypted, for ten seconds; None if there is nothing to store, or Redis does
    not answer.
    """
    if copied is None:
        return None
    token = UndoToken(
        secrets.token_urlsafe(16), urlsafe_b64encode(secrets.token_bytes(32)).decode()
    )
    nonce = secrets.token_bytes(12)
    cipher = AESGCM(urlsafe_b64decode(token.key))
    packed = zlib.compress(copied, level=1)
    sealed = nonce + cipher.encrypt(nonce, packed, _owner(token, instance, user))
    try:
        with _redis() as server:
            server.set(_redis_key(token), sealed, ex=UNDO_SECONDS + GRACE)
    except redis.RedisError as error:
        logger.warning("A deletion cannot be undone, since Redis does not take it: %s", error)
        return None
    return token


def restore_deleted(token: UndoToken, instance: Instance, user: User) -> RestoredRows:
    """Undo the deletion of *token*, once.

    Raises `NothingToUndo` if it is too late, `WrongUndoToken` if *token* is not this person's in
    this instance. Related rows whose conversation, message or vector space has been deleted
    meanwhile are left out and counted.
    """
    try:
        sealed, copied = _taken(token, instance, user)
    except redis.RedisError as error:
        raise NothingToUndo from error
    try:
        with transaction.atomic():
            lock_out_writers(instance)
            returned = unpack(zlib.decompress(copied), instance)
            ids = [*returned.deleted, *returned.changed]
            since = timezone.now() - timedelta(seconds=ERASURE_SECONDS)
            if Erasure.objects.asked_since(instance, returned.people, since):
                raise NothingToUndo
            Summary.objects.want(instance, returned.people)
            if returned.is_decision:
                instance.activity.record(
                    Actor(user), Activity.Action.REVIEW_UNDONE, count=returned.held
                )
                return returned
            suppressing.lift(instance, ids)
            # What a rollback made of them.
            ArchivedMemory.objects.filter(instance=instance, memory_id__in=ids).delete()
            for action, restored in (
                (Activity.Action.UNDONE, returned.changed),
                (Activity.Action.UNDELETED, returned.deleted),
            ):
                instance.activity.record_memories(Actor(user), action, restored)
    except Exception:
        # Whatever went wrong, it can be tried once more.
        with _redis() as server:
            server.set(_redis_key(token), sealed, ex=UNDO_SECONDS)
        raise
    return returned


def _taken(token: UndoToken, instance: Instance, user: User) -> tuple[bytes, bytes]:
    """Take the copy out of Redis; return it encrypted and decrypted."""
    with _redis() as server:
        sealed = server.get(_redis_key(token))
        if not isinstance(sealed, bytes):
            raise NothingToUndo
        copied = _opened(sealed, token, instance, user)
        # Of two undos at the same moment, the one that deletes the copy continues.
        if server.delete(_redis_key(token)) != 1:
            raise NothingToUndo
    return sealed, copied


def _opened(sealed: bytes, token: UndoToken, instance: Instance, user: User) -> bytes:
    try:
        cipher = AESGCM(urlsafe_b64decode(token.key.encode()))
        return cipher.decrypt(sealed[:12], sealed[12:], _owner(token, instance, user))
    except (InvalidTag, ValueError) as error:
        raise WrongUndoToken from error


def _owner(token: UndoToken, instance: Instance, user: User) -> bytes:
    """The person and instance, authenticated with the copy so that it opens for no others."""
    return f"{token.name}:{instance.pk}:{user.pk}".encode()


def _redis_key(token: UndoToken) -> str:
    return f"keepsake:undo:{token.name}"


def _redis() -> "redis.Redis":
    return redis.Redis.from_url(
        settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=1, retry=None
    )
