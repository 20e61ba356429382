"""The screen of golden questions: keeping, asking, trying, and what needs a look first."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from instances.models import Instance
from memoryapp import tasks
from memoryapp.golden.questions import keep_question
from memoryapp.golden.rounds import open_round
from memoryapp.models import GoldenQuestion, GoldenRound, Memory
from tests.golden.test_rounds import COOK, Store, asked

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("idle_broker")]

PAGE = "/status/golden?instance=desk"
Post = Callable[..., str]


@pytest.fixture
def allergy(store_memory: Store) -> Memory:
    store_memory("The user lives in Bremen.")
    return store_memory("The user is allergic to walnuts.")


@pytest.fixture
def post(as_alice: Client) -> Post:
    """Post a form, and return the page that it leads to."""

    def send(name: str, **fields: Any) -> str:
        address = f"/status/golden/{name}?instance=desk"
        return as_alice.post(address, fields, follow=True).content.decode()

    return send


def page_of(client: Client, more: str = "") -> str:
    return unescape(client.get(f"{PAGE}{more}").content.decode())


def test_the_right_result_of_a_question_is_kept_with_one_click(
    as_alice: Client, instance: Instance, allergy: Memory
) -> None:
    assert "No golden questions yet" in page_of(as_alice)
    panel = as_alice.get(f"/memory/{allergy.pk}?instance=desk&list=ask&q={COOK}").content.decode()
    assert "This is the answer" in panel
    back = f"/memory/{allergy.pk}?instance=desk&list=ask&q=x"
    response = as_alice.post(
        "/status/golden/keep?instance=desk", {"q": COOK, "memory": allergy.pk, "back": back}
    )
    assert response["Location"] == back
    assert GoldenQuestion.objects.get().memories == [allergy.pk]
    assert "Not asked yet" in page_of(as_alice)


def test_nothing_leads_off_this_server(as_alice: Client, allergy: Memory) -> None:
    fields = {"q": COOK, "memory": allergy.pk, "back": "https://example.org/"}
    response = as_alice.post("/status/golden/keep?instance=desk", fields)
    assert response["Location"] == PAGE


def test_asking_shows_places_and_what_stands_first_instead(
    as_alice: Client, instance: Instance, allergy: Memory, post: Post
) -> None:
    keep_question(instance, COOK, memories=[allergy.pk])
    keep_question(instance, "Where do I live?", memories=[allergy.pk])
    assert "Asking …" in post("ask")
    tasks.ask_round(round_id=GoldenRound.objects.get().pk)
    page = page_of(as_alice)
    assert "Place 1" in page and "First instead:" in page
    # What needs a look stands first.
    assert page.index("Where do I live?") < page.index(COOK)
    assert page_of(as_alice, "&kind=missed").count(COOK) == 0


def test_what_got_worse_stands_first_with_both_places(
    as_alice: Client, instance: Instance, allergy: Memory
) -> None:
    question = keep_question(instance, COOK, memories=[allergy.pk])
    for place in (1, 3):
        round_ = asked(instance)
        round_.row().update(results={str(question.pk): {"place": place, "top": None}})
    page = page_of(as_alice, "&kind=worse")
    assert "▼ Place 1 → 3" in " ".join(page.split())
    assert "History" in page


def test_weights_are_tried_on_them_before_they_are_saved(
    as_alice: Client, instance: Instance, allergy: Memory, post: Post
) -> None:
    assert "There is nothing to try." in post("try", **{"w-importance": "3"})
    keep_question(instance, COOK, memories=[allergy.pk])
    asked(instance)
    post("try", **{"w-importance": "3"})
    trial = GoldenRound.objects.get(cause=GoldenRound.Cause.TRIAL)
    tasks.ask_round(round_id=trial.pk)
    page = " ".join(page_of(as_alice, f"&round={trial.pk}").split())
    assert "Tried, not saved: 1 of 1 answers stand first, 1 now." in page
    instance.refresh_from_db()
    assert instance.recall_weights == {}
    # The form of the weights that are tried offers it.
    address = f"{reverse('memories')}?list=ask&instance=desk&q={COOK}&w-importance=3"
    tried = as_alice.get(address, follow=True)
    assert "Try on golden questions" in tried.content.decode()


def test_a_file_says_what_was_left_out(
    as_alice: Client, instance: Instance, allergy: Memory, post: Post
) -> None:
    lines = f'{{"question": "{COOK}", "answer": "The user is allergic to walnuts."}}\nnonsense'
    page = post("file", file=SimpleUploadedFile("questions.jsonl", lines.encode()))
    assert "1 question is kept. 1 line was left out. Line 2: This is no JSON object." in page
    assert "Choose a file" in post("file")


def test_a_question_is_removed(
    as_alice: Client, instance: Instance, allergy: Memory, vera: Any
) -> None:
    question = keep_question(instance, COOK, memories=[allergy.pk])
    viewer = Client()
    viewer.force_login(vera)
    assert viewer.post(f"/status/golden/{question.pk}/remove").status_code == 403
    assert f"{question.pk}/remove" not in page_of(viewer)
    as_alice.post(f"/status/golden/{question.pk}/remove")
    assert not GoldenQuestion.objects.exists()
    assert Memory.objects.filter(pk=allergy.pk).exists()


def test_the_number_of_queries_does_not_grow_with_the_questions(
    as_alice: Client, instance: Instance, allergy: Memory
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            page_of(as_alice)
        return len(captured)

    keep_question(instance, COOK, memories=[allergy.pk])
    asked(instance)
    page_of(as_alice)
    few = queries()
    for number in range(20):
        keep_question(instance, f"{COOK} {number}", memories=[allergy.pk])
    assert open_round(instance, GoldenRound.Cause.BY_HAND)
    tasks.ask_round(round_id=GoldenRound.objects.get(finished_at=None).pk)
    assert queries() <= few + 1
