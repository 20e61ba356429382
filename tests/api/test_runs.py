"""Messages, the runs that read them, and their results."""

from collections.abc import Callable

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction import run as reading
from memoryapp.models import Memory, Run
from tests.api.conftest import Program
from tests.provider_fixtures import provider, read_with  # noqa: F401 - a fixture
from tests.scripted_provider import ScriptedProvider

Store = Callable[..., Memory]

BEES = "The user keeps bees on the roof."


def test_each_message_has_a_status(
    program: Program,
    instance: Instance,
    conversation: Conversation,
    provider: ScriptedProvider,  # noqa: F811
) -> None:
    read_with(provider, instance)
    path = f"conversations/{conversation.pk}/messages"

    def states() -> list[str]:
        return [message["outcome"]["state"] for message in program.send("GET", path)["items"]]

    assert states() == ["unread", "unread"]
    run = program.send("POST", f"conversations/{conversation.pk}/runs", status=202)
    assert (run["state"], run["conversation_id"]) == ("queued", conversation.pk)
    assert states() == ["waiting", "waiting"]
    row = Run.objects.get()
    assert row.claim()
    assert states() == ["reading", "reading"]
    reading.read(row)
    answer = program.send("GET", f"runs/{run['id']}")
    assert (answer["kind"], answer["state"]) == ("extraction", "succeeded")
    first, second = program.send("GET", path)["items"]
    assert second["outcome"]["state"] == "context"
    assert first["outcome"]["state"] in ("remembered", "nothing_kept")
    assert program.send("GET", f"messages/{first['id']}") == first
    assert (first["role"], first["author"], first["position"]) == ("user", "Alice", 1)


def test_message_lists_its_memories(
    program: Program, conversation: Conversation, store_memory: Store
) -> None:
    message = conversation.messages.order_by("position")[0]
    memory = store_memory(BEES, conversation_id=conversation.pk, message_id=message.pk)
    outcome = program.send("GET", f"messages/{message.pk}")["outcome"]
    assert outcome == {
        "state": "remembered",
        "detail": "",
        "memories": [{"memory_id": memory.pk, "action": "stored_new"}],
    }


def test_run_without_a_language_model_is_rejected(
    program: Program, conversation: Conversation
) -> None:
    answer = program.send("POST", f"conversations/{conversation.pk}/runs", status=409)
    assert answer["code"] == "no_language_model"
    assert not Run.objects.exists()


def test_runs_are_filtered_and_a_failed_run_is_retried(
    program: Program, instance: Instance, conversation: Conversation
) -> None:
    other = Conversation.objects.create(instance=instance)
    failed = Run.objects.create(
        instance=instance,
        conversation=conversation,
        state="failed",
        error="The server did not answer.",
        attempts=5,
        rejected=[{"position": 1, "reason": "is a question"}],
    )
    done = Run.objects.create(
        instance=instance, conversation=other, kind="mining", state="succeeded", filed=2
    )

    def listed(query: str) -> list[int]:
        return [run["id"] for run in program.send("GET", f"runs?{query}")["items"]]

    assert listed("") == [done.pk, failed.pk]
    assert listed("state=failed") == listed("kind=extraction") == [failed.pk]
    assert listed("kind=mining") == [done.pk]
    assert program.send("GET", f"runs/{done.pk}")["filed"] == 2
    assert listed(f"conversation_id={other.pk}") == [done.pk]
    assert listed(f"conversation_id={2**70}") == listed("conversation_id=-1") == []
    program.send("GET", "runs?state=lost", status=422)
    answer = program.send("GET", f"runs/{failed.pk}")
    assert answer["error"] == "The server did not answer."
    assert answer["rejected"] == [{"position": 1, "reason": "is a question"}]
    answer = program.send("POST", f"runs/{failed.pk}/retry")
    assert (answer["state"], answer["attempts"], answer["error"]) == ("queued", 0, "")
    for run in (failed, done):
        assert program.send("POST", f"runs/{run.pk}/retry", status=409)["code"] == "not_failed"
