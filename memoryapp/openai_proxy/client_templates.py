"""Finds what a person says in a message that their client has put together. Pure.

Clients put documents, reminders and the state of an editor into a person's message, or frames
around it, and send messages of their own in the person's name; only what the person wrote was said.
"""

import re

from memoryapp.openai_proxy import client_frames as frames
from memoryapp.text.spans import without_spans

_REMINDERS = [(re.compile(f"<{name}>"), re.compile(f"</{name}>")) for name in frames.REMINDER_TAGS]


def is_client_context(text: str) -> bool:
    """True if *text* is a message that a client sends in a person's name, and answers itself."""
    return _begins(text, frames.CONTEXT_OPENINGS)


def said_in(text: str) -> str:
    """Return what a person says in a message with *text*: without what their client has put into,
    before and around it.
    """
    if is_client_context(text) or _begins(text, frames.REMARK_OPENINGS):
        return ""
    for begins, ends in _REMINDERS:
        if (without := without_spans(text, begins, ends)) != text:
            text = without.strip()
    return _before_documents(_in_fields(_in_crew(_in_tags(text))))


def _begins(text: str, openings: dict[str, re.Pattern[str]]) -> bool:
    return any(each.match(text.lstrip()) for each in openings.values())


def _in_tags(text: str) -> str:
    """Return what stands in the one element that *text* is."""
    bare = text.strip()
    for name in frames.SAID_TAGS:
        begins, ends = f"<{name}>", f"</{name}>"
        if bare.startswith(begins) and bare.endswith(ends) and bare.count(begins) == 1:
            return bare[len(begins) : -len(ends)].strip()
    return text


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
