"""Fixtures that import a stream or an uploaded file."""

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.files.base import ContentFile

from conversations.importers import (
    Report,
    import_stream,
)
from conversations.models import Conversation, Import
from conversations.signals import turn_finished
from instances.models import Instance
from tests.conversations.import_files import stream_of


@pytest.fixture
def bring_in(instance: Instance) -> Callable[..., Report]:
    """Import *content* as notes.jsonl."""

    def bring_in(content: Any, name: str = "notes.jsonl") -> Report:
        stream = content if isinstance(content, io.BytesIO) else stream_of(content)
        return import_stream(instance, stream, name=name)

    return bring_in


@pytest.fixture
def finished() -> Iterator[list[str]]:
    """The external ids of conversations for which the signal was sent."""
    finished_ids: list[str] = []

    def note(sender: type, *, conversation: Conversation, **kwargs: Any) -> None:
        finished_ids.append(conversation.external_id)

    turn_finished.connect(note)
    yield finished_ids
    turn_finished.disconnect(note)


@pytest.fixture
def uploaded(instance: Instance) -> Callable[[Any], Import]:
    """An import that a worker has just claimed."""

    def upload(content: Any) -> Import:
        data = stream_of(content).getvalue()
        import_ = Import.objects.create(
            instance=instance,
            filename="talk.json",
            file=ContentFile(data, "talk.json"),
            bytes_total=len(data),
            state=Import.State.QUEUED,
        )
        assert import_.claim()
        return import_

    return upload
