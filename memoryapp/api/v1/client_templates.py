"""Finds what a person says in a message that their client has put together. Pure.

Clients put documents, reminders and the state of an editor into a person's message, or frames
around it, and send messages of their own in the person's name; only what the person wrote was said.
"""

import re

from conversations import bounded_json
from memoryapp.api.v1 import client_frames as frames
from memoryapp.language.spans import without_spans

_MARKS = frames.REMINDER_MARKS | {f"<{name}>": f"</{name}>" for name in frames.REMINDER_TAGS}
_REMINDERS = [
    (re.compile(re.escape(begins)), re.compile(re.escape(ends))) for begins, ends in _MARKS.items()
]


def is_client_context(text: str) -> bool:
    """True if *text* is a message that a client sends in a person's name, and answers itself."""
    return _begins(text, frames.CONTEXT_OPENINGS)


def said_in(text: str) -> str:
    """Return what a person says in a message with *text*: without what their client has put into,
    before and around it.
    """
    if is_client_context(text) or _begins(text, frames.REMARK_OPENINGS):
        return ""
    text = _in_event(text)
    if metadata := frames.METADATA.match(text):
        text = text[metadata.end() :]
    for begins, ends in _REMINDERS:
        if (without := without_spans(text, begins, ends)) != text:
            text = without.strip()
    return _before_documents(_beside_passages(_in_fields(_in_crew(_in_tags(text)))))


def _begins(text: str, openings: dict[str, re.Pattern[str]]) -> bool:
    return any(each.match(text.lstrip()) for each in openings.values())


def announces_result(text: str) -> bool:
    """True if *text*, a part of a message, says whose result the next part is."""
    return _is_result(text) and frames.BEFORE_RESULT.split(text)[-1].strip() == ""


def _is_result(text: str) -> bool:
    return bool(frames.TOOL_RESULT.match(text) and frames.BEFORE_RESULT.search(text))


def _in_event(text: str) -> str:
    """Return the message in the object that *text* is; nothing of one that tells an event."""
    if not text.startswith(frames.EVENT_BEGINS):
        return text
    try:
        event = bounded_json.parse(text)
    except (ValueError, RecursionError):
        return text
    message = event.get("message", "")
    return message if event.keys() >= frames.EVENT_FIELDS and isinstance(message, str) else text


def _in_tags(text: str) -> str:
    """Return what stands in the one element that *text* is, or in the last one behind others or
    behind the name of a tool; nothing of the results of other tools.
    """
    bare = text.strip()
    is_result = _is_result(bare)
    for name in frames.SAID_TAGS:
        begins, ends = f"<{name}>", f"</{name}>"
        if bare.endswith(ends) and bare.count(begins) == 1:
            before, _, said = bare[: -len(ends)].partition(begins)
            if not before or is_result or (before[0] == "<" and before.rstrip()[-1] == ">"):
                return said.strip()
    return "" if is_result else text


def _in_crew(text: str) -> str:
    said, ended, _ = text.partition(f"\n{frames.CREW_ENDS}")
    return said.strip().removeprefix(frames.CREW_BEGINS).strip() if ended else text


def _in_fields(text: str) -> str:
    """Return the fields of *text* in which something is asked."""
    fields, ended, _ = text.partition(f"\n{frames.FIELDS_END}")
    names = list(frames.FIELD.finditer(fields)) if ended else []
    if not names:
        return text
    ends = [each.start() for each in names[1:]] + [len(fields)]
    values = [
        fields[name.end() : end].strip()
        for name, end in zip(names, ends, strict=True)
        if name[1].lower() not in frames.SHOWN_FIELDS
    ]
    return "\n\n".join(filter(None, values))


def _beside_passages(text: str) -> str:
    """Return the question below passages, or above them."""
    if not frames.PASSAGES_TASK.match(text.lstrip()):
        return text
    # The passages may hold such a line, too: where they come first, the client's own is the last.
    *before, said = frames.PASSAGES_QUESTION.split(text)
    return frames.PASSAGES_ANSWER.split(said, maxsplit=1)[0].strip() if before else text


def _before_documents(text: str) -> str:
    """Return the question behind documents and instructions about them."""
    begins, ends = frames.DOCUMENTS_BEGIN, frames.DOCUMENTS_END
    if not text.lstrip().startswith(frames.DOCUMENTS_TASK) or begins not in text:
        return text
    # The documents may hold the tag, too: the client's own one is the last.
    _, ended, said = text.rpartition(ends)
    if not ended:
        return text
    if frames.QUERY_BEGINS in said:
        said = said.partition(frames.QUERY_BEGINS)[2].rpartition(frames.QUERY_ENDS)[0]
    return said.strip()
