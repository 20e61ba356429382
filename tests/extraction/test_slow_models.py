"""Reading and filing with a model that was measured: a slow one, on this machine."""

import json

import pytest

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.extraction.parse import ShortFacts
from memoryapp.models import Answer, Drawer, Memory, Run
from memoryapp.providers.abilities import ModelAbilities, Schema, Tools
from memoryapp.tasks import extract, mine
from tests.extraction.runs import CHAT, attempt, exchange
from tests.scripted_provider import ScriptedProvider

FACT = "I play the cello on Sundays."


def measured(instance: Instance, *, read: float) -> None:
    """Store what the model of *instance* can do."""
    instance.refresh_from_db()
    abilities = ModelAbilities(
        address=instance.base_url,
        model=instance.fast_model,
        is_local=True,
        schema=Schema.JSON_SCHEMA,
        tools=Tools.NATIVE,
        read=read,
        written=read / 6,
    )
    instance.model_abilities = {instance.fast_model: abilities.as_dict()}
    instance.palace_enabled = True
    instance.save()


@pytest.fixture
def slow(instance: Instance, reader: ScriptedProvider) -> ScriptedProvider:
    measured(instance, read=15.0)
    return reader


def run_of(talk: Conversation, kind: Run.Kind = Run.Kind.EXTRACTION) -> Run:
    return Run.objects.get(conversation=talk, kind=kind)


def test_slow_model_is_asked_shortly(slow: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, FACT)
    extract(run_id=run_of(talk).pk)
    assert Memory.objects.get().content == FACT
    (request,) = slow.requests
    assert sum(len(each["content"]) for each in request.body["messages"]) < 2_000
    items = request.body["response_format"]["json_schema"]["schema"]["properties"]["memories"]
    assert "confidence" not in items["items"]["properties"]


@pytest.mark.parametrize(
    "proposed",
    [
        [],
        # A date that was not said
        ["The user moved to Riga on 2019-01-01."],
    ],
)
def test_what_a_slow_model_misses_is_read_without_it(
    slow: ScriptedProvider, talk: Conversation, proposed: list[str]
) -> None:
    slow.reply_with({"memories": [{"message": 1, "content": content} for content in proposed]})
    exchange(talk, "I moved to Riga last year.")
    exchange(talk, "What should I never cook?")
    extract(run_id=run_of(talk).pk)
    (memory,) = Memory.objects.all()
    assert "Riga" in memory.content
    assert "2019" not in memory.content


def test_slow_model_learns_nothing_that_only_the_assistant_said(
    slow: ScriptedProvider, talk: Conversation
) -> None:
    wrong = "Youssef is a vegetarian, and Lina is seven years old."
    slow.reply_with({"memories": [{"message": 3, "content": wrong}]})
    exchange(talk, "Hello.", "Karim is a vegetarian, and Lina is seven years old.")
    exchange(talk, "My brother Youssef plays the cello.")
    extract(run_id=run_of(talk).pk)
    # What the person said is read without it.
    assert [*Memory.objects.values_list("content", flat=True)] == [
        "The user's brother Youssef plays the cello."
    ]


def test_keys_of_one_thing_replace_each_other(slow: ScriptedProvider, talk: Conversation) -> None:
    def reply(position: int, key: str, value: str) -> None:
        said = {"content": f"The user works as a {value}.", "key": key, "value": value}
        slow.reply_with({"memories": [{"message": position} | said]})

    reply(1, "job", "carpenter")
    exchange(talk, "I work as a carpenter.")
    extract(run_id=run_of(talk).pk)
    reply(3, "profession", "teacher")
    exchange(talk, "Now I work as a teacher.")
    extract(run_id=Run.objects.extractions().latest("pk").pk)
    memory = Memory.objects.get()
    assert (memory.key, memory.value) == ("occupation", "teacher")


def test_unusable_answer_is_not_asked_for_again(slow: ScriptedProvider, talk: Conversation) -> None:
    """A model that is asked for its likeliest words says the same each time."""
    exchange(talk, FACT)
    slow.fail_next("length", None, CHAT)
    run = attempt(attempt(run_of(talk)))
    assert run.error
    assert [request.body.get("temperature") for request in slow.requests] == [0, None]


def test_slow_model_reads_little_of_the_assistant(
    slow: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, "Where do I live?", reply="You live in Lyon, I believe. " * 20)
    exchange(talk, FACT, reply="Do you have a cat called Miso, too?")
    extract(run_id=run_of(talk).pk)
    sent = slow.requests[0].body["messages"][1]["content"]
    assert "You live in Lyon" in sent
    assert sent.count("I believe") < 10
    assert "Miso" not in sent


def test_keys_that_a_slow_model_makes_up_are_left_out(
    slow: ScriptedProvider, talk: Conversation
) -> None:
    def facts(*keys: str) -> dict[str, object]:
        said = "The user plays the cello."
        return {
            "memories": [{"message": 1, "content": said, "key": k, "value": "cello"} for k in keys]
        }

    slow.reply_with(facts("instrument", "cello_key"))
    exchange(talk, "I play the cello.")
    extract(run_id=run_of(talk).pk)
    assert Memory.objects.get().key == ""
    assert ShortFacts.from_text(json.dumps(facts("home_city")), {1}).memories[0].key == "home_city"


def test_slow_model_gets_few_messages_at_a_time(slow: ScriptedProvider, talk: Conversation) -> None:
    for number in range(8):
        exchange(talk, f"I own {number} books about bees, and I read them. " * 6)
    extract(run_id=run_of(talk).pk)
    first = Run.objects.earliest("pk")
    assert first.state == Run.State.SUCCEEDED
    assert (first.last_position or 0) < 12
    assert Run.objects.extractions().filter(state=Run.State.QUEUED).exists()
    assert len(slow.requests[0].body["messages"][1]["content"]) < 2_500


def test_slow_model_files_nothing(slow: ScriptedProvider, talk: Conversation) -> None:
    exchange(talk, FACT)
    mine(run_id=run_of(talk, Run.Kind.MINING).pk)
    assert Drawer.objects.count() == 2
    assert slow.count(CHAT) == 0
    assert "too slow" in run_of(talk, Run.Kind.MINING).error


def test_local_server_reads_before_it_files(
    instance: Instance, reader: ScriptedProvider, talk: Conversation
) -> None:
    measured(instance, read=500.0)
    exchange(talk, FACT)
    filing = run_of(talk, Run.Kind.MINING)
    mine(run_id=filing.pk)
    assert reader.count(CHAT) == 0
    extract(run_id=run_of(talk).pk)
    assert reader.count(CHAT) == 1
    mine(run_id=filing.pk)
    assert reader.count(CHAT) == 2


def test_local_server_has_one_call_at_a_time(
    instance: Instance, slow: ScriptedProvider, talk: Conversation
) -> None:
    exchange(talk, FACT)
    other = Conversation.objects.create(instance=instance)
    exchange(other, "I have a dog.")
    Run.objects.filter(pk=run_of(talk).pk).update(state=Run.State.RUNNING)
    extract(run_id=run_of(other).pk)
    assert slow.count(CHAT) == 0
    assert run_of(other).sent_at is None
    Run.objects.filter(pk=run_of(talk).pk).update(state=Run.State.SUCCEEDED)
    extract(run_id=run_of(other).pk)
    assert slow.count(CHAT) == 1


def test_local_server_answers_a_person_first(
    instance: Instance, slow: ScriptedProvider, talk: Conversation
) -> None:
    message, _ = exchange(talk, FACT)
    answer = Answer.objects.create(instance=instance, conversation=talk, message=message)
    extract(run_id=run_of(talk).pk)
    assert slow.count(CHAT) == 0
    Answer.objects.filter(pk=answer.pk).update(state=Answer.State.DONE)
    extract(run_id=run_of(talk).pk)
    assert slow.count(CHAT) == 1
