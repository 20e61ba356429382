"""The search of the memory list."""

import pytest
from django.http import StreamingHttpResponse
from django.test import Client

from instances.models import EmbeddingProvider, Instance
from memoryapp.models import Memory
from tests.web.memory.listing import Store, listed, listed_texts


def test_search_results_are_paginated(as_alice: Client, store_memory: Store) -> None:
    animals = (
        "alpaca badger camel dingo eagle ferret gecko heron ibex jackal koala lemur marmot newt "
        "otter panda quail rabbit salmon tapir urchin viper walrus yak zebra"
    ).split()
    for animal in animals:
        store_memory(f"The user once drew a picture of a {animal} at school.", tags=[animal])
    found = Memory.objects.count()
    assert found > 20
    first, second = (listed_texts(as_alice, f"q=picture+drawn&page={page}") for page in (1, 2))
    assert len(first) == 20
    assert len(second) == found - 20
    assert not set(first) & set(second)


@pytest.fixture
def kitchen(store_memory: Store) -> Memory:
    """The expected memory, among others."""
    for content, fields in [
        ("The user plays the cello in an amateur orchestra.", {"category": "event"}),
        ("The user's daughter Mia starts school in August.", {"category": "relationship"}),
        ("The user commutes by train and dislikes driving.", {"category": "preference"}),
        ("The user decided to rent rather than buy a flat.", {"category": "decision"}),
        ("The user works for a company that makes wind turbines.", {"category": "fact"}),
    ]:
        store_memory(content, **fields)
    return store_memory(
        "The user is severely allergic to peanuts: never cook with them.",
        category="fact",
        tags=["food", "allergy"],
        end_user="",
        importance=10,
    )


def test_semantic_search_works_without_a_key(as_alice: Client, kitchen: Memory) -> None:
    assert listed_texts(as_alice, "q=what+should+I+not+cook%3F")[0] == kitchen.content
    assert listed_texts(as_alice, "q=which+food+is+dangerous")[0] == kitchen.content


def test_search_explains_each_row(as_alice: Client, kitchen: Memory) -> None:
    response = listed(as_alice, "q=peanuts")
    assert response.context["rows"].rows[0].hit.ranks == {"meaning": 1, "words": 1}
    assert "similar meaning · contains “peanuts”" in response.content.decode()


def test_matching_words_are_highlighted_by_stem(as_alice: Client, kitchen: Memory) -> None:
    page = listed(as_alice, "q=peanut+allergies").content.decode()
    assert "severely allergic to <mark>peanuts</mark>: never cook" in page


def test_phrases_and_excluded_words_narrow_the_word_search(
    as_alice: Client, kitchen: Memory
) -> None:
    def by_words(query: str) -> set[str]:
        rows = listed(as_alice, f"q={query}").context["rows"].rows
        return {row.memory.content for row in rows if "words" in row.hit.ranks}

    assert by_words("user") == set(Memory.objects.values_list("content", flat=True))
    assert by_words("%22cook+with+them%22") == {kitchen.content}
    assert by_words("%22peanuts+allergic%22") == set()
    assert kitchen.content not in by_words("user+-peanuts")


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("category=fact", True),
        ("category=event", False),
        ("tag=allergy", True),
        ("tag=music", False),
        ("user=ana", False),
        ("origin=manual", True),
        ("origin=conversation", False),
        ("state=current", True),
        ("state=expired", False),
        ("state=unrecalled&tag=food&category=fact", True),
    ],
)
def test_search_respects_the_filters(
    query: str, found: bool, as_alice: Client, kitchen: Memory
) -> None:
    assert (kitchen.content in listed_texts(as_alice, f"q=what+not+to+cook&{query}")) is found


def test_search_results_can_be_sorted(as_alice: Client, kitchen: Memory) -> None:
    by_match = listed_texts(as_alice, "q=cook+peanuts+user")
    by_age = listed_texts(as_alice, "q=cook+peanuts+user&sort=oldest")
    assert by_match[0] == kitchen.content
    assert by_age[-1] == kitchen.content
    assert set(by_match) == set(by_age)


def test_search_is_limited_to_the_instance(
    as_alice: Client, private: Instance, kitchen: Memory, store_memory: Store
) -> None:
    store_memory("The user is allergic to peanuts and to cats.", into=private)
    assert all("cats" not in text for text in listed_texts(as_alice, "q=allergic+cats"))


def test_viewing_the_list_is_not_a_recall(as_alice: Client, kitchen: Memory) -> None:
    """Only memories shown to a model count."""
    listed_texts(as_alice, "q=peanuts")
    kitchen.refresh_from_db()
    assert kitchen.recall_count == 0


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("المستخدم يعاني من حساسية شديدة تجاه الفول السوداني.", "الفول"),
        ("ユーザーは東京に住んでいて、猫を二匹飼っています。", "ユーザーは東京に住んでいて"),
        ("The user’s café is called “Zoë’s” 🫖.", "café"),
    ],
)
def test_any_script_is_stored_shown_and_found(
    content: str, question: str, as_alice: Client, kitchen: Memory, store_memory: Store
) -> None:
    store_memory(content)
    assert content in listed_texts(as_alice, "")
    assert content in listed_texts(as_alice, f"q={question}")


def test_search_degrades_to_words_with_a_notice(
    as_alice: Client, instance: Instance, kitchen: Memory
) -> None:
    instance.embedding_provider = EmbeddingProvider.CUSTOM
    instance.embedding_base_url = "http://127.0.0.1:9/v1"
    instance.embedding_model = "any"
    instance.save()
    response = listed(as_alice, "q=peanuts")
    assert [row.memory.content for row in response.context["rows"].rows] == [kitchen.content]
    page = response.content.decode()
    assert "Search finds memories by their words only." in page
    assert "/instances/desk/settings/models#embeddings" in page
    # The list without a search shows the notice, too, until the provider answers again.
    assert "Search finds memories by their words only." in listed(as_alice).content.decode()


def test_long_question_is_accepted(as_alice: Client, kitchen: Memory) -> None:
    assert kitchen.content in listed_texts(as_alice, "q=" + "peanuts+" * 400)
    assert listed(as_alice, "q=%22%22+-+%27+%5C+%3A%2A+%26+%7C+%21").status_code == 200


def test_htmx_gets_the_fragment_that_the_page_includes(as_alice: Client, kitchen: Memory) -> None:
    page = listed(as_alice)
    fragment = listed(as_alice, "", **{"HX-Request": "true"})
    assert page.content.decode().lstrip().startswith("<!doctype html>")
    assert "<html" not in fragment.content.decode()
    assert "memory/_list.html" in [t.name for t in page.templates]
    assert "memory/_list.html" in [t.name for t in fragment.templates]
    assert kitchen.content in fragment.content.decode()
    for response in (page, fragment):
        assert "HX-Request" in response["Vary"]
        assert "no-store" in response["Cache-Control"]


@pytest.mark.usefixtures("kitchen")
def test_weaker_matches_are_folded(as_alice: Client, store_memory: Store) -> None:
    greeting = store_memory("The user says good morning to the postman.")
    assert listed_texts(as_alice, "q=who+greets+the+postman")[0] == greeting.content
    response = listed(as_alice, "q=Good+evening!")
    rows = response.context["rows"]
    assert rows.rows == []
    assert greeting in [row.memory for row in rows.weaker]
    found, folded = response.content.decode().split('<details class="fold weaker">')
    assert "No memory matches “Good evening!”" in found
    assert "The closest memories are folded below." in found
    assert f'id="row-{greeting.pk}"' not in found
    assert f'id="row-{greeting.pk}"' in folded
    assert f"{len(rows.weaker)} weaker match" in folded
    # What is done to all that match is not done to these.
    assert 'data-total="0"' in response.content.decode()


@pytest.fixture
def tokens(instance: Instance, store_memory: Store) -> Memory:
    """One of many memories that are alike but for one word, and its word is ``tok0042x``."""
    store_memory("The user planted an apple tree in 2019.")
    made = [store_memory(f"The user has the token word tok{n:04}x.") for n in range(30, 60)]
    return made[12]


@pytest.mark.parametrize("search", ["tok0042x", "user+tok0042x", "token+word+tok0042x"])
def test_what_merely_resembles_a_word_that_is_found_is_weaker(
    search: str, as_alice: Client, tokens: Memory
) -> None:
    response = listed(as_alice, f"q={search}")
    rows = response.context["rows"]
    assert [row.memory for row in rows.rows] == [tokens]
    assert len(rows.weaker) == 10
    assert rows.everything.number == "1"
    page = response.content.decode()
    assert "1 memory found" in page
    assert 'data-total="1"' in page
    assert "Select all 1 that match" in page


def test_all_that_match_leaves_weaker_matches_out(as_alice: Client, tokens: Memory) -> None:
    before = set(Memory.objects.values_list("pk", flat=True))
    query = "instance=desk&q=tok0042x"
    asked = as_alice.post(f"/memory/delete?{query}", {"all": "yes"}).content.decode()
    assert "Delete 1 memory that matches?" in asked
    tagged = as_alice.post(f"/memory/bulk/tags?{query}", {"all": "yes"}).content.decode()
    assert "Tag 1 memory" in tagged
    exported = as_alice.post(f"/memory/export?{query}&format=jsonl", {"all": "yes"})
    assert isinstance(exported, StreamingHttpResponse)
    assert len(exported.getvalue().splitlines()) == 1
    confirmed = {"all": "yes", "until": str(max(before)), "confirmed": "yes"}
    as_alice.post(f"/memory/delete?{query}", confirmed)
    assert before - set(Memory.objects.values_list("pk", flat=True)) == {tokens.pk}


def test_search_that_finds_more_than_it_shows_says_so(
    as_alice: Client, store_memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoryapp.web.memory.listing.MAX_RESULTS", 5)
    for day in range(9):
        store_memory(f"On day {day} the user walked {7 * day} km with Rosa.")
    page = listed(as_alice, "q=Rosa").content.decode()
    assert "1–5 of the best 5 matches" in page
    assert "Select the best 5 matches" in page
    assert "Export the best 5 as JSONL" in page
    assert "5 that match" not in page
    query = "instance=desk&q=Rosa"
    asked = as_alice.post(f"/memory/delete?{query}", {"all": "yes"}).content.decode()
    assert "Delete the best 5 matches?" in asked
    assert "The search finds more: these are the best 5 matches." in asked
    tagged = as_alice.post(f"/memory/bulk/tags?{query}", {"all": "yes"}).content.decode()
    assert "Tag 5 memories" in tagged
    assert "The search finds more: these are the best 5 matches." in tagged
    # What is checked is said as such.
    one = Memory.objects.latest("pk").pk
    asked = as_alice.post(f"/memory/delete?{query}", {"id": one}).content.decode()
    assert "Delete this memory?" in asked
    assert "The search finds more" not in asked


@pytest.mark.usefixtures("kitchen")
def test_quoted_phrase_must_stand_there(as_alice: Client) -> None:
    rows = listed(as_alice, 'q="zebra+crossing"').context["rows"]
    assert (rows.rows, rows.weaker) == ([], [])
