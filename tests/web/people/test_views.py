"""The people screens: the list, a person's file with export and erasure, and certificates."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Activity, Erasure, Memory
from memoryapp.tasks import erase
from tests.people.factories import WORDS, create_person
from tests.web.page_text import text_of

ANA = "ana@example.org"
FILE = f"/memory/people/file?instance=desk&end_user={ANA}"
ERASE = f"/memory/people/file/erase?instance=desk&end_user={ANA}"


@pytest.fixture
def ana(instance: Instance, alice: User, settings: Settings, tmp_path: Path) -> Conversation:
    settings.ERASURES_DIR = str(tmp_path)
    return create_person(instance, ANA, author=alice)


def page(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response
    return text_of(response.content.decode())


def test_list_has_everybody_with_anything(
    as_alice: Client, instance: Instance, ana: Conversation
) -> None:
    Conversation.objects.create(instance=instance, end_user="ben")
    instance.memories.create(content="The user sails.")
    shown = page(as_alice, "/memory/people?instance=desk")
    assert ANA in shown and "ben" in shown and "without an id" in shown
    found = page(as_alice, "/memory/people?instance=desk&q=EXAMPLE")
    assert ANA in found and "ben" not in found
    assert "Nobody found" in page(as_alice, "/memory/people?instance=desk&q=%25")


def test_pages_of_the_list(as_alice: Client, instance: Instance) -> None:
    for number in range(25):
        instance.memories.create(content="Sails.", end_user=f"sailor-{number:02}")
    first = page(as_alice, "/memory/people?instance=desk")
    second = page(as_alice, "/memory/people?instance=desk&page=2")
    assert "sailor-24" in first and "sailor-00" not in first
    assert "sailor-00" in second and "sailor-24" not in second


def test_file_lists_what_is_kept_and_what_remains(as_alice: Client, ana: Conversation) -> None:
    shown = page(as_alice, FILE)
    assert "Memories2" in shown
    assert "Never-again rules (1). Keyed hashes" in shown
    assert "Database backups" in shown


def test_export_is_an_archive_and_is_in_the_activity(
    as_alice: Client, instance: Instance, ana: Conversation
) -> None:
    response = as_alice.get(f"/memory/people/file/export?instance=desk&end_user={ANA}")
    assert response["Content-Type"] == "application/zip"
    assert ANA not in response["Content-Disposition"]
    content = response.getvalue()
    assert "memories.html" in zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert instance.activity.filter(action=Activity.Action.FILE_EXPORTED).count() == 1


def test_erasure_needs_the_id_and_ends_with_a_certificate(
    as_alice: Client, ana: Conversation
) -> None:
    refused = as_alice.post(ERASE, {"typed": "ana"})
    assert refused.status_code == 422
    assert f"Type “{ANA}”" in text_of(refused.content.decode())
    assert Memory.objects.filter(end_user=ANA).exists()
    asked = as_alice.post(ERASE, {"typed": ANA, "rules": "yes"})
    erasure = Erasure.objects.get(state="running")
    assert asked["Location"] == f"/memory/people/erasures/{erasure.pk}"
    assert "Erasure in progress" in page(as_alice, asked["Location"])
    assert as_alice.get(f"{asked['Location']}/certificate").status_code == 404
    erase(erasure_id=erasure.pk)
    shown = page(as_alice, asked["Location"])
    assert "Certificate of erasure" in shown and "Database backups" in shown
    certificate = as_alice.get(f"{asked['Location']}/certificate")
    assert json.loads(certificate.content)["asked_by"] == "alice"
    assert not any(word in shown for word in (*WORDS, ANA))
    assert "This person was erased. Show the certificate" in page(as_alice, FILE)


def test_polling_ends_with_a_reload(as_alice: Client, ana: Conversation) -> None:
    asked = as_alice.post(ERASE, {"typed": ANA})
    htmx = {"HX-Request": "true"}
    running = as_alice.get(asked["Location"], headers=htmx)
    assert "<html" not in running.content.decode() and "HX-Refresh" not in running
    erase(erasure_id=Erasure.objects.get(state="running").pk)
    assert as_alice.get(asked["Location"], headers=htmx)["HX-Refresh"] == "true"


def test_certificate_is_found_by_the_id(as_alice: Client, ana: Conversation) -> None:
    as_alice.post(ERASE, {"typed": ANA})
    erasure = Erasure.objects.get(state="running")
    erase(erasure_id=erasure.pk)
    everything = page(as_alice, "/memory/people/erasures?instance=desk")
    assert str(erasure.uid) in everything and ANA not in everything
    assert str(erasure.uid) in page(as_alice, f"/memory/people/erasures?instance=desk&person={ANA}")
    assert "was erased here" in page(as_alice, "/memory/people/erasures?instance=desk&person=ben")


def test_certificates_are_for_managers_and_others_do_not_find_them(
    client: Client, bob: User, charlie: User, ana: Conversation
) -> None:
    erasure = Erasure.objects.get()
    for user, status in ((bob, 403), (charlie, 404)):
        client.force_login(user)
        assert client.get(f"/memory/people/erasures/{erasure.pk}").status_code == status


def test_nobody_is_kept_yet(as_alice: Client, instance: Instance) -> None:
    assert "No people yet" in page(as_alice, "/memory/people?instance=desk")
    assert "No erasures yet" in page(as_alice, "/memory/people/erasures?instance=desk")
    assert "Nothing is stored about this" in page(as_alice, FILE)
    gone = as_alice.post(ERASE, {"typed": ANA})
    assert gone["Location"] == "/memory/people?instance=desk"


def test_joining_shows_what_it_does_and_asks(
    as_alice: Client, instance: Instance, ana: Conversation
) -> None:
    instance.memories.create(content="Ana sails.", end_user="ana")
    address = f"/memory/people/file/join?instance=desk&end_user=ana&other={ANA}"
    assert "the same person as ana" in page(as_alice, address)
    refused = as_alice.post(address, {"typed": "ana"})
    assert refused.status_code == 422
    assert Memory.objects.filter(end_user=ANA).exists()
    done = as_alice.post(address, {"typed": ANA})
    assert done["Location"] == "/memory/people/file?instance=desk&end_user=ana"
    assert not Memory.objects.filter(end_user=ANA).exists()
    assert f"Also known as {ANA}" in page(as_alice, done["Location"])
    unknown = as_alice.get("/memory/people/file/join?instance=desk&end_user=ana&other=nobody")
    assert unknown.status_code == 422
    assert "Nothing is stored about" in text_of(unknown.content.decode())
