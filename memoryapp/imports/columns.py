"""Maps the columns of a file of memories to the fields of a memory. Pure.

A column is a name in the heading of a table, or in the objects of JSON. Which field it fills is
guessed from its name, and for the text also from its values; a person may choose otherwise. Values
in other forms are converted: an importance from 0 to 1, a category of another system, a date as a
spreadsheet writes it. How they are is decided by a sample of the file, for all of its rows.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

from conversations import bounded_json
from conversations.importers.export_fields import moment_in
from instances.translatable import translatable
from memoryapp.imports.converters import id_text
from memoryapp.models import Category

#: The fields that a column can fill, each with other names that columns have for it, in English,
#: German, Italian, Spanish and French. The first name that a file has fills the field.
FIELDS: Mapping[str, str] = {
    "content": "memory text fact body statement sentence note notes description summary message"
    " inhalt erinnerung notiz testo contenuto ricordo nota contenido texto recuerdo hecho"
    " contenu texte souvenir fait facts memories data",
    "category": "type kind kategorie typ categoria tipo categoría catégorie",
    "importance": "importance_score salience weight wichtigkeit importanza importancia",
    "tags": "tag keywords topics labels_list schlagworte etichette etiquetas étiquettes",
    "end_user": "user_id user userid user_name username person who about subject owner"
    " benutzer utente usuario utilisateur",
    "valid_until": "valid_to expires expires_at expires_on expiration expiration_date expiry"
    " expiry_date end_date ends_at ends_on until gültig_bis scadenza caduca expire_le",
    "created_at": "created created_on creation_date date datetime timestamp time added added_at"
    " said_at day datum fecha erstellt",
    "updated_at": "updated updated_on modified modified_at last_modified last_updated",
    "confidence": "certainty",
    "key": "",
    "value": "",
    "labels": "",
    "metadata": "",
    "external_id": "",
}
CONTENT = "content"
#: Fields that several columns may fill together.
OF_SEVERAL = frozenset(["tags"])
#: Fields of Keepsake's own files that nobody maps to.
_OWN = ("tier", "assessed", "pinned")
#: Names of which one tells that a row is a memory, and no message.
TELLING = frozenset(["importance", "tags", "category", "valid_until"])

#: Records that are looked at, columns that are told apart, and characters of an example.
SAMPLE_RECORDS, MAX_COLUMNS, MAX_EXAMPLE = 1_000, 40, 120
#: Characters of the name of a column, beyond which it is none.
MAX_NAME = 100
#: Words that most texts of a column have if it is one of sentences.
_WORDS_OF_TEXT = 3
#: Values that show that a column counts to a hundred.
_MIN_HUNDREDS = 3
#: Foreign categories that are named.
_MAX_NAMED = 3

_NO_NAME = re.compile(r"[\W_]+")


def _plain(name: str) -> str:
    """The letters and digits of *name*: ``created_at`` and ``Created at`` are one name."""
    return _NO_NAME.sub("", name).casefold()


#: By plain name, the field, and how usual the name is for it: 0 for the field's own.
_FIELD_OF = {
    _plain(name): (field, rank)
    for field, names in FIELDS.items()
    for rank, name in enumerate([field, *names.split()])
}
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:[.,]\d{1,15})?%?")
_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(.{0,20})", re.DOTALL)
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})(?!\d)(.{0,20})", re.DOTALL)
_ISO = re.compile(r"\d{4}-")
#: Seconds or milliseconds since 1970, from 1973 on: a year alone is none.
_UNIX_TIME = re.compile(r"\d{9,13}(?:\.\d{1,9})?")
_WRITTEN_DAYS = ("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y")
#: An importance in words.
_LEVELS = {"low": 3, "medium": 5, "normal": 5, "high": 8, "critical": 10}
_TAG_SEPARATORS = re.compile(r"[,;|]")
_CATEGORIES = {form: each for each in Category.values for form in (each, f"{each}s")}


@dataclass(frozen=True)
class FileColumn:
    """A column of a file, and the field that it fills."""

    name: str
    #: A name of `FIELDS`; empty if the column is left out.
    field: str = ""
    #: The beginning of a value.
    example: str = ""
    #: What is done with values in another form; empty if they are taken as they are.
    change: str = ""

    @property
    def is_as_named(self) -> bool:
        """True if it needs no word: it has the name of its field, and its values their form."""
        return self.name == self.field and not self.change


def field_of(name: str) -> str:
    """Return the field that a column called *name* usually fills; empty if none."""
    return _FIELD_OF.get(_plain(name), ("", 0))[0]


def has_text(names: Iterable[str]) -> bool:
    """True if one of these columns usually holds the text of a memory."""
    return any(field_of(name) == CONTENT for name in names)


def tells_memory(names: Iterable[str]) -> bool:
    """True if these columns are those of memories, and not of messages."""
    names = list(names)
    return has_text(names) and not TELLING.isdisjoint(name.casefold() for name in names)


class ColumnMapping:
    """The columns of a file, and the conversion of its records to the fields of Keepsake's own."""

    def __init__(
        self, records: Sequence[Mapping[str, Any]], chosen: Mapping[str, str] | None = None
    ) -> None:
        """Take the *records* with which the file begins, and the fields that a person has *chosen*
        for columns; without, they are guessed.
        """
        names = list(dict.fromkeys(str(name) for record in records for name in record))
        names = [name for name in names if name not in _OWN and 0 < len(name.strip()) <= MAX_NAME]
        names = names[:MAX_COLUMNS]
        values = {name: [_shown(record.get(name)) for record in records] for name in names}
        fields = _once(chosen, names) if chosen else _guessed(names, values)
        self.columns = [
            FileColumn(
                name,
                field := fields.get(name, ""),
                next((text[:MAX_EXAMPLE] for text in values[name] if text), ""),
                _change(field, values[name]),
            )
            for name in names
        ]
        self._sources: dict[str, list[str]] = {}
        for column in self.columns:
            if column.field:
                self._sources.setdefault(column.field, []).append(column.name)
        samples = {field: values[names[0]] for field, names in self._sources.items()}
        self._convert: dict[str, Callable[[Any], Any]] = {
            "end_user": _id,
            "external_id": _id,
            "labels": _json,
            "metadata": _json,
        }
        for field, most in (("importance", 10), ("confidence", 100)):
            self._convert[field] = _Scale(samples.get(field, ()), most)
        for field in ("created_at", "updated_at", "valid_until"):
            self._convert[field] = _Dates(samples.get(field, ()))

    @property
    def has_text(self) -> bool:
        """True if a column holds the texts of the memories."""
        return CONTENT in self._sources

    def __call__(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of *record*."""
        fields = {name: _switch(record[name]) for name in _OWN if name in record}
        for field, names in self._sources.items():
            value = record.get(names[0])
            convert = self._convert.get(field)
            fields[field] = convert(value) if convert else value
        if "tags" in fields:
            fields["tags"] = _tags(record.get(name) for name in self._sources["tags"])
        if category := fields.get("category"):
            fields |= _category(category, fields.get("tags"))
        return fields


def _guessed(names: Sequence[str], values: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Guess the fields of columns: a column with the name of a field fills it, before one with
    another name for it.
    """
    by_rank = sorted(names, key=lambda name: _FIELD_OF.get(_plain(name), ("", 0))[1])
    fields = _once({name: field_of(name) for name in by_rank}, names)
    if CONTENT not in fields.values():
        free = [name for name in names if not fields.get(name)]
        longest = max(free, key=lambda name: _words(values[name]), default="")
        if longest and _words(values[longest]) >= _WORDS_OF_TEXT:
            fields[longest] = CONTENT
    return fields


def _once(fields: Mapping[str, str], names: Sequence[str]) -> dict[str, str]:
    """Return *fields* by the names of columns, where each field is filled by one column."""
    taken: set[str] = set()
    once = {}
    for name, field in fields.items():
        if name not in names or field not in FIELDS or field in taken - OF_SEVERAL:
            continue
        taken.add(field)
        once[name] = field
    return once


def _words(texts: Sequence[str]) -> float:
    """The words that the filled ones of *texts* have on average."""
    filled = [text for text in texts if text]
    return sum(len(text.split()) for text in filled) / len(filled) if filled else 0


def _shown(value: Any) -> str:
    """The beginning of *value* as text; that of nested values is of no use."""
    if value is None or isinstance(value, bool | Mapping):
        return ""
    if isinstance(value, list):
        return ", ".join(item for item in value[:20] if isinstance(item, str))
    return str(value)[:1_000].strip()


def _change(field: str, values: Sequence[str]) -> str:
    """Say what is done with the *values* of a column that fills *field*."""
    if field in ("importance", "confidence"):
        most = 10 if field == "importance" else 100
        scale = _Scale(values, most)
        if scale.of != most:
            return translatable(
                "0 to %(most)s becomes %(least)s to %(new)s",
                most=scale.of,
                least=1 if field == "importance" else 0,
                new=most,
            )
    if field == "category":
        words = {text.lower() for text in values if text}
        foreign = sorted(word for word in words if word not in _CATEGORIES)
        if foreign:
            named = ", ".join(f"“{word[:40]}”" for word in foreign[:_MAX_NAMED])
            named += ", …" if len(foreign) > _MAX_NAMED else ""
            return translatable("%(words)s: becomes “general”, and a tag", words=named)
    return ""


class _Scale:
    """Converts numbers to whole ones up to *most*: from 0 to 1 or 0 to 100, if most of the sample
    are such.
    """

    def __init__(self, sample: Sequence[str], most: int) -> None:
        self._most = most
        numbers = [n for n in map(_number, sample) if isinstance(n, int | float)]
        parts = sum(0 < n < 1 for n in numbers)
        if parts and (2 * parts > len(numbers) or all(0 <= n <= 1 for n in numbers)):
            self.of = 1
        elif len(numbers) >= _MIN_HUNDREDS and 2 * sum(10 < n <= 100 for n in numbers) > len(
            numbers
        ):
            self.of = 100
        else:
            self.of = most

    def __call__(self, value: Any) -> Any:
        if isinstance(value, str):
            value = _LEVELS.get(value.strip().lower(), value) if self._most == 10 else value
            value = _number(value) if isinstance(value, str) else value
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            return value
        if self.of == self._most:
            return int(value) if value == int(value) else value
        if not 0 <= value <= self.of:
            return str(value)  # No number, so that it is refused.
        least = 1 if self._most == 10 else 0
        return max(least, int(value * self._most / self.of + 0.5))


def _number(text: str) -> Any:
    """Return the number that *text* is, or *text*; None of an empty one."""
    plain = text.strip()
    if not plain:
        return None
    if not _NUMBER.fullmatch(plain):
        return text
    number = float(plain.rstrip("%").replace(",", "."))
    return (
        int(number) if number == int(number) and "." not in plain and "," not in plain else number
    )


class _Dates:
    """Converts dates to ISO 8601. Whether the day or the month stands first, the sample tells."""

    def __init__(self, sample: Sequence[str]) -> None:
        parts = [match for text in sample if (match := _DAY.fullmatch(text))]
        self._is_known = any(int(part[1]) > 12 or int(part[3]) > 12 for part in parts)
        self._month_first = any(int(part[3]) > 12 for part in parts)

    def __call__(self, value: Any) -> Any:
        if isinstance(value, bool | Mapping | list):
            return value
        if value is None:
            return None
        text = str(value).strip()
        if _UNIX_TIME.fullmatch(text):
            moment = moment_in({"at": float(text)}, "at", UTC)
            return moment.isoformat() if moment else text
        if _ISO.match(text):
            return text
        if match := _YEAR_FIRST.fullmatch(text):
            return f"{match[1]}-{int(match[2]):02}-{int(match[3]):02}{match[4]}"
        if match := _DAY.fullmatch(text):
            first, last = int(match[1]), int(match[3])
            # With dots, the day always stands first.
            if match[2] == "." or (self._is_known and not self._month_first):
                return f"{match[4]}-{last:02}-{first:02}{match[5]}"
            if self._is_known:
                return f"{match[4]}-{first:02}-{last:02}{match[5]}"
        for form in _WRITTEN_DAYS:
            try:
                return datetime.strptime(text[:40], form).date().isoformat()
            except ValueError:
                continue
        return text


def _id(value: Any) -> Any:
    """Return a person's id as text; other values are refused later."""
    return id_text(value) if isinstance(value, int) else value


def _json(value: Any) -> Any:
    """Return the value that a cell holds as JSON; what is none is refused later."""
    if not isinstance(value, str):
        return value
    with suppress(ValueError):
        return bounded_json.parse(value)
    return value


def _switch(value: Any) -> Any:
    """Return true or false for a cell that says so, as spreadsheets do in capitals."""
    return _json(value.lower()) if isinstance(value, str) else value


def _tags(values: Iterable[Any]) -> Any:
    """Return the tags of all columns that hold some; a value that is none is refused later."""
    tags: list[Any] = []
    for value in values:
        if isinstance(value, str):
            tags += [tag.strip() for tag in _TAG_SEPARATORS.split(value) if tag.strip()]
        elif isinstance(value, list):
            tags += [str(tag) if isinstance(tag, int) else tag for tag in value]
        elif value is not None:
            return value
    return list(dict.fromkeys(tags)) if all(isinstance(tag, str) for tag in tags) else tags


def _category(value: Any, tags: Any) -> dict[str, Any]:
    """Return a category that Keepsake has: that of *value*, or “general”, with *value* as a tag."""
    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        return {"category": value}
    words = [word.strip().lower() for word in words if word.strip()]
    known = [_CATEGORIES[word] for word in words if word in _CATEGORIES]
    foreign = [word for word in words if word not in _CATEGORIES]
    found: dict[str, Any] = {"category": known[0] if known else "general" if words else None}
    if foreign and (tags is None or isinstance(tags, list)):
        found["tags"] = [*(tags or []), *(word for word in foreign if word not in (tags or []))]
    return found
