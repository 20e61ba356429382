"""Files that somebody uploads, and a worker that takes them up at once."""

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from conversations.models import Import
from memoryapp.tasks import take_up


def upload(
    client: Client, content: bytes, instance: str = "desk", kind: str = "memories"
) -> Import:
    """Upload a file where *kind* is expected, and have the worker look through it."""
    response = client.post(
        f"/conversations/import?instance={instance}&kind={kind}",
        {"file": SimpleUploadedFile("memories", content)},
    )
    assert response.status_code == 302
    return work(Import.objects.latest("pk"))


def confirm(client: Client, import_: Import) -> Import:
    """Have what was looked through brought in."""
    client.post(f"/conversations/imports/{import_.pk}/confirm")
    return work(import_)


def work(import_: Import) -> Import:
    """Have the worker do what the file waits for."""
    take_up(import_id=import_.pk)
    import_.refresh_from_db()
    return import_


def counts(import_: Import) -> tuple[int, int, int, int]:
    """What is new, a new version, known, and left out."""
    return (
        import_.memories_new,
        import_.memories_changed,
        import_.memories_known,
        import_.skipped_count,
    )
