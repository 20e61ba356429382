"""The export of everything in an instance, on its settings."""

import io
import zipfile

from django.test import Client

from instances.actor import Actor
from instances.models import Instance
from memoryapp.bundle.reading import import_bundle
from memoryapp.models import Activity, AuditRecord, Memory
from tests.web.page_text import text_of

EXPORT = "/instances/desk/export"
PASSPHRASE = "correct horse battery"


def test_settings_lead_to_the_export(as_alice: Client, instance: Instance) -> None:
    assert EXPORT in as_alice.get("/instances/desk/settings").content.decode()
    assert "encrypts provider keys" in text_of(as_alice.get(EXPORT).content.decode())
    assert not instance.activity.filter(action=Activity.Action.BUNDLE_EXPORTED).exists()


def test_the_file_makes_the_instance_again_and_is_in_both_logs(
    as_alice: Client, instance: Instance
) -> None:
    instance.looks_recorded = True
    instance.save()
    Memory.objects.create(instance=instance, content="The user sails.")
    response = as_alice.post(EXPORT)
    assert response["Content-Type"] == "application/zip"
    assert "keepsake-desk-" in response["Content-Disposition"]
    file = io.BytesIO(response.getvalue())
    assert "secrets.json" not in zipfile.ZipFile(file).namelist()
    again = import_bundle(file, by=Actor(via="test"), name="Again").instance
    assert again.memories.get().content == "The user sails."
    done = instance.activity.get(action=Activity.Action.BUNDLE_EXPORTED)
    assert (done.by, done.via) == (response.wsgi_request.user, "screen")
    actions = [row.action for row in AuditRecord.objects.order_by("pk")]
    assert {"bundle_exported", "looked"} <= {*actions}
    shown = text_of(as_alice.get("/activity?instance=desk").content.decode())
    assert "exported the instance with everything in it" in shown


def test_secrets_are_in_it_with_a_passphrase(as_alice: Client, instance: Instance) -> None:
    instance.api_keys.create(name="Phone", digest="d" * 64, scopes=["read"])
    file = io.BytesIO(as_alice.post(EXPORT, {"passphrase": PASSPHRASE}).getvalue())
    instance.api_keys.update(digest="e" * 64)
    again = import_bundle(file, by=Actor(via="test"), passphrase=PASSPHRASE).instance
    assert again.api_keys.get().digest == "d" * 64


def test_a_short_passphrase_is_refused_and_nothing_recorded(
    as_alice: Client, instance: Instance
) -> None:
    refused = as_alice.post(EXPORT, {"passphrase": "short"})
    assert refused.status_code == 422
    assert "at least 12 characters" in text_of(refused.content.decode())
    assert not instance.activity.filter(action=Activity.Action.BUNDLE_EXPORTED).exists()
