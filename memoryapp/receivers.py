"""Handlers of the signals and hooks of the lower apps."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.apps import AppConfig
from django.db import transaction
from django.db.backends.signals import connection_created
from django.db.models.signals import post_delete, post_migrate, post_save
from django.dispatch import receiver

from conversations import hooks
from conversations.models import Conversation, Import, Message
from conversations.signals import import_waiting, turn_finished
from instances.activity import InstanceAction
from instances.actor import Actor
from instances.models import ExtractWhen, Instance, Webhook
from instances.partitions import is_divided
from instances.server_activity import ServerAction
from instances.signals import (
    instance_changed,
    language_changed,
    model_changed,
    server_changed,
    table_made,
)
from memoryapp.api.schemas import MemoryDetailOut
from memoryapp.citus.distribution import distribute, take_in_new_tables
from memoryapp.extraction import run as reading
from memoryapp.forgetting import holds
from memoryapp.forgetting.repetitions import mute_repeated
from memoryapp.language.words import language_of
from memoryapp.llm import model_measurement
from memoryapp.mining import queue
from memoryapp.models import (
    AuditRecord,
    Drawer,
    Memory,
    MemoryCount,
    Run,
    SuppressedStatement,
    Usage,
    WebhookDelivery,
)
from memoryapp.models.activity import recorded
from memoryapp.models.muted_messages import is_muted, spoken
from memoryapp.policy.turn_nature import nature_of
from memoryapp.privacy.verbatim import masked
from memoryapp.tasks.dispatch import (
    hand_over_events,
    hand_over_import,
    hand_over_measurement,
    hand_over_on_commit,
    hand_over_stale,
)
from memoryapp.telemetry.counters import CALLS, TOKENS
from memoryapp.webhooks import payload


@receiver(turn_finished)
def queue_runs(sender: type, *, conversation: Conversation, **kwargs: Any) -> None:
    """Queue runs in the transaction that stores the reply: one that extracts facts, if the settings
    say so, and one that files the messages. Neither for a conversation without memory.
    """
    if conversation.without_memory:
        return
    instance = conversation.instance
    runs: list[Run | None] = []
    if instance.memory_enabled and instance.extract_when == ExtractWhen.AFTER_RESPONSE:
        runs.append(reading.queue(conversation))
    runs.append(queue.queue(conversation, with_model=queue.may_ask(conversation)))
    for run in filter(None, runs):
        hand_over_on_commit(run)


@receiver(post_save, sender=Conversation)
def read_earlier_ones(sender: type, *, instance: Conversation, created: bool, **_: Any) -> None:
    """Read stale conversations when a new one begins, which may need their facts."""
    if created and instance.goes_stale_at is not None:
        transaction.on_commit(hand_over_stale)


@receiver(import_waiting)
def take_up(sender: type, *, import_: Import, **kwargs: Any) -> None:
    """Tell a worker of a waiting import."""
    hand_over_import(import_.pk)


@receiver(post_delete, sender=Import)
def delete_file(sender: type, *, instance: Import, **kwargs: Any) -> None:
    """Delete the uploaded file with its row."""
    instance.delete_file()


@receiver(post_save, sender=Usage)
def count_call(sender: type, *, instance: Usage, created: bool, **kwargs: Any) -> None:
    """Count a call to a provider once the usage log has it."""
    if created:
        transaction.on_commit(partial(_count_call, instance))


def _count_call(call: Usage) -> None:
    CALLS.add(call.source, call.error_kind or "ok")
    TOKENS.add(call.source, "in", amount=call.prompt_tokens)
    TOKENS.add(call.source, "out", amount=call.completion_tokens)


@receiver(post_delete, sender=Instance)
def forget_counts_and_events(instance: Instance, **_: Any) -> None:
    """Delete the counts of memories, and events, that were written until the last was deleted. The
    records of the audit log stay, without the ids of end users.
    """
    for model in (MemoryCount, WebhookDelivery):
        model._base_manager.filter(instance=instance.pk).delete()
    AuditRecord.objects.forget_people(instance.pk)


@receiver(post_delete, sender=Webhook)
def forget_events(instance: Webhook, **_: Any) -> None:
    """Delete the events of a webhook, which were written until it was deleted."""
    WebhookDelivery.objects.filter(webhook=instance).delete()


@receiver(language_changed)
def rewrite_search_columns(sender: type, *, instance: Instance, **kwargs: Any) -> None:
    """Rewrite the search columns of what the instance holds in another language than before."""
    for texts in (Message.objects.filter(instance=instance), Memory.objects.in_instance(instance)):
        changed: dict[str, list[int]] = {}
        rows = texts.order_by().values_list("pk", "content", "language")
        for pk, content, former in rows.iterator():
            language = language_of(content, instance.language)
            if language != former:
                changed.setdefault(language, []).append(pk)
        for language, ids in changed.items():
            texts.filter(pk__in=ids).update(language=language)
        instance.note_languages(changed)
    # A worker rewrites theirs, which takes longer. Until then, search finds their messages.
    Drawer.objects.filter(instance=instance).update(search=None)


@receiver(model_changed)
def measure_again(sender: type, *, instance: Instance, **kwargs: Any) -> None:
    """Have the models measured."""
    if model_measurement.begin(instance):
        transaction.on_commit(partial(hand_over_measurement, instance.pk))


@receiver(instance_changed)
def record_activity(
    sender: type,
    *,
    instance: Instance,
    by: Actor,
    action: InstanceAction,
    about: str,
    changes: Sequence[Sequence[Any]],
    **_: Any,
) -> None:
    """Record in the activity log what was done to an instance."""
    instance.activity.record(by, action, about=about, changes=changes)


@receiver(server_changed)
def record_in_audit_log(
    sender: type,
    *,
    by: Actor,
    action: ServerAction,
    about: str,
    instance: Instance | None,
    **_: Any,
) -> None:
    """Record in the audit log what was done on the server."""
    AuditRecord.objects.record(by, action, detail=about, instance=instance)


@receiver(recorded)
def send_events(sender: type, *, instance: Instance, **_: Any) -> None:
    """Have the events that a change has made sent once it is committed."""
    # Whatever goes wrong here, the change has been made: the sweeper sends them.
    transaction.on_commit(partial(hand_over_events, instance), robust=True)


connection_created.connect(holds.watch)

hooks.mute_repeated.provide(mute_repeated)
hooks.spoken.provide(spoken)
hooks.is_muted.provide(is_muted)
hooks.sayable_anew.provide(SuppressedStatement.objects.sayable_anew)
hooks.language_of.provide(language_of)
hooks.nature_of.provide(nature_of)


@payload.memory_document.provide
def memory_document(memory: Memory) -> dict[str, Any]:
    return MemoryDetailOut.from_orm(memory).model_dump()


@hooks.masked.provide
def _masked(instance: Instance, text: str) -> str:
    return masked(text, instance.pii_policy)


@receiver(table_made)
def distribute_new_table(sender: type, **kwargs: Any) -> None:
    """Give a table that a migration makes its place among those that are divided."""
    if is_divided():
        distribute()


@receiver(post_migrate)
def partition_new_tables(sender: AppConfig, **kwargs: Any) -> None:
    """Give tables that a migration has made the form and the place of the others. It runs once: the
    signal comes for each app, after all migrations.
    """
    if sender.label == "memoryapp":
        take_in_new_tables()
