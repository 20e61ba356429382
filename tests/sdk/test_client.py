"""The client against the running application."""

import io
import re
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from instances.models import Instance
from keepsake_client import ApiError, AsyncKeepsake, Keepsake, NotFinished
from memoryapp.extraction import run as reading
from memoryapp.models import Erasure, Memory, Run
from memoryapp.tasks import erase
from tests.api.conftest import key_of
from tests.provider_fixtures import eventually, read_with
from tests.scripted_provider import ScriptedProvider
from tests.sdk.conftest import Connect

README = Path(__file__).resolve().parents[2] / "sdk/python/README.md"
PEANUTS = "The user is allergic to peanuts."


def test_from_a_fact_to_its_end(keepsake: Keepsake) -> None:
    stored = keepsake.remember(
        PEANUTS, user_id="ana", category="fact", tags=["food"], metadata={"project": "atlas"}
    )
    assert stored.id and stored.dedup.action == "stored_new"
    assert "peanuts" in keepsake.context("peanuts", user_id="ana")
    assert keepsake.context("peanuts", user_id="ben") == ""
    assert keepsake.context("peanuts " * 100, user_id="ana")
    [best, *_] = keepsake.search("peanuts", user_id="ana", metadata={"project": "atlas"}).items
    assert best.memory and best.memory.id == stored.id
    corrected = keepsake.correct(stored.id, content="The user is allergic to walnuts.")
    assert keepsake.memory(stored.id) == corrected and "walnuts" in corrected.content
    assert [memory.id for memory in keepsake.memories(tag="food", user_id="ana")] == [stored.id]
    [line] = keepsake.export(user_id="ana")
    assert line["content"] == corrected.content
    keepsake.forget(stored.id, never_again=True)
    assert list(keepsake.memories()) == []
    with pytest.raises(ApiError) as refused:
        keepsake.remember("The user is allergic to walnuts.", user_id="ana")
    assert (refused.value.status, refused.value.code) == (422, "never_again")
    assert refused.value.detail


def test_errors_have_codes(connect: Connect) -> None:
    reader = connect("read")
    assert reader.who_am_i().scopes == ["read"]
    with pytest.raises(ApiError) as refused:
        reader.remember(PEANUTS)
    assert refused.value.status == 403 and refused.value.code
    with pytest.raises(ApiError) as refused:
        reader.memory(1)
    assert (refused.value.status, refused.value.code) == (404, "not_found")


def test_pages_are_one_iterator(keepsake: Keepsake) -> None:
    conversation = keepsake.begin_conversation(user_id="ana", external_id="chat-1")
    assert keepsake.begin_conversation(external_id="chat-1", user_id="ana") == conversation
    words = [f"Line {n}" for n in range(250)]
    keepsake.remember_messages(
        conversation.id, [{"role": "user", "content": each} for each in words]
    )
    assert [message.content for message in keepsake.messages(conversation.id)] == words
    assert [each.id for each in keepsake.conversations(user_id="ana")] == [conversation.id]
    assert list(keepsake.conversations(user_id="ben")) == []


def test_messages_can_be_waited_for(
    keepsake: Keepsake, instance: Instance, provider: ScriptedProvider
) -> None:
    read_with(provider, instance)
    conversation = keepsake.begin_conversation(user_id="ana")

    def told(words: str, seconds: float) -> int:
        appended = keepsake.remember_messages(
            conversation.id,
            [{"role": "user", "content": words}, {"role": "assistant", "content": "Good."}],
            wait_seconds=seconds,
        )
        return appended.ids[0]

    with pytest.raises(NotFinished):
        told("I keep bees on the roof.", 0.2)
    with ThreadPoolExecutor(1) as waiting:
        asked = waiting.submit(told, "I am allergic to peanuts.", 60)
        eventually(lambda: conversation_length(keepsake, conversation.id) == 4, "it is stored")
        assert not asked.done()
        run = Run.objects.get(kind=Run.Kind.EXTRACTION)
        assert run.claim()
        reading.read(run)
        message_id = asked.result(60)
    assert keepsake.message(message_id).outcome.state in ("remembered", "nothing_kept")


def conversation_length(keepsake: Keepsake, conversation_id: int) -> int:
    return len(list(keepsake.messages(conversation_id)))


def test_all_about_a_person_and_the_end_of_it(keepsake: Keepsake) -> None:
    keepsake.remember(PEANUTS, user_id="ana")
    file = io.BytesIO()
    keepsake.export_person("ana", file)
    assert "data/memoryapp.Memory.jsonl" in zipfile.ZipFile(file).namelist()
    with ThreadPoolExecutor(1) as waiting:
        asked = waiting.submit(lambda: keepsake.erase_person("ana", wait_seconds=60))
        eventually(Erasure.objects.exists, "it is asked for")
        erase(erasure_id=Erasure.objects.get().pk)
        assert asked.result(60).certificate["tables"]
    assert not Memory.objects.filter(end_user="ana").exists()


@pytest.mark.parametrize("number", range(4))
def test_readme_runs(
    number: int,
    transactional_db: None,
    served: str,
    instance: Instance,
    capsys: pytest.CaptureFixture[str],
) -> None:
    programs = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.MULTILINE | re.DOTALL)
    assert len(programs) == 4
    key = key_of(instance, ("read", "write", "delete"))[1].secret
    program = programs[number].replace("http://127.0.0.1:8000", served).replace("ks_…", key)
    exec(compile(program, str(README), "exec"), {})  # noqa: S102 - our own page
    if number < 2:
        assert capsys.readouterr().out.count("peanuts") >= 2 - number


def test_both_clients_have_the_same_calls() -> None:
    def calls(client: type) -> dict[str, str | None]:
        names = [name for name in vars(client) if not name.startswith("_")]
        return {name: getattr(client, name).__doc__ for name in names}

    assert calls(Keepsake) == calls(AsyncKeepsake)
    assert all(calls(Keepsake).values())
