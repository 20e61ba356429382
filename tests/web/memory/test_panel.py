"""The panel of one memory: its sources, its history, and why it was found."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Import, Message
from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemorySource, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, revise
from memoryapp.recall import note_recalled, recall
from memoryapp.web.memory.history import word_diff
from tests.provider_fixtures import provider, read_with
from tests.scripted_provider import ScriptedProvider
from tests.web.page_text import definitions, text_of

__all__ = ["provider"]

Store = Callable[..., Memory]
Say = Callable[..., Message]
HTMX = {"HX-Request": "true"}


def panel(client: Client, memory: Memory, query: str = "") -> str:
    """Return the panel fragment, as htmx gets it."""
    response = client.get(f"/memory/{memory.pk}?{query}", headers=HTMX)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def extracted(instance: Instance, conversation: Conversation) -> Memory:
    """A memory that came from the first message of the conversation."""
    candidate = Candidate(
        "The user is severely allergic to peanuts.",
        category="fact",
        tags=["food"],
        confidence=95,
        conversation_id=conversation.pk,
        message_id=conversation.messages.earliest("position").pk,
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    return outcome.memory


def test_panel_quotes_the_source_message(
    as_alice: Client, conversation: Conversation, extracted: Memory, store_message: Say
) -> None:
    store_message(conversation, "I moved to Lyon.")
    page = panel(as_alice, extracted)
    assert "“No satay please, peanuts would put me in hospital.”" in page
    assert re.search(r"said this on \d+ \w+ \d+, in Dinner for eight", text_of(page))
    assert "Noted, no peanuts." not in page
    assert "I moved to Lyon." not in page
    assert f'href="/conversations/{conversation.pk}?at=1#m1"' in page
    assert "Dinner for eight" in page
    transcript = as_alice.get(f"/conversations/{conversation.pk}?page=1").content.decode()
    assert 'id="m1"' in transcript
    assert f'href="/memory/{extracted.pk}"' in transcript


def test_source_link_opens_the_right_page_of_a_long_transcript(
    as_alice: Client, instance: Instance, conversation: Conversation, store_message: Say
) -> None:
    for number in range(3, 106):
        said = store_message(conversation, f"Line {number}.")
    candidate = Candidate(
        "The user spoke at length.", conversation_id=conversation.pk, message_id=said.pk
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    url = f"/conversations/{conversation.pk}?at=105#m105"
    assert f'href="{url}"' in panel(as_alice, outcome.memory)
    assert "Line 105." in as_alice.get(url).content.decode()


def test_fact_with_two_sources_shows_both(
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
    extracted: Memory,
    store_message: Say,
) -> None:
    again = store_message(conversation, "As I said: peanuts are deadly for me.")
    candidate = Candidate(extracted.content, conversation_id=conversation.pk, message_id=again.pk)
    remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction")))
    page = panel(as_alice, extracted)
    assert "peanuts would put me in hospital" in page
    assert "peanuts are deadly for me" in page
    assert "said again" in page


def test_panel_without_a_conversation(
    as_alice: Client, conversation: Conversation, extracted: Memory, store_memory: Store
) -> None:
    by_hand = store_memory("The user keeps bees.")
    assert re.search(r"Added by hand on (today|\d+ \w+)", panel(as_alice, by_hand))
    conversation.delete()
    assert "The conversation it came from has been deleted." in panel(as_alice, extracted)


def test_panel_shows_all_details(as_alice: Client, instance: Instance, extracted: Memory) -> None:
    page = panel(as_alice, extracted)
    for said in (
        "Importance 9 of 10",
        "conversation, confidence 95",
        ">food</a>",
    ):
        assert said in page
    for empty in ("Valid until", "Recalled", "Feedback", "Labels"):
        assert empty not in page
    note_recalled(instance, recall(instance, "peanuts").hits)
    assert "once, last" in panel(as_alice, extracted)
    extracted.valid_until = timezone.localdate() - timedelta(days=1)
    extracted.save()
    assert "(expired)" in panel(as_alice, extracted)
    extracted.embeddings.all().delete()
    assert "No vector yet" in panel(as_alice, extracted)
    assert "Labels" not in page
    Memory.objects.update(labels=["agent:<coach>", "run:"])
    page = panel(as_alice, extracted)
    assert "label=agent%3A%3Ccoach%3E" in page
    assert "agent:&lt;coach&gt;" in page
    assert "run:" not in page


def test_source_leads_to_its_page_and_its_rollback_is_named(
    as_alice: Client, instance: Instance, conversation: Conversation, extracted: Memory
) -> None:
    key = instance.api_keys.create(name="Phone", prefix="ks_any", digest="1", scopes=["read"])
    file = Import.objects.create(instance=instance, filename="old.jsonl")
    for via, batches in ((f"api {key.prefix}", []), ("import", [file.batch])):
        MemorySource.objects.create(instance=instance, memory=extracted, via=via, batches=batches)
    page = panel(as_alice, extracted)
    said = page.partition("<dt>From</dt>")[2].partition("</dd>")[0]
    pages = {
        "the conversation “Dinner for eight”": conversation.get_absolute_url(),
        "the API key “Phone”": f"/instances/desk/keys/{key.pk}",
        "the file old.jsonl": file.get_absolute_url(),
    }
    for label, url in pages.items():
        assert f'<a class="link" href="{url}">{label}</a>' in said
        assert as_alice.get(url).status_code == 200
    rollbacks = re.findall(r'href="(/memory/removed/rollback[^"]+)"[^>]*>\s*([^<]+?)\s*<', said)
    assert [words for _url, words in rollbacks] == ["Roll back"] * 3
    for url, _words in rollbacks:
        # That of a file is part of its page.
        assert as_alice.get(unescape(url), follow=True).status_code == 200


def test_panel_after_a_search_explains_the_match(as_alice: Client, extracted: Memory) -> None:
    page = panel(as_alice, extracted, "q=peanuts")
    assert "Why it was found" in page
    said, figures = page.split("<summary>Figures</summary>")
    assert "similar meaning · contains “peanuts”" in said
    for label in ("similar meaning", "same words"):
        assert f"<span>{label}</span>" in figures
    assert "Similarity to the question (cosine): 0." in figures
    assert "Why it was found" not in panel(as_alice, extracted)


def test_full_page_has_the_list_and_a_title(
    as_alice: Client, extracted: Memory, store_memory: Store
) -> None:
    other = store_memory("The user keeps bees.")
    response = as_alice.get(f"/memory/{extracted.pk}?category=general&q=&page=1")
    page = response.content.decode()
    assert "<title>The user is severely allergic to peanuts." in page
    assert f'id="row-{other.pk}" data-row' in page
    assert f'id="row-{extracted.pk}" data-row' not in page
    assert "HX-Request" in response["Vary"]
    fragment = as_alice.get(f"/memory/{extracted.pk}", headers=HTMX)
    assert "<html" not in fragment.content.decode()
    assert "HX-Request" in fragment["Vary"]


def test_url_determines_the_instance(
    as_alice: Client, instance: Instance, private: Instance, extracted: Memory
) -> None:
    response = as_alice.get(f"/memory/{extracted.pk}?instance={private.slug}")
    assert response.context["listing"].instance == instance


# History


@pytest.fixture
def reworded(extracted: Memory, alice: User) -> Memory:
    """The memory after two edits."""
    for content in ("The user is mildly allergic to nuts.", "The user may eat nuts again."):
        revise(extracted, Changes(content, "fact", 5), by=Actor(alice))
        extracted.refresh_from_db()
    return extracted


def test_history_shows_earlier_versions_with_differences(
    as_alice: Client, reworded: Memory
) -> None:
    page = panel(as_alice, reworded)
    assert "Changed twice" in page
    assert page.count("edited by hand by alice") == 2
    assert "<del>severely </del><ins>mildly </ins>" in page


def test_earlier_version_can_be_restored(as_alice: Client, alice: User, reworded: Memory) -> None:
    first = reworded.revisions.earliest("pk")
    url = f"/memory/{reworded.pk}/restore/{first.pk}"
    page = as_alice.post(url, follow=True).content.decode()
    assert "Restored. The previous text is in its history." in page
    reworded.refresh_from_db()
    assert reworded.content == "The user is severely allergic to peanuts."
    assert reworded.tags == ["food"]
    newest = reworded.revisions.latest("pk")
    assert newest.content == "The user may eat nuts again."
    assert (newest.reason, newest.by) == ("restored", alice)
    assert reworded.revisions.count() == 3
    assert Activity.objects.filter(action="restored", by=alice, memory_id=reworded.pk).exists()
    # It is found by its current text.
    hits = recall(reworded.instance, "severe allergy").hits
    assert [hit.memory for hit in hits if hit.memory] == [reworded]


def test_history_shows_changes_of_other_fields(
    as_alice: Client, alice: User, extracted: Memory
) -> None:
    until = date(2031, 2, 3)
    revise(extracted, Changes(extracted.content, "event", 7, ["health"], until), by=Actor(alice))
    (version,) = as_alice.get(f"/memory/{extracted.pk}", headers=HTMX).context["versions"]
    assert version.diff == []
    assert version.changes == [
        ("category", "fact", "event"),
        ("importance", "9", "7"),
        ("tags", "food", "health"),
        ("valid until", "none", "3 Feb 2031"),
    ]
    page = re.sub(r"<span.*?</span>", "", panel(as_alice, extracted))
    assert "<del>fact</del>  <ins>event</ins>" in page


def test_only_the_latest_change_can_be_undone(as_alice: Client, reworded: Memory) -> None:
    newest, oldest = reworded.revisions.all()
    url = f"/memory/{reworded.pk}/undo/"
    said = as_alice.post(f"{url}{newest.pk}", follow=True).content.decode()
    assert "Undone. The memory is as it was before that change." in said
    reworded.refresh_from_db()
    assert reworded.content == "The user is mildly allergic to nuts."
    # A repeated click on the same button.
    again = as_alice.post(f"{url}{newest.pk}", follow=True).content.decode()
    assert "The memory has changed since." in again
    assert as_alice.get(f"{url}{oldest.pk}").status_code == 405
    as_alice.post(f"{url}{oldest.pk}", headers=HTMX)
    reworded.refresh_from_db()
    assert reworded.content == "The user is severely allergic to peanuts."
    assert not reworded.revisions.exists()


def test_edit_offers_undo(as_alice: Client, extracted: Memory) -> None:
    data = {"content": "The user eats nuts.", "category": "fact", "importance": 5}
    address = f"/memory/{extracted.pk}/edit?instance=desk&category=fact"
    page = as_alice.post(address, data, follow=True).content.decode()
    revision = extracted.revisions.get()
    undo = f'action="/memory/{extracted.pk}/undo/{revision.pk}?instance=desk&amp;category=fact"'
    assert page.count(undo) == 1
    # An unchanged edit has no undo.
    page = as_alice.post(address, data, follow=True).content.decode()
    assert "Nothing was changed." in page
    assert undo not in page


def test_htmx_action_returns_list_panel_and_message(as_alice: Client, extracted: Memory) -> None:
    data = {"content": "The user eats nuts.", "category": "fact", "importance": 5}
    response = as_alice.post(f"/memory/{extracted.pk}/edit?instance=desk", data, headers=HTMX)
    assert response["HX-Push-Url"] == f"/memory/{extracted.pk}?instance=desk"
    page = response.content.decode()
    assert "<html" not in page
    for part in ('id="panel"', 'id="messages"', f'id="row-{extracted.pk}"', "Saved."):
        assert part in page
    wrong = as_alice.post(
        f"/memory/{extracted.pk}/edit?instance=desk", data | {"content": ""}, headers=HTMX
    )
    assert (wrong.status_code, wrong["HX-Retarget"]) == (422, "#panel")


def test_version_of_another_memory_cannot_be_restored(
    as_alice: Client, reworded: Memory, store_memory: Store
) -> None:
    other = store_memory("The user keeps bees.")
    revision = reworded.revisions.earliest("pk")
    assert as_alice.post(f"/memory/{other.pk}/restore/{revision.pk}").status_code == 404
    assert as_alice.post(f"/memory/{other.pk}/restore/{2**70}").status_code == 404
    assert as_alice.get(f"/memory/{reworded.pk}/restore/{revision.pk}").status_code == 405


@pytest.mark.parametrize(
    ("old", "new", "runs"),
    [
        ("a b c", "a b c", [("same", "a b c")]),
        ("a b c", "a x c", [("same", "a "), ("del", "b "), ("ins", "x "), ("same", "c")]),
        ("a", "a b", [("same", "a "), ("ins", "b")]),
        ("a b", "a", [("same", "a"), ("del", "b")]),
        ("a", "b", [("del", "a"), ("ins", "b")]),
        ("", "a", [("ins", "a")]),
        ("a", "", [("del", "a")]),
        ("", "", []),
        # Punctuation is a separate token.
        ("nuts.", "nuts", [("same", "nuts"), ("del", ".")]),
        ("a (b", "a b", [("same", "a "), ("del", "("), ("same", "b")]),
        ("b) c", "b c", [("same", "b "), ("del", ") "), ("same", "c")]),
        ("don't", "dont", [("del", "don't"), ("ins", "dont")]),
        ("C++ 14", "C++ 17", [("same", "C++ "), ("del", "14"), ("ins", "17")]),
        ("猫が好き", "犬が好き", [("del", "猫"), ("ins", "犬"), ("same", "が好き")]),
        ("…", "…", [("same", "…")]),
    ],
)
def test_differences_are_marked_by_word(old: str, new: str, runs: list[tuple[str, str]]) -> None:
    assert word_diff(old, new) == runs


def test_single_changed_word_of_a_long_text_is_marked() -> None:
    words = [f"{'the' if n % 2 else 'and'} word{n}" for n in range(300)]
    old = " ".join(words)
    new = old.replace("word150", "sword")
    assert [run for run in word_diff(old, new) if run[0] != "same"] == [
        ("del", "word150 "),
        ("ins", "sword "),
    ]


def test_history_is_escaped(
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
    store_message: Say,
    alice: User,
) -> None:
    said = store_message(conversation, "<script>alert('said')</script>")
    Conversation.objects.filter(pk=conversation.pk).update(title="<script>alert('title')</script>")
    candidate = Candidate(
        "The user writes <script>alert('one')</script>.",
        conversation_id=conversation.pk,
        message_id=said.pk,
        tags=["<script>"],
        end_user="<script>",
    )
    (outcome,) = remember(
        instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="extraction"))
    )
    changes = Changes("The user writes <script>alert('two')</script>.", "fact", 5, ["<script>"])
    revise(outcome.memory, changes, by=Actor(alice))
    for headers in ({}, HTMX):
        for query in ("", "?q=script"):
            url = f"/memory/{outcome.memory.pk}{query}"
            page = as_alice.get(url, headers=headers).content.decode()
            assert "<script>alert" not in page
            for word in ("one", "two", "said", "title"):
                assert f"&lt;script&gt;alert(&#x27;{word}&#x27;)" in page


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
def test_merge_by_the_model_shows_both_texts_and_can_be_split(
    headers: dict[str, str],
    client: Client,
    alice: User,
    instance: Instance,
    provider: ScriptedProvider,
) -> None:
    read_with(provider, instance)
    instance.merge_with_model = True
    instance.save()
    old, new = "The user hikes in the Alps.", "The user hikes in the Alps in winter."
    both = "The user hikes in the Alps, in winter too."
    writer = Writer(Origin.MANUAL, Actor(via="test"))
    provider.reply_with({"decisions": [{"new": 0, "decision": "merge", "known": 1, "text": both}]})
    remember(instance, [Candidate(old, importance=5)], writer)
    (outcome,) = remember(instance, [Candidate(new, importance=5)], writer)
    memory, revision = outcome.memory, outcome.memory.revisions.get()

    client.force_login(alice)
    page = panel(client, memory)
    assert "merged with a later message" in page
    merged = definitions(page)
    assert (merged["Before"], merged["Said"]) == (old, new)
    url = f"/memory/{memory.pk}/keep-both/{revision.pk}"
    assert f'action="{url}?instance=desk"' in page

    response = client.post(f"{url}?instance=desk", headers=headers, follow=True)
    assert "Both are kept" in response.content.decode()
    assert {*Memory.objects.values_list("content", flat=True)} == {old, new}
    again = client.post(f"{url}?instance=desk", headers=headers, follow=True)
    assert "Undo its newest change first" in again.content.decode()
    assert Memory.objects.count() == 2


def test_list_and_panel_tell_when_it_was_said(
    as_alice: Client, conversation: Conversation, extracted: Memory, store_memory: Store
) -> None:
    said = datetime(2023, 11, 18, 9, tzinfo=UTC)
    Memory.objects.filter(pk=extracted.pk).update(said_at=said)
    by_hand = store_memory("The user keeps bees.")
    Memory.objects.filter(pk=by_hand.pk).update(said_at=said)
    listed = as_alice.get("/memory?instance=desk").content.decode()
    days = dict(
        re.findall(r'id="row-(\d+)".*?class="when"><time datetime="(\d{4}-\d\d)', listed, re.DOTALL)
    )
    assert days[str(extracted.pk)] == "2023-11"
    assert days[str(by_hand.pk)] != "2023-11", "typed by hand, and not said before"
    told = definitions(panel(as_alice, extracted))
    assert "2023" in told["Said"]
    assert "2023" not in told["Created"]
    assert "Said" not in definitions(panel(as_alice, by_hand))
