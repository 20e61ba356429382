"""Texts that chat clients write around what a person says. Pure.

Clients also use the model for themselves: to name a chat, tag it or propose questions. Such a
request is answered, but is not something a person said. Clients also put documents into the
person's message, together with the question; only the question was said.
"""

import re
from collections.abc import Sequence
from typing import Any

from memoryapp.text.spans import without_spans

#: Characters at the beginning of a prompt in which it says what it is for.
_PURPOSE_CHARACTERS = 600
#: The work that clients have done on a chat.
_PURPOSE = re.compile(
    r"\b(?:titles?|tags?|follow[- ]?up|emojis?|autocomplet\w+|search quer(?:y|ies)|topics?"
    r"|summar(?:y|ies|i[sz]e))\b",
    re.IGNORECASE,
)
_ABOUT_CHAT = re.compile(r"\b(?:chat|conversation|session|dialogue|messages?)\b", re.IGNORECASE)
#: A chat inside a prompt: in tags, under a heading, or with its roles at the beginnings of lines.
_QUOTED_CHAT = re.compile(
    r"<(?:chat_history|conversation|session)>"
    r"|^(?:#+ )?(?:chat history|conversation|messages?):\s*$"
    r"|^(?:user|human): .*^(?:assistant|ai): ",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
#: The same in a system message, with the chat, or its first message, as the user's.
_SYSTEM_PURPOSE = re.compile(
    r"\b(?:generate|extract|write|provide|create)\b.{0,80}\btitle\b.{0,120}"
    r"\b(?:chat|conversation|session)\b"
    r"|\bconversation topic\b.{0,80}\btitle\b"
    r"|\bsummarize this (?:coding )?conversation in\b",
    re.IGNORECASE | re.DOTALL,
)

_INSTRUCTING = ("system", "developer")
#: Characters of a prompt in which a chat is looked for.
_PROMPT_CHARACTERS = 20_000

#: What coding agents put into, or send as, a person's message.
_REMINDERS = [
    (re.compile(f"<{name}>"), re.compile(f"</{name}>"))
    for name in ("system-reminder", "environment_context", "user_instructions")
]
_TASK = "### Task:"
_CONTEXT_BEGINS, _CONTEXT_ENDS = "<context>", "</context>"
_QUERY_BEGINS, _QUERY_ENDS = "<user_query>", "</user_query>"


def is_client_task(messages: Sequence[Any]) -> bool:
    """Whether *messages*, in the form of the OpenAI API, are work that a client has done for
    itself: a single prompt that is about a chat and quotes it, or a single message to a system
    message that asks for a title.
    """
    others = [each for each in messages if _role(each) not in _INSTRUCTING]
    if len(others) != 1 or _role(others[0]) != "user":
        return False
    prompt = _text(others[0]).lstrip()[:_PROMPT_CHARACTERS]
    purpose = prompt[:_PURPOSE_CHARACTERS]
    if _PURPOSE.search(purpose) and _ABOUT_CHAT.search(purpose) and _QUOTED_CHAT.search(prompt):
        return True
    instructions = (_text(each) for each in messages if _role(each) in _INSTRUCTING)
    return any(_SYSTEM_PURPOSE.search(text[:_PURPOSE_CHARACTERS]) for text in instructions)


def said_in(text: str) -> str:
    """Return what a person says in a message with *text*: without the reminders that their client
    has put into it, and the documents, with instructions about them, that it has put before it.
    """
    for begins, ends in _REMINDERS:
        if (without := without_spans(text, begins, ends)) != text:
            text = without.strip()
    if not text.lstrip().startswith(_TASK) or _CONTEXT_BEGINS not in text:
        return text
    # The documents may hold the tag, too: the client's own one is the last.
    _, ended, said = text.rpartition(_CONTEXT_ENDS)
    if not ended:
        return text
    if _QUERY_BEGINS in said:
        said = said.partition(_QUERY_BEGINS)[2].rpartition(_QUERY_ENDS)[0]
    return said.strip()


def _role(message: Any) -> str:
    return str(message.get("role")) if isinstance(message, dict) else ""


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
