"""Fair shares of workers: a hanging provider of one person does not block others."""

from collections.abc import Iterator

import pytest
from django.conf import settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.models import Instance, User
from memoryapp.models import Memory, Run
from memoryapp.models.fair_queue import BULK_LEAVES
from memoryapp.tasks import sweep
from memoryapp.tasks.dispatch import send_runs
from tests.faults.worker import Worker
from tests.provider_fixtures import eventually, read_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "chat/completions"
SHARE = settings.WORKER_SHARE


@pytest.fixture
def hanging() -> Iterator[ScriptedProvider]:
    """A provider that takes requests and never answers."""
    with ScriptedProvider() as provider:
        provider.fail_next("hang", None, seconds=120)
        yield provider


def private_instance(slug: str, person: User, provider: ScriptedProvider) -> Instance:
    instance = Instance.objects.create(
        slug=slug, name=slug, private_to=person, palace_enabled=False
    )
    read_with(provider, instance)
    return instance


def create_conversations(instance: Instance, count: int, **kwargs: str) -> list[Conversation]:
    talks = [Conversation.objects.create(instance=instance, **kwargs) for _ in range(count)]
    for number, talk in enumerate(talks):
        append(
            talk,
            [
                NewMessage("user", f"I have been to place {number}."),
                NewMessage("assistant", "I see."),
            ],
        )
    return talks


def running(*instances: Instance) -> int:
    return Run.objects.filter(instance__in=instances, state=Run.State.RUNNING).count()


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_hanging_runs_of_one_person_do_not_delay_others(
    reader: ScriptedProvider, talk: Conversation, hanging: ScriptedProvider, alice: User
) -> None:
    hers = [private_instance(slug, alice, hanging) for slug in ("diary", "notes")]
    with Worker():
        for instance in hers:
            create_conversations(instance, SHARE)
        eventually(lambda: running(*hers) >= SHARE, "Alice's share is not used up")
        append(talk, [NewMessage("user", "I play the cello."), NewMessage("assistant", "I see.")])
        eventually(Memory.objects.exists, "conversations of others are not read", seconds=20)
        sweep()
        assert running(*hers) == SHARE, "the share is per instance instead of per person"
        # When the first runs end, the next start without waiting for the sweeper.
        hanging.close()
        eventually(lambda: running(*hers) == 0, "the remaining runs do not start")


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_chat_messages_are_read_before_imported_ones(
    instance: Instance, hanging: ScriptedProvider
) -> None:
    read_with(hanging, instance)
    with Worker():
        create_conversations(instance, SHARE + 2, origin=ConversationOrigin.IMPORT)
        sweep()
        eventually(
            lambda: running(instance) == SHARE - BULK_LEAVES,
            "the imported conversations are not read",
        )
        (talk,) = create_conversations(instance, 1)
        run = Run.objects.get(conversation=talk)
        eventually(
            lambda: Run.objects.get(pk=run.pk).state == Run.State.RUNNING,
            "the run keeps waiting",
            seconds=20,
        )


@pytest.mark.usefixtures("broker")
def test_runs_are_sent_to_workers_round_robin_by_holder(
    instance: Instance, provider: ScriptedProvider, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []

    def send(task: str, kwargs: dict[str, int]) -> bool:
        sent.append(kwargs["run_id"])
        return True

    monkeypatch.setattr("memoryapp.tasks.dispatch.send_in_background", lambda task, kwargs: None)
    monkeypatch.setattr("memoryapp.tasks.dispatch.send", send)
    read_with(provider, instance)
    diary = private_instance("diary", alice, provider)
    notes = private_instance("notes", alice, provider)
    for each in (diary, notes, instance):
        create_conversations(each, SHARE + 2, origin=ConversationOrigin.IMPORT)
    (talk,) = create_conversations(instance, 1)
    send_runs()
    runs = {run.pk: run for run in Run.objects.all()}
    holders = ["hers" if runs[pk].instance_id != instance.pk else "shared" for pk in sent]
    assert len(sent) == 2 * SHARE, "Alice's instances do not share one slot limit"
    assert sorted(holders[:2]) == sorted(holders[2:4]) == ["hers", "shared"]
    first = next(pk for pk in sent if runs[pk].instance_id == instance.pk)
    assert runs[first].conversation_id == talk.pk
