"""Secrets in memories: messages of screens, API and tools, and places where a secret remains."""

import json
from collections.abc import Callable, Iterator

import pytest
import redis
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Import
from instances.models import Instance
from memoryapp.extraction.message_status import ExtractionProgress
from memoryapp.extraction.run import read
from memoryapp.models import Memory, MemorySource, Run
from tests.leak_scanner import places_by_text
from tests.provider_fixtures import embed_with, eventually, fact, provider, read_with
from tests.scripted_provider import ScriptedProvider
from tests.uploading import confirm, upload
from tests.web.memory.test_memory_files import lines

__all__ = ["provider"]

Store = Callable[..., Memory]
NEW = "/memory/new?instance=desk"
CARD = "4111 1111 1111 1111"
HIDDEN = "My password is somewhere in here"


def form(content: str) -> dict[str, str]:
    return {"content": content, "category": "fact", "importance": "5", "tags": ""}


def test_redaction_is_shown_after_the_form_and_in_the_panel(
    as_alice: Client, instance: Instance
) -> None:
    page = as_alice.post(NEW, form(f"The user pays with {CARD}."), follow=True).content.decode()

    assert "Removed from it: a card number." in page
    assert "Removed before it was stored: a card number." in page
    assert "The user pays with [REDACTED:CARD]." in page
    assert CARD not in page


def test_form_explains_what_to_change(as_alice: Client, instance: Instance) -> None:
    response = as_alice.post(NEW, form(HIDDEN))

    assert response.status_code == 422
    page = response.content.decode()
    assert "This seems to contain a password or key" in page
    assert HIDDEN in page, "the input is lost"
    assert not Memory.objects.exists()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_edit_with_a_secret_is_rejected(
    as_alice: Client, store_memory: Store, headers: dict[str, str]
) -> None:
    memory = store_memory("The user has a password.")

    for path in ("edit", "row"):
        if path == "row" and not headers:
            continue
        address = f"/memory/{memory.pk}/{path}?instance=desk"
        response = as_alice.post(address, form(HIDDEN), headers=headers)
        assert response.status_code == 422
        assert "This seems to contain a password or key" in response.content.decode()
    assert Memory.objects.get().content == "The user has a password."
    assert not memory.revisions.exists()


def test_version_with_a_secret_is_not_restored(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    Instance.objects.update(pii_policy="off")
    instance.refresh_from_db()
    memory = store_memory(f"The user pays with {CARD}.")
    as_alice.post(f"/memory/{memory.pk}/edit?instance=desk", form("The user pays in cash."))
    Instance.objects.update(pii_policy="reject")

    revision = memory.revisions.get()
    page = as_alice.post(f"/memory/{memory.pk}/restore/{revision.pk}?instance=desk", follow=True)

    assert "Not restored. It contains a card number" in page.content.decode()
    assert Memory.objects.get().content == "The user pays in cash."


def test_api_reports_redactions(as_alice: Client, instance: Instance) -> None:
    def post(content: str) -> tuple[int, dict[str, object]]:
        response = as_alice.post(
            "/api/memories",
            {"instance_id": "desk", "content": content},
            content_type="application/json",
            headers={"Idempotency-Key": content[:9]},
        )
        return response.status_code, response.json()

    sent = f"Ana pays with {CARD} or 5555555555554444; mail ana@example.org."
    for status in (201, 201):  # The second request is a repetition with the same response.
        assert post(sent)[0] == status
        assert post(sent)[1]["pii"] == {"redactions": {"CARD": 2, "EMAIL": 1}}
    assert post("Ana has a cat.")[1]["pii"] == {"redactions": {}}
    status, refused = post(HIDDEN)
    assert (status, refused["code"]) == (422, "pii_rejected")
    assert "put it in quotation marks" in str(refused["detail"])


def test_api_rejects_an_edit_with_a_secret(as_alice: Client, store_memory: Store) -> None:
    memory = store_memory("The user has a password.")

    response = as_alice.patch(
        f"/api/memories/{memory.pk}", {"content": HIDDEN}, content_type="application/json"
    )

    assert (response.status_code, response.json()["code"]) == (422, "pii_rejected")


def test_api_does_not_restore_a_version_with_a_secret(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    Instance.objects.update(pii_policy="off")
    instance.refresh_from_db()
    memory = store_memory(f"The user pays with {CARD}.")
    as_alice.post(f"/memory/{memory.pk}/edit?instance=desk", form("The user pays in cash."))
    Instance.objects.update(pii_policy="reject")

    address = f"/api/memories/{memory.pk}/revisions/{memory.revisions.get().pk}/restore"
    response = as_alice.post(address, content_type="application/json")

    assert (response.status_code, response.json()["code"]) == (422, "pii_rejected")


def test_memory_import_reports_rejected_lines(
    as_alice: Client, instance: Instance, settings: Settings, tmp_path: object
) -> None:
    content = lines(
        {"content": "Ana plays the cello.", "importance": 4},
        {"content": HIDDEN, "importance": 4},
        {"content": f"Ana pays with {CARD}.", "importance": 4},
    )

    def counts(import_: Import) -> tuple[int, int]:
        return import_.memories_new, import_.skipped_count

    import_ = upload(as_alice, content)
    assert counts(import_) == (2, 1)
    import_ = confirm(as_alice, import_)
    assert counts(import_) == (2, 1)
    page = as_alice.get(f"/conversations/imports/{import_.pk}").content.decode()
    assert "This seems to contain a password or key" in page
    assert HIDDEN not in page
    assert set(Memory.objects.values_list("content", flat=True)) == {
        "Ana plays the cello.",
        "Ana pays with [REDACTED:CARD].",
    }


@pytest.fixture
def server(settings: Settings) -> Iterator["redis.Redis"]:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        yield server
        server.flushdb()


def test_secret_is_only_in_the_conversation(
    as_alice: Client,
    instance: Instance,
    provider: ScriptedProvider,
    server: "redis.Redis",
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    caplog: pytest.LogCaptureFixture,
) -> None:
    read_with(provider, instance)
    embed_with(provider, instance)
    provider.reply_with(
        {
            "memories": [
                fact(1, "The user pays with 4111 1111 1111 1111.", tags=["xq7-Zebra!9", "money"]),
                fact(1, "The user's password is xq7-Zebra!9."),
                fact(1, "The user's password is xq7-Zebra!9, and the user likes tea."),
                fact(1, "The user logs in with Xq7-Zebra!9 everywhere."),
                fact(2, "My password is somewhere in this text."),
            ]
        }
    )
    with django_capture_on_commit_callbacks(execute=True):
        talk = Conversation.objects.create(instance=instance, title="Paying")
        append(
            talk,
            [
                NewMessage(
                    "user", f"I pay with {CARD}, and my password is xq7-Zebra!9. I like tea."
                ),
                NewMessage("user", f"And once more: {CARD}."),
                NewMessage("assistant", "I see."),
            ],
        )
    eventually(lambda: server.exists("celery"), "no task in the broker")
    run = Run.objects.get()
    assert run.claim()
    read(run)
    run.refresh_from_db()

    assert run.state == Run.State.SUCCEEDED, run.error
    assert run.stored >= 2
    for question in ("/memory?instance=desk&q=tea", "/api/memories?instance_id=desk&q=password"):
        assert as_alice.get(question).status_code == 200
    secrets = [CARD, "4111111111111111", "xq7-Zebra!9"]
    found = places_by_text(server, secrets)
    assert found[CARD] == {"conversations_message"}
    assert set().union(*found.values()) == {"conversations_message"}
    assert not any(secret in caplog.text for secret in secrets)
    # The embedded text is the stored one.
    embedded = [
        text
        for request in provider.requests
        if "input" in request.body
        for text in request.body["input"]
    ]
    assert any("[REDACTED:CARD]" in text for text in embedded)
    assert not any(CARD in text or "Zebra" in text for text in embedded)
    # The second message shows why it has no memory.
    reading = ExtractionProgress.of(Conversation.objects.get())
    second = talk.messages.get(position=2)
    fate = reading.status_of(second, list(MemorySource.objects.filter(message=second)))
    assert "This seems to contain a password or key" in fate.words, json.dumps(run.rejected)
