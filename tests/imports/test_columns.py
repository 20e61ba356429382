"""Files of memories whose columns have other names, and values in other forms."""

import io
import json
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from conversations.importers.content_blocks import REASONING, SYSTEM_MESSAGES
from conversations.importers.report import Report
from conversations.models import Import
from instances.models import Instance
from instances.translatable import decoded, encoded, told_of, translated
from memoryapp.imports import file_format
from memoryapp.imports.columns import FIELDS, ColumnMapping, field_of
from memoryapp.models import Memory
from memoryapp.web.conversations.import_causes import Cause
from tests.uploading import confirm, counts, upload, work

Row = dict[str, Any]


def lines(*rows: Row) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def mapped(*rows: Row, **chosen: str) -> list[Row]:
    mapping = ColumnMapping(rows, chosen)
    return [mapping(row) for row in rows]


def fields(*names: str, **values: Any) -> dict[str, str]:
    """The fields that columns with these *names* fill."""
    row = {name: values.get(name, "x") for name in names}
    return {column.name: column.field for column in ColumnMapping([row]).columns}


@pytest.mark.parametrize(
    "name", ["text", "Memory", "fact", "BODY", "Inhalt", "contenu", "recuerdo"]
)
def test_text_has_many_names(name: str) -> None:
    assert field_of(name) == "content"


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("createdAt", "created_at"),
        ("Created at", "created_at"),
        ("timestamp", "created_at"),
        ("Datum", "created_at"),
        ("User ID", "end_user"),
        ("who", "end_user"),
        ("keywords", "tags"),
        ("expires", "valid_until"),
        ("catégorie", "category"),
        ("id", ""),
        ("priority", ""),
        ("score", ""),
    ],
)
def test_name_is_understood(name: str, field: str) -> None:
    assert field_of(name) == field


def test_no_name_stands_for_two_fields() -> None:
    names = [name for field, others in FIELDS.items() for name in (field, *others.split())]
    assert len(names) == len(set(names))


def test_each_field_is_filled_once_and_by_its_own_name_first() -> None:
    assert fields("text", "content", "memory") == {"text": "", "content": "content", "memory": ""}
    assert fields("body", "text") == {"body": "", "text": "content"}
    assert fields("date", "created_at") == {"date": "", "created_at": "created_at"}
    assert fields("tags", "topics") == {"tags": "tags", "topics": "tags"}


def test_text_is_found_by_its_values_without_a_name() -> None:
    found = fields("a", "b", "c", a="7", b="The user keeps bees in the garden.", c="sport club")
    assert found == {"a": "", "b": "content", "c": ""}
    assert not ColumnMapping([{"a": "7", "b": "yes"}]).has_text


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([0, 0.2, 0.25, 0.5, 0.94, 1], [1, 2, 3, 5, 9, 10]),
        (["0.2", "0,5", "1.0"], [2, 5, 10]),
        ([20, 55, 100, 5], [2, 6, 10, 1]),
        (["20%", "40%", "100%"], [2, 4, 10]),
        ([1, 5, 10, None], [1, 5, 10, None]),
        ([1, 1, 1], [1, 1, 1]),
        ([7.0, "7", " 8 "], [7, 7, 8]),
        (["high", "Low", "medium", ""], [8, 3, 5, None]),
        # A slip in a column that counts to ten stays one.
        ([3, 5, 70], [3, 5, 70]),
        ([0.2, 3, 5], [0.2, 3, 5]),
        ([0.2, 0.5, 3], [2, 5, "3"]),
        (["much", True, [1]], ["much", True, [1]]),
    ],
)
def test_importance_is_brought_to_ten(given: list[Any], expected: list[Any]) -> None:
    found = mapped(*({"text": "x", "importance": value} for value in given))
    assert [row["importance"] for row in found] == expected


def test_scale_of_the_beginning_counts_for_the_whole_file() -> None:
    mapping = ColumnMapping([{"text": "x", "importance": 0.4}])
    assert mapping({"text": "x", "importance": 1})["importance"] == 10
    assert mapping({"text": "x", "importance": 8})["importance"] == "8", "which is refused"


@pytest.mark.parametrize(
    ("value", "category", "tags"),
    [
        ("fact", "fact", ["sport"]),
        ("Preferences", "preference", ["sport"]),
        ("Work", "general", ["sport", "work"]),
        (["work", "event"], "event", ["sport", "work"]),
        ("", None, ["sport"]),
        (None, None, ["sport"]),
        ([], None, ["sport"]),
        (7, 7, ["sport"]),
    ],
)
def test_foreign_category_becomes_general_and_a_tag(value: Any, category: Any, tags: Any) -> None:
    (row,) = mapped({"text": "x", "category": value, "tags": ["sport"]})
    assert (row["category"] or None, row["tags"]) == (category, tags)


@pytest.mark.parametrize(
    ("value", "tags"),
    [
        ("sport, tea", ["sport", "tea"]),
        ("sport;tea|sport", ["sport", "tea"]),
        (["sport", 7], ["sport", "7"]),
        ("", []),
        (None, []),
        ({"a": 1}, {"a": 1}),
    ],
)
def test_tags_are_a_list(value: Any, tags: Any) -> None:
    assert mapped({"text": "x", "keywords": value})[0]["tags"] == tags


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["2031-02-03"], ["2031-02-03"]),
        (["2031/2/3", "2031.02.03 04:05"], ["2031-02-03", "2031-02-03 04:05"]),
        (["3.2.2031", "13.2.2031 04:05"], ["2031-02-03", "2031-02-13 04:05"]),
        (["3/2/2031", "13/2/2031"], ["2031-02-03", "2031-02-13"]),
        (["2/3/2031", "2/13/2031"], ["2031-02-03", "2031-02-13"]),
        # Whether this is in February or in March, nothing tells.
        (["2/3/2031"], ["2/3/2031"]),
        (["3 Feb 2031", "February 3, 2031"], ["2031-02-03", "2031-02-03"]),
        ([1_700_000_000, "1700000000000"], ["2023-11-14T22:13:20+00:00"] * 2),
        (["2024", 2024, "soon", None], ["2024", "2024", "soon", None]),
        ([True, ["2031-02-03"]], [True, ["2031-02-03"]]),
    ],
)
def test_dates_are_brought_to_one_form(given: list[Any], expected: list[Any]) -> None:
    found = mapped(*({"text": "x", "date": value} for value in given))
    assert [row["created_at"] for row in found] == expected


def test_person_may_choose_other_fields() -> None:
    row = {"text": "x", "note": "The user rows.", "who": 7}
    assert mapped(row, text="", note="content", who="end_user") == [
        {"content": "The user rows.", "end_user": "7"}
    ]
    assert mapped(row, text="content", note="nonsense") == [{"content": "x"}]


@given(
    st.lists(
        st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists), max_size=4
    )
)
def test_any_value_can_be_mapped(values: list[Any]) -> None:
    for field in FIELDS:
        rows = [{field: value, "tags": value} for value in values]
        mapped(*rows)
        mapped(*rows, tags=field)


ROW = {"text": "The user rows.", "category": "work", "importance": 0.2}


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (lines(ROW), file_format.JSONL),
        (json.dumps([ROW]).encode(), file_format.JSON),
        (json.dumps({"facts": [ROW]}, indent=1).encode(), file_format.JSON),
        (json.dumps({"memories": [{**ROW, "memory": "x"}]}).encode(), file_format.JSON),
        (lines({"memory": "The user rows.", "importance": 3}), file_format.JSONL),
        (b"text;importance\nThe user rows.;0,2\n", file_format.CSV),
    ],
)
@pytest.mark.parametrize("wanted", [True, False])
def test_memories_of_other_programs_are_recognised(content: bytes, form: str, wanted: bool) -> None:
    assert file_format.recognise(io.BytesIO(content), wanted=wanted) == form


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (lines({"text": "The user rows."}), file_format.JSONL),
        (lines({"q": "7", "claim": "The user keeps many bees."}), file_format.JSONL),
        (json.dumps([{"claim": "The user keeps many bees."}]).encode(), file_format.JSON),
        (lines({"memory": "The user rows."}), file_format.MEM0_LINES),
        (json.dumps([{"memory": "The user rows.", "id": "a"}]).encode(), file_format.MEM0),
        (lines({"speaker": "Ana", "text": "I row.", "importance": 3}), ""),
        (json.dumps([{"role": "user", "content": "I keep many bees."}]).encode(), ""),
        (lines({"n": 1}), ""),
    ],
)
def test_what_may_be_messages_is_taken_where_memories_are_expected(
    content: bytes, form: str
) -> None:
    assert file_format.recognise(io.BytesIO(content), wanted=True) == form
    known = form if form in (file_format.MEM0, file_format.MEM0_LINES) else ""
    assert file_format.recognise(io.BytesIO(content), wanted=False) == known


FILE = lines(
    {"text": "The user rows on Mondays.", "type": "work", "importance": 0.2, "mood": "fine"},
    {"text": "The user is allergic to walnuts.", "type": "fact", "importance": 0.9, "mood": ""},
    {"text": "", "type": "fact", "importance": 0.9, "mood": ""},
    {"type": "fact", "importance": 0.9, "mood": ""},
    {"text": "The user likes tea.", "type": "fact", "importance": 4, "mood": ""},
)


def page_of(client: Client, import_: Import) -> str:
    return client.get(import_.get_absolute_url()).content.decode()


@pytest.mark.django_db
def test_preview_says_what_each_column_becomes(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, FILE)
    assert counts(import_) == (2, 0, 0, 3)
    page = page_of(as_alice, import_)
    words = " ".join(page.split())
    assert '<code dir="auto">text</code> → Text' in words
    assert '<code dir="auto">importance</code> → Importance' in words
    assert "0 to 1 becomes 1 to 10" in words
    assert "“work”: becomes “general”, and a tag" in words
    assert 'Left out: <code dir="auto">mood</code>' in words
    confirm(as_alice, import_)
    rows, walnuts = Memory.objects.order_by("pk")
    assert (rows.category, rows.importance, rows.tags) == ("general", 2, ["work"])
    assert (walnuts.category, walnuts.importance) == ("fact", 9)


@pytest.mark.django_db
def test_causes_are_grouped_with_the_first_place_and_a_remedy(
    as_alice: Client, instance: Instance
) -> None:
    page = page_of(as_alice, upload(as_alice, FILE))
    assert "3 items are skipped:" in page
    assert "2 rows have no text (the first: line 3): give each a text, or import" in page
    assert "1 row: “importance” is not a whole number from 1 to 10 (the first: line 5)" in page


@pytest.mark.django_db
def test_first_place_of_a_rare_cause_is_known(as_alice: Client, instance: Instance) -> None:
    rows = [{"text": "", "tags": []}] * 1_200 + [{"text": "x" * 5_000, "tags": []}]
    page = page_of(as_alice, upload(as_alice, lines(*rows)))
    assert "(the first: line 1,201)" in page or "(the first: line 1201)" in page


def choose(client: Client, import_: Import, **chosen: str) -> str:
    response = client.post(
        f"{import_.get_absolute_url()}/rows",
        {"column": list(chosen), "field": list(chosen.values())},
        follow=True,
    )
    return response.content.decode()


@pytest.mark.django_db
def test_columns_can_be_changed_before_the_import(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, FILE)
    choose(as_alice, import_, text="content", type="", importance="", mood="tags")
    import_ = work(import_)
    assert counts(import_) == (3, 0, 0, 2)
    assert '<option value="tags" selected>' in page_of(as_alice, import_)
    confirm(as_alice, import_)
    assert {tuple(memory.tags) for memory in Memory.objects.all()} == {("fine",), ()}
    import_.refresh_from_db()
    assert not import_.columns, "names of columns are content of the file"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"text": "", "type": "", "importance": "", "mood": ""}, "holds the text"),
        ({"text": "content", "type": "category", "mood": "category"}, "Two columns cannot both be"),
    ],
)
def test_choice_without_sense_is_refused(
    chosen: dict[str, str], said: str, as_alice: Client, instance: Instance
) -> None:
    import_ = upload(as_alice, FILE)
    assert said in choose(as_alice, import_, **chosen)
    import_.refresh_from_db()
    assert (import_.state, import_.columns) == (Import.State.READY, {})


@pytest.mark.django_db
def test_unchanged_columns_are_imported_at_once(as_alice: Client, instance: Instance) -> None:
    import_ = upload(as_alice, FILE)
    same = {"text": "content", "type": "category", "importance": "importance", "mood": ""}
    form = {"column": list(same), "field": list(same.values()), "rows": "apart"}
    as_alice.post(f"{import_.get_absolute_url()}/confirm", form)
    assert work(import_).state == Import.State.SUCCEEDED
    import_ = upload(as_alice, FILE)
    page = as_alice.post(
        f"{import_.get_absolute_url()}/confirm",
        form | {"field": ["content", "", "", ""]},
        follow=True,
    ).content.decode()
    assert "You changed the options" in page


@pytest.mark.django_db
def test_secret_in_an_example_is_masked(as_alice: Client, instance: Instance) -> None:
    row = {"text": "The user rows.", "mail": "my password is hunter2secret"}
    page = page_of(as_alice, upload(as_alice, lines(row)))
    assert "hunter2secret" not in page


@pytest.mark.django_db
def test_file_without_texts_is_refused_with_its_columns(
    as_alice: Client, instance: Instance
) -> None:
    import_ = upload(as_alice, b"nr;code\n7;yes\n8;no\n")
    assert import_.state == Import.State.FAILED
    assert "It has: nr, code" in import_.error


@pytest.mark.parametrize(
    ("language", "number", "said"),
    [
        ("en", 1, "1 system message."),
        ("en", 12, "12 system messages."),
        ("de", 1, "1 Systemnachricht."),
        ("de", 12, "12 Systemnachrichten."),
        ("it", 1, "1 messaggio di sistema."),
        ("it", 12, "12 messaggi di sistema."),
    ],
)
def test_kinds_of_skipped_items_follow_their_number(language: str, number: int, said: str) -> None:
    report = Report()
    report.pass_over(SYSTEM_MESSAGES, number)
    (reason,) = report.reasons
    # As the import stores it.
    stored = decoded(encoded(reason))
    with override(language):
        assert Cause(stored, number, "").sentence == said
        assert told_of(REASONING, number) == translated(REASONING)
