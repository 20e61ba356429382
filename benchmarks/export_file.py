"""A synthetic export in ChatGPT's format, of any size, written as a stream."""

import json
import random
from pathlib import Path
from typing import Any

#: Messages of one conversation, and characters of one message: long answers, as people get them.
#: Half of the file is what stands around them, as in a real one.
MESSAGES = 40
QUESTION = 300
ANSWER = 2_400
_BEGUN = 1_700_000_000.0
WORDS = (
    "about across after again against almost along already although always among another answer "
    "around because become before began behind being below best better between beyond both bring "
    "build business call came cannot carry cause certain change children city clear close cold "
    "come common complete consider could country course cover create dark decide deep different "
    "direct does done door down draw during each early earth east easy either enough even evening "
    "every example experience face fact fall family far fast father feel few field figure final "
    "find fire first follow food force form found friend garden gave general give going gold good "
    "government great green ground group grow half hand happen hard head hear heart help here high "
    "history hold home hope horse hour house however hundred idea important inside interest island "
    "keep kind king knew know land language large last late later laugh lead learn least leave "
    "left letter level life light line list listen little live long look machine main make many "
    "mark matter mean measure might mile mind minute money moon morning most mother mountain move "
    "much music must name near need never night north note nothing notice number ocean often once "
    "open order other over page paper part pass pattern people perhaps person picture piece place "
    "plain plan plant play point possible power present problem produce question quick quite rain"
).split()


def write(path: Path, megabytes: float) -> tuple[int, int]:
    """Write an export of about that size to *path*; return its conversations and messages."""
    chance = random.Random(7)  # noqa: S311  # the same file each time
    words = [" ".join(chance.choices(WORDS, k=60)) for _ in range(2_000)]
    conversations = 0
    with path.open("w") as file:
        file.write("[")
        while file.tell() < megabytes * 1_000_000:
            if conversations:
                file.write(",")
            json.dump(_conversation(conversations, words, chance), file)
            conversations += 1
        file.write("]")
    return conversations, conversations * MESSAGES


def _conversation(number: int, words: list[str], chance: random.Random) -> dict[str, Any]:
    begun = _BEGUN + number * 3_600
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None}}
    parent = "root"
    for index in range(MESSAGES):
        key = f"{number:06}-{index:04}"
        role, length = ("assistant", ANSWER) if index % 2 else ("user", QUESTION)
        text = f"Message {key}. " + " ".join(chance.choices(words, k=length // 350 + 1))
        mapping[key] = {
            "id": key,
            "message": _message(key, role, text[:length], begun + 30 * index),
            "parent": parent,
            "children": [f"{number:06}-{index + 1:04}"] if index + 1 < MESSAGES else [],
        }
        parent = key
    return {
        "title": f"Conversation {number}",
        "create_time": begun,
        "update_time": begun + 30 * MESSAGES,
        "mapping": mapping,
        "current_node": parent,
        "conversation_id": f"made-up-{number}",
    }


def _message(key: str, role: str, text: str, at: float) -> dict[str, Any]:
    return {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "update_time": None,
        "content": {"content_type": "text", "parts": [text]},
        "status": "finished_successfully",
        "end_turn": True,
        "weight": 1.0,
        "metadata": {
            "model_slug": "made-up",
            "default_model_slug": "made-up",
            "parent_id": f"{key[:-4]}parent",
            "request_id": f"request-{key}",
            "message_source": "made-up-source",
            "turn_exchange_id": f"exchange-{key}",
            "timestamp_": "absolute",
            "message_type": "next",
            "serialization_metadata": {"custom_symbol_offsets": []},
            "finish_details": {"type": "stop", "stop_tokens": [1, 2]},
            "is_complete": True,
            "citations": [],
            "content_references": [
                {"matched_text": " ", "start_idx": place, "end_idx": place, "refs": [], "alt": ""}
                for place in range(4)
            ],
            "resolved_model_slug": "made-up",
            "developer_mode_connector_ids": [],
            "selected_sources": [],
            "selected_github_repos": [],
        },
        "recipient": "all",
        "channel": None,
    }
