"""Stores the messages of mem0's clients as conversations, from which facts are extracted."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from conversations.messages import NewMessage, append_new, short_id
from conversations.models import Conversation, ConversationOrigin
from conversations.titles import clean_title
from instances.models import Instance
from memoryapp.api.auth import Caller
from memoryapp.api.mem0.entity_scope import LABELS, Owners
from memoryapp.extraction.run import queue_by_hand
from memoryapp.models import Run
from memoryapp.tasks.dispatch import hand_over_on_commit


def ingest(
    instance: Instance, owners: Owners, messages: Sequence[NewMessage], caller: Caller
) -> Run:
    """Append *messages* to the conversation of *owners*, and queue its extraction, even if the
    instance does not do so by itself: that is what adding messages means in mem0.
    """
    with transaction.atomic():
        conversation = _conversation(instance, owners)
        append_new(conversation, messages, door=caller.door)
        run = queue_by_hand(conversation)
        hand_over_on_commit(run)
    return run


def _conversation(instance: Instance, owners: Owners) -> Conversation:
    """Return the conversation of the run, or without a run that of the day, since nothing else says
    where a conversation ends.
    """
    day = timezone.now().astimezone(ZoneInfo(instance.time_zone)).date().isoformat()
    labels = owners.labels
    named = [owners.end_user, *(labels.get(name, "") for name in LABELS)]
    parts = [*named, "" if owners.run_id else day]
    values: dict[str, Any] = {
        "title": clean_title(instance, labels.get("run_id", day)),
        "end_user": owners.end_user,
        "agent": instance.agents.filter(slug=labels.get("agent_id", "")).first(),
        "origin": ConversationOrigin.MEM0,
    }
    conversation, _ = Conversation.objects.get_or_create(
        instance=instance,
        external_id=short_id(":".join(["mem0", *(quote(part, safe="") for part in parts)])),
        defaults=values,
    )
    return conversation
