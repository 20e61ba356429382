"""Parsing of the model's answer: valid, dropped and unusable items."""

import html
import json
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp.extraction.parse import ExtractedFact, ExtractedFacts
from memoryapp.llm.answers import Dropped, UnusableAnswer

CATEGORIES = {"general", "preference", "fact", "event", "relationship", "decision"}

GOOD = {
    "message": 3,
    "content": "The user likes tea.",
    "category": "preference",
    "importance": 4,
    "tags": ["tea"],
    "valid_until": None,
    "confidence": 90,
}
TEA = ExtractedFact.model_construct(
    message=3,
    content="The user likes tea.",
    category="preference",
    importance=4,
    tags=("tea",),
    valid_until=None,
    key="",
    value="",
    source="conversation",
    confidence=90,
)
NEW = frozenset({3, 5})
WRAPPED = json.dumps({"memories": [GOOD]})
BARE = json.dumps([GOOD])


def parse(answer: str, *, positions: frozenset[int]) -> tuple[list[ExtractedFact], list[Dropped]]:
    """Return the facts and the dropped items."""
    facts = ExtractedFacts.from_text(answer, positions)
    return facts.memories, facts.dropped["memories"]


def item(**changed: Any) -> ExtractedFact:
    """Parse a valid item with these changes."""
    items, dropped = parse(json.dumps([{**GOOD, **changed}]), positions=NEW)
    assert not dropped
    return items[0]


def reason(raw: object, positions: frozenset[int] = NEW) -> Dropped:
    """Return the reason why an item is dropped."""
    items, dropped = parse(json.dumps([raw, {**GOOD, "message": 3}]), positions=positions)
    assert len(items) == 1
    return dropped[0]


@pytest.mark.parametrize(
    "answer",
    [
        WRAPPED,
        BARE,
        json.dumps(GOOD),
        json.dumps({"facts": [GOOD]}),
        json.dumps({"count": 1, "items": [GOOD]}),
        f"```json\n{WRAPPED}\n```",
        f"```\n{BARE}\n```",
        f"```JSON\n{BARE}```",
        f"Here is what I found:\n```json\n{BARE}\n```\nAnything else?",
        f"Here is what I found: {WRAPPED} That is all.",
        f"Sure! {BARE}",
        f"\n\n  {WRAPPED}  \n",
        json.dumps({"memories": [GOOD]}, indent=4),
    ],
)
def test_list_is_found_anywhere(answer: str) -> None:
    assert parse(answer, positions=NEW) == ([TEA], [])


ITEM = json.dumps(GOOD)
FAULTY = {
    "draft in the thinking": f'<think>Perhaps {{"memories": []}}?</think>{WRAPPED}',
    "thinking afterwards": f"{WRAPPED}<thinking>Or []?</thinking>",
    "end of thinking only": f"So [] or one?</think>\n{WRAPPED}",
    "thinking without an end": f"<think>One it is.\n{WRAPPED}",
    "square marks": f"[THINK]None: [][/THINK]{WRAPPED}",
    "channels": f"<|channel|>analysis<|message|>[]<|end|><|channel|>final<|message|>{WRAPPED}",
    "apostrophe in braces": f"I looked {{it's one}}: {WRAPPED}",
    "list in a string": json.dumps({"memories": json.dumps([GOOD])}),
    "arguments of a call": json.dumps({"name": "memories", "arguments": WRAPPED}),
    "escaped": WRAPPED.replace('"', '\\"'),
    "content named otherwise": WRAPPED.replace('"content"', '"statement"'),
    "braces in prose": f"The {{only one}}, see [1]: {WRAPPED}",
    "empty template first": f'As {{"memories": []}}: {WRAPPED}',
    "trailing commas": WRAPPED[:-3] + ",},],}",
    "missing comma": WRAPPED.replace('3, "content"', '3 "content"'),
    "single quotes": repr({"memories": [GOOD]}),
    "curly quotes": WRAPPED.replace('"content"', "“content”").replace('"The', "“The"),
    "no quotes for keys": WRAPPED.replace('"content"', "content").replace('"tags"', "tags"),
    "comments": WRAPPED.replace('"tags"', '// none\n"tags"').replace(
        '"message"', '/* 1 */"message"'
    ),
    "line break": WRAPPED.replace("likes tea", "likes\ntea"),
    "cut after the item": WRAPPED[:-2],
    "cut within the next item": json.dumps([GOOD, GOOD])[:-5],
    "cut within a fence": f"```json\n{WRAPPED[:-2]}\n```",
    "deeper": json.dumps({"answer": {"data": {"memories": [GOOD]}}}),
    "named otherwise beside an empty one": json.dumps({"memories": [], "facts": [GOOD]}),
    "alone under the name": json.dumps({"memories": GOOD}),
    "JSON in a string": json.dumps(WRAPPED),
    "missing bracket": WRAPPED.replace("}]", "]"),
}


@pytest.mark.parametrize("answer", FAULTY.values(), ids=FAULTY)
def test_small_faults_are_mended(answer: str) -> None:
    assert parse(answer, positions=NEW) == ([TEA], [])


@pytest.mark.parametrize("row", [", ", "\n"], ids=["list", "lines"])
def test_answer_that_breaks_off_gives_what_was_whole_and_says_so(row: str) -> None:
    items = [json.dumps({"message": 3, "content": f"The user likes {x}."}) for x in ("tea", "rye")]
    begin, end = ('{"memories": [', "]}") if row == ", " else ("", "")
    whole = begin + row.join(items) + end
    assert not ExtractedFacts.from_text(whole, NEW).breaks_off
    for length in range(len(begin + items[0]) + 3, len(whole) - len(end) - 1):
        facts = ExtractedFacts.from_text(whole[:length], NEW)
        assert [fact.content for fact in facts.memories] == ["The user likes tea."]
        assert facts.breaks_off, whole[:length]


@pytest.mark.parametrize(
    "answer", [WRAPPED[:-1], WRAPPED[:-2], BARE[:-1], WRAPPED.replace("}]", "},]")]
)
def test_missing_brackets_are_no_break(answer: str) -> None:
    facts = ExtractedFacts.from_text(answer, NEW)
    assert (facts.memories, facts.breaks_off) == ([TEA], False)


@pytest.mark.parametrize(
    ("answer", "breaks_off"),
    [
        # Between two items, of which the second did not come any more.
        (BARE[:-1], True),
        (WRAPPED[:-2], True),
        (ITEM, True),
        # All was said: some models go on with spaces until they reach their limit.
        (WRAPPED, False),
        (BARE + " " * 100, False),
        (WRAPPED[:-1], False),
    ],
)
def test_answer_that_was_cut_off_may_have_said_all(answer: str, breaks_off: bool) -> None:
    facts = ExtractedFacts.from_text(answer, NEW, cut_off=True)
    assert (facts.memories, facts.breaks_off) == ([TEA], breaks_off)


@pytest.mark.parametrize("cut_off", [True, False])
@pytest.mark.parametrize(
    "answer",
    [
        f'As {{"memories": []}}: {WRAPPED[:60]}',
        '<think>As {"memories": []}? No, there is',
        f"[]\n[{ITEM[:50]}",
    ],
)
def test_empty_draft_is_not_taken_for_an_answer_that_is_cut(answer: str, cut_off: bool) -> None:
    with pytest.raises(UnusableAnswer):
        ExtractedFacts.from_text(answer, NEW, cut_off=cut_off)


AS_TEXT = {
    "under the name": json.dumps({"memories": "The user likes tea.\nThe user's kayak is red."}),
    "with bullets under the name": json.dumps(
        {"memories": "- The user likes tea.\n- The user's kayak is red."}
    ),
    "bullets": "These:\n\n- The user likes tea.\n* The user's kayak is red.\n\nThat is all.",
    "numbers": "1. **The user** likes tea.\n2) The user's kayak is red.",
    "bullets behind thinking": "<think>- One?\n- Two items?</think>\n• The user likes tea.\n"
    "• The user's kayak is red.",
    "elements": "<memories>\n<memory>The user likes tea.</memory>\n"
    '<memory category="fact">The user&#39;s kayak is red.</memory>\n</memories>',
    "nested elements": "<memory><message>3</message><content>The user likes tea.</content></memory>"
    "<memory><content>The user's kayak is red.</content><tags>red</tags></memory>",
    "entities": html.escape(
        json.dumps({"memories": ["The user likes tea.", "The user's kayak is red."]})
    ),
    "entities in a string": json.dumps(
        {"memories": ["The user likes tea.", "The user&#39;s kayak is red."]}
    ),
}


@pytest.mark.parametrize("answer", AS_TEXT.values(), ids=AS_TEXT)
def test_list_as_text_is_read(answer: str) -> None:
    facts = ExtractedFacts.from_text(answer, {3: "I like tea.", 5: "My kayak is red."})
    assert [(fact.message, fact.content) for fact in facts.memories] == [
        (3, "The user likes tea."),
        (5, "The user's kayak is red."),
    ]
    assert not facts.breaks_off


def test_address_keeps_what_only_looks_like_an_entity() -> None:
    address = "https://shop.example/?page=1&section=2&copy=3"
    for answer in (json.dumps({"memories": [f"It is at {address} now."]}), f"- It is at {address}"):
        (fact,) = ExtractedFacts.from_text(answer, frozenset({3})).memories
        assert address in fact.content


def test_list_as_text_that_was_cut_off_loses_its_last_item() -> None:
    answer = "- The user likes tea.\n- The user's kayak is"
    facts = ExtractedFacts.from_text(answer, frozenset({3}), cut_off=True)
    assert [fact.content for fact in facts.memories] == ["The user likes tea."]
    assert facts.breaks_off


def test_deep_nesting_beside_the_list_is_passed_over() -> None:
    answer = f'{{"memories": [{json.dumps(GOOD)}], "more": {"[" * 900}{"]" * 900}}}'
    assert ExtractedFacts.from_text(answer, NEW).memories == [TEA]


def test_one_object_a_line() -> None:
    assert parse(f"{ITEM}\n{ITEM}\n", positions=NEW) == ([TEA, TEA], [])


def test_quotation_marks_within_a_text() -> None:
    answer = '{"memories": [{"message": 3, "content": "The user says "hi", then "bye"."}]}'
    assert parse(answer, positions=NEW)[0][0].content == 'The user says "hi", then "bye".'


def test_plain_text_belongs_to_the_message_with_its_words() -> None:
    said = {3: "I like tea.", 5: "My kayak is red."}
    answer = json.dumps({"memories": ["The user's kayak is red.", "The user likes tea."]})
    facts = ExtractedFacts.from_text(answer, said).memories
    assert [(fact.message, fact.content) for fact in facts] == [
        (5, "The user's kayak is red."),
        (3, "The user likes tea."),
    ]


@pytest.mark.parametrize("answer", ['{"memories": []}', "[]", "```json\n[]\n```", "None: []"])
def test_empty_list_is_an_answer(answer: str) -> None:
    assert parse(answer, positions=NEW) == ([], [])


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "I could not find anything worth keeping.",
        "null",
        "42",
        '"memories"',
        "{}",
        '{"memories": null}',
        '{"memories": "none"}',
        "- none\n- nothing",
        "<memory>none</memory>",
        '{"one": [], "two": []}',
        WRAPPED[: len(WRAPPED) // 2],
        BARE[: len(BARE) // 2],
        # No item with a text.
        json.dumps([7, {"message": 3}, {"message": 3, "content": ""}]),
        '{"memories": [',
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
        "9" * 10_000,
        "[" + "9" * 10_000 + "]",
        "\x00",
    ],
    ids=range(21),
)
def test_answer_without_a_complete_list_is_unusable(answer: str) -> None:
    with pytest.raises(UnusableAnswer):
        parse(answer, positions=NEW)


@pytest.mark.parametrize(
    ("raw", "position", "why"),
    [
        ("The user likes tea.", 0, "names no new message"),
        (7, 0, "not an object"),
        (None, 0, "not an object"),
        (["The user likes tea."], 0, "not an object"),
        ({}, 0, "names no new message"),
        ({**GOOD, "message": 4}, 0, "names no new message"),
        ({**GOOD, "message": None}, 0, "names no new message"),
        ({**GOOD, "message": "third"}, 0, "names no new message"),
        ({**GOOD, "message": True}, 0, "names no new message"),
        ({**GOOD, "content": ""}, 3, "has no text"),
        ({**GOOD, "content": " \n"}, 3, "has no text"),
        ({**GOOD, "content": None}, 3, "has no text"),
        ({**GOOD, "content": ["tea"]}, 3, "has no text"),
        ({**GOOD, "content": "x" * 2_001}, 3, "is longer than 2,000 characters"),
    ],
)
def test_invalid_item_is_dropped_with_a_reason(raw: object, position: int, why: str) -> None:
    assert reason(raw) == Dropped(position, why)


def test_valid_items_are_kept_beside_invalid_ones() -> None:
    raws = [None, GOOD, {**GOOD, "content": ""}, {**GOOD, "message": 5}, {**GOOD, "message": 1}]
    items, dropped = parse(json.dumps(raws), positions=NEW)
    assert [i.message for i in items] == [3, 5]
    assert [d.reason for d in dropped] == ["not an object", "has no text", "names no new message"]


def test_missing_number_means_the_only_new_message() -> None:
    one = frozenset({3})
    unnumbered = {name: value for name, value in GOOD.items() if name != "message"}
    assert parse(json.dumps([unnumbered]), positions=one) == ([TEA], [])
    # The number of an earlier message refers to that message, which was already read.
    assert reason({**GOOD, "message": 1}, one) == Dropped(0, "names no new message")
    assert reason({**GOOD, "message": 4}, one) == Dropped(0, "names no new message")


@pytest.mark.parametrize("number", [3, 3.0, "3", " 3 ", "3.0"])
def test_numbers_in_any_notation_are_parsed(number: object) -> None:
    assert item(message=number).message == 3


@pytest.mark.parametrize(
    ("importance", "clamped"),
    [
        *((value, value) for value in (1, 5, 10)),
        (0, 1),
        (-3, 1),
        (11, 10),
        (10**6, 10),
        (7.4, 7),
        ("8", 8),
        ("high", 5),
        (None, 5),
        (True, 5),
        ([9], 5),
        (10**400, 10),
        (float("inf"), 5),
        (float("nan"), 5),
        ("1e999", 5),
    ],
)
def test_importance_is_clamped_to_1_to_10(importance: object, clamped: int) -> None:
    assert item(importance=importance).importance == clamped


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("home_city", "Munich", ("home_city", "Munich")),
        (" home_city ", "  Munich\n(Haidhausen) ", ("home_city", "Munich (Haidhausen)")),
        ("height_cm", 180, ("height_cm", "180")),
        ("home_city", None, ("", "")),
        ("home_city", "", ("", "")),
        (None, "Munich", ("", "")),
        ("?!", "Munich", ("", "")),
        (7, "Munich", ("", "")),
        ("home_city", ["Munich"], ("", "")),
        ("vegetarian", True, ("", "")),
        ("life_story", "x" * 501, ("", "")),
    ],
)
def test_incomplete_key_is_dropped_without_losing_the_memory(
    key: object, value: object, expected: tuple[str, str]
) -> None:
    read = item(key=key, value=value)
    assert (read.key, read.value) == expected
    assert read.content == TEA.content


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("user_explicit", "user_explicit"),
        (" Tool_Call ", "tool_call"),
        ("manual", "conversation"),
        (None, "conversation"),
        ({}, "conversation"),
    ],
)
def test_invalid_source_means_the_conversation(source: object, expected: str) -> None:
    assert item(source=source).source == expected


@pytest.mark.parametrize(
    ("confidence", "clamped"), [(0, 0), (100, 100), (101, 100), (-1, 0), ("50", 50), (None, None)]
)
def test_confidence_is_clamped_to_0_to_100(confidence: object, clamped: int | None) -> None:
    assert item(confidence=confidence).confidence == clamped


@pytest.mark.parametrize(
    ("category", "expected"),
    [
        *((name, name) for name in sorted(CATEGORIES)),
        (" Fact ", "fact"),
        ("HEALTH", "general"),
        ("", "general"),
        (None, "general"),
        (7, "general"),
        (["fact"], "general"),
    ],
)
def test_unknown_category_becomes_general(category: object, expected: str) -> None:
    assert item(category=category).category == expected


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2031-05-04", date(2031, 5, 4)),
        ("2031-05-04T10:00:00Z", date(2031, 5, 4)),
        ("2031-02-30", None),
        ("next week", None),
        ("2031-05", None),
        ("", None),
        (None, None),
        (20310504, None),
        ({"date": "2031-05-04"}, None),
    ],
)
def test_unparsable_date_means_no_end(text: object, day: date | None) -> None:
    assert item(valid_until=text).valid_until == day


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (["tea", "drinks"], ("tea", "drinks")),
        (["tea", "", None, 7], ("tea", "7")),
        ("tea", ()),
        (None, ()),
        ({"tea": 1}, ()),
    ],
)
def test_invalid_tags_are_dropped(tags: object, expected: tuple[str, ...]) -> None:
    assert item(tags=tags).tags == expected


def test_memory_is_a_single_line() -> None:
    assert item(content="  The user\n likes \t tea. ").content == "The user likes tea."


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from([*GOOD, "memories", "other"]), inner, max_size=8)
    ),
    max_leaves=20,
)
POSITIONS = st.frozensets(st.integers(1, 9), max_size=4)


def parsed_or_unusable(answer: str, positions: frozenset[int]) -> None:
    try:
        items, dropped = parse(answer, positions=positions)
    except UnusableAnswer:
        return
    for expected in items:
        assert expected.message in positions
        assert expected.content == " ".join(expected.content.split()) != ""
        assert expected.category in CATEGORIES
        assert 1 <= expected.importance <= 10
        assert expected.confidence is None or 0 <= expected.confidence <= 100
    for left in dropped:
        assert left.reason
        assert left.position == 0 or left.position in positions


@given(st.text(), POSITIONS)
def test_any_text_is_parsed(answer: str, positions: frozenset[int]) -> None:
    parsed_or_unusable(answer, positions)


@given(JSON, POSITIONS)
def test_any_json_is_parsed(answer: Any, positions: frozenset[int]) -> None:
    parsed_or_unusable(json.dumps(answer), positions)


@given(
    st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys(GOOD, JSON)), max_size=3), POSITIONS
)
def test_any_item_is_parsed(raws: list[dict[str, Any]], positions: frozenset[int]) -> None:
    parsed_or_unusable(json.dumps({"memories": raws}), positions)


@given(st.integers(0, len(WRAPPED) - 3))
def test_half_an_item_is_unusable(length: int) -> None:
    with pytest.raises(UnusableAnswer):
        parse(WRAPPED[:length], positions=NEW)
