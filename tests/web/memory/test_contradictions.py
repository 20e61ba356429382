"""Memories that may contradict each other, in the panel and in the list."""

from collections.abc import Callable

import pytest
from django.test import Client

from instances.models import User
from memoryapp.models import Contradiction, Memory

Store = Callable[..., Memory]


@pytest.fixture
def exams(store_memory: Store) -> tuple[Memory, Memory]:
    may = store_memory("The user's exam is in May.")
    return may, store_memory("The user's exam is in June.")


def panel(client: Client, memory: Memory) -> str:
    return client.get(f"/memory/{memory.pk}?instance=desk").content.decode()


def test_panel_shows_each_of_the_two_beside_the_other(
    as_alice: Client, exams: tuple[Memory, Memory]
) -> None:
    may, june = exams
    assert Contradiction.objects.of(may) == [june]
    assert Contradiction.objects.of(june) == [may]
    page = panel(as_alice, may)
    _, title, below = page.partition("<h2>May contradict</h2>")
    assert title
    assert june.content.replace("'", "&#x27;") in below


def test_health_names_the_pairs(as_alice: Client, exams: tuple[Memory, Memory]) -> None:
    page = as_alice.get("/status/health?instance=desk").content.decode()
    assert "1 pair of memories" in page
    assert "state=contradicted" in page


def test_list_shows_memories_that_may_contradict_another(
    as_alice: Client, exams: tuple[Memory, Memory], store_memory: Store
) -> None:
    store_memory("The user keeps bees.")
    response = as_alice.get("/memory?instance=desk&state=contradicted")
    assert {row.memory for row in response.context["rows"].rows} == set(exams)


def test_person_can_say_that_both_are_right(
    as_alice: Client, alice: User, exams: tuple[Memory, Memory]
) -> None:
    may, june = exams
    response = as_alice.post(f"/memory/{june.pk}/both-right/{may.pk}?instance=desk", follow=True)
    assert "Both memories stay as they are." in response.content.decode()
    pair = Contradiction.objects.get()
    assert (pair.resolved_by, pair.resolved_at is None) == (alice, False)
    assert "<h2>May contradict</h2>" not in panel(as_alice, may)
    # The decision stands when the same is said again.
    assert as_alice.post(f"/memory/{june.pk}/both-right/{may.pk}").status_code == 404
    Contradiction.objects.note(june, [may.pk])
    assert not Contradiction.objects.unresolved().exists()


def test_edit_of_one_removes_the_pair(as_alice: Client, exams: tuple[Memory, Memory]) -> None:
    edit = {"content": "The exam is over.", "category": "fact", "importance": 5, "tags": ""}
    as_alice.post(f"/memory/{exams[0].pk}/edit", edit)
    assert not Contradiction.objects.exists()


def test_pair_of_an_instance_of_others_is_404(client: Client, exams: tuple[Memory, Memory]) -> None:
    may, june = exams
    client.force_login(User.objects.create_user("stranger"))
    assert client.post(f"/memory/{june.pk}/both-right/{may.pk}").status_code == 404
    assert Contradiction.objects.unresolved().exists()
