"""Helpers that upload import files and process them at once, as a worker does."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from conversations.models import Import
from memoryapp.tasks import take_up


def upload(
    client: Client, content: bytes, instance: str = "desk", kind: str = "memories", **fields: str
) -> Import:
    """Upload a file of *kind* and let the worker check it."""
    response = client.post(
        f"/conversations/import?instance={instance}&kind={kind}",
        {"file": SimpleUploadedFile("memories", content), **fields},
    )
    assert response.status_code == 302
    return work(Import.objects.latest("pk"))


def replacing(client: Client, import_: Import) -> Import:
    """Let rows replace memories, and let the worker check the file again."""
    client.post(f"/conversations/imports/{import_.pk}/rows", {"rows": "replace"})
    return work(import_)


def confirm(client: Client, import_: Import) -> Import:
    """Confirm the checked file and let the worker import it."""
    client.post(f"/conversations/imports/{import_.pk}/confirm")
    return work(import_)


def work(import_: Import) -> Import:
    """Run the pending step of the import, as a worker does."""
    take_up(import_id=import_.pk)
    import_.refresh_from_db()
    return import_


def counts(import_: Import) -> tuple[int, int, int, int]:
    """Return the numbers of new, changed, known and skipped memories."""
    return (
        import_.memories_new,
        import_.memories_changed,
        import_.memories_known,
        import_.skipped_count,
    )
