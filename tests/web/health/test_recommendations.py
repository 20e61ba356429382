"""Recommendations of the health screen: previewed, and applied to the previewed rows."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from conversations.models import Conversation
from instances.models import Instance, Membership, User
from memoryapp.models import Activity, EmbeddingJob, Memory, Run
from memoryapp.web.health import recommendations
from memoryapp.web.version_token import version_token
from tests.web.health.test_views import aged

ARABIC = "تعيش سلمى في بيروت."
JAPANESE = "由紀子は京都に住んでいる。"


def url(recommendation: str) -> str:
    return f"/status/health/{recommendation}?instance=desk"


def preview_ids(client: Client, recommendation: str) -> list[str]:
    """Return the data that the preview would post."""
    page = client.get(url(recommendation)).content.decode()
    return re.findall(r'name="take" value="([^"]+)"', page)


def notices(response: Any) -> str:
    return " ".join(str(message) for message in response.context["messages"])


@pytest.fixture
def expired(instance: Instance, private: Instance) -> list[Memory]:
    """Three expired memories, a current one, and an expired one of another instance."""
    past = timezone.localdate() - timedelta(days=5)
    aged(instance, "The user likes tea.")
    aged(private, "The user had a cold.", valid_until=past)
    return [
        aged(instance, content, 9, valid_until=past) for content in (ARABIC, JAPANESE, "It rained.")
    ]


def test_preview_shows_the_memories_and_the_effect(as_alice: Client, expired: list[Memory]) -> None:
    page = as_alice.get(url("expired")).content.decode()
    assert "3 memories have expired" in page
    assert all(memory.content in page for memory in expired)
    assert "The user likes tea." not in page
    assert "Each memory is deleted, with its history." in page
    assert "Delete 3 expired memories" in page
    assert Memory.objects.count() == 5


def test_checked_memories_are_deleted_and_can_be_restored(
    as_alice: Client, expired: list[Memory]
) -> None:
    response = as_alice.post(url("expired"), {"take": preview_ids(as_alice, "expired")[:2]})
    assert "Deleted 2 memories" in notices(response)
    assert not Memory.objects.filter(pk__in=[memory.pk for memory in expired[:2]]).exists()
    assert Memory.objects.filter(pk=expired[2].pk).exists()
    line = Activity.objects.get(action="deleted")
    assert (line.count, line.via, str(line.by)) == (2, "screen", "alice")

    undo_token = response.context["undo_token"]
    undone = as_alice.post(
        "/memory/undo?instance=desk",
        {"name": undo_token.name, "key": undo_token.key, "next": response.context["back"]},
        follow=True,
    )
    assert undone.redirect_chain == [("/status/health?instance=desk", 302)]
    assert Memory.objects.filter(content=ARABIC).exists()


@pytest.mark.parametrize("change", ["reworded", "extended", "deleted"])
def test_memories_changed_since_the_preview_are_not_touched(
    change: str, as_alice: Client, expired: list[Memory]
) -> None:
    take = preview_ids(as_alice, "expired")
    changed = Memory.objects.filter(pk=expired[0].pk)
    if change == "deleted":
        changed.delete()
    elif change == "reworded":
        changed.update(content="Salma lives in Tyre.", updated_at=timezone.now())
    else:
        changed.update(valid_until=timezone.localdate() + timedelta(days=1))
    remaining = Memory.objects.count()
    response = as_alice.post(url("expired"), {"take": take}, follow=True)
    assert "Nothing was done: 1 of the 3 you chose has changed" in notices(response)
    assert Memory.objects.count() == remaining


@pytest.mark.parametrize(
    "take", [[], ["nonsense"], ["1@"], ["@1"], ["9" * 30 + "@1"], ["1@" + "9" * 30], ["٣@١"]]
)
def test_memories_outside_the_preview_are_not_touched(
    take: list[str], as_alice: Client, expired: list[Memory]
) -> None:
    response = as_alice.post(url("expired"), {"take": take}, follow=True)
    assert "Nothing was" in notices(response)
    assert Memory.objects.count() == 5


def test_memories_of_another_instance_are_not_touched(
    as_alice: Client, expired: list[Memory], private: Instance
) -> None:
    theirs = version_token(private.memories.get())
    as_alice.post(url("expired"), {"take": [theirs]})
    assert private.memories.exists()


def test_remaining_memories_follow_in_the_next_preview(
    as_alice: Client, expired: list[Memory], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recommendations, "MAX_ROWS", 2)
    page = as_alice.get(url("expired")).content.decode()
    assert "These are 2 of 3. The others are shown when these are done." in page
    assert "Delete 2 expired memories" in page


def test_only_unused_memories_are_offered_for_deletion(
    as_alice: Client, instance: Instance
) -> None:
    unused = aged(instance, "The user saw a heron.", 91, importance=3)
    aged(instance, "Recalled.", 91, importance=3, recall_count=1)
    aged(instance, "Important.", 91, importance=4)
    aged(instance, "New.", 89, importance=1)
    aged(instance, "A fact.", 91, importance=1, key="name", value="Ana")
    aged(instance, "Gone by.", 91, importance=1, valid_until=timezone.localdate() - timedelta(1))
    take = preview_ids(as_alice, "unused")
    assert [int(seen.split("@")[0]) for seen in take] == [unused.pk]
    as_alice.post(url("unused"), {"take": take})
    assert not Memory.objects.filter(pk=unused.pk).exists()
    assert instance.memories.count() == 5


def test_stale_memories_are_marked_as_current(as_alice: Client, instance: Instance) -> None:
    stale = aged(instance, "The user sails.", 100, stale_since=timezone.now())
    other = aged(instance, "The user rows.", 100, stale_since=timezone.now())
    past = timezone.localdate() - timedelta(days=5)
    aged(instance, "It rained.", 9, valid_until=past, stale_since=timezone.now())
    take = preview_ids(as_alice, "stale")
    assert len(take) == 2
    response = as_alice.post(url("stale"), {"take": take[:1]}, follow=True)
    assert "Marked 1 memory as current." in notices(response)
    stale.refresh_from_db()
    other.refresh_from_db()
    assert stale.stale_since is None
    assert stale.verified_at is not None
    assert other.stale_since is not None
    assert stale.updated_at < timezone.now() - timedelta(days=99)
    line = Activity.objects.get()
    assert (line.action, line.memory_id, str(line.by)) == ("updated", stale.pk, "alice")


def test_failed_runs_are_retried(
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    instance.provider, instance.base_url = "custom", "http://localhost:9/v1"
    instance.fast_model = "any"
    instance.save()
    run = Run.objects.create(
        instance=instance, conversation=conversation, state="failed", error="Timed out.", attempts=5
    )
    page = as_alice.get(url("runs")).content.decode()
    assert "Dinner for eight" in page
    assert "Timed out." in page
    assert "Retry 1 task" in page
    with django_capture_on_commit_callbacks():
        response = as_alice.post(url("runs"), {"take": [run.pk]}, follow=True)
    assert "1 task was queued again." in notices(response)
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("queued", 0)
    again = as_alice.post(url("runs"), {"take": [run.pk]}, follow=True)
    assert "Nothing was done" in notices(again)


def test_runs_are_not_retried_without_a_model(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    run = Run.objects.create(instance=instance, conversation=conversation, state="failed")
    assert "No language model is set up" in as_alice.get(url("runs")).content.decode()
    as_alice.post(url("runs"), {"take": [run.pk]})
    run.refresh_from_db()
    assert run.state == "failed"


def test_missing_vectors_are_created(as_alice: Client, instance: Instance) -> None:
    aged(instance, "The user sails.")
    page = as_alice.get(url("vectors")).content.decode()
    assert "Make 1 vector" in page
    assert 'name="take"' not in page
    response = as_alice.post(url("vectors"), follow=True)
    assert "1 vector is being made." in notices(response)
    assert EmbeddingJob.objects.get().total == 1


def test_members_cannot_start_the_backfill(client: Client, instance: Instance, bob: User) -> None:
    aged(instance, "The user sails.")
    client.force_login(bob)
    assert "data-act" not in client.get(url("vectors")).content.decode()
    assert client.post(url("vectors")).status_code == 403
    assert not EmbeddingJob.objects.exists()


@pytest.fixture
def twins(instance: Instance, store_memory: Callable[..., Memory]) -> list[Memory]:
    """Groups of three and two duplicates, as found by the scan."""
    texts = [ARABIC, "A.", "B.", JAPANESE, "C.", "The user likes tea."]
    made = [
        store_memory(f"{text} {number}", tags=[f"t{number}"]) for number, text in enumerate(texts)
    ]
    vectors = [memory.embeddings.get() for memory in made]
    for one, other in ((0, 1), (1, 2), (3, 4)):
        vectors[one].likenesses.create(
            instance=instance,
            space=vectors[one].space,
            other=vectors[other],
            similarity=0.97,
            nearest=True,
            same=True,
        )
    return made


def chosen(page: str) -> dict[str, Any]:
    """Return the data that the form of the groups would post."""
    kept = re.findall(r'name="(keep-\d+)" value="([^"]+)" checked', page)
    return {"take": re.findall(r'name="take" value="([^"]+)"', page)} | dict(kept)


def test_duplicate_groups_are_shown_with_the_kept_text(
    as_alice: Client, twins: list[Memory]
) -> None:
    page = as_alice.get(url("merge")).content.decode()
    assert "5 memories can be merged into 2" in page
    assert "Merge 5 memories into 2" in page
    assert "97% similar" in page
    assert all(memory.content in page for memory in twins[:5])
    assert twins[5].content not in page
    # The latest memory is first and keeps its text.
    assert page.index(twins[2].content) < page.index(twins[0].content)
    health = as_alice.get("/status/health?instance=desk").content.decode()
    assert "5 memories can be merged into 2" in health


def test_checked_groups_are_merged_and_can_be_split(as_alice: Client, twins: list[Memory]) -> None:
    form = chosen(as_alice.get(url("merge")).content.decode())
    # Exclude one of the three, and keep the other text of the pair.
    form["take"] = [value for value in form["take"] if f":{twins[0].pk}@" not in value]
    form[f"keep-{twins[3].pk}"] = version_token(twins[3])
    response = as_alice.post(url("merge"), form, follow=True)
    assert "Merged 4 memories into 2." in notices(response)
    assert set(Memory.objects.values_list("pk", flat=True)) == {
        twins[number].pk for number in (0, 2, 3, 5)
    }
    twins[3].refresh_from_db()
    assert twins[3].content.startswith(JAPANESE)
    assert set(twins[3].tags) == {"t3", "t4"}
    assert Activity.objects.filter(action="joined_up", count=2).count() == 2

    panel = as_alice.get(f"/memory/{twins[3].pk}?instance=desk").content.decode()
    assert twins[4].content in panel
    assert "separate again" in panel
    (message,) = response.context["messages"]
    apart = as_alice.post(message.extra_tags, follow=True)
    assert "Separated 2 memories again." in notices(apart)
    assert Memory.objects.count() == 6
    again = as_alice.post(message.extra_tags, follow=True)
    assert "Nothing was separated" in notices(again)


def test_changed_groups_are_not_merged(as_alice: Client, twins: list[Memory]) -> None:
    form = chosen(as_alice.get(url("merge")).content.decode())
    Memory.objects.filter(pk=twins[4].pk).update(updated_at=timezone.now())
    response = as_alice.post(url("merge"), form, follow=True)
    assert "Nothing was done: 1 of the 5 you chose has changed" in notices(response)
    assert Memory.objects.count() == 6


def test_memories_about_two_people_are_not_merged(
    as_alice: Client, twins: list[Memory], store_memory: Callable[..., Memory]
) -> None:
    other = store_memory("Ana rows.", end_user="ana")
    form = {"take": [f"1:{version_token(other)}"], "keep-1": version_token(twins[5])}
    response = as_alice.post(url("merge"), form, follow=True)
    assert "Nothing was merged. They are about two different people" in notices(response)
    assert Memory.objects.count() == 7


@pytest.mark.parametrize("form", [{}, {"take": ["1:1@1"]}, {"take": [":"], "keep-": "x"}])
def test_invalid_group_is_not_merged(
    form: dict[str, Any], as_alice: Client, twins: list[Memory]
) -> None:
    response = as_alice.post(url("merge"), form, follow=True)
    assert "Nothing was selected" in notices(response)


def test_memories_of_another_instance_are_neither_merged_nor_split(
    as_alice: Client, client: Client, twins: list[Memory], charlie: User
) -> None:
    form = chosen(as_alice.get(url("merge")).content.decode())
    (message,) = as_alice.post(url("merge"), form, follow=True).context["messages"]
    Membership.objects.create(
        instance=Instance.objects.create(slug="own", name="Own"), user=charlie
    )
    client.force_login(charlie)
    client.post(message.extra_tags.replace("instance=desk", "instance=own"))
    assert Memory.objects.count() == 3


@pytest.mark.parametrize("name", ["merge", "runs", "vectors", "expired", "unused", "stale"])
def test_empty_recommendation(name: str, as_alice: Client, instance: Instance) -> None:
    page = as_alice.get(url(name)).content.decode()
    assert "Nothing to do" in page


def test_unknown_recommendation_is_404(as_alice: Client, instance: Instance) -> None:
    assert as_alice.get(url("leeches")).status_code == 404
