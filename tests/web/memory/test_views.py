"""The memory list: isolation, filters, search, order, pages, and texts of empty lists."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Category, Memory, MemoryRevision, Origin
from memoryapp.web.memory.listing import SORTS
from tests.web.memory.listing import Store, listed, listed_texts
from tests.web.page_text import text_of


def test_missing_instance_shows_a_choice_of_visible_ones(
    as_alice: Client, instance: Instance, private: Instance, charlie: User
) -> None:
    Instance.objects.create(slug="closed", name="Somebody else’s", private_to=charlie)
    Instance.objects.create(slug="apart", name="Apart")
    response = as_alice.get("/memory")
    assert response.status_code == 200
    page = response.content.decode()
    assert "Whose memory?" in page
    assert "/memory?instance=desk" in page
    assert "/memory?instance=diary" in page
    assert "Somebody else" not in page
    assert "Apart" not in page


def test_no_instances_shows_how_to_create_one(client: Client, charlie: User) -> None:
    client.force_login(charlie)
    assert "ask the person who runs Keepsake" in client.get("/memory").content.decode()
    charlie.is_superuser = True
    charlie.save()
    assert "Create the first one" in client.get("/memory").content.decode()


@pytest.mark.parametrize("name", ["nowhere", "%00", "desk%00", "DESK", "%E2%98%83"])
def test_unknown_instance_is_404(name: str, as_alice: Client, instance: Instance) -> None:
    assert as_alice.get(f"/memory?instance={name}").status_code == 404


# Filters


@pytest.fixture
def assorted(instance: Instance, conversation: Conversation) -> Instance:
    """Six memories that the filters distinguish, created as rows without the write path."""
    today = timezone.localdate()
    rows: list[tuple[str, dict[str, Any]]] = [
        ("plain", {}),
        ("travel", {"category": "event", "tags": ["travel", "rail"]}),
        ("ana's", {"category": "fact", "end_user": "ana", "tags": ["travel"], "importance": 9}),
        (
            "learned",
            {
                "category": "fact",
                "origin": Origin.CONVERSATION,
                "stale_since": timezone.now(),
                "labels": ["agent:cook", "agent:coach"],
            },
        ),
        ("expired", {"valid_until": today - timedelta(days=1), "recall_count": 2}),
        ("until today", {"valid_until": today, "category": "event", "importance": 3}),
    ]
    now = timezone.now()
    for age, (content, fields) in enumerate(rows):
        Memory.objects.create(
            instance=instance,
            content=content,
            created_at=now - timedelta(hours=age),
            updated_at=now - timedelta(days=len(content)),
            **fields,
        )
    MemoryRevision.objects.create(
        instance=instance,
        memory=Memory.objects.get(content="travel"),
        content="journey",
        category="event",
        importance=5,
        valid_from=now,
        reason="edited",
    )
    return instance


EVERYTHING = {"plain", "travel", "ana's", "learned", "expired", "until today"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", EVERYTHING),
        ("category=fact", {"ana's", "learned"}),
        ("category=decision", set()),
        ("tag=travel", {"travel", "ana's"}),
        ("tag=+Travel+", {"travel", "ana's"}),
        ("tag=trav", set()),
        ("user=ana", {"ana's"}),
        ("user=an", set()),
        ("origin=conversation", {"learned"}),
        ("origin=manual", EVERYTHING - {"learned"}),
        ("state=current", EVERYTHING - {"expired"}),
        ("state=expired", {"expired"}),
        ("state=stale", {"learned"}),
        ("state=changed", {"travel"}),
        ("state=unrecalled", EVERYTHING - {"expired"}),
        ("state=waiting", EVERYTHING),
        ("state=embedded", set()),
        ("importance=9", {"ana's"}),
        ("label=coach", {"learned"}),
        ("label=agent:coach", {"learned"}),
        ("label=run:coach", set()),
        ("state=unimportant", {"until today"}),
        ("state=unused", set()),
        ("tag=travel&category=event", {"travel"}),
        ("tag=travel&user=ana&category=fact&origin=manual&state=current", {"ana's"}),
        ("tag=travel&user=ana&category=event", set()),
    ],
)
def test_each_filter_selects_its_memories(
    query: str, expected: set[str], as_alice: Client, assorted: Instance
) -> None:
    assert set(listed_texts(as_alice, query)) == expected


@pytest.mark.parametrize(
    "query",
    [
        "category=nonsense",
        "category=Fact",
        "origin=telepathy",
        "state=solid",
        "sort=random",
        "page=first",
        "page=-3",
        "page=0",
        "page=99999999999999999999",
        "page=%00",
        "q=%00+",
        "tag=%00",
        "user=%00",
        "unknown=thing",
        "category=fact&category=",
    ],
)
def test_unknown_url_values_are_ignored(query: str, as_alice: Client, assorted: Instance) -> None:
    assert set(listed_texts(as_alice, query)) == EVERYTHING


def test_chip_counts_match_their_results(as_alice: Client, assorted: Instance) -> None:
    for query in (
        "",
        "category=fact&",
        "tag=travel&",
        "state=current&",
        "user=ana&category=event&",
    ):
        rows = listed(as_alice, query).context["rows"]
        assert rows.everything.count == len(listed_texts(as_alice, f"{query}category="))
        for chip in rows.chips:
            found = listed_texts(as_alice, f"{query}category={chip.category}")
            assert chip.count == len(found), (query, chip.category)


def test_chip_counts_in_a_search(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user sails a red boat.", category="fact")
    store_memory("The user sold the old boat in May.", category="event")
    store_memory("The user likes every boat.", category="preference")
    store_memory("The user is allergic to peanuts.", category="fact")

    rows = listed(as_alice, "q=%22boat%22+-May").context["rows"]

    numbers = {chip.category: chip.number for chip in rows.chips}
    expected = {
        category: str(len(listed_texts(as_alice, f"q=%22boat%22+-May&category={category}")))
        for category in Category.values
    }
    assert numbers == {name: number for name, number in expected.items() if number != "0"}
    assert rows.everything.number == str(len(listed_texts(as_alice, "q=%22boat%22+-May")))

    # With an active category, the other chips have no counts.
    rows = listed(as_alice, "q=%22boat%22+-May&category=fact").context["rows"]

    numbers = {chip.category: chip.number for chip in rows.chips}
    assert numbers == dict.fromkeys(Category.values, "") | {"fact": expected["fact"]}
    assert rows.everything.number == ""


def test_chips_mark_lower_bounds_in_a_search(
    as_alice: Client, instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    boats = [f"The user has the boat {n}." for n in range(5)]
    Memory.objects.bulk_create(
        [Memory(instance=instance, content=boat, category="fact") for boat in boats]
        + [Memory(instance=instance, content="The user sold a boat.", category="event")]
    )
    monkeypatch.setattr("memoryapp.web.memory.listing.MAX_RESULTS", 3)

    rows = listed(as_alice, "q=boat").context["rows"]

    assert rows.everything.number == "3+"
    numbers = {chip.category: chip.number for chip in rows.chips}
    assert set(numbers) == set(Category.values)
    assert sum(int(number.rstrip("+")) for number in numbers.values() if number) == 3
    assert all(number in ("", "1+", "2+", "3+") for number in numbers.values())

    rows = listed(as_alice, "q=boat&category=event").context["rows"]

    assert {chip.category: chip.number for chip in rows.chips}["event"] == "1"


def test_active_chip_removes_its_filter(as_alice: Client, assorted: Instance) -> None:
    page = listed(as_alice, "tag=travel&user=ana&category=fact&sort=oldest").content.decode()
    without_tag = "/memory?instance=desk&amp;category=fact&amp;user=ana&amp;sort=oldest"
    without_user = "/memory?instance=desk&amp;category=fact&amp;tag=travel&amp;sort=oldest"
    assert f'href="{without_tag}"' in page
    assert f'href="{without_user}"' in page
    assert re.search(r"<span>Filters</span>\s*<b>2</b>", page)


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("", ["plain", "travel", "ana's", "learned", "expired", "until today"]),
        ("newest", ["plain", "travel", "ana's", "learned", "expired", "until today"]),
        ("oldest", ["until today", "expired", "learned", "ana's", "travel", "plain"]),
        ("important", ["ana's", "plain", "travel", "learned", "expired", "until today"]),
        # Among equals, the newest row is first.
        ("changed", ["ana's", "plain", "travel", "expired", "learned", "until today"]),
        ("recalled", ["expired", "until today", "learned", "ana's", "travel", "plain"]),
    ],
)
def test_each_sort_order(
    sort: str, expected: list[str], as_alice: Client, assorted: Instance
) -> None:
    assert listed_texts(as_alice, f"sort={sort}") == expected


# Pages


def test_pages_have_twenty_rows_and_keep_the_list_state(
    as_alice: Client, instance: Instance
) -> None:
    start = timezone.now() - timedelta(days=1)
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Fact {n:02}",
            category="fact",
            tags=["a b&c"],
            created_at=start + timedelta(minutes=n),
        )
        for n in range(45)
    )
    Memory.objects.create(instance=instance, content="Another")
    query = "category=fact&tag=a+b%26c&sort=oldest"
    first = listed(as_alice, query)
    assert [row.memory.content for row in first.context["rows"].rows] == [
        f"Fact {n:02}" for n in range(20)
    ]
    page = first.content.decode()
    assert "1–20 of 45" in page
    assert 'rel="prev"' not in page
    onward = page.split('rel="next"')[0].rpartition('href="')[2].rstrip('" ')
    parameters = parse_qs(urlsplit(onward.replace("&amp;", "&")).query)
    (beginning,) = parameters.pop("page")
    assert parameters == {
        "instance": ["desk"],
        "category": ["fact"],
        "tag": ["a b&c"],
        "sort": ["oldest"],
    }
    assert beginning.startswith("2_after_")
    assert listed_texts(as_alice, f"{query}&page={beginning}")[0] == "Fact 20"
    assert listed_texts(as_alice, f"{query}&page=2")[0] == "Fact 20"
    assert listed_texts(as_alice, f"{query}&page=3") == [f"Fact {n}" for n in range(40, 45)]
    last = listed(as_alice, f"{query}&page=3").content.decode()
    assert "41–45 of 45" in last
    assert 'rel="next"' not in last
    # A page number beyond the end shows the last page, so that outdated URLs work.
    assert listed_texts(as_alice, f"{query}&page=9") == listed_texts(as_alice, f"{query}&page=3")


@pytest.mark.parametrize("sort", SORTS)
def test_last_pages_continue_without_gaps(sort: str, as_alice: Client, instance: Instance) -> None:
    now = timezone.now()
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Fact {n:02}",
            importance=n * 7 % 10 + 1,
            recall_count=n * 3 % 5,
            created_at=now - timedelta(minutes=n * 11 % 30),
            updated_at=now - timedelta(minutes=n * 13 % 30),
        )
        for n in range(90)
    )
    whole = Memory.objects.order_by(*SORTS[sort][1]).values_list("content", flat=True)
    pages = [listed_texts(as_alice, f"sort={sort}&page={number}") for number in range(1, 6)]
    assert [len(page) for page in pages] == [20, 20, 20, 20, 10]
    assert [content for page in pages for content in page] == list(whole)


# Empty lists


def test_each_kind_of_empty_list_has_its_own_text(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    assert "No memories yet" in listed(as_alice).content.decode()
    store_memory("The user sails at weekends.")
    assert "No memory matches these filters" in listed(as_alice, "tag=x").content.decode()
    nothing = listed(as_alice, "q=%22no+such+phrase%22+zzzz&category=fact").content.decode()
    assert "No memory matches “&quot;no such phrase&quot; zzzz”" in nothing
    assert "or remove a filter" in nothing
    for page in (listed(as_alice, "tag=x").content.decode(), nothing):
        assert "Show all memories" in page
        assert "Delete the checked" not in page
    assert "No memories yet" not in listed(as_alice).content.decode()


# Escaping

HOSTILE = "The user writes <script>alert(1)</script> & \"quotes\" 'too' <b>in bold</b>."


@pytest.mark.parametrize("query", ["", "q=alert", "q=%3Cscript%3Ealert", "q=quotes", "q=bold"])
def test_memories_are_escaped(query: str, as_alice: Client, store_memory: Store) -> None:
    memory = store_memory(HOSTILE, tags=["<i>", '"x"'], end_user="<u>ana</u>")
    for url in (f"/memory?instance=desk&{query}", f"/memory/{memory.pk}?instance=desk&{query}"):
        page = as_alice.get(url).content.decode()
        assert "<script>alert" not in page
        assert "<b>in bold" not in page
        assert "<u>ana" not in page
        assert "<i>" not in page.replace("<i></i>", "")
        assert "&lt;script&gt;" in page


@pytest.mark.parametrize("name", ["q", "tag", "user", "page", "sort", "category", "origin"])
def test_url_values_are_escaped(name: str, as_alice: Client, instance: Instance) -> None:
    page = listed(as_alice, f"{name}=%22%3E%3Csvg/onload=alert(1)%3E").content.decode()
    assert "<svg/onload" not in page


# With and without htmx


def test_status_line_shows_new_memories(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    first = store_memory("The user sails at weekends.")
    url = f"/memory/status?instance=desk&after={first.pk}"
    assert "Show" not in as_alice.get(url).content.decode()
    store_memory("The user repairs clocks for a living.")
    page = as_alice.get(url).content.decode()
    assert "Show 1 new" in page
    assert "2 new today" in page
    assert "waiting" not in text_of(page)
    for after in ("", "x", "-1", "9" * 30, "²"):
        assert as_alice.get(f"/memory/status?instance=desk&after={after}").status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_list_is_read_only(method: str, as_alice: Client, instance: Instance) -> None:
    assert getattr(as_alice, method)("/memory?instance=desk").status_code == 405


# Finding


def test_page_has_20_50_or_100_rows(as_alice: Client, instance: Instance) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Fact {n}", category="fact") for n in range(120)
    )
    for size, count in {"": 20, "50": 50, "100": 100, "20": 20, "7": 20, "x": 20}.items():
        assert len(listed_texts(as_alice, f"per_page={size}")) == count
    page = listed(as_alice, "per_page=50&category=fact").content.decode()
    assert "instance=desk&amp;category=fact&amp;per_page=50&amp;page=2" in page
    assert "51–100 of 120" in listed(as_alice, "per_page=50&page=2").content.decode()


def test_tags_person_and_source_of_a_row_are_links(as_alice: Client, assorted: Instance) -> None:
    page = listed(as_alice, "category=fact&sort=oldest&page=1").content.decode()
    query = "/memory?instance=desk&amp;category=fact&amp;{}&amp;sort=oldest"
    for link in ("tag=travel", "user=ana", "origin=manual"):
        address = query.format(link)
        assert f'href="{address}" hx-get="{address}" hx-target="#memories"' in page, link


def test_answer_while_typing_leaves_the_field_alone(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user sails at weekends.")
    htmx = {"HX-Request": "true"}
    typed = listed(as_alice, "q=sail", **htmx, **{"HX-Trigger": "q"})
    assert 'id="memory-top"' not in typed.content.decode()
    assert 'id="saved-filters" hx-swap-oob="true"' in typed.content.decode()
    sent = listed(as_alice, "q=sail&sort=", **htmx, **{"HX-Trigger": "filters"})
    assert 'id="memory-top" hx-swap-oob="true"' in sent.content.decode()
    # What is typed before the answer comes is kept.
    assert re.search('<form[^>]* id="filters"[^>]*hx-preserve', sent.content.decode())
    linked = listed(as_alice, "q=sail", **htmx, **{"HX-Target": "memories"})
    assert "hx-preserve" not in linked.content.decode()
    assert typed["HX-Push-Url"] == sent["HX-Push-Url"] == "/memory?instance=desk&q=sail"


def test_search_is_sent_later_where_each_costs_a_request(
    as_alice: Client, instance: Instance
) -> None:
    assert "delay:60ms" in listed(as_alice).content.decode()
    Instance.objects.update(embedding_provider="openai")
    assert "delay:600ms" in listed(as_alice).content.decode()


def test_categories_explain_themselves(as_alice: Client, assorted: Instance) -> None:
    assert f'title="{Category.EVENT.meaning}"' in listed(as_alice).content.decode()


def test_rows_have_one_line_or_two_as_chosen(as_alice: Client, instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="A fact")
    assert "data-rows" not in listed(as_alice).content.decode()

    response = as_alice.post("/memory/rows", {"rows": "one", "next": "/memory?instance=desk&q=a"})
    assert response["Location"] == "/memory?instance=desk&q=a"
    assert 'data-rows="one"' in listed(as_alice).content.decode()
    as_alice.post("/memory/rows", {"rows": "three", "next": "https://elsewhere.example/"})
    page = as_alice.get("/activity?instance=desk").content.decode()
    assert 'data-rows="one"' in page
    elsewhere = as_alice.post("/memory/rows", {"rows": "two", "next": "//elsewhere.example/"})
    assert elsewhere["Location"] == "/memory"


def test_one_page_has_no_pager(as_alice: Client, instance: Instance) -> None:
    Memory.objects.create(instance=instance, content="A fact")

    assert 'class="pager"' not in listed(as_alice).content.decode()
