"""Real workers that file turns: at work, killed in the middle of it, beside one that reads."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Drawer, Memory, Run
from tests.faults.test_worker import lease_ends
from tests.faults.worker import Worker, sweep_until_over
from tests.provider_fixtures import eventually, keep_everything
from tests.scripted_answers import unscripted
from tests.scripted_provider import Request, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "chat/completions"
SAID = ("I play the cello.", "My sister is a nurse.")


def read_and_file(request: Request) -> object:
    """Answer as whichever model is asked: the one that reads, or the one that files."""
    schema = request["response_format"]["json_schema"]["name"]
    return unscripted(request) if schema == "filing" else keep_everything(request)


@pytest.fixture
def model(reader: ScriptedProvider, talk: Conversation) -> ScriptedProvider:
    Instance.objects.update(palace_enabled=True)
    reader.reply_with(read_and_file)
    return reader


def say(*said: str) -> None:
    talk = Conversation.objects.get()
    append(talk, [*(NewMessage("user", text) for text in said), NewMessage("assistant", "I see.")])


def each_turn_once() -> bool:
    filed = sorted(drawer.content for drawer in Drawer.objects.select_related("message"))
    return filed == sorted([*SAID, "I see."])


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_messages_are_read_and_filed_in_the_background(model: ScriptedProvider) -> None:
    with Worker():
        say(*SAID)
        eventually(
            lambda: Run.objects.filter(state=Run.State.SUCCEEDED).count() == 2, "a run is not over"
        )
        eventually(
            lambda: Drawer.objects.filter(embeddings__isnull=False).count() == 3, "no vectors"
        )
    assert each_turn_once()
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(SAID)
    assert model.count(CHAT) == 2


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_worker_killed_while_waiting_for_the_model_loses_nothing(model: ScriptedProvider) -> None:
    Instance.objects.update(extract_when="by_hand")
    model.fail_next("hang", 1, CHAT)
    with Worker() as worker:
        say(*SAID)
        eventually(lambda: model.count(CHAT) == 1, "the model is not asked")
        worker.kill()
    assert Run.objects.get().state == Run.State.RUNNING
    assert not Drawer.objects.exists()
    with Worker():
        lease_ends()
        sweep_until_over()
    assert each_turn_once()
    assert Run.objects.get().attempts == 2
