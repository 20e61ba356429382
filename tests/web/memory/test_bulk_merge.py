"""Merging chosen memories, from the list and from the panel."""

import re
from collections.abc import Callable
from html import unescape

from django.test import Client

from memoryapp.models import Memory

Store = Callable[..., Memory]
MERGE = "/memory/merge?instance=desk"


def asked(client: Client, *memories: Memory) -> str:
    return client.post(MERGE, {"id": [memory.pk for memory in memories]}).content.decode()


def tokens(page: str) -> list[str]:
    return re.findall(r'name="merge" value="([^"]+)"', page)


def test_chosen_memories_become_one(as_alice: Client, store_memory: Store) -> None:
    bees = store_memory("The user keeps bees.")
    hives = store_memory("The user owns three hives.", tags=["garden"])
    page = asked(as_alice, bees, hives)
    assert "Merge 2 memories into one?" in page
    kept = next(token for token in tokens(page) if token.startswith(f"{bees.pk}@"))
    as_alice.post(MERGE, {"merge": tokens(page), "keep": kept})
    merged = Memory.objects.get()
    assert (merged.content, merged.tags) == ("The user keeps bees.", ["garden"])
    revision = merged.revisions.versions().get()
    as_alice.post(f"/memory/{merged.pk}/undo/{revision.pk}?instance=desk")
    assert Memory.objects.count() == 2


def test_changed_memory_is_not_merged(as_alice: Client, store_memory: Store) -> None:
    bees, hives = store_memory("The user keeps bees."), store_memory("The user owns three hives.")
    page = asked(as_alice, bees, hives)
    body = {"content": "The user keeps wasps.", "category": "fact", "importance": "5"}
    as_alice.post(f"/memory/{bees.pk}/edit?instance=desk", body)
    answer = as_alice.post(MERGE, {"merge": tokens(page), "keep": tokens(page)[0]}, follow=True)
    assert "one of them has changed since" in answer.content.decode()
    assert Memory.objects.count() == 2


def test_memories_of_two_people_are_not_merged(as_alice: Client, store_memory: Store) -> None:
    one, other = store_memory("Sails.", end_user="ana"), store_memory("Rows.", end_user="imre")
    page = asked(as_alice, one, other)
    answer = as_alice.post(MERGE, {"merge": tokens(page), "keep": tokens(page)[0]}, follow=True)
    assert "Nothing was merged." in answer.content.decode()
    assert Memory.objects.count() == 2


def test_one_is_too_few_and_eleven_are_too_many(as_alice: Client, store_memory: Store) -> None:
    one, *others = [store_memory(f"Box {n} is on shelf {n}.") for n in range(11)]
    assert "Select two or more" in asked(as_alice, one)
    assert "Too many memories are selected" in asked(as_alice, one, *others)


def test_panel_offers_to_merge_what_may_contradict(as_alice: Client, store_memory: Store) -> None:
    may, june = store_memory("The exam is in May."), store_memory("The exam is in June.")
    panel = as_alice.get(f"/memory/{may.pk}?instance=desk").content.decode()
    _, _, below = panel.partition("<h2>May contradict</h2>")
    assert f'name="id" value="{june.pk}"' in below


def merged(client: Client, *memories: Memory) -> str:
    page = asked(client, *memories)
    kept = next(token for token in tokens(page) if token.startswith(f"{memories[0].pk}@"))
    body = {"merge": tokens(page), "keep": kept}
    return client.post(MERGE, body, follow=True).content.decode()


def test_merge_can_be_undone_at_once(as_alice: Client, store_memory: Store) -> None:
    texts = ["The user keeps bees.", "The user owns three hives.", "The user sells honey."]
    answer = merged(as_alice, *map(store_memory, texts))
    assert "Merged 3 memories." in answer
    match = re.search(r'action="(/memory/merge/undo[^"]*)"', answer)
    assert match
    address = unescape(match[1])
    answer = as_alice.post(address, follow=True).content.decode()
    assert "Separated 2 memories again." in answer
    assert sorted(Memory.objects.values_list("content", flat=True)) == sorted(texts)
    assert "Nothing was separated" in as_alice.post(address, follow=True).content.decode()


def test_merge_is_separated_in_the_history_after_a_change(
    as_alice: Client, store_memory: Store
) -> None:
    bees, hives = store_memory("The user keeps bees."), store_memory("The user owns three hives.")
    merged(as_alice, bees, hives)
    body = {"content": bees.content, "category": "fact", "valid_until": "2032-01-01"}
    as_alice.post(f"/memory/{bees.pk}/edit?instance=desk", body | {"importance": "5"})
    revision = bees.revisions.versions().get(reason="joined")
    panel = as_alice.get(f"/memory/{bees.pk}?instance=desk").content.decode()
    address = f"/memory/{bees.pk}/keep-both/{revision.pk}"
    assert "separate again" in panel
    assert address in panel
    answer = as_alice.post(f"{address}?instance=desk", follow=True).content.decode()
    assert "Separated again" in answer
    assert set(Memory.objects.values_list("content", flat=True)) == {bees.content, hives.content}
