"""Tells the requests that clients make for themselves from those in which a person says something.
Pure.

Clients have the model name a chat, tag it, sum it up, propose questions, continue a sentence. The
prompts for it can often be changed by the client's people, so most are recognised by their form,
not by their words: a prompt around a quoted chat, a title that is asked for behind a transcript.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from memoryapp.api.v1 import client_frames as frames
from memoryapp.api.v1.client_templates import said_in

#: Characters at the beginning of a prompt in which it says what it is for.
_PURPOSE_CHARACTERS = 600
#: Characters of instructions in which the limits of the answer stand.
_LIMIT_CHARACTERS = 1_500
#: Characters of a title request behind a transcript, at most.
_REQUEST_CHARACTERS = 1_000
#: Characters before and after a quoted chat that are looked at.
_AROUND_CHARACTERS = 20_000
_INSTRUCTING = ("system", "developer")
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]", re.MULTILINE)
_TAG_OPENS = re.compile(r"[ \t]{0,8}<(\w{1,40})>")
_RULE = re.compile(r"[-*_=]{3,40}")
#: What stands where the model is to go on.
_CUE = re.compile(r"\w{1,20} ?[:：]")
#: The last lines of a prompt that begins with a chat.
_CLOSING_LINES = 3


class _QuotedChat(NamedTuple):
    """The text around a chat inside a prompt."""

    before: str
    after: str
    #: True if the chat stands in tags of its own.
    is_tagged: bool


def is_client_task(messages: Sequence[Any]) -> bool:
    """True if *messages*, in the form of the OpenAI API, are work that a client has done for
    itself.
    """
    if not messages or not all(isinstance(each, dict) for each in messages):
        return False
    instructions = [_text(each) for each in messages if _role(each) in _INSTRUCTING]
    others = [each for each in messages if _role(each) not in _INSTRUCTING]
    lines = (line for text in instructions for line in text[:_LIMIT_CHARACTERS].splitlines())
    if any(_begins(line, frames.TASK_INSTRUCTIONS) for line in lines):
        return True
    if any(map(_asks_standalone, instructions)):
        return True
    replied = any(_role(each) != "user" for each in others)
    if _role(messages[-1]) in _INSTRUCTING:
        return replied and _sums_up(instructions[-1])
    is_asked = _role(messages[-1]) == "user"
    sums_up = replied and any(map(_begins_with_summary, instructions))
    if not is_asked:
        return sums_up
    if replied:
        asked = _text(messages[-1])
        if sums_up and frames.CHAT_SUMMARY.search(asked):
            return True
        return _begins(asked, frames.TASK_OPENINGS) or _asks_for_title(asked)
    prompt = "\n\n".join(_text(each) for each in others)
    return (
        _begins(prompt, frames.TASK_OPENINGS)
        or _asks_standalone(prompt)
        or _is_template(prompt)
        or _titles_what_follows(prompt)
        or any(_instruct(text, prompt) for text in instructions)
    )


def _begins(text: str, openings: dict[str, re.Pattern[str]]) -> bool:
    return any(each.match(text.lstrip()) for each in openings.values())


def _sums_up(instruction: str) -> bool:
    """True if *instruction*, behind a transcript, asks for its summary or title."""
    begins = instruction[:_PURPOSE_CHARACTERS]
    return bool(frames.CHAT_SUMMARY.search(begins) or frames.CHAT_TITLE.search(begins))


def _begins_with_summary(instructions: str) -> bool:
    """True if *instructions* want, first of all, a summary of the chat."""
    first = instructions.strip().partition("\n")[0]
    return bool(frames.CHAT_SUMMARY.search(first[:_PURPOSE_CHARACTERS]))


def _asks_standalone(text: str) -> bool:
    """True if *text* wants a question about a chat in words that stand alone."""
    begins = text.strip()[:_PURPOSE_CHARACTERS]
    if _asks(begins.partition("\n")[0]):
        return False
    return bool(frames.STANDALONE_QUESTION.search(begins) and frames.ABOUT_CHAT.search(begins))


def _asks_for_title(asked: str) -> bool:
    """True if *asked*, behind a transcript, asks for its title as programs do: with the limits of
    the answer, and with nothing about the one who asks.
    """
    return (
        len(asked) <= _REQUEST_CHARACTERS
        and bool(frames.CHAT_TITLE.search(asked))
        and bool(frames.LIMIT.search(asked))
        and not frames.FIRST_PERSON.search(_without_examples(asked))
    )


def _titles_what_follows(prompt: str) -> bool:
    """True if the first lines of *prompt* ask for the title of the chat below them."""
    text = prompt.lstrip()[:_AROUND_CHARACTERS]
    parts = (text.partition("\n"), text.partition("\n\n"))
    return any(rest.strip() and _asks_for_title(head) for head, _, rest in parts)


def _instruct(instructions: str, prompt: str) -> bool:
    """True if *instructions* make a title or a summary of what is said in *prompt*."""
    begins = instructions[:_PURPOSE_CHARACTERS]
    if prompt.startswith(frames.TOOL_QUESTION) and frames.TOOL_LIST in instructions:
        return True
    quoted = _quoted_chat(prompt)
    if quoted is not None and not quoted.before.strip():
        heading = prompt.lstrip().partition("\n")[0]
        if _is_about_chat(f"{begins}\n{heading}"):
            return True
    if _CUE.fullmatch(prompt.strip()) and _is_template(instructions):
        return True
    titles = frames.CHAT_TITLE.search(begins) or frames.FIRST_MESSAGE_TITLE.search(begins)
    return bool(titles and frames.LIMIT.search(instructions[:_LIMIT_CHARACTERS]))


def _is_about_chat(begins: str) -> bool:
    """True if the beginning of a prompt names a work that clients have done on a chat."""
    return bool(frames.PURPOSE.search(begins) and frames.ABOUT_CHAT.search(begins))


def _is_template(prompt: str) -> bool:
    """True if *prompt* is a template filled with a chat, rather than a person's own words."""
    if said_in(prompt) != prompt:
        return False  # A question with documents.
    quoted = _quoted_chat(prompt)
    if quoted is None or _is_persons(_outside(quoted.after)):
        return False
    begins = quoted.before.strip()
    purpose = (begins or quoted.after.strip())[:_PURPOSE_CHARACTERS]
    if quoted.is_tagged and _HEADING.search(begins):
        # Whoever shows a template to the model says something before it.
        return bool(_HEADING.match(begins)) and not _asks_above(begins)
    if not begins and not quoted.is_tagged:
        closing = _closing(prompt)
        return bool(frames.PURPOSE.search(closing)) and not _is_persons(closing)
    if any(_asks(line) for line in purpose.splitlines()):
        return False
    if frames.FIRST_PERSON.search(begins):
        return False
    return _is_about_chat(purpose) or (quoted.is_tagged and bool(begins))


def _quoted_chat(prompt: str) -> _QuotedChat | None:
    """Return what stands around the chat in *prompt*; None if it quotes none."""
    for tag in frames.CHAT_TAG.finditer(prompt[:_AROUND_CHARACTERS]):
        closing = prompt.rfind(f"</{tag[1]}>")
        ends = closing if closing > tag.end() else len(prompt)
        chat = prompt[tag.end() : ends]
        if not chat.strip() or _has_roles(chat[:_AROUND_CHARACTERS]):
            after = prompt[ends + len(tag[0]) + 1 :]
            return _QuotedChat(prompt[: tag.start()], after[:_AROUND_CHARACTERS], is_tagged=True)
    text = prompt[:_AROUND_CHARACTERS]
    if heading := frames.CHAT_HEADING.search(text):
        return _QuotedChat(text[: heading.start()], "", is_tagged=False)
    first = frames.PERSONS_LINE.search(text)
    if first and frames.ASSISTANTS_LINE.search(text, first.end()):
        return _QuotedChat(text[: first.start()], "", is_tagged=False)
    return None


def _has_roles(chat: str) -> bool:
    return any(
        each.search(chat)
        for each in (frames.PERSONS_LINE, frames.ASSISTANTS_LINE, frames.ROLE_FIELD)
    )


def _outside(text: str) -> str:
    """Return the lines of *text*, which follows a chat, that stand under no heading and in no
    tags; and the last one if it asks something.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    free: list[str] = []
    closing = ""
    for number, line in enumerate(lines):
        if closing:
            closing = "" if closing in line else closing
        elif _HEADING.match(line):
            last = lines[-1] if number < len(lines) - 1 else ""
            return "\n".join([*free, last if _asks(last) else ""]).strip()
        elif (tag := _TAG_OPENS.match(line)) and f"</{tag[1]}>" in text:
            closing = "" if f"</{tag[1]}>" in line else f"</{tag[1]}>"
        elif not _RULE.fullmatch(line):
            free.append(line)
    return "\n".join(free)


def _closing(prompt: str) -> str:
    """Return the last lines of *prompt*, behind those that say who speaks in a chat."""
    lines = prompt[-_REQUEST_CHARACTERS:].splitlines()[-_CLOSING_LINES:]
    spoken = [n for n, line in enumerate(lines, 1) if _has_roles(line)]
    return "\n".join(lines[max(spoken, default=0) :])


def _is_persons(words: str) -> bool:
    """True if *words* behind a template are a person's, rather than the limits of the answer."""
    if not words:
        return False
    return _asks(words) or bool(frames.FIRST_PERSON.search(words)) or not frames.LIMIT.search(words)


def _asks_above(begins: str) -> bool:
    """True if *begins* asks something in a paragraph of its own, above a template with headings of
    a lower level.
    """
    asked, _, template = begins.partition("\n\n")
    levels = [len(text) - len(text.lstrip("#")) for text in (asked, template.lstrip())]
    return _asks(asked) and 0 < levels[0] < levels[1]


def _asks(words: str) -> bool:
    return words.rstrip().endswith(("?", "？"))


def _without_examples(text: str) -> str:
    """Return *text* without what stands in backticks or quotation marks."""
    return re.sub(r"`[^`\n]{0,200}`|\"[^\"\n]{0,200}\"|“[^”\n]{0,200}”", "", text)


def _role(message: dict[str, Any]) -> str:
    return str(message.get("role"))


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))
