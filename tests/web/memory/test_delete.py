"""Deleting memories: the confirmation with the number, and no rows left in any table."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemoryEmbedding, MemoryRevision, MemorySource, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise

Store = Callable[..., Memory]
URL = "/memory/delete?instance=desk"
HTMX = {"HX-Request": "true"}


def question(client: Client, query: str = "", **data: Any) -> str:
    """Return the confirmation page."""
    response = client.post(f"{URL}&{query}", data)
    assert response.status_code == 200
    return response.content.decode()


def confirm(client: Client, question_page: str, query: str = "") -> str:
    """Submit the form of the confirmation."""
    form = question_page.split('class="ask"')[1].split("</form>")[0]
    fields: dict[str, list[str]] = {}
    for field in form.split('<input type="hidden" ')[1:]:
        name = field.split('name="')[1].split('"')[0]
        fields.setdefault(name, []).append(unescape(field.split('value="')[1].split('"')[0]))
    response = client.post(f"{URL}&{query}", fields, follow=True)
    assert response.status_code == 200
    return response.content.decode()


def texts() -> set[str]:
    return set(Memory.objects.values_list("content", flat=True))


def tables_containing(text: str) -> set[str]:
    """Return the tables that contain *text* in any column."""
    tables = set()
    for model in apps.get_models(include_auto_created=True):
        if not model._meta.managed:
            continue  # a view of other tables
        table = connection.ops.quote_name(model._meta.db_table)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT EXISTS (SELECT FROM {table} AS t WHERE t::text ILIKE %s)",  # noqa: S608
                [f"%{text}%"],
            )
            if cursor.fetchone() == (True,):
                tables.add(model._meta.db_table)
    return tables


@pytest.fixture
def extracted(instance: Instance, conversation: Conversation, alice: User) -> Memory:
    """A memory with every kind of related row."""
    candidate = Candidate(
        "The user visited Zanzibar.",
        tags=["zanzibar"],
        conversation_id=conversation.pk,
        message_id=conversation.messages.earliest("position").pk,
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    revise(
        outcome.memory,
        Changes("The user lives in Zanzibar.", "fact", 5, ["zanzibar"]),
        by=Actor(alice),
    )
    return outcome.memory


def test_nothing_is_deleted_before_confirmation(as_alice: Client, extracted: Memory) -> None:
    question_page = question(as_alice, id=extracted.pk)
    assert "Delete this memory?" in question_page
    assert "The user lives in Zanzibar." in question_page
    assert Memory.objects.filter(pk=extracted.pk).exists()


def test_deleted_memory_is_gone_from_every_table(
    as_alice: Client,
    alice: User,
    conversation: Conversation,
    extracted: Memory,
    store_memory: Store,
) -> None:
    other = store_memory("The user keeps bees on the roof.")
    # Its tag is counted.
    assert tables_containing("zanzibar") == {
        "memoryapp_memory",
        "memoryapp_memoryrevision",
        "memoryapp_memorycount",
    }
    page = confirm(as_alice, question(as_alice, id=extracted.pk))
    assert "Deleted 1 memory, with its history." in page
    assert tables_containing("zanzibar") == set()
    assert list(Memory.objects.all()) == [other]
    assert list(MemoryEmbedding.objects.values_list("memory", flat=True)) == [other.pk]
    for model in apps.get_models():
        for field in model._meta.get_fields():
            if field.many_to_one and field.related_model is Memory:
                assert not model._default_manager.filter(**{field.name: extracted.pk}).exists()
    # The message stays, and the activity has the actor and the id but not the text.
    assert conversation.messages.count() == 2
    activity = Activity.objects.get(action="deleted")
    assert (activity.by, activity.via) == (alice, "screen")
    assert (activity.memory_id, activity.count) == (extracted.pk, 1)
    assert as_alice.get(f"/memory/{extracted.pk}").status_code == 404


def test_deleted_memory_is_not_found_by_search(as_alice: Client, extracted: Memory) -> None:
    confirm(as_alice, question(as_alice, id=extracted.pk))
    for url in ("/memory?instance=desk&q=Zanzibar", "/api/memories?instance_id=desk&q=Zanzibar"):
        assert "lives in Zanzibar" not in as_alice.get(url).content.decode()


def test_only_checked_memories_are_deleted(as_alice: Client, store_memory: Store) -> None:
    bees = store_memory("The user keeps bees on the roof.")
    lynx = store_memory("The user once saw a lynx in Estonia.")
    store_memory("The user plays the cello.")
    question_page = question(as_alice, id=[bees.pk, lynx.pk])
    assert "Delete 2 memories?" in question_page
    assert "Deleted 2 memories, with their history." in confirm(as_alice, question_page)
    assert texts() == {"The user plays the cello."}
    activity = Activity.objects.get(action="deleted")
    assert (activity.count, activity.memory_id) == (2, None)


@pytest.fixture
def facts(store_memory: Store) -> None:
    store_memory("The user keeps bees on the roof.", category="fact", tags=["animals"])
    store_memory("The user once saw a lynx in Estonia.", category="event", tags=["animals"])
    store_memory("The user plays the cello.", category="fact", tags=["music"])
    store_memory("The user prefers tea to coffee.", category="preference")


@pytest.mark.parametrize(
    ("query", "count", "left"),
    [
        ("category=fact", 2, {"lynx", "tea"}),
        ("tag=animals&category=event", 1, {"bees", "cello", "tea"}),
        ("origin=conversation", 0, {"bees", "lynx", "cello", "tea"}),
        ("", 4, set()),
    ],
)
def test_all_matching_memories_are_deleted_with_their_number_in_the_question(
    query: str, count: int, left: set[str], as_alice: Client, facts: None
) -> None:
    question_page = question(as_alice, query, all="yes")
    if not count:
        assert "Nothing is selected" in question_page
        return
    assert f"Delete {count} memor{'y' if count == 1 else 'ies'}" in question_page
    assert ("everything Support desk remembers" in question_page) is (query == "")
    confirm(as_alice, question_page, query)
    # With a leading space, because a random session token may contain a short word.
    words = ("bees", "lynx", "cello", "tea")
    assert {word for word in words if tables_containing(f" {word}")} == left


def test_all_search_results_are_deleted(as_alice: Client, facts: None) -> None:
    query = "q=cello&tag=music"
    question_page = question(as_alice, query, all="yes")
    assert "Delete 1 memory that matches?" in question_page
    confirm(as_alice, question_page, query)
    assert len(texts()) == 3
    assert "The user plays the cello." not in texts()


@pytest.mark.parametrize("query", ["category=fact", "", "q=user"])
def test_memories_added_after_the_question_are_kept(
    query: str, as_alice: Client, facts: None, store_memory: Store
) -> None:
    question_page = question(as_alice, query, all="yes")
    store_memory("The user speaks fluent Portuguese.", category="fact")
    confirm(as_alice, question_page, query)
    assert "The user speaks fluent Portuguese." in texts()
    assert "The user plays the cello." not in texts()


def test_ids_of_another_instance_are_ignored(
    as_alice: Client, private: Instance, extracted: Memory, store_memory: Store
) -> None:
    elsewhere = store_memory("The user keeps a diary.", into=private)
    question_page = question(as_alice, id=[extracted.pk, elsewhere.pk])
    assert "Delete this memory?" in question_page
    assert "keeps a diary" not in question_page
    confirm(as_alice, question_page)
    as_alice.post(URL, {"id": elsewhere.pk, "confirmed": "yes"})
    as_alice.post(URL, {"all": "yes", "confirmed": "yes"})
    assert texts() == {"The user keeps a diary."}


@pytest.mark.parametrize(
    "ids", [[], [""], ["x"], ["-1"], ["0"], ["1e3"], ["²"], ["9" * 18], ["9" * 40]]
)
@pytest.mark.parametrize("confirmed", ["", "yes"])
def test_unknown_ids_delete_nothing(
    ids: list[str], confirmed: str, as_alice: Client, facts: None
) -> None:
    response = as_alice.post(URL, {"id": ids, "confirmed": confirmed, "all": ""})
    if not confirmed:
        assert "Nothing is selected" in response.content.decode()
    assert len(texts()) == 4
    assert not Activity.objects.filter(action="deleted").exists()


def test_repeated_deletion_is_not_an_error(as_alice: Client, extracted: Memory) -> None:
    question_page = question(as_alice, id=extracted.pk)
    confirm(as_alice, question_page)
    assert "Deleted 0 memories" in confirm(as_alice, question_page)


def test_confirmation_is_a_page_or_a_fragment(as_alice: Client, extracted: Memory) -> None:
    page = as_alice.post(URL, {"id": extracted.pk})
    fragment = as_alice.post(URL, {"id": extracted.pk}, headers=HTMX)
    assert "<html" in page.content.decode()
    assert "<html" not in fragment.content.decode()
    for response in (page, fragment):
        assert "Delete this memory?" in response.content.decode()
        assert "HX-Request" in response["Vary"]


def test_confirmation_is_escaped(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user writes <script>alert(1)</script>.")
    question_page = question(as_alice, id=memory.pk)
    assert "<script>alert" not in question_page
    assert "&lt;script&gt;alert(1)" in question_page


def test_list_keeps_its_filters_after_deletion(as_alice: Client, facts: None) -> None:
    query = "category=fact&sort=oldest&page=1"
    data = {"id": Memory.objects.get(content__contains="bees").pk, "confirmed": "yes"}
    filters = "instance=desk&category=fact&sort=oldest"
    assert as_alice.post(f"{URL}&{query}", data).context["listing"].query() == filters
    data["id"] = Memory.objects.get(content__contains="cello").pk
    response = as_alice.post(f"{URL}&{query}", data, headers=HTMX)
    assert response["HX-Push-Url"] == f"/memory?{filters}"


def test_get_deletes_nothing(as_alice: Client, extracted: Memory) -> None:
    response = as_alice.get(f"{URL}&id={extracted.pk}&confirmed=yes&all=yes")
    assert response.status_code == 405
    assert Memory.objects.exists()


def test_csrf_token_is_required(alice: User, extracted: Memory) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    data = {"id": extracted.pk, "confirmed": "yes"}
    assert client.post(URL, data).status_code == 403
    assert MemoryRevision.objects.exists()
    assert MemorySource.objects.exists()
