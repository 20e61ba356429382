"""Sample files in each format, and the counts of a report."""

import io
import json
from typing import Any

from conversations.importers import (
    Report,
)


def turn(speaker: str, turn_id: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": turn_id, "text": text, **more}


def sample(sample_id: str = "allotment", **conversation: Any) -> dict[str, Any]:
    """Return a LoCoMo sample with two sessions; *conversation* replaces parts of it."""
    return {
        "qa": [{"question": "What grows?", "answer": "Leeks", "evidence": ["D1:2"]}],
        "conversation": {
            "speaker_a": "Rosa",
            "speaker_b": "Imre",
            "session_10_date_time": "12:05 am on 1 March, 2024",
            "session_10": [turn("Rosa", "D10:1", "The leeks are up.")],
            "session_2_date_time": "1:56 pm on 8 May, 2023",
            "session_2": [
                turn("Rosa", "D2:1", "I rented an allotment by the canal."),
                turn("Imre", "D2:2", "", blip_caption="a shed with a green door"),
            ],
            **conversation,
        },
        "observation": {"session_2_observation": {"Rosa": [["Rosa rented.", "D2:1"]]}},
        "sample_id": sample_id,
    }


def stream_of(content: Any) -> io.BytesIO:
    """Encode text as it is, a list of objects with content as JSONL, and others as JSON."""
    if isinstance(content, str):
        return io.BytesIO(content.encode())
    if isinstance(content, list) and content and "content" in content[0]:
        return io.BytesIO("\n".join(json.dumps(line) for line in content).encode())
    return io.BytesIO(json.dumps(content).encode())


def counts(report: Report) -> tuple[int, int, int, int]:
    return (
        report.conversations,
        report.messages_added,
        report.messages_known,
        report.skipped_count,
    )
