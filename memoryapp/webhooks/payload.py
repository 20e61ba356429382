"""Payload of an event. It is read when it is sent: what has been deleted by then is not sent, and
no copy has to be found when a person is erased.
"""

from collections.abc import Sequence
from typing import Any

from instances.hooks import Hook
from instances.tiers import Tier
from memoryapp.models import HeldStatement, Memory, WebhookDelivery

Event = WebhookDelivery.Event

#: The types of events about several rows, of which only the ids are sent.
BATCH_TYPES = {
    Event.LEARNED: "memories.learned",
    Event.CHANGED: "memories.changed",
    Event.FORGOTTEN: "memories.forgotten",
    Event.HELD: "statements.held",
}


@Hook
def memory_document(memory: Memory) -> dict[str, Any]:
    """Return *memory*, with its conversations, as the API shows it."""
    raise NotImplementedError


def payload_of(delivery: WebhookDelivery) -> dict[str, Any] | None:
    """Return the body about *delivery*, with dates in it; None if nothing is left to tell."""
    event = Event(delivery.event)
    data = _READ[event](delivery)
    if data is None:
        return None
    return {
        "id": delivery.message_id,
        "type": BATCH_TYPES[event] if delivery.is_batch else event.value,
        "created_at": delivery.created_at,
        "instance": delivery.webhook.instance.slug,
        "data": data,
    }


def _present(delivery: WebhookDelivery) -> dict[str, Any] | None:
    memories = Memory.objects.filter(
        instance=delivery.webhook.instance_id, pk__in=delivery.ids
    ).order_by("pk")
    if delivery.is_batch:
        found = [
            {"id": pk, "user_id": end_user}
            for pk, end_user in memories.values_list("pk", "end_user")
        ]
        return {"memories": found} if found else None
    memory = memories.defer("search").with_conversations().first()
    return None if memory is None else memory_document(memory)


def _forgotten(delivery: WebhookDelivery) -> dict[str, Any]:
    # Without the people once one of them has been erased.
    people: Sequence[str | None] = delivery.end_users or [None] * len(delivery.ids)
    gone = [
        {"id": pk, "user_id": end_user} for pk, end_user in zip(delivery.ids, people, strict=True)
    ]
    return {"memories": gone} if delivery.is_batch else gone[0]


def _held(delivery: WebhookDelivery) -> dict[str, Any] | None:
    """Statements without their texts: a program that reads them would defeat the review."""
    rows = HeldStatement.objects.waiting().filter(
        instance=delivery.webhook.instance_id, pk__in=delivery.ids
    )
    found = [
        {
            "id": held.pk,
            "user_id": held.end_user,
            "tier": Tier(held.tier).name.lower(),
            "reason": held.reason,
            "contradicts": held.contradicts,
            "conversation_id": held.conversation_id,
            "message_id": held.message_id,
            "via": held.via,
            "created_at": held.created_at,
        }
        for held in rows.defer("content", "as_memory").order_by("pk")
    ]
    if not found:
        return None
    return {"statements": found} if delivery.is_batch else found[0]


def _test(delivery: WebhookDelivery) -> dict[str, Any]:
    return {"message": "A test from Keepsake. Nothing has happened."}


_READ = {
    Event.LEARNED: _present,
    Event.CHANGED: _present,
    Event.FORGOTTEN: _forgotten,
    Event.HELD: _held,
    Event.TEST: _test,
}
