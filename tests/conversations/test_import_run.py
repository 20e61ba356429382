"""States of an import, and its continuation by another worker."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError

from conversations import messages
from conversations.importers import (
    import_file,
    import_run,
    writer,
)
from conversations.models import Conversation, Import, Message, UploadPart
from tests.conversations.import_files import sample


def test_import_succeeds(uploaded: Callable[[Any], Import]) -> None:
    row = uploaded([sample(session_1=["bad"])])
    import_file(row)
    row = Import.objects.get()
    assert row.state == Import.State.SUCCEEDED
    assert (row.conversations, row.messages_added, row.messages_known) == (1, 3, 0)
    assert row.skipped == ["sample allotment, session 1, turn 1: it is not an object."]
    assert (row.skipped_count, row.percent, row.error) == (1, 100, "")
    assert row.finished_at
    assert not row.file
    assert not UploadPart.objects.exists()


def test_unknown_format_fails_and_lists_accepted_ones(
    uploaded: Callable[[Any], Import],
) -> None:
    import_file(uploaded("hello"))
    row = Import.objects.get()
    assert row.state == Import.State.FAILED
    assert "Accepted formats" in row.error
    assert row.finished_at
    assert not row.file


def test_broken_file_fails_and_keeps_the_imported_part(uploaded: Callable[[Any], Import]) -> None:
    import_file(uploaded(json.dumps([sample(), sample("b")])[:-200]))
    row = Import.objects.get()
    assert (row.state, row.messages_added) == (Import.State.FAILED, 3)
    assert "broken" in row.error


def test_missing_file_fails(uploaded: Callable[[Any], Import]) -> None:
    row = uploaded([sample()])
    row.delete_file()
    import_file(row)
    row.refresh_from_db()
    assert row.state == Import.State.FAILED
    assert "Upload it again" in row.error


def test_unexpected_exception_fails_the_import(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*args: Any, **kwargs: Any) -> None:
        raise KeyError

    monkeypatch.setattr(import_run, "import_stream", bug)
    import_file(uploaded([sample()]))
    row = Import.objects.get()
    assert row.state == Import.State.FAILED
    assert "KeyError" in row.error


@pytest.mark.parametrize("death", [SystemExit, OperationalError])
def test_crashed_import_is_resumed_without_duplicates(
    uploaded: Callable[[Any], Import],
    monkeypatch: pytest.MonkeyPatch,
    death: type[BaseException],
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 3)
    row = uploaded([sample(), sample("orchard")])
    store = messages.append

    def die_at_the_second(conversation: Conversation, *args: Any, **kwargs: Any) -> Any:
        if conversation.external_id == "locomo:orchard":
            raise death
        return store(conversation, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr("conversations.importers.writer.append", die_at_the_second)
        with pytest.raises(death):
            import_file(row)
    row = Import.objects.get()
    assert (row.state, row.messages_added) == (Import.State.RUNNING, 3)

    import_file(row)
    row = Import.objects.get()
    assert row.state == Import.State.SUCCEEDED
    assert (row.conversations, row.messages_added, row.messages_known) == (2, 6, 0)
    assert Message.objects.count() == 6


def test_worker_stops_after_another_takes_over(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    row = uploaded([sample()])
    Import.objects.update(claims=row.claims + 1)
    heartbeat_at = row.heartbeat_at
    import_file(row)
    row.refresh_from_db()
    assert (row.state, row.heartbeat_at) == (Import.State.RUNNING, heartbeat_at)
    assert not Message.objects.exists()


def test_progress_is_saved_during_the_import(
    uploaded: Callable[[Any], Import], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conversations.importers.progress.UPDATE_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(writer, "MAX_CHUNK_MESSAGES", 1)
    row = uploaded([{"content": f"{n}"} for n in range(5)])
    progress: list[int] = []
    store = messages.append

    def look(*args: Any, **kwargs: Any) -> Any:
        progress.append(Import.objects.get().messages_added)
        return store(*args, **kwargs)

    monkeypatch.setattr("conversations.importers.writer.append", look)
    import_file(row)
    assert progress == [0, 1, 2, 3, 4]
