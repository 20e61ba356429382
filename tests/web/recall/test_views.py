"""The recall screen: the results of a question, and why a memory is missing."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Agent, Instance, User
from memoryapp.context.block import ContextBlock
from memoryapp.context.builder import RecalledContext, context_for_message
from memoryapp.graph.corrections import NewRelation, add_relation
from memoryapp.graph.ingestion import NamedEntity
from memoryapp.models import Memory, RecallLog, Usage
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.results import Hit, RecallResult
from memoryapp.recall.scoring import CLEARLY_WEAKER
from memoryapp.web.reasons import reasons_for
from memoryapp.web.recall.explanation import too_weak
from tests.provider_fixtures import embed_with, provider, read_with
from tests.scripted_provider import ScriptedProvider
from tests.web.page_text import text_of

__all__ = ["provider"]

Remember = Callable[..., Memory]
ARABIC = "تعيش سلمى في بيروت."
JAPANESE = "由紀子は京都に住んでいます。"


def page(client: Client, **query: Any) -> str:
    response = client.get("/memory", {"instance": "desk", "list": "ask", **query})
    assert response.status_code == 200
    return str(response.content.decode())


@pytest.fixture
def facts(store_memory: Remember) -> dict[str, Memory]:
    return {
        "boat": store_memory("The user has a boat in Kiel.", category="fact"),
        "sold": store_memory("The user once sold a boat."),
        "cello": store_memory("The user plays the cello in an orchestra."),
        "ana": store_memory("Ana has a boat, too.", end_user="ana"),
    }


def test_screen_shows_the_context_for_the_assistant(
    as_alice: Client, instance: Instance, facts: dict[str, Memory]
) -> None:
    html = page(as_alice, q="Where is the boat?")
    context = context_for_message(instance, "Where is the boat?", end_user="", conversation=None)
    assert "&lt;memory_context id=" in html
    assert "It follows the user’s message" in html
    for line in context.text.splitlines()[2:-1]:
        assert line in html
    assert f"<code>m{facts['boat'].pk}</code>" in html
    assert 'aria-label="Score ' in html
    assert 'class="part-meaning"' in html
    assert "Ana has a boat" not in html
    assert "Ana has a boat" in page(as_alice, q="Where is the boat?", user="ana")


def test_question_here_does_not_count_as_recall(as_alice: Client, facts: dict[str, Memory]) -> None:
    page(as_alice, q="Where is the boat?", why=facts["cello"].pk, find="boat")
    assert set(Memory.objects.values_list("recall_count", "last_recalled_at")) == {(0, None)}
    assert not RecallLog.objects.exists()


def test_empty_screen_explains_itself(as_alice: Client, instance: Instance) -> None:
    html = page(as_alice)
    assert "Ask a question" in html
    assert "Why not this memory?" not in html


def test_memory_without_a_question_is_asked_about(
    as_alice: Client, facts: dict[str, Memory]
) -> None:
    html = page(as_alice, why=facts["cello"].pk)
    assert "see whether the assistant is shown this memory" in text_of(html)
    assert "Would a question find this memory?" in html
    assert "Why not this memory?" not in html
    panel = as_alice.get(f"/memory/{facts['cello'].pk}?instance=desk").content.decode()
    assert "Test recall" in panel


def test_no_results(as_alice: Client, instance: Instance, private: Instance) -> None:
    html = page(as_alice, q="xyzzy plugh qwertz")
    assert "Nothing found" in html
    assert "the assistant answers without memories" in html
    assert as_alice.get("/memory?list=ask", follow=True).status_code == 200


def test_rankings_are_compared_side_by_side(as_alice: Client, facts: dict[str, Memory]) -> None:
    html = page(as_alice, q="Which boat?", against="rrf", limit=1)
    shown = text_of(html)
    assert "Ranking: Measured (recommended)" in shown
    assert "Ranking: Plain (RRF)" in shown
    assert html.count('<article class="row') == 2
    # A memory in both columns is one row to the keys, the boxes and the panel.
    assert len(re.findall(r'<article [^>]*data-row="row-\d+"', html)) == 2
    assert len(re.findall(r' id="row-\d+"', html)) == html.count('name="id" form="selection"') == 1
    same = page(as_alice, q="Which boat?", profile="rrf", against="rrf")
    assert "Both are the same ranking" in same


def test_message_is_a_result_with_its_source_and_redacted_secrets(
    as_alice: Client, instance: Instance, store_message: Callable[..., Message]
) -> None:
    talk = Conversation.objects.create(instance=instance, title="Harbour")
    turn = store_message(talk, "The berth in Kiel has the number 17, card 4111 1111 1111 1111.")
    html = page(as_alice, q="Which berth in Kiel?")
    assert f"<code>s{turn.pk}</code>" in html
    assert turn.get_absolute_url().replace("&", "&amp;") in html
    assert "[REDACTED:CARD]" in html


@pytest.mark.parametrize("text", [ARABIC, JAPANESE, "The user keeps a diary. " * 160])
def test_texts_of_all_kinds(as_alice: Client, store_memory: Remember, text: str) -> None:
    memory = store_memory(text)
    html = page(as_alice, q=text[:60], why=memory.pk)
    assert "The assistant is shown this. Place 1 of 1." in html
    assert text[:12] in html


# Why a memory is missing


def followed(client: Client, html: str, link: str) -> str:
    """The page behind the *link* of what would help."""
    assert "What would help:" in html
    (address,) = re.findall(rf'<a class="link" href="([^"]*)">{re.escape(link)}</a>', html)
    return client.get(unescape(address)).content.decode()


def test_shown_memory_is_explained(as_alice: Client, facts: dict[str, Memory]) -> None:
    html = page(as_alice, q="Where is the boat in Kiel?", why=facts["boat"].pk)
    (row,) = re.findall(r'<article class="row explained"(.*?)</article>', html, re.DOTALL)
    assert 'id="why"' in row
    assert "The user has a boat in Kiel." in text_of(row)
    assert '<details class="fold why" open>' in row
    assert "The assistant is shown this. Place 1 of " in row
    assert "Why this memory?" not in html


def test_memory_of_another_end_user_is_explained(
    as_alice: Client, facts: dict[str, Memory]
) -> None:
    html = page(as_alice, q="Which boat?", why=facts["ana"].pk)
    assert "It is about “ana”, and you asked for no one in particular." in html
    assert "The assistant is shown this." in followed(as_alice, html, "Ask for “ana”.")


def test_memory_without_a_match_is_explained(as_alice: Client, facts: dict[str, Memory]) -> None:
    html = page(as_alice, q="Which harbour?", why=facts["cello"].pk)
    assert "It was not found for this question." in html
    assert "at least 0.15 is needed" in html
    assert "Words: it contains no word of the question." in html
    assert "It would stand higher if its text had more words of the question." in html
    html = page(as_alice, q="How many sides has a hexagon?", why=facts["cello"].pk)
    assert "It was not found for this question." in html
    assert "What would help:" not in html, "nothing should"


def test_memory_ranked_below_the_limit_is_explained(
    as_alice: Client, facts: dict[str, Memory]
) -> None:
    question = "Which boat?"
    html = page(as_alice, q=question, limit=1, why=facts["boat"].pk)
    assert "Ranked 2. The assistant sees only the first." in html
    assert "the last result shown has " in html
    assert "The last result shown" in html
    assert "Words: it contains words of the question." in html
    assert "The assistant is shown this." in followed(as_alice, html, "Show 2 results.")


HARBOURS = "Which harbour did the user sail to?"


@pytest.fixture
def harbours(instance: Instance, store_memory: Remember) -> Memory:
    """A memory that is one place too far down for a question with two results, and less important
    than the two.
    """
    instance.recall_weights = {"importance": 1.0}
    instance.save()
    for place in ("Oslo", "Kiel", "Riga"):
        store_memory(f"The user sailed to the harbour of {place}.", keep_apart=True)
    Memory.objects.update(importance=7, importance_by="person")
    last = recall(instance, HARBOURS, RecallOptions(limit=3)).hits[-1].memory
    assert last
    Memory.objects.filter(pk=last.pk).update(importance=5)
    return last


def tried(client: Client, memory: Memory, **query: Any) -> str:
    return page(client, q=HARBOURS, limit=2, why=memory.pk, **query)


def test_importance_that_would_help_is_tried_and_kept(as_alice: Client, harbours: Memory) -> None:
    before = tried(as_alice, harbours)
    (offer,) = re.findall(r">(Importance \d+ instead of 5\.)</a>", before)
    after = followed(as_alice, before, offer)
    enough = int(offer.split()[1])
    said = text_of(after)
    trial = rf"Tried, not saved: importance {enough} instead of 5\. Place [12]; without it 3\."
    assert re.search(trial, said)
    assert "The assistant is shown this. Place" in said
    assert harbours.content in text_of(
        after.split('class="list memories"')[1].split("fold weaker")[0]
    )
    # One less is not enough.
    assert "Ranked 3." in tried(as_alice, harbours, importance=enough - 1)
    assert Memory.objects.get(pk=harbours.pk).importance == 5

    (form,) = re.findall(
        rf'<form method="post" action="(/memory/{harbours.pk}/importance[^"]*)">.*?'
        r'name="next" value="([^"]*)"',
        after,
        re.DOTALL,
    )
    action, back = map(unescape, form)
    kept = as_alice.post(action, {"importance": enough, "next": back}, follow=True)
    harbours.refresh_from_db()
    assert (harbours.importance, harbours.importance_by) == (enough, "person")
    shown = kept.content.decode()
    assert "Tried, not saved" not in shown
    assert "The assistant is shown this." in shown
    assert re.search(rf'action="/memory/{harbours.pk}/undo/\d+', shown)


def test_pin_would_help_and_is_one_press(as_alice: Client, harbours: Memory) -> None:
    form = rf'action="(/memory/{harbours.pk}/pin[^"]*)">.*?name="next" value="([^"]*)"'
    action, back = map(unescape, re.findall(form, tried(as_alice, harbours), re.DOTALL)[0])
    assert not Memory.objects.pinned().exists()
    after = as_alice.post(action, {"next": back}, follow=True).content.decode()
    assert list(Memory.objects.pinned()) == [harbours]
    assert "It is pinned: the assistant is always told it." in after
    assert f", pinned): {harbours.content}" in after


def test_trial_is_for_one_memory_and_leaves_with_it(as_alice: Client, harbours: Memory) -> None:
    html = tried(as_alice, harbours, importance=9)
    (close,) = re.findall(r'<a class="btn quiet" href="([^"]*)" aria-label="Close"', html)
    assert "importance" not in close
    assert "Tried" not in page(as_alice, q=HARBOURS, importance=9)
    for wrong in ("0", "11", "x"):
        assert "Tried" not in tried(as_alice, harbours, importance=wrong)


def test_only_who_may_change_a_memory_is_told_what_a_change_would_do(
    as_alice: Client, bob: User, vera: User, harbours: Memory
) -> None:
    def offers() -> tuple[bool, bool]:
        html = tried(as_alice, harbours)
        return f"/memory/{harbours.pk}/edit?" in html, f"/memory/{harbours.pk}/pin?" in html

    assert offers() == (True, True)
    as_alice.force_login(bob)
    assert offers() == (True, False)
    as_alice.force_login(vera)
    assert offers() == (False, False)
    assert "Pin it" not in tried(as_alice, harbours)
    html = tried(as_alice, harbours, importance=9)
    assert "Tried, not saved" in html
    assert f'action="/memory/{harbours.pk}/' not in html
    # Where all that is left is what they may not do, there is no heading above nothing.
    Memory.objects.exclude(pk=harbours.pk).update(importance=10)
    html = page(as_alice, q=HARBOURS, limit=2, why=harbours.pk)
    assert ("What would help:" in html) == ("Show 3 results." in html)


def test_importance_beyond_reach_is_not_offered(as_alice: Client, harbours: Memory) -> None:
    Memory.objects.exclude(pk=harbours.pk).update(importance=10)
    html = tried(as_alice, harbours)
    assert "Ranked 3." in html
    assert not re.search(r">Importance \d+ instead", html)
    assert "Pin it" in html


def test_memory_too_far_to_be_ranked_is_explained(as_alice: Client, store_memory: Remember) -> None:
    for number in range(60):
        store_memory(f"The user sailed to harbour {number}, and what a day it was there.")
    # The day that the question names would lift it, if it was compared.
    day = store_memory("The user sailed.")
    Memory.objects.filter(pk=day.pk).update(created_at=timezone.now() - timedelta(days=300))
    named = (timezone.now() - timedelta(days=300)).strftime("%d %B %Y")
    html = page(as_alice, q=f"Which harbour did the user sail to on {named}?", why=day.pk)
    assert "It is not near enough to be compared: only the nearest are." in html
    assert "results are shown" not in html


def test_marks_in_a_question_are_no_operators(as_alice: Client, facts: dict[str, Memory]) -> None:
    """As in a message of a chat, which the assistant gets the same results for."""
    html = page(as_alice, q='Is there "a boat that sails" -Kiel?')
    assert "The user has a boat in Kiel." in html


def test_memory_without_a_vector_is_explained(
    as_alice: Client, instance: Instance, facts: dict[str, Memory]
) -> None:
    facts["cello"].embeddings.all().delete()
    html = page(as_alice, q="Which harbour?", why=facts["cello"].pk)
    assert "since it has no vector yet" in html


def test_reranked_memory_is_explained(
    as_alice: Client, instance: Instance, provider: ScriptedProvider, facts: dict[str, Memory]
) -> None:
    read_with(provider, instance)
    Instance.objects.filter(pk=instance.pk).update(rerank_enabled=True, top_k=1)
    provider.reply_with({"best": [2]})
    html = page(as_alice, q="Where is the boat in Kiel?", why=facts["boat"].pk)
    assert "A language model reordered the first results." in html
    assert "The reranking model put others first" in html
    assert Usage.objects.get().source == "memory_rerank"


def test_memory_beyond_the_context_budget_is_explained(
    as_alice: Client, store_memory: Remember
) -> None:
    long = [store_memory(f"The boat number {n} " + f"sails {n} " * 300) for n in range(4)]
    found = page(as_alice, q="Which boat sails?")
    last = next(memory for memory in long if f"[m{memory.pk}]" not in found)
    html = page(as_alice, q="Which boat sails?", why=last.pk)
    assert "The results above it fill the space" in html


def test_disabled_recall_is_explained(
    as_alice: Client, instance: Instance, facts: dict[str, Memory]
) -> None:
    Agent.objects.create(instance=instance, slug="aloof", name="Aloof", recall_enabled=False)
    html = page(as_alice, q="Which boat?", agent="aloof", why=facts["boat"].pk)
    assert "Recall is off for Aloof, so its assistant is shown none of this." in html
    assert "Recall is off for the agent Aloof: it is shown nothing." in html
    assert "What would help:" not in html
    Instance.objects.filter(pk=instance.pk).update(recall_enabled=False)
    assert "Recall is off for Support desk: its" in page(as_alice, q="b", why=facts["boat"].pk)


def test_unreachable_provider_is_explained(
    as_alice: Client, instance: Instance, provider: ScriptedProvider, facts: dict[str, Memory]
) -> None:
    embed_with(provider, instance)
    provider.fail_next("500", times=20)
    html = page(as_alice, q="Which boat?", why=facts["cello"].pk)
    assert "Search finds memories by their words only." in text_of(html)
    assert "the question has no vector" in html or "it has no vector yet" in html


def test_memory_is_selected_by_text_or_id(
    as_alice: Client, private: Instance, store_memory: Remember, facts: dict[str, Memory]
) -> None:
    pk = facts["cello"].pk
    for find in ("orchestra", str(pk), f"m{pk}", f"#{pk}"):
        html = page(as_alice, q="Which boat?", find=find)
        assert f"why={pk}#why" in html
    other = store_memory("The user has a secret boat.", into=private)
    assert "secret boat" not in page(as_alice, q="boat", find=str(other.pk), why=other.pk)
    assert "No memory found for “zzz”" in page(as_alice, q="boat", find="zzz")
    assert "There is no such memory here" in page(as_alice, q="boat", why="999999")


def test_recall_as_of_an_earlier_day(as_alice: Client, facts: dict[str, Memory]) -> None:
    month_ago = timezone.now() - timedelta(days=30)
    Memory.objects.filter(pk=facts["sold"].pk).update(created_at=month_ago, updated_at=month_ago)
    day = (timezone.now() - timedelta(days=7)).date().isoformat()
    html = page(as_alice, q="Which boat?", on=day)
    assert "sold a boat" in html
    assert "boat in Kiel" not in html
    assert "Back to today" in html
    assert "boat in Kiel" in page(as_alice, q="Which boat?", on="tomorrow")


def test_invalid_urls(as_alice: Client, instance: Instance) -> None:
    page(as_alice, q="\x00", limit="many", why="x" * 30, profile="?", against="?", agent="?")
    page(as_alice, q="a", limit="0", why="9" * 30, on="2026-99-99", find="9" * 30)
    page(as_alice, q="a" * 5_000, limit="99999")


def test_memory_screen_links_to_recall(as_alice: Client, facts: dict[str, Memory]) -> None:
    query = quote("which boat")
    html = as_alice.get(f"/memory?instance=desk&q={query}").content.decode()
    assert "/memory?instance=desk&amp;list=ask&amp;q=which+boat" in html
    panel = as_alice.get(f"/memory/{facts['ana'].pk}?instance=desk&q={query}").content.decode()
    assert f"why={facts['ana'].pk}&amp;user=ana&amp;q={query}#why" in panel


def test_graph_facts_about_named_entities_are_shown(
    as_alice: Client, alice: User, instance: Instance
) -> None:
    mara = NamedEntity("Mara", "person")
    things = {"likes": "tahini", "has_pet": "Pixel", "works_at": "the web shop"}
    for predicate, thing in things.items():
        add_relation(
            instance,
            "",
            NewRelation(mara, predicate, thing, since=date(2024, 5, 1)),
            by=Actor(alice),
        )
    add_relation(
        instance,
        "ana",
        NewRelation(mara, "works_at", "the bakery", since=date(2024, 5, 1)),
        by=Actor(alice),
    )
    html = page(as_alice, q="Where does Mara work?")
    block = html[html.index("&lt;memory_context id=") :]
    assert "1. [r" in block
    assert block.index("Mara works at the web shop") < block.index("Mara likes tahini")
    assert "Relations of those named in the question" in html
    assert "bakery" not in html
    assert "web shop" not in page(as_alice, q="Who works?")


def test_weaker_matches_are_folded_and_not_shown_to_the_assistant(
    as_alice: Client, store_memory: Remember
) -> None:
    greeting = store_memory("The user says good morning to the postman.")
    html = page(as_alice, q="Good morning!")
    assert "No clear match. 1 weaker match is below." in text_of(html)
    assert "Nothing found" not in html and "remembers nothing" not in html
    assert "&lt;memory_context" not in html
    assert f"<code>m{greeting.pk}</code>" in html.split('<details class="fold weaker">')[1]
    assert "needs no memory" in page(as_alice, q="Good morning!", why=greeting.pk)
    html = page(as_alice, q="Who greets the postman?")
    assert f"<code>m{greeting.pk}</code>" in html
    assert "weaker" not in html


# Reasons


def test_reasons_are_words_and_figures_are_folded(
    as_alice: Client, facts: dict[str, Memory]
) -> None:
    html = page(as_alice, q="Where is the boat in Kiel?")
    row = html.split('<article class="row')[1].split("</article>")[0]
    said, figures = row.split('<details class="fold why">')[1].split("</summary>")
    assert "similar meaning · contains “boat”, “Kiel”" in said
    assert "#1" not in row
    assert f"<code>m{facts['boat'].pk}</code>" not in row.split("</summary>")[0]
    assert "Similarity (cosine)" in figures
    assert "Place by “similar meaning”" in figures


def test_bars_of_all_rows_have_one_scale(
    as_alice: Client, instance: Instance, store_memory: Remember, store_message: Callable[..., Any]
) -> None:
    store_memory("The user has a boat in Kiel.")
    talk = Conversation.objects.create(instance=instance, title="Harbour")
    store_message(talk, "The berth of the boat in Kiel has the number 17.")
    html = page(as_alice, q="Which boat in Kiel?")
    rows = html.split('<article class="row')[1:]
    assert len(rows) == 2
    for row in rows:
        # Nothing stands beside the bar that would make it shorter than another.
        assert row.count('<div class="stack">') == row.count('<details class="fold why">') == 1


@pytest.mark.parametrize(
    ("role", "text", "reason"),
    [
        ("system", "Moor the boat in Kiel.", "it is an instruction."),
        ("tool", "The boat is moored in Kiel.", "it is the result of a tool."),
        ("user", "Where is the boat in Kiel?", "it is a question."),
        ("user", "Write a poem about the boat in Kiel", "it is a request."),
    ],
)
def test_result_that_is_not_shown_says_the_reason(
    as_alice: Client,
    instance: Instance,
    store_message: Callable[..., Message],
    role: str,
    text: str,
    reason: str,
) -> None:
    talk = Conversation.objects.create(instance=instance, title="Harbour")
    store_message(talk, text, role=role)
    html = page(as_alice, q="Where is the boat in Kiel?")
    left_out = re.findall(r'<span class="left-out">(.*?)</span>', html)
    assert left_out == [f"Not shown to the assistant: {reason}"]


def test_what_was_left_out_is_listed_beside_a_full_list(
    as_alice: Client,
    instance: Instance,
    store_memory: Remember,
    store_message: Callable[..., Message],
) -> None:
    store_memory("The boat is moored in Kiel.")
    talk = Conversation.objects.create(instance=instance, title="Harbour")
    store_message(talk, "Where is the boat?", role="user")
    shown, left_out = page(as_alice, q="Where is the boat?", limit=1).split(
        '<details class="fold weaker">'
    )
    assert "moored in Kiel" in shown
    assert "Not shown to the assistant: it is a question." in left_out


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (
            "How do I get to work?",
            "it shares the word “work” with the question, but its",
        ),
        ("How do I bake bread?", "it shares no word with the question, and its meaning is not"),
    ],
)
def test_weaker_match_is_explained_in_plain_words(
    question: str, reason: str, as_alice: Client, store_memory: Remember
) -> None:
    ride = store_memory("The user rides a red Brompton bicycle to work.")
    recalled = RecallResult(query=RecallQuery.prepare(ride.instance, question))
    context = RecalledContext(recalled, ContextBlock(), "", {}, {})
    hit = Hit(ride, None, 2.0, {}, {"meaning": 2.0}, is_relevant=False)
    said = too_weak(context, question, hit)
    assert reason in said
    assert "The question reads like one that needs no memory" in said
    recalled.hits.append(replace(hit, parts={"meaning": 2.1 + CLEARLY_WEAKER}))
    assert "the best result fits the question far better" in too_weak(context, question, hit)


def test_heading_names_the_ranking_only_if_it_was_chosen(
    as_alice: Client, facts: dict[str, Memory]
) -> None:
    assert "Ranking:" not in text_of(page(as_alice, q="Which boat?"))
    assert "Ranking: Plain (RRF)" in text_of(page(as_alice, q="Which boat?", profile="rrf"))


def test_expired_memory_is_marked_and_told_as_past(
    as_alice: Client, store_memory: Remember
) -> None:
    end = timezone.localdate() - timedelta(days=5)
    store_memory("The user has a boat in Kiel.", valid_until=end)
    html = page(as_alice, q="Where is the boat?")
    assert '<span class="badge">expired ' in html
    assert f"was valid until {end}, no longer valid" in html
    (why,) = re.findall(r'<details class="fold why">(.*?)</summary>', html, re.DOTALL)
    assert "expired" not in why
    assert "ranks lower: expired" in text_of(html)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Where do I keep my boat?", "said by the user"),
        ("What did you recommend?", "said by the assistant"),
        ("Where does Ana keep her boat?", "said by the person asked about"),
    ],
)
def test_reason_names_whom_the_question_asks_for(question: str, reason: str) -> None:
    assert reason in reasons_for({}, {"speaker": 1.3}, "Kiel.", question, is_memory=False)
