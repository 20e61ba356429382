"""An instance with rows in every table of a bundle."""

from typing import Any

from django.utils import timezone

from conversations.models import CountedTexts, WordCount
from instances.models import Agent, HashKey, Instance, Secret, SecretName, User
from memoryapp.bundle.tables import BundledTable
from memoryapp.models import GoldenRound, Memory, RecallLog, RetentionRule
from memoryapp.models.stored_rows import stored_fields
from tests.people.factories import create_person

PASSPHRASE = "a passphrase of the test"


def furnish(instance: Instance, author: User, *, end_user: str = "ana@example.org") -> None:
    """Create rows of every table of *instance*."""
    create_person(instance, end_user, author=author)
    HashKey.of(instance.pk)
    secret = Secret(instance=instance, name=SecretName.CHAT_API_KEY)
    secret.seal("sk-quokka-of-the-provider", "https://api.example.org/v1")
    secret.save()
    agent = Agent.objects.create(instance=instance, slug="desk", name="Desk")
    group = instance.groups.get()
    group.agents.add(agent)
    instance.conversations.update(agent=agent)
    CountedTexts.objects.create(
        instance=instance, table="messages", texts=3, counted_at=timezone.now()
    )
    WordCount.objects.create(instance=instance, table="messages", stem="quokka", texts=2)
    RetentionRule.objects.create(instance=instance, kept="messages", days=400)
    area = {"name": "Merger", "words": ["Project Heron"], "handling": "refuse"}
    Instance.objects.filter(pk=instance.pk).update(own_areas=[area])
    memory = Memory.objects.in_instance(instance).first()
    question = instance.golden_questions.get()
    assert memory is not None
    results = {str(question.pk): {"place": 1, "top": ["memory", memory.pk]}}
    GoldenRound.objects.create(
        instance=instance, cause="by_hand", by=author, results=results, asked=1, first=1, shown=1
    )
    RecallLog.objects.filter(instance=instance).update(
        hits=[{"ref": "m1", "memory": memory.pk, "ranks": {}, "parts": {}, "similarity": 0.41}]
    )


def rows_of(table: BundledTable, instance: Instance) -> list[dict[str, Any]]:
    """The rows of a *table* that are of *instance*, in the order of their keys."""
    owner = f"{table.owner}__instance" if table.owner else "instance"
    names = [column.attname for column in stored_fields(table.model)]
    keys = [column.attname for column in table.model._meta.pk_fields]
    rows = table.model._base_manager.filter(**{owner: instance}).order_by(*keys)
    return list(rows.values(*names))
