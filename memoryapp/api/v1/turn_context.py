"""Context that a model is shown for a turn, kept for its later requests.

A client that runs tools of its own sends a request for each round of them. They all carry what the
first one did, byte for byte: so the provider's prompt cache holds, and nothing changes under the
model's hands. It is kept in Redis, encrypted, and not used once anything has been deleted since.
"""

import json
import logging
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.core.cache import cache
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from conversations.models import Message
from instances.models import Instance
from instances.secrets import UnreadableSecret, decrypt, encrypt
from memoryapp.context.builder import MessageContext
from memoryapp.models import Activity

logger = logging.getLogger(__name__)

#: Seconds that a client's tools may take.
MAX_TURN_SECONDS = 3600
#: A deletion is dated before its end, so recall may still have seen what it deletes.
DELETION_SECONDS = 60

#: Changes that leave what was recalled in place.
_ADDITIONS = (
    Activity.Action.CREATED,
    Activity.Action.APPROVED,
    Activity.Action.UPDATED,
    Activity.Action.RESTORED,
    Activity.Action.RATED,
    Activity.Action.CONFIRMED,
    Activity.Action.RELATION_ADDED,
    Activity.Action.RELATIONS_LEARNED,
    Activity.Action.NOTED,
    Activity.Action.FILED,
    Activity.Action.SUMMED_UP,
    Activity.Action.MARKED_STALE,
    Activity.Action.MARKED_FRESH,
)


@dataclass(frozen=True)
class TurnContext:
    """Context that the model is shown for a turn, in addition to the caller's messages."""

    #: The text, with the present time; may be empty.
    text: str = ""
    #: What was recalled; None if the memory was not asked.
    recalled: MessageContext | None = field(default=None, repr=False)


def keep(instance: Instance, turn: str, context: TurnContext, *, at: datetime) -> None:
    """Keep *context*, made since *at*, for later requests of *turn*, which identifies it."""
    recalled = context.recalled
    value = {
        "at": at.isoformat(),
        "text": context.text,
        "recalled": recalled and {"hits": recalled.hits, "problem": recalled.problem},
    }
    try:
        cache.set(_name(instance, turn), encrypt(json.dumps(value)), timeout=MAX_TURN_SECONDS)
    except RedisError as error:
        logger.info("the context of a turn could not be kept: %s", error)


def kept(instance: Instance, turn: str) -> TurnContext | None:
    """Return what was kept for *turn*; None if there is nothing, or nothing that still holds."""
    try:
        sealed = cache.get(_name(instance, turn))
        value = json.loads(decrypt(sealed)) if sealed else None
    except (RedisError, UnreadableSecret):
        return None
    if value is None:
        return None
    recalled = value["recalled"]
    hits = recalled["hits"] if recalled else []
    if _anything_gone(instance, hits, datetime.fromisoformat(value["at"])):
        return None
    if recalled is None:
        return TurnContext(value["text"])
    return TurnContext(value["text"], MessageContext("", hits=hits, problem=recalled["problem"]))


def _anything_gone(instance: Instance, hits: list[dict[str, Any]], since: datetime) -> bool:
    """True if the text may hold what was deleted *since*."""
    changes = instance.activity.filter(at__gt=since - timedelta(seconds=DELETION_SECONDS))
    if changes.exclude(action__in=_ADDITIONS).exists():
        return True
    messages = {hit["message"] for hit in hits if "message" in hit}
    # Conversations can be deleted without their memories, which is no change of the memory.
    return Message.objects.filter(instance=instance, pk__in=messages).count() < len(messages)


def _name(instance: Instance, turn: str) -> str:
    digest = salted_hmac("keepsake.turn", turn, algorithm="sha256").hexdigest()
    return f"turn:{instance.pk}:{digest}"
