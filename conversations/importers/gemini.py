"""Gemini's activity in Google Takeout: My Activity as JSON.

A list of ``{"header": "Gemini Apps", "title": "Prompted …", "time": …, "safeHtmlItem": [{"html":
"<p>…"}]}``, the newest first, with headings in the language of the account. It does not say which
prompts belong together: those of one day become a conversation.
"""

import html
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_noop

from conversations.importers.export_fields import list_in, mappings_in, moment_in, text_in
from conversations.importers.json_stream import TooLarge, read_objects
from conversations.importers.reader import BrokenFile, ParseContext, ParsedMessage, Reader
from conversations.importers.seen_counter import digest
from conversations.messages import MAX_MESSAGE_CHARACTERS, NewMessage
from conversations.models import Role
from instances.translatable import translatable

LABEL = gettext_noop("Gemini activity from Google Takeout")

#: What stands before a prompt in its title, with or without a colon.
_SAID = (
    *("Prompted with:", "Prompted", "Live Prompt", "Asked Gemini:", "Asked Bard:", "Asked", "Said"),
    *("Submitted query", "Eingegebener Prompt", "Gefragt", "Sie haben gefragt", "Du hast gefragt"),
    *("Sie haben gesagt", "Vous avez demandé", "Vous avez dit", "Prompt saisi", "Has preguntado"),
    *("Has dicho", "Has pedido", "Preguntaste", "Preguntado", "Hiciste la petición"),
    *("Hai chiesto", "Hai detto", "Prompt inserito", "Você perguntou", "Você disse"),
    *("Perguntou", "Prompt enviado", "Prompt introducido", "Υποβλήθηκε το ερώτημα"),
    *("送信したメッセージ", "プロンプト", "已提示"),
)
#: Nouns of which one stands in any other heading of a prompt, before a colon.
_PROMPT_NOUNS = frozenset(
    "prompt query question request message eingabe anfrage frage nachricht requête demande invite "
    "petición pregunta consulta instrucción solicitud mensaje richiesta domanda messaggio "
    "istruzione comando pergunta pedido instrução solicitação mensagem "
    "gevraagd vraag verzoek bericht zapytanie polecenie pytanie wiadomość fråga begäran "
    "spørgsmål spørsmål anmodning kysymys kehote dotaz výzva zpráva istem i\u0307stem soru "
    "запрос вопрос запит питання 프롬프트 질문".split()
)
#: The same in languages that write no spaces.
_UNSPACED_PROMPT_NOUNS = ("プロンプト", "質問", "提示", "提问", "问题")
#: Words of the headings of other activity.
_OTHER_NOUNS = frozenset(
    "canvas feedback rückmeldung commentaires comentarios commenti draft entwurf brouillon "
    "borrador bozza rascunho link".split()
)
#: Spaces and colons as headings in some languages have them.
_PLAIN = str.maketrans("\u00a0\u202f\u3000：", "   :")
#: Characters and words of a heading.
_MAX_HEADING, _MAX_WORDS = 40, 4
#: The products whose activity is read, as the header of an entry names them.
_PRODUCTS = ("gemini", "bard")
#: Prompts of one day that are put into their order at a time.
_MAX_TOGETHER = 1_000

#: Elements that begin a new line, and how that begins.
_LINES = {"p": "\n\n", "div": "\n", "br": "\n", "li": "\n- ", "tr": "\n", "pre": "\n\n"} | {
    f"h{level}": "\n\n" for level in range(1, 7)
}
_OTHERS = {"td": " ", "th": " "} | {
    f"/{name}": "\n" for name in _LINES if name not in ("br", "li", "tr")
}


def is_sign(path: tuple[str, ...], event: str) -> bool:
    """True if this is how an answer looks, or what Takeout says of any entry."""
    return path in (("safeHtmlItem",), ("activityControls",)) and event == "start_array"


@dataclass(frozen=True)
class _Turn:
    """A prompt with its answer."""

    at: datetime
    day: date | None
    messages: list[ParsedMessage]


def read(reader: Reader, context: ParseContext) -> Iterator[ParsedMessage]:
    """Yield the prompts of each day with their answers; raises `BrokenFile`."""
    waiting: deque[_Turn] = deque()
    try:
        for turn in _turns(reader, context):
            if waiting and (waiting[0].day != turn.day or len(waiting) >= _MAX_TOGETHER):
                yield from _in_order(waiting)
                waiting.clear()
            # Of one second, the last one in the file is the first.
            waiting.appendleft(turn)
    except BrokenFile:
        yield from _in_order(waiting)
        raise
    yield from _in_order(waiting)


def _in_order(turns: Iterable[_Turn]) -> Iterator[ParsedMessage]:
    for turn in sorted(turns, key=lambda turn: turn.at):
        yield from turn.messages


def _turns(reader: Reader, context: ParseContext) -> Iterator[_Turn]:
    report = context.report
    for number, record in enumerate(read_objects(reader), start=1):
        place = translatable("entry %(number)s", number=str(number))
        if isinstance(record, TooLarge):
            report.skip(place, record.reason)
        elif not isinstance(record, Mapping):
            report.skip(place, translatable("it is not an object"))
        elif not any(name in text_in(record, "header").casefold() for name in _PRODUCTS):
            report.pass_over(translatable("activity in other products"))
        elif (turn := _turn(record, place, context.zone)) is None:
            report.pass_over(translatable("activity that is no prompt"))
        else:
            yield turn


def _turn(record: Mapping[str, Any], place: str, zone: ZoneInfo) -> _Turn | None:
    answer = _answer(record)
    if not (prompt := prompt_in(text_in(record, "title"))):
        return None
    at = moment_in(record, "time", zone)
    day = at.astimezone(zone).date() if at else None
    files = (
        item
        if isinstance(item, str)
        else text_in(item, "name")
        if isinstance(item, Mapping)
        else ""
        for item in list_in(record, "attachedFiles")
    )
    own_id = f"{text_in(record, 'time')}:{digest(prompt)}"
    said = NewMessage(
        role=Role.USER.value,
        content=prompt,
        caption="; ".join(f"file: {name}" for name in files if name),
        external_id=own_id,
        sent_at=at,
    )
    messages = [said]
    if answer:
        messages.append(
            NewMessage(
                role=Role.ASSISTANT.value,
                content=answer,
                external_id=f"{own_id}:answer",
                sent_at=at,
            )
        )
    name = day.isoformat() if day else ""
    parsed = [
        ParsedMessage(f"gemini:{name}", message, place, f"Gemini {name}".strip())
        for message in messages
    ]
    return _Turn(at or datetime.min.replace(tzinfo=UTC), day, parsed)


def prompt_in(title: str) -> str:
    """Return the prompt in the *title* of an entry; empty if its heading is not known as one."""
    beginning = title[:_MAX_HEADING].translate(_PLAIN)
    for said in _SAID:
        rest = beginning[len(said) :]
        ends = said.endswith(":") or rest.startswith((" ", ":"))
        if ends and beginning[: len(said)].casefold() == said.casefold():
            has_colon = rest.lstrip().startswith(":")
            return title[len(said) :].strip()[has_colon:].strip()
    heading, colon, _ = beginning.partition(":")
    words = heading.casefold().replace("-", " ").split()
    if not colon or len(words) > _MAX_WORDS or not _OTHER_NOUNS.isdisjoint(words):
        return ""
    is_prompt = not _PROMPT_NOUNS.isdisjoint(words) or any(
        noun in heading for noun in _UNSPACED_PROMPT_NOUNS
    )
    return title[len(heading) + 1 :].strip() if is_prompt else ""


def _answer(record: Mapping[str, Any]) -> str:
    items = mappings_in(record, "safeHtmlItem")
    return "\n\n".join(text for item in items if (text := plain_text(text_in(item, "html"))))


def plain_text(markup: str) -> str:
    """Return the text in HTML that was cleaned of scripts, with its lines and lists; linear."""
    first, *pieces = markup[:MAX_MESSAGE_CHARACTERS].split("<")
    written = [first]
    for piece in pieces:
        tag, closed, text = piece.partition(">")
        if not closed:
            written.append(f"<{piece}")
            continue
        name = tag[:20].partition(" ")[0].rstrip("/").lower()
        written += [_LINES.get(name) or _OTHERS.get(name, ""), text]
    lines = html.unescape("".join(written)).splitlines()
    kept = [line.strip() for line in lines]
    return "\n".join(
        line for before, line in zip(["", *kept], kept, strict=False) if line or before
    ).strip()
