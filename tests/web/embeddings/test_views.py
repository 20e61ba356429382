"""The card of the embeddings: progress and decisions."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance
from memoryapp.embeddings.backfill import open_fill_in_job
from memoryapp.models import EmbeddingJob, Memory
from memoryapp.providers.configured import space_of
from memoryapp.web.embeddings import vector_state
from tests.embeddings.models import DIMENSIONS, Forgetful, known, new, start_change, work
from tests.provider_fixtures import provider
from tests.scripted_provider import ScriptedProvider

__all__ = ["known", "new", "provider"]

Remember = Callable[..., Memory]

HTMX = {"HX-Request": "true"}
SETTINGS = "/instances/desk/settings/models"
WORK = "/instances/desk/embedding"


def page(client: Client, url: str = SETTINGS, **headers: Any) -> str:
    response = client.get(url, headers=headers.get("headers"))
    assert response.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def post_action(client: Client, action: str, job: EmbeddingJob | None = None, **more: Any) -> Any:
    return client.post(f"{WORK}/{action}", {"job": job.pk} if job else {}, **more)


def test_running_change_shows_progress_and_polls_every_second(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    EmbeddingJob.objects.update(batch=2)
    work(job, seconds=0)
    card = page(as_alice)
    assert "Switching to new (http://127.0.0.1:" in card
    assert "2 of 12" in card
    assert "Search uses old (http://127.0.0.1:" in card
    html = as_alice.get(WORK, headers=HTMX).content.decode()
    assert 'hx-trigger="every 1s"' in html
    assert 'name="embeddings-embedding_provider"' not in as_alice.get(SETTINGS).content.decode()


def test_finished_change_replaces_the_whole_card(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    url = re.search(r'hx-get="([^"]*embedding[^"]*)"', as_alice.get(SETTINGS).content.decode())
    assert url
    work(job)
    response = as_alice.get(url[1], headers=HTMX)
    assert response["HX-Retarget"] == "#embeddings"
    html = response.content.decode()
    assert 'value="new"' in html, "the form does not show the current model"
    assert "Go back" in html
    assert "12 of 12" not in html
    card = page(as_alice)
    assert re.search(r"Search switched to new \S+ .*Before that, it used old", card)


@pytest.mark.parametrize("url", [SETTINGS, f"{WORK}?going_over"])
def test_change_that_finishes_during_the_request_is_shown_with_its_model(
    url: str,
    as_alice: Client,
    instance: Instance,
    known: list[Memory],
    new: ScriptedProvider,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = start_change(instance, new)

    def finish_first(choice: EmbeddingChoice) -> str:
        """Called when the view has the instance and looks up its jobs."""
        work(job)
        return space_of(choice)

    monkeypatch.setattr(vector_state, "space_of", finish_first)
    html = as_alice.get(url, headers=HTMX).content.decode()
    assert Instance.objects.get().embedding_model == "new"
    assert "Go back" in html
    assert 'value="new"' in html
    assert 'value="old"' not in html


def test_change_can_be_reverted(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = work(start_change(instance, new))
    response = post_action(as_alice, "go-back", job, follow=True)
    assert "Search goes back as soon as" in response.content.decode()
    work(EmbeddingJob.objects.latest("pk"))
    assert Instance.objects.get().embedding_model == "old"


def test_worse_model_is_shown_with_its_figures(
    as_alice: Client, instance: Instance, known: list[Memory]
) -> None:
    for number in range(30):
        Memory.objects.create(instance=instance, content=f"Word{number} number{number} is odd.")
    work(open_fill_in_job(instance) or EmbeddingJob())
    with Forgetful(dimensions=DIMENSIONS) as forgetful:
        job = work(start_change(instance, forgetful))
        assert job.verdict
        card = page(as_alice)
        assert "but they find less. Search still uses" in card
        assert f"of {job.verdict['asked']} questions" in card
        assert f"old ({Instance.objects.get().embedding_base_url}) {job.verdict['before']}" in card
        html = post_action(as_alice, "go-over", job, headers=HTMX).content.decode()
        assert "Search switches as soon as" in html
        work(job)
    assert Instance.objects.get().embedding_model == "new"


def test_cancel_keeps_the_current_model(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    job = start_change(instance, new)
    html = post_action(as_alice, "cancel", job, headers=HTMX).content.decode()
    assert "Cancelled." in html
    assert 'value="old"' in html
    # The same button on an outdated page does no harm.
    html = post_action(as_alice, "cancel", job, headers=HTMX).content.decode()
    assert "The job has changed since this page was made." in html


def test_failure_is_shown_with_the_next_attempt_and_a_retry(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    new.fail_next("401", None, "embeddings")
    job = work(start_change(instance, new))
    card = page(as_alice)
    assert job.error in card
    assert f"The next attempt is at {timezone.localtime(job.due_at):%H:%M}" in card
    new.reset()
    post_action(as_alice, "try-now", job)
    assert work(job).state == "done"


def test_missing_worker_is_reported(
    as_alice: Client, instance: Instance, known: list[Memory], new: ScriptedProvider
) -> None:
    start_change(instance, new)
    assert "No worker is running." not in page(as_alice)
    long_ago = timezone.now() - timedelta(minutes=2)
    EmbeddingJob.objects.update(created_at=long_ago, due_at=long_ago)
    assert "No worker is running." in page(as_alice)


def test_missing_vectors_are_counted_and_created_on_request(
    as_alice: Client, instance: Instance
) -> None:
    assert "Create missing vectors" not in page(as_alice)
    Memory.objects.create(instance=instance, content="The user keeps bees.")
    assert "1 memory has no vector yet: search finds it by words only." in page(as_alice)
    html = post_action(as_alice, "fill-in", headers=HTMX).content.decode()
    assert "The missing vectors are being created." in html
    assert "Creating missing vectors" in html
    work(EmbeddingJob.objects.get())
    html = as_alice.get(WORK, headers=HTMX).content.decode()
    assert "Creating missing" not in html and "has no vector" not in html


def test_texts_rejected_by_the_model_are_listed(as_alice: Client, instance: Instance) -> None:
    memory = Memory.objects.create(instance=instance, content="The user keeps bees.")
    job = open_fill_in_job(instance)
    assert job
    EmbeddingJob.objects.update(refused=[memory.pk])
    said = f"The model rejects 1 memory. Search finds it by words only: memory {memory.pk}"
    assert said in page(as_alice)


@pytest.mark.parametrize("action", ["cancel", "go-over", "go-back", "try-now"])
@pytest.mark.parametrize("job", ["", "0", "x", "9" * 21, "9" * 5_000])
def test_unknown_job_is_404(action: str, job: str, as_alice: Client, instance: Instance) -> None:
    assert as_alice.post(f"{WORK}/{action}", {"job": job}).status_code == 404
    assert as_alice.post(f"{WORK}/something").status_code == 404


def test_job_of_another_instance_is_404(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    Memory.objects.create(instance=private, content="The diary is blue.")
    job = open_fill_in_job(private)
    assert post_action(as_alice, "try-now", job).status_code == 404
    assert post_action(as_alice, "cancel", job).status_code == 404


def test_url_without_htmx_redirects_to_the_card(as_alice: Client, instance: Instance) -> None:
    assert as_alice.get(WORK)["Location"] == f"{SETTINGS}#embeddings"
