"""Real workers that file messages while others extract facts, also when they are killed."""

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Drawer, Memory, Run
from tests.faults.test_worker import expire_lease
from tests.faults.worker import Worker, sweep_until_over
from tests.provider_fixtures import eventually, keep_everything
from tests.scripted_answers import unscripted
from tests.scripted_provider import Request, ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "chat/completions"
FACTS = ("I play the cello.", "My sister is a nurse.")


def read_and_file(request: Request) -> object:
    """Answer an extraction or a mining request."""
    schema = request["response_format"]["json_schema"]["name"]
    return unscripted(request) if schema == "filing" else keep_everything(request)


@pytest.fixture
def model(reader: ScriptedProvider, talk: Conversation) -> ScriptedProvider:
    Instance.objects.update(palace_enabled=True)
    reader.reply_with(read_and_file)
    return reader


def append_messages(*texts: str) -> None:
    talk = Conversation.objects.get()
    append(talk, [*(NewMessage("user", text) for text in texts), NewMessage("assistant", "I see.")])


def each_message_filed_once() -> bool:
    filed = sorted(drawer.content for drawer in Drawer.objects.select_related("message"))
    return filed == sorted([*FACTS, "I see."])


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_messages_are_read_and_filed_in_the_background(model: ScriptedProvider) -> None:
    with Worker():
        append_messages(*FACTS)
        eventually(
            lambda: Run.objects.filter(state=Run.State.SUCCEEDED).count() == 2,
            "a run has not finished",
        )
        eventually(
            lambda: Drawer.objects.filter(embeddings__isnull=False).count() == 3, "no vectors"
        )
    assert each_message_filed_once()
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(FACTS)
    assert model.count(CHAT) == 2


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_worker_killed_while_waiting_for_the_model_loses_nothing(model: ScriptedProvider) -> None:
    Instance.objects.update(extract_when="by_hand")
    model.fail_next("hang", 1, CHAT)
    with Worker() as worker:
        append_messages(*FACTS)
        eventually(lambda: model.count(CHAT) == 1, "the model is not called")
        worker.kill()
    assert Run.objects.get().state == Run.State.RUNNING
    assert not Drawer.objects.exists()
    with Worker():
        expire_lease()
        sweep_until_over()
    assert each_message_filed_once()
    assert Run.objects.get().attempts == 2
