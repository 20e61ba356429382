"""Import of a large export with bounded memory, also after the worker is killed half-way."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import psutil
import pytest
from django.core.files import File
from django.db.models import Count, Max
from django.utils import timezone

from benchmarks import export_file
from conversations.models import Conversation, Import, Message, UploadPart
from instances.models import Instance
from memoryapp.tasks import sweep
from tests.faults.worker import Worker
from tests.provider_fixtures import eventually

pytestmark = pytest.mark.django_db(transaction=True)

MEGABYTES = 80
MOST_MEMORY = 300 * 1024 * 1024


@pytest.mark.soak
@pytest.mark.usefixtures("broker")
def test_large_export_is_imported_once_in_bounded_memory(
    instance: Instance, tmp_path: Path
) -> None:
    conversations, messages = export_file.write(tmp_path / "large.json", MEGABYTES)
    import_ = uploaded(instance, tmp_path / "large.json")
    peaks: list[int] = []

    with Worker() as worker:
        sweep()
        half_way = watched(worker, peaks, lambda: imported_count(import_) > messages // 2)
        eventually(half_way, "half of the file is not imported", seconds=300)
        worker.kill()
    assert messages // 2 < Message.objects.count() < messages
    import_.refresh_from_db()
    assert import_.state == Import.State.RUNNING

    Import.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    with Worker() as worker:
        sweep()
        over = watched(worker, peaks, lambda: state_of(import_) not in ("queued", "running"))
        eventually(over, "the rest of the file is not imported", seconds=300)

    import_.refresh_from_db()
    assert (import_.state, import_.error) == (Import.State.SUCCEEDED, "")
    assert (import_.conversations, import_.brought.count()) == (conversations, conversations)
    assert import_.messages_added + import_.messages_known == messages
    assert not UploadPart.objects.exists()
    each_message_is_there_once(conversations, messages)
    print(f"\nat most {max(peaks) >> 20} MB of memory")
    assert max(peaks) < MOST_MEMORY


def uploaded(instance: Instance, path: Path) -> Import:
    """Return a confirmed import of the file at *path*."""
    with path.open("rb") as content:
        return Import.objects.create(
            instance=instance, filename=path.name, file=File(content, "upload"), state="queued"
        )


def watched(worker: Worker, peaks: list[int], happened: Callable[[], bool]) -> Callable[[], bool]:
    """Wrap *happened* so that each call records the memory of the worker."""

    def look() -> bool:
        assert worker.process.poll() is None, worker.output
        peaks.append(psutil.Process(worker.process.pid).memory_info().rss)
        return happened()

    return look


def imported_count(import_: Import) -> int:
    return Import.objects.values_list("messages_added", flat=True).get(pk=import_.pk)


def state_of(import_: Import) -> str:
    return Import.objects.values_list("state", flat=True).get(pk=import_.pk)


def each_message_is_there_once(conversations: int, messages: int) -> None:
    assert Conversation.objects.count() == conversations
    assert Message.objects.count() == messages
    assert Message.objects.values("external_id").distinct().count() == messages
    rows = Conversation.objects.annotate(number=Count("messages"), last=Max("messages__position"))
    assert set(rows.values_list("number", "last")) == {(export_file.MESSAGES, export_file.MESSAGES)}
    # In order and unchanged: each begins with its own id.
    wrong = [
        external_id
        for external_id, position, content in Message.objects.values_list(
            "external_id", "position", "content"
        ).iterator()
        if not content.startswith(f"Message {external_id}. ")
        or int(external_id[-4:]) != position - 1
    ]
    assert wrong == []
