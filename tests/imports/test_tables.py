"""Tables of memories with any separator, and files that only look like tables."""

import io
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from conversations.importers.reader import Reader, UnknownFormat
from conversations.importers.report import Report
from conversations.models import Import
from instances.models import Instance
from memoryapp.imports import file_format, tables
from tests.uploading import upload


def form(content: str | bytes, *, wanted: bool = True) -> str:
    data = content.encode() if isinstance(content, str) else content
    return file_format.recognise(io.BytesIO(data), wanted=wanted)


def rows(content: str | bytes) -> tuple[list[dict[str, Any]], list[str]]:
    """The cells of each row that are not empty, and what was skipped."""
    data = content.encode() if isinstance(content, str) else content
    report = Report()
    found = [
        {name: cell for name, cell in tables.parse_cells(cells).items() if cell}
        for _place, cells in tables.rows(Reader(io.BytesIO(data)), report)
    ]
    return found, report.skipped


ROWS = [["content", "category", "tags"], ["I row, and I ski.", "fact", "sport"], ["Milk; no tea."]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("wanted", [True, False])
@pytest.mark.parametrize("begin", ["", "\ufeff", "\r\n"])
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_is_found(
    separator: str, named: bool, begin: str, wanted: bool, encoding: str
) -> None:
    table = "".join(separator.join(f'"{cell}"' for cell in row) + "\r\n" for row in ROWS)
    # Python writes the mark of UTF-16 itself.
    begin = begin.strip("\ufeff") if encoding == "utf-16" else begin
    named_first = f"sep={separator}\r\n" if named else ""
    text = (begin + named_first + table).encode(encoding)
    assert form(text, wanted=wanted) == file_format.CSV
    assert rows(text) == (
        [
            {"content": "I row, and I ski.", "category": "fact", "tags": ["sport"]},
            {"content": "Milk; no tea."},
        ],
        [],
    )


@pytest.mark.parametrize(
    ("text", "content"),
    [
        # One column has no separator.
        ("content\nI row, ski; and sail\n", "I row, ski; and sail"),
        ('Content\n"I row, ""far"" out"\n', 'I row, "far" out'),
        # Spreadsheets fill rows up.
        ("content;;\nI row;;\n", "I row"),
        ("category;Content;\nfact;I row;;\n", "I row"),
        # Another separator than those that are looked for.
        ("sep=^\ncontent^category\nI row^fact\n", "I row"),
        ('"sep=\t"\ncontent\tcategory\nI row\tfact\n', "I row"),
        ("\r\nsep=;\r\n\r\ncontent;category\r\nI row;fact\r\n", "I row"),
        # With a line between, as in Markdown.
        ("| content | category |\n|---|:--|\n| I row | fact |\n", "I row"),
        ("title;content\nSport;I row\n", "I row"),
        # Signs that stand in other texts, too, between known names.
        ("content:category\nI row:fact\n", "I row"),
        ("content^category\nI row^fact\n", "I row"),
        ("tags~content\nsport~I row\n", "I row"),
        # Below comments; and before another table.
        ("# From my notes\r\n# 2024\r\ncontent;category\r\nI row;fact\r\n", "I row"),
        ("content;category\nI row;fact\nContent;Category\n", "I row"),
        ("content\nI row\ncontent\n", "I row"),
    ],
)
def test_content_is_in_its_column(text: str, content: str) -> None:
    assert form(text) == file_format.CSV
    (cells,), skipped = rows(text)
    assert (cells["content"].strip(), skipped) == (content, [])


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("text;category\nI row;fact\n", "I row"),
        ("Inhalt;Kategorie\nIch rudere;Fakt\nIch segle;Fakt\n", "Ich rudere"),
        ("contenu\tmots\nJe rame\tsport\n", "Je rame"),
        ("Memory,Created at\nI row,2024-02-03\n", "I row"),
        ("sep=;\nnota;tipo\nRemo;x\n", "Remo"),
        ("memory\nI row\n", "I row"),
        ("recuerdo,tipo\nRemo,hecho\nNado,hecho\n", "Remo"),
        ("nr,was\n1,Ich rudere sehr gern\n2,Ich segle sehr gern\n", "Ich rudere sehr gern"),
    ],
)
def test_text_is_in_a_column_of_another_name(text: str, content: str) -> None:
    stream = io.BytesIO(text.encode())
    assert file_format.recognise(stream, wanted=True) == file_format.CSV
    memories = file_format.read(file_format.CSV, stream, Report(), ZoneInfo("UTC"))
    assert next(memories).candidate.content == content


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nr;code\n7;yes\n8;no\n", "nr, code"),
        ("role,content\nuser,I row\n", "“role”"),
    ],
)
def test_table_without_texts_is_refused(text: str, named: str) -> None:
    stream = io.BytesIO(text.encode())
    assert file_format.recognise(stream, wanted=True) == file_format.CSV
    with pytest.raises(UnknownFormat, match=named):
        list(file_format.read(file_format.CSV, stream, Report(), ZoneInfo("UTC")))
    # Where conversations are expected, it is no memories.
    assert file_format.recognise(stream, wanted=False) == ""


@pytest.mark.parametrize(
    "text",
    [
        "content: what I know\nI row: at sea\n",
        "# About me\n- I row; and I ski\n- Milk; no tea\n",
        "I live in Berlin, Germany\nI work at Acme, Inc\n",
        "Likes tea; hates coffee\nSings; rows\n",
        "I row.\nI ski; and I sail.\n",
        "Nuts, gluten and milk are bad for me.\n",
        "Peanuts\nMilk\n",
        "a | b\n",
        "Keeps bees, goats, hens.\nSings, rows, skis.\n",
    ],
)
def test_sentences_are_no_table(text: str) -> None:
    assert form(text) == file_format.TEXT
    assert form(text, wanted=False) == ""


def test_bytes_that_are_no_text_spoil_their_row_alone() -> None:
    found, skipped = rows(
        b"content;tags\nOne \xed\xa0\xbd.;a\nTw\xf6.;b\n\xed\xa0\xbd\xed\xb8\x80;c\n"
    )
    assert [cells["content"] for cells in found] == ["One \ufffd.", "\U0001f600"]
    assert skipped == ["line 3: it is not UTF-8."]


def test_literal_escapes_of_halves_stay() -> None:
    assert rows("content\nU+D83D is \\ud83d\n")[0][0]["content"] == "U+D83D is \\ud83d"


def test_deep_cells_are_refused() -> None:
    found, _skipped = rows(f"content,metadata\nOne.,{'[' * 100_000}\nTwo.,NaN\n")
    assert all(isinstance(cells["metadata"], str) for cells in found)


@pytest.mark.django_db
def test_table_is_imported(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, b"text;category\nI row;fact\nI sail;fact\n")
    assert (import_.state, import_.memories_new) == (Import.State.READY, 2)


@pytest.mark.django_db
def test_list_as_text_is_read_in_utf16(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, "I row.\r\nI ski in Zürich.\r\n".encode("utf-16"))
    assert (import_.format, import_.memories_new) == (file_format.TEXT, 2)


@pytest.mark.django_db
def test_line_that_is_not_utf8_is_left_out_of_a_list(as_alice: Client, instance: Instance) -> None:
    # Behind the part by which the file is recognised.
    import_ = upload(as_alice, b"I row.\n" + b"\n" * 70_000 + b"I sk\xef.\nI \xed\xa0\xbd sail.\n")
    assert (import_.memories_new, import_.skipped_count) == (2, 1)
