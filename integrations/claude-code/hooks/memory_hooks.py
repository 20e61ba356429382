"""Hooks of Claude Code: tell it what is remembered, and keep what was said.

Claude Code gives an event as JSON on the standard input. A message of the user is answered with
what Keepsake knows about it, or with nothing. After a turn, and at the end of the session, what the
user and the assistant said is appended to a conversation with the ids that the transcript gives it:
it is stored once however often it is sent.

A problem never stops the session: it is told once, in one line, and the next turn tries again.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

#: Of a transcript, the latest messages that are sent; the server knows which of them it has.
MOST = 200
#: Characters of a message that are looked up, and that are kept.
MOST_ASKED, MOST_KEPT = 500, 100_000
#: How long an answer of the server is waited for.
SECONDS = 3.0
#: How long the reply is waited for, which may reach the transcript after the event.
LATE_SECONDS = 1.0
#: Texts that Claude Code writes in the name of the user.
MACHINE_MADE = (
    "<command-",
    "<local-command-",
    "<bash-",
    "<system-reminder>",
    "<task-notification>",
    "[Request interrupted",
)


class Problem(Exception):
    """A line for the user, who can do something about it."""


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows none: the key is for this address only."""

    def redirect_request(self, *_: object) -> None:
        return None


def ask(path: str, body: dict[str, Any]) -> Any:
    """Send a request to Keepsake; return its answer."""
    address = os.environ.get("CLAUDE_PLUGIN_OPTION_ADDRESS", "").strip().rstrip("/")
    key = os.environ.get("CLAUDE_PLUGIN_OPTION_KEY", "").strip()
    if not (address and key):
        raise Problem("it has no address or no key: /plugin, Keepsake, Configure")
    if not address.startswith(("http://", "https://")):
        raise Problem("its address must begin with http:// or https://")
    if not (key.isascii() and key.isprintable()):
        raise Problem("its API key has characters that no key has")
    request = urllib.request.Request(  # noqa: S310
        address + "/api" + path,
        json.dumps(body).encode(),
        {"Authorization": "Bearer " + key, "Content-Type": "application/json"},
    )
    try:
        with urllib.request.build_opener(NoRedirects).open(request, timeout=SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        raise Problem(refusal(error)) from None
    except (OSError, ValueError, http.client.HTTPException):
        raise Problem(f"{address} does not answer as Keepsake") from None


def refusal(error: urllib.error.HTTPError) -> str:
    """Return why a request was refused."""
    if error.code == 401:
        return "it refuses the API key"
    if error.code in {301, 302, 303, 307, 308}:
        return "its address leads elsewhere: enter the one that it leads to"
    try:
        return f"{error.code}, {json.load(error)['detail']}"
    except (OSError, ValueError, KeyError, TypeError):
        return f"it answers with status {error.code}"


def recall(event: dict[str, Any]) -> dict[str, Any]:
    """Return what is remembered about a message, as context for the model."""
    prompt = str(event.get("prompt", "")).strip()
    if not prompt or prompt.startswith("/"):
        return {}
    found = ask("/tools/search_memory", {"query": prompt[:MOST_ASKED]})
    if not (found.get("data") and found["data"]["items"]):
        return {}
    context = {"hookEventName": "UserPromptSubmit", "additionalContext": found["text"]}
    return {"hookSpecificOutput": context}


def keep(event: dict[str, Any]) -> dict[str, Any]:
    """Append what was said in a session to its conversation."""
    messages = said(Path(str(event.get("transcript_path", ""))))
    reply = str(event.get("last_assistant_message") or "").strip()[:MOST_KEPT]
    deadline = time.monotonic() + LATE_SECONDS
    while reply and not any(reply in each["content"] for each in messages[-2:]):
        if time.monotonic() > deadline:
            return {}  # The next event finds it there.
        time.sleep(0.1)
        messages = said(Path(str(event["transcript_path"])))
    if messages:
        name = {"external_id": f"claude-code:{event['session_id']}"}
        conversation = ask("/conversations", name)
        path = f"/conversations/{conversation['id']}/messages"
        ask(path, {"messages": messages[-MOST:]})
    return {}


def said(transcript: Path) -> list[dict[str, Any]]:
    """Return what the user wrote, and the last that the assistant answered to each."""
    messages: list[dict[str, Any]] = []
    try:
        lines = transcript.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return messages
    for line in lines:
        message = message_of(line)
        if not message:
            continue
        if messages and messages[-1]["role"] == message["role"] == "assistant":
            messages.pop()
        messages.append(message)
    return messages


def message_of(line: str) -> dict[str, Any] | None:
    """Return the message of a line of the transcript, unless it is of the machine."""
    try:
        entry = json.loads(line)
        role = entry["type"]
        content = entry["message"]["content"]
    except (ValueError, KeyError, TypeError):
        return None
    # What a session took from the one that it branches off is kept there.
    marks = ("isMeta", "isSidechain", "isCompactSummary", "isApiErrorMessage", "forkedFrom")
    if role not in {"user", "assistant"} or any(entry.get(mark) for mark in marks):
        return None
    if isinstance(content, list):
        blocks = [each for each in content if isinstance(each, dict)]
        content = "\n".join(str(each["text"]) for each in blocks if each.get("type") == "text")
    text = str(content).strip()
    if not text or (role == "user" and text.startswith(MACHINE_MADE)):
        return None
    return {
        "id": entry.get("uuid", ""),
        "role": role,
        "content": text[:MOST_KEPT],
        "created_at": entry.get("timestamp"),
    }


def once(event: dict[str, Any], line: str) -> dict[str, Any]:
    """Return a line for the user, unless the session has told it."""
    folder = Path(os.environ.get("CLAUDE_PLUGIN_DATA") or tempfile.gettempdir()) / "keepsake-told"
    name = hashlib.sha256(f"{event.get('session_id')} {line}".encode()).hexdigest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).touch(exist_ok=False)
    except OSError:
        return {}
    return {"systemMessage": f"Keepsake remembers nothing now: {line}."}


def main() -> None:
    """Answer the event on the standard input."""
    event: dict[str, Any] = {}
    try:
        event = json.load(sys.stdin)
        handle = recall if event["hook_event_name"] == "UserPromptSubmit" else keep
        answer = handle(event)
    except Problem as problem:
        answer = once(event, str(problem))
    except Exception as error:
        answer = once(event, f"its hook failed ({type(error).__name__})")
    if answer:
        print(json.dumps(answer))


if __name__ == "__main__":
    main()
