"""Creating and editing a memory with the form."""

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Activity, Memory, MemoryRevision
from memoryapp.pipeline import MAX_CONTENT
from memoryapp.web.version_token import version_token

Store = Callable[..., Memory]
NEW = "/memory/new?instance=desk"
HTMX = {"HX-Request": "true"}


def form(content: str, **fields: Any) -> dict[str, Any]:
    return {"content": content, "category": "general", "importance": 5, "tags": "", **fields}


def write(client: Client, content: str, **fields: Any) -> str:
    """Submit the form, follow the redirect, and return the page."""
    response = client.post(NEW, form(content, **fields), follow=True)
    assert response.redirect_chain, response.context["form"].errors
    assert response.status_code == 200
    return response.content.decode()


def found(client: Client, question: str) -> list[str]:
    response = client.get("/memory", {"instance": "desk", "q": question})
    return [row.memory.content for row in response.context["rows"].rows]


def test_form_offers_categories_steps_and_tags_of_the_instance(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    memory = store_memory("The user rows.", category="fact", importance=7, tags=["sport"])
    new = as_alice.get(NEW).content.decode()
    assert '<option value="sport"></option>' in new
    assert 'title="a choice that was made"' in new
    for name in ("category", "importance"):
        assert re.search(rf'<input type="radio" name="{name}" value=""[^>]* checked', new)
    edit = as_alice.get(f"/memory/{memory.pk}/edit").content.decode()
    assert re.search(r'<input type="radio" name="category" value="fact"[^>]* checked', edit)
    assert re.search(r'<input type="radio" name="importance" value="7"[^>]* checked', edit)
    assert edit.count('type="radio" name="importance"') == 10


def test_new_memory_has_its_fields_and_author(
    as_alice: Client, alice: User, instance: Instance, conversation: Conversation
) -> None:
    page = write(
        as_alice,
        "  The user’s passport   runs out in May 2031. ",
        category="fact",
        importance=8,
        tags="Travel, papers, travel, ",
        valid_until="2031-05-31",
        end_user=" ana ",
        conversation=conversation.pk,
    )
    assert "Remembered." in page
    memory = Memory.objects.get()
    assert memory.content == "The user’s passport runs out in May 2031."
    assert memory.instance == instance
    assert (memory.category, memory.importance, memory.end_user) == ("fact", 8, "ana")
    assert memory.tags == ["travel", "papers"]
    assert memory.valid_until == date(2031, 5, 31)
    assert memory.origin == "manual"
    assert memory.assessed
    assert memory.embeddings.count() == 1
    assert memory.sources.get().conversation == conversation
    assert not memory.revisions.exists()
    activity = Activity.objects.get()
    assert (activity.action, activity.by, activity.via) == ("created", alice, "screen")
    assert activity.memory_id == memory.pk


def test_new_memory_is_searchable_at_once(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user rows on the lake every Sunday.")
    write(as_alice, "The user keeps bees on the roof.")
    assert found(as_alice, "bees")[0] == "The user keeps bees on the roof."
    assert found(as_alice, "which insects does the user look after?")[0].endswith("the roof.")


def test_duplicate_is_reported_and_not_added(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    response = as_alice.post(NEW, form("The user keeps bees on the roof!", importance=9))
    page = response.content.decode()
    assert response.status_code == 422
    assert "This memory exists already:" in page
    assert f'<a href="/memory/{memory.pk}">The user keeps bees on the roof.</a>' in page
    # What was typed is still there.
    assert "The user keeps bees on the roof!</textarea>" in page
    assert Memory.objects.get() == memory
    memory.refresh_from_db()
    assert memory.importance == 5
    assert not memory.revisions.exists()


def test_duplicate_can_be_added_all_the_same(as_alice: Client, store_memory: Store) -> None:
    Instance.objects.update(dedup_exact=0.6, dedup_update=0.6, dedup_merge=0.6)
    store_memory("Mara wants short answers.")
    typed = form("Mara wants very short answers.")
    assert "Add anyway" in as_alice.post(NEW, typed).content.decode()
    assert "Remembered." in write(as_alice, **typed, keep_apart="on")
    assert Memory.objects.count() == 2


def test_duplicate_can_replace_what_is_remembered(
    as_alice: Client, store_memory: Store, alice: User
) -> None:
    Instance.objects.update(dedup_exact=0.6, dedup_update=0.6, dedup_merge=0.6)
    known = store_memory("Mara wants short answers.", category="preference", importance=8)
    page = as_alice.post(NEW, form("Mara wants very short answers.")).content.decode()
    token = re.findall(r'name="replace" value="([^"]+)"', page)[0]
    automatic = {"category": "", "importance": ""}
    typed = form("Mara wants very short answers.", tags="style", **automatic)
    assert "Saved." in write(as_alice, **typed, replace=token)
    replaced = Memory.objects.get()
    assert replaced.content == "Mara wants very short answers."
    # What the form leaves at its defaults stays as it was.
    assert (replaced.category, replaced.importance) == ("preference", 8)
    assert replaced.tags == ["style"]
    assert replaced.revisions.versions().get().by == alice
    # Replaced once more from an older page, it is shown first.
    response = as_alice.post(NEW, form("Mara wants no answers.", replace=token))
    assert "It now says: “Mara wants very short answers.”" in response.content.decode()
    assert Memory.objects.get() == known
    assert Memory.objects.get().content == "Mara wants very short answers."


def test_memory_of_another_instance_is_not_replaced(
    as_alice: Client, store_memory: Store, instance: Instance, private: Instance
) -> None:
    foreign = store_memory("The user sails.", into=private)
    write(as_alice, "The user rows.", replace=version_token(foreign))
    foreign.refresh_from_db()
    assert foreign.content == "The user sails."


def test_new_memory_asks_for_one_field(as_alice: Client, instance: Instance) -> None:
    page = as_alice.get(NEW).content.decode()
    above, _, more = page.partition('<details class="fold">')
    assert 'name="content"' in above
    assert 'name="category"' not in above
    assert 'title="a like, a dislike' in more
    # What was written there is not hidden by an error.
    refused = as_alice.post(NEW, form("", tags="boats")).content.decode()
    assert '<details class="fold" open>' in refused


def test_second_of_two_tabs_is_told_what_the_first_saved(
    as_alice: Client, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees.")
    url = f"/memory/{memory.pk}/edit?instance=desk"
    tabs = [as_alice.get(url).context["form"].initial["version"] for _ in range(2)]
    assert tabs[0] == tabs[1]
    as_alice.post(url, form("The user keeps bees on the roof.", version=tabs[0]))

    second = form("The user keeps three hives.", version=tabs[1])
    response = as_alice.post(url, second)
    page = response.content.decode()
    assert response.status_code == 422
    assert "It now says: “The user keeps bees on the roof.”" in page
    assert "The user keeps three hives.</textarea>" in page
    assert Memory.objects.get().content == "The user keeps bees on the roof."

    # Saved again, having seen both.
    seen = response.context["form"]["version"].value()
    as_alice.post(url, second | {"version": seen})
    assert Memory.objects.get().content == "The user keeps three hives."


@pytest.mark.parametrize("version", ["", "yesterday", "2026-13-40T00:00:00Z"])
def test_edit_without_a_valid_version_is_saved(
    version: str, as_alice: Client, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees.")
    as_alice.post(f"/memory/{memory.pk}/edit", form("The user keeps hives.", version=version))
    assert Memory.objects.get().content == "The user keeps hives."


def test_changed_number_creates_a_new_version(
    as_alice: Client, alice: User, store_memory: Store
) -> None:
    memory = store_memory("The user pays 850 euros of rent a month.")
    page = write(as_alice, "The user pays 920 euros of rent a month.")
    assert "An existing memory was updated with this text." in page
    memory.refresh_from_db()
    assert Memory.objects.get().content == "The user pays 920 euros of rent a month."
    revision = memory.revisions.get()
    assert revision.content == "The user pays 850 euros of rent a month."
    assert (revision.reason, revision.by) == ("saved", alice)
    assert memory.updated_at > memory.created_at
    assert memory.embeddings.count() == 1
    assert "<del>850 </del>" in page
    assert "<ins>920 </ins>" in page


def test_negation_does_not_overwrite_silently(as_alice: Client, store_memory: Store) -> None:
    store_memory("The user is allergic to nuts.")
    write(as_alice, "The user is not allergic to nuts.")
    kept = set(Memory.objects.values_list("content", flat=True))
    kept |= set(MemoryRevision.objects.values_list("content", flat=True))
    assert kept == {"The user is allergic to nuts.", "The user is not allergic to nuts."}


def test_same_text_about_another_person_is_a_new_memory(
    as_alice: Client, store_memory: Store
) -> None:
    store_memory("The user keeps bees on the roof.", end_user="ana")
    write(as_alice, "The user keeps bees on the roof.", end_user="ben")
    assert Memory.objects.count() == 2


@pytest.mark.parametrize("length", [1, MAX_CONTENT])
def test_shortest_and_longest_texts_are_stored_completely(
    length: int, as_alice: Client, instance: Instance
) -> None:
    content = ("The user saw a heron. " * 200)[: length - 1] + "."
    assert len(content) == length
    write(as_alice, content)
    memory = Memory.objects.get()
    assert memory.content == content
    assert memory.embeddings.exists()
    if length > 1:
        assert found(as_alice, "heron") == [content]


@pytest.mark.parametrize(
    "content",
    ["المستخدم يعاني من حساسية شديدة.", "ユーザーは東京に住んでいます。", "👩‍👩‍👧 naïve façade Ω"],
)
def test_any_script_is_stored_unchanged(content: str, as_alice: Client, instance: Instance) -> None:
    page = write(as_alice, content)
    assert Memory.objects.get().content == content
    assert content in page
    assert 'dir="auto"' in page


WRONG = [
    ({"content": ""}, "content"),
    ({"content": " \t\n "}, "content"),
    ({"content": "x" * (MAX_CONTENT + 1)}, "content"),
    ({"content": "a\x00b"}, "content"),
    ({"category": "rumour"}, "category"),
    ({"importance": 0}, "importance"),
    ({"importance": 11}, "importance"),
    ({"importance": "much"}, "importance"),
    ({"valid_until": "soon"}, "valid_until"),
    ({"valid_until": "2025-02-30"}, "valid_until"),
    ({"tags": ", ".join(f"tag-{n}" for n in range(13))}, "tags"),
    ({"end_user": "x" * 201}, "end_user"),
    ({"conversation": "one"}, "conversation"),
    ({"conversation": 2**70}, "conversation"),
]


@pytest.mark.parametrize("headers", [{}, HTMX], ids=["page", "htmx"])
@pytest.mark.parametrize(("fields", "field"), WRONG, ids=lambda v: str(v)[:40])
def test_errors_are_shown_and_input_is_kept(
    fields: dict[str, Any],
    field: str,
    headers: dict[str, str],
    as_alice: Client,
    instance: Instance,
) -> None:
    typed = form("The user keeps bees.", tags="kept, as typed", importance=7) | fields
    response = as_alice.post(NEW, typed, headers=headers)
    assert response.status_code == 422
    assert list(response.context["form"].errors) == [field]
    page = response.content.decode()
    assert f'id="id_{field}_error"' in page
    assert ("<html" in page) is not bool(headers)
    if field != "content":
        assert "The user keeps bees." in page
    if field != "tags":
        assert 'value="kept, as typed"' in page
    assert not Memory.objects.exists()


def test_conversation_of_another_instance_is_rejected_as_source(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    elsewhere = Conversation.objects.create(instance=private, title="Secret talk")
    response = as_alice.post(NEW, form("The user rows.", conversation=elsewhere.pk))
    assert response.status_code == 422
    assert f"Support desk has no conversation {elsewhere.pk}" in response.content.decode()
    assert "Secret talk" not in response.content.decode()


def test_form_is_prefilled_from_the_url(as_alice: Client, conversation: Conversation) -> None:
    page = as_alice.get(f"{NEW}&conversation={conversation.pk}").content.decode()
    assert f'value="{conversation.pk}"' in page
    assert f'<option value="{conversation.pk}" selected>' in page
    hostile = as_alice.get(f"{NEW}&conversation=%22%3E%3Csvg%3E").content.decode()
    assert '"><svg>' not in hostile


def test_conversation_is_chosen_among_the_latest(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    talks = [
        Conversation.objects.create(instance=instance, title=f"Talk {n:02}") for n in range(32)
    ]
    Conversation.objects.create(instance=private, title="Secret talk")
    page = as_alice.get(NEW).content.decode()
    assert page.count("Talk ") == 30
    assert page.index("Talk 31") < page.index("Talk 30")
    assert "Secret talk" not in page
    # One that is chosen stays on offer.
    page = as_alice.get(f"{NEW}&conversation={talks[0].pk}").content.decode()
    assert f'<option value="{talks[0].pk}" selected>Talk 00</option>' in page


def test_form_is_a_page_or_a_fragment_for_htmx(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    for url in (NEW, f"/memory/{memory.pk}/edit?instance=desk"):
        page = as_alice.get(url).content.decode()
        assert "<html" in page
        assert f'id="row-{memory.pk}"' in page
        fragment = as_alice.get(url, headers=HTMX)
        assert "<html" not in fragment.content.decode()
        assert "HX-Request" in fragment["Vary"]
        assert "<form" in fragment.content.decode()


# Editing


def test_edit_keeps_the_previous_version(
    as_alice: Client, alice: User, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees on the roof.", tags=["hobby"], category="fact")
    url = f"/memory/{memory.pk}/edit"
    opened = as_alice.get(url).content.decode()
    assert "The user keeps bees on the roof.</textarea>" in opened
    assert 'value="hobby"' in opened
    changed = form("The user breeds parrots.", category="event", importance=2, tags="birds")
    changed["valid_until"] = "2030-01-01"
    page = as_alice.post(url, changed, follow=True).content.decode()
    assert "Saved. The previous text is in its history." in page
    created_at = memory.created_at
    memory.refresh_from_db()
    assert memory.content == "The user breeds parrots."
    assert (memory.category, memory.importance, memory.tags) == ("event", 2, ["birds"])
    assert memory.valid_until == date(2030, 1, 1)
    assert memory.created_at == created_at
    revision = memory.revisions.get()
    assert revision.content == "The user keeps bees on the roof."
    assert (revision.category, revision.importance, revision.tags) == ("fact", 5, ["hobby"])
    assert (revision.reason, revision.by) == ("edited", alice)
    assert Activity.objects.filter(action="updated", by=alice, memory_id=memory.pk).exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"tags": "birds"},
        {"category": "event"},
        {"importance": 2},
        {"valid_until": "2030-01-01"},
    ],
)
def test_saving_without_another_text_speaks_of_no_previous_text(
    changed: dict[str, Any], as_alice: Client, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees.", tags=["hobby"], category="fact")
    body = form(memory.content, category="fact", tags="hobby") | changed
    page = as_alice.post(f"/memory/{memory.pk}/edit", body, follow=True).content.decode()
    assert "Saved." in page
    assert "previous text" not in page


def test_search_finds_only_the_new_text_after_an_edit(
    as_alice: Client, store_memory: Store
) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    as_alice.post(f"/memory/{memory.pk}/edit", form("The user speaks fluent Portuguese."))
    assert found(as_alice, "which languages does the user know?") == [
        "The user speaks fluent Portuguese."
    ]
    assert found(as_alice, "bees") == []
    assert memory.embeddings.count() == 1


def test_invalid_edit_changes_nothing(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    response = as_alice.post(f"/memory/{memory.pk}/edit", form("", tags="kept, as typed"))
    assert response.status_code == 422
    assert 'value="kept, as typed"' in response.content.decode()
    memory.refresh_from_db()
    assert memory.content == "The user keeps bees on the roof."
    assert not memory.revisions.exists()


def test_edit_to_the_text_of_another_memory_keeps_both(
    as_alice: Client, store_memory: Store
) -> None:
    """A manual edit is never merged automatically."""
    store_memory("The user keeps bees on the roof.")
    other = store_memory("The user speaks fluent Portuguese.")
    as_alice.post(f"/memory/{other.pk}/edit", form("The user keeps bees on the roof."))
    assert Memory.objects.count() == 2


def test_member_may_create_and_edit(client: Client, bob: User, store_memory: Store) -> None:
    client.force_login(bob)
    memory = store_memory("The user keeps bees on the roof.")
    client.post(f"/memory/{memory.pk}/edit", form("The user keeps ants on the roof."))
    assert memory.revisions.get().by == bob
    write(client, "The user speaks fluent Portuguese.")
    assert Memory.objects.count() == 2


@pytest.mark.parametrize("url", [NEW, "/memory/{pk}/edit", "/memory/{pk}/restore/{revision}"])
def test_csrf_token_is_required(url: str, alice: User, store_memory: Store) -> None:
    memory = store_memory("The user keeps bees on the roof.")
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    url = url.format(pk=memory.pk, revision=1)
    assert client.post(url, form("The user keeps ants.")).status_code == 403
    assert Memory.objects.get().content == "The user keeps bees on the roof."


def test_end_takes_a_time_as_well_as_a_day(as_alice: Client, instance: Instance) -> None:
    page = write(as_alice, "The fair ends soon.", valid_until="2031-02-03", end_time="18:30")
    memory = Memory.objects.get()
    assert memory.expires_at == timezone.make_aware(datetime(2031, 2, 3, 18, 30))
    assert "3 Feb 2031, 18:30" in page
    address = f"/memory/{memory.pk}/edit?instance=desk"
    page = as_alice.get(address).content.decode()
    assert 'value="18:30"' in page and 'value="2031-02-03"' in page
    # The row has no field for it, and leaves it.
    row = f"/memory/{memory.pk}/row?instance=desk"
    as_alice.post(row, form("The fair ends in May."), headers=HTMX)
    memory.refresh_from_db()
    assert memory.content == "The fair ends in May." and memory.expires_at is not None
    as_alice.post(address, form("The fair ends in May.", valid_until="2031-02-03"))
    memory.refresh_from_db()
    assert memory.end == date(2031, 2, 3)


def test_time_needs_a_day(as_alice: Client, instance: Instance) -> None:
    response = as_alice.post(NEW, form("The fair ends.", end_time="18:30"))
    assert "Enter the day as well." in response.content.decode()
    assert not Memory.objects.exists()
