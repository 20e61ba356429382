"""The usage log: which server was told about whom, for every purpose of a call."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin
from instances.actor import Actor
from instances.models import Instance
from memoryapp import tasks
from memoryapp.assistant.answer import answer
from memoryapp.assistant.submission import add_message
from memoryapp.models import Memory, Origin, Summary, Usage
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.recall import RecallOptions, recall, recall_and_rerank
from tests.extraction.runs import work
from tests.mining.conftest import work as mine
from tests.provider_fixtures import embed_with, fill_in, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

ANA = "ana@example.org"
WRITER = Writer(Origin.CONVERSATION, Actor(via="extraction"))


@pytest.fixture(autouse=True)
def reader(instance: Instance, provider: ScriptedProvider) -> None:
    read_with(provider, instance)


def say(instance: Instance) -> Conversation:
    talk = Conversation.objects.create(instance=instance, title="Trip", end_user=ANA)
    append(talk, [NewMessage("user", "I sail to Kiel."), NewMessage("assistant", "I see.")])
    return talk


def chat(instance: Instance, *_: object) -> None:
    origin = ConversationOrigin.CHAT
    talk = Conversation.objects.create(instance=instance, title="A", end_user=ANA, origin=origin)
    list(answer(add_message(talk, "Where do I sail?")))


def extract(instance: Instance, *_: object) -> None:
    work(say(instance))


def mine_messages(instance: Instance, *_: object) -> None:
    instance.palace_enabled = True
    instance.save()
    say(instance)
    mine()


def remember_another(instance: Instance, *_: object) -> None:
    instance.merge_with_model = True
    instance.save()
    for trip in ("hiking in the Alps", "hiking in the Alps with Ana"):
        remember(instance, [Candidate(f"The user enjoys {trip}.", end_user=ANA)], WRITER)


def sum_up(instance: Instance, store_memory: Store, *_: object) -> None:
    instance.summary_enabled = True
    instance.save()
    store_memory("The user sails.", end_user=ANA)
    Summary.objects.want(instance, [ANA])
    Summary.objects.update(due_at=timezone.now())
    tasks.sum_up(summary_id=Summary.objects.get().pk)


def rerank(instance: Instance, store_memory: Store, *_: object) -> None:
    for where in ("Kiel", "Genoa"):
        store_memory(f"The user has a boat in {where}.", end_user=ANA)
    instance.rerank_model = "judge"
    recall_and_rerank(instance, "Which boat does the user have?", RecallOptions(end_user=ANA))


def embed(instance: Instance, store_memory: Store, provider: ScriptedProvider) -> None:
    memory = store_memory("The user sails.", end_user=ANA)
    embed_with(provider, instance)
    fill_in(instance)
    assert Usage.objects.exclude(people=0).get().end_user == ANA, "the back-fill"
    recall(instance, "Where does the user sail?", RecallOptions(end_user=ANA))
    revise(Memory.objects.get(pk=memory.pk), Changes("The user rows.", "fact", 4), by=Actor())
    store_memory("The user dives.", end_user=ANA)
    # The first call only asks for the length of the vectors.
    Usage.objects.filter(people=0).delete()


#: What makes a call for each purpose, about one person.
CALLS: dict[Usage.Source, Callable[[Instance, Store, ScriptedProvider], None]] = {
    Usage.Source.CHAT: chat,
    Usage.Source.EXTRACT: extract,
    Usage.Source.MINE: mine_messages,
    Usage.Source.MERGE: remember_another,
    Usage.Source.ASSESS: remember_another,
    Usage.Source.SUMMARY: sum_up,
    Usage.Source.RERANK: rerank,
    Usage.Source.EMBED: embed,
}


@pytest.mark.parametrize("source", Usage.Source)
def test_calls_for_every_purpose_name_the_server_and_the_person(
    source: Usage.Source, instance: Instance, store_memory: Store, provider: ScriptedProvider
) -> None:
    CALLS[source](instance, store_memory, provider)
    calls = Usage.objects.filter(source=source)
    assert calls
    host = provider.base_url.split("/")[2]
    assert set(calls.values_list("host", "end_user", "people")) == {(host, ANA, 1)}
    sent = sum(1 for each in provider.requests if each.path.endswith(("completions", "embeddings")))
    assert sent >= len(calls)


def test_call_about_several_names_their_number(
    instance: Instance, store_memory: Store, provider: ScriptedProvider
) -> None:
    for person in (ANA, "ben", ""):
        store_memory("The user sails.", end_user=person)
    embed_with(provider, instance)
    fill_in(instance)
    call = Usage.objects.exclude(people=0).get()
    assert (call.end_user, call.people) == (None, 3)


def test_user_without_an_id_is_a_person(instance: Instance) -> None:
    def about(*people: str) -> tuple[str | None, int | None]:
        call = Usage.objects.record(instance, Usage.Source.EMBED, "any", host="a", about=people)
        return call.end_user, call.people

    assert about("") == ("", 1)
    assert about() == (None, 0)
    assert about("ben", "ben") == ("ben", 1)
