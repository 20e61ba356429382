"""Failing providers on the health screen: their error, and the button to try again."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.models import CircuitBreaker, Instance, User
from instances.provider_urls import server_of
from memoryapp.models import EmbeddingJob, Run, Summary
from tests.provider_fixtures import embed_with, provider, read_with
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]
HEALTH = "/status/health?instance=desk"


@pytest.fixture
def breaker(instance: Instance, provider: ScriptedProvider) -> CircuitBreaker:
    """The circuit breaker of the instance's failing language model."""
    read_with(provider, instance)
    return failing(instance, provider.base_url)


def failing(instance: Instance, address: str) -> CircuitBreaker:
    return CircuitBreaker.objects.create(
        instance=instance,
        server=server_of(address),
        failures=5,
        said="The server had an error.",
        wait_seconds=300,
        retry_at=timezone.now() + timedelta(seconds=300),
    )


def post_action(client: Client, breaker: CircuitBreaker, slug: str = "desk") -> str:
    answer = client.post(f"/status/health/servers/{breaker.pk}", {"instance": slug}, follow=True)
    return answer.content.decode()


def test_failing_server_is_shown_with_its_error_and_next_attempt(
    as_alice: Client, breaker: CircuitBreaker
) -> None:
    page = as_alice.get(HEALTH).content.decode()
    assert f"{breaker.name} keeps failing" in page
    assert "5 calls in a row have failed" in page
    assert "Last error: The server had an error." in page
    assert f"Keepsake tries again at {breaker.retry_time}." in page
    assert "Try now" in page
    assert "Everything is fine" not in page


def test_few_failures_and_unused_servers_are_not_shown(
    as_alice: Client, breaker: CircuitBreaker, instance: Instance
) -> None:
    CircuitBreaker.objects.update(retry_at=None, failures=4)
    failing(instance, "http://used-before.example/v1")
    page = as_alice.get(HEALTH).content.decode()
    assert "keeps failing" not in page


@pytest.mark.parametrize("action", ["chat", "embeddings"])
def test_recovered_server_is_used_at_once(
    action: str,
    as_alice: Client,
    instance: Instance,
    conversation: Conversation,
    provider: ScriptedProvider,
) -> None:
    (read_with if action == "chat" else embed_with)(provider, instance)
    breaker = failing(instance, provider.base_url)
    later = timezone.now() + timedelta(seconds=300)
    Run.objects.create(instance=instance, conversation=conversation, due_at=later)
    Summary.objects.create(instance=instance, due_at=later)
    EmbeddingJob.objects.create(instance=instance, kind="fill_in", due_at=later)
    assert "The server answers again. Work that waited for it continues." in post_action(
        as_alice, breaker
    )
    assert len(provider.requests) == 1
    assert not CircuitBreaker.objects.exists()
    now = {"due_at__lte": timezone.now()}
    assert Run.objects.filter(**now).exists()
    assert Summary.objects.filter(**now).exists()
    assert EmbeddingJob.objects.filter(**now).exists()


def test_server_that_still_fails_shows_the_reason(
    as_alice: Client,
    breaker: CircuitBreaker,
    conversation: Conversation,
    provider: ScriptedProvider,
) -> None:
    later = timezone.now() + timedelta(seconds=300)
    assert Run.objects.update(due_at=later) == 1
    provider.fail_next("500")
    page = post_action(as_alice, breaker)
    assert "The server had an error." in page and "keeps failing" in page
    assert CircuitBreaker.objects.get().failures == 6
    assert Run.objects.get().due_at == later


def test_connection_test_calls_the_server_too(
    as_alice: Client, breaker: CircuitBreaker, provider: ScriptedProvider
) -> None:
    as_alice.post("/instances/desk/test/chat")
    assert len(provider.requests) == 1
    assert not CircuitBreaker.objects.exists()


def test_changed_settings_reset_the_failures(as_alice: Client, breaker: CircuitBreaker) -> None:
    data = {
        "language-model-provider": "custom",
        "language-model-base_url": "http://127.0.0.1:9/another/path",
        "language-model-fast_model": "m",
    }
    as_alice.post("/instances/desk/settings/language-model", data)
    assert not CircuitBreaker.objects.exists()


def test_only_managers_may_retry_and_only_in_their_instance(
    client: Client,
    bob: User,
    charlie: User,
    as_alice: Client,
    breaker: CircuitBreaker,
    private: Instance,
    provider: ScriptedProvider,
) -> None:
    address = f"/status/health/servers/{breaker.pk}"
    for user, status in ((bob, 403), (charlie, 404)):
        client.force_login(user)
        assert client.post(address, {"instance": "desk"}).status_code == status
    client.force_login(bob)
    page = client.get(HEALTH).content.decode()
    assert "keeps failing" in page and "Try now" not in page
    assert as_alice.post(address, {"instance": "diary"}).status_code == 404
    assert as_alice.post(address).status_code == 404
    assert as_alice.get(address).status_code == 405
    assert provider.requests == []
