"""Tool calls that a model writes as text."""

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import tools
from memoryapp.providers.written_calls import MEMORY_TOOLS, CallReader, is_call

SAVE = '{"name": "save_memory", "arguments": {"content": "The {cat}\'s called \\"Miso\\"."}}'
SAVED = ("save_memory", {"content": 'The {cat}\'s called "Miso".'})
X = ("save_memory", {"content": "x"})


def read(*pieces: str) -> tuple[str, list[tuple[str, object]], bool]:
    reader = CallReader(MEMORY_TOOLS)
    talk = "".join(map(reader.feed, pieces)) + reader.end()
    calls = [(call.name, json.loads(call.arguments)) for call in reader.calls]
    return talk, calls, reader.unreadable


CALLS: dict[str, tuple[str, list[tuple[str, object]]]] = {
    SAVE: ("", [SAVED]),
    f"\n {SAVE}\n": ("\n ", [SAVED]),
    f"I keep that. {SAVE} Done.": ("I keep that. Done.", [SAVED]),
    f"I keep that.{SAVE}Done.": ("I keep that.\n\nDone.", [SAVED]),
    # Hermes, Qwen
    f"<tool_call>\n{SAVE}\n</tool_call>": ("", [SAVED]),
    f"<tool_call>{SAVE}</tool_call>\n<tool_call>{SAVE}</tool_call> Hi": ("Hi", [SAVED, SAVED]),
    f"<tools>\n{SAVE}\n</tools>": ("", [SAVED]),
    "<tool_call>\n<function=save_memory>\n<parameter=content>\nx\n</parameter>\n"
    '<parameter=tags>\n["a"]\n</parameter>\n</function>\n</tool_call>': (
        "",
        [("save_memory", {"content": "x", "tags": ["a"]})],
    ),
    # Llama
    '<|python_tag|>{"name": "save_memory", "parameters": {"content": "x"}}<|eom_id|>': ("", [X]),
    '{"type": "function", "name": "save_memory", "parameters": {"content": "x"}}': ("", [X]),
    '<function=save_memory>{"content": "x"}</function>': ("", [X]),
    # Mistral
    f"[TOOL_CALLS] [{SAVE}, {SAVE}]</s>": ("", [SAVED, SAVED]),
    '[TOOL_CALLS]save_memory{"content": "x"}': ("", [X]),
    '[TOOL_CALLS]save_memory[ARGS]{"content": "x"}': ("", [X]),
    # Fenced, several in a row, with talk
    f"Sure:\n```json\n{SAVE}\n```\nDone": ("Sure:\nDone", [SAVED]),
    f"```\n[{SAVE},\n{SAVE}]\n```": ("", [SAVED, SAVED]),
    f"```json\n{SAVE}\n```\n```json\n{SAVE}\n```": ("", [SAVED, SAVED]),
    # Doubled braces, and wrong numbers of them
    '{{"name": "save_memory", "arguments": {"content": "x"}}}': ("", [X]),
    '{{"name": "save_memory", "arguments": {{"content": "x"}}}}': ("", [X]),
    '{{"name": "save_memory", "arguments": {"content": "x"}} So.': ("So.", [X]),
    '{"name": "save_memory", "arguments": {"content": "x"}}}': ("", [X]),
    '{"name": "save_memory", "arguments": {"content": "x"}': ("", [X]),
    # Other shapes of the object
    '{"arguments": {"content": "x"}, "name": "save_memory"}': ("", [X]),
    '{"name": "save_memory", "content": "x"}': ("", [X]),
    '{"name": "save_memory", "arguments": "{\\"content\\": \\"x\\"}"}': ("", [X]),
    '{"function": {"name": "save_memory", "arguments": {"content": "x"}}}': ("", [X]),
    '{"tool_calls": [{"function": {"name": "save_memory", "arguments": {"content": "x"}}}]}': (
        "",
        [X],
    ),
    '{"tool": "save_memory", "args": {"content": "x"}}': ("", [X]),
    '{"name": "list_memories"}': ("", [("list_memories", {})]),
    '{"name": "save_memory", "arguments": {"content": "a\nb"}}': (
        "",
        [("save_memory", {"content": "a\nb"})],
    ),
}

#: What names an offered tool, and cannot be read.
UNREADABLE = {
    '{"name": "save_memory", "arguments": {"content": "x': "",
    '{"name": "save_memory", "arguments": {"content": "a "quoted" word"}} So.': "So.",
    "{'name': 'save_memory', 'arguments': {'content': 'x'}} So.": "So.",
    '{"name": "save_memory", "arguments": ["x"]}': "",
    '<|python_tag|>search_memory.call(query="x")': "",
    '[search_memory(query="x")] So.': "",
}

TALK = [
    "",
    "[",
    "``",
    "<tool",
    '{"x": "',
    "{" * 50,
    "a < b, and `b` > a",
    "You can call save_memory(content) or list_memories.",
    '{"name": "Ana", "age": 3} and `code` { x } [1, 2]',
    '```json\n{"name": "Miso", "arguments": {}}\n```',
    '<tool_call>{"name": "weather", "arguments": {"city": "Lyon"}}</tool_call>',
    'function f() { return [1]; } <b>x</b> ```py\nx = {"type": "object"}\n```',
    '{"name": "save_memory", "description": "Keeps.", "parameters": {"type": "object"}}',
    '{"a": {"name": "save_memory", "arguments": {}}} x',
    '[{"id": 1}, {"id": 2}]',
]


@pytest.mark.parametrize("text", CALLS)
def test_usual_forms_are_read(text: str) -> None:
    talk, calls = CALLS[text]
    assert read(text) == (talk, calls, False)


@pytest.mark.parametrize("text", UNREADABLE)
def test_broken_call_is_no_talk(text: str) -> None:
    assert read(text) == (UNREADABLE[text], [], True)


@pytest.mark.parametrize("text", TALK)
def test_other_text_is_talk(text: str) -> None:
    assert read(text) == (text, [], False)


@pytest.mark.parametrize("text", [*CALLS, *UNREADABLE, *TALK])
def test_result_does_not_depend_on_the_pieces(text: str) -> None:
    whole = read(text)
    assert read(*text) == whole
    for place in range(1, len(text)):
        assert read(text[:place], text[place:]) == whole


PARTS = st.sampled_from(
    [
        *(SAVE, '{"name": "save_memory"', '"arguments": {', "}", "{", "{{", '"', "'", "\\", "["),
        *("]", ",", "```", "json", "<tool_call>", "</tool_call>", "[TOOL_CALLS]", "save_memory"),
        *("<|python_tag|>", "<function=", ">", "(", "\n", " ", "So.", "x"),
    ]
)


@given(st.lists(PARTS, max_size=12), st.lists(st.integers(1, 7), max_size=12))
def test_result_never_depends_on_the_pieces(parts: Sequence[str], sizes: Sequence[int]) -> None:
    text = "".join(parts)
    pieces, at = [], 0
    for size in sizes:
        pieces.append(text[at : at + size])
        at += size
    assert read(*pieces, text[at:]) == read(text)


@given(st.text(alphabet="ab .,!?\n<>[]{}`:", max_size=200))
def test_text_without_a_name_is_unchanged(text: str) -> None:
    assert read(text) == (text, [], False)


def test_talk_is_passed_on_at_once() -> None:
    reader = CallReader(MEMORY_TOOLS)
    assert reader.feed("The array [1] of ") == "The array [1] of "
    assert reader.feed('{"a": 1, ') == '{"a": 1, '
    assert reader.feed('"b": 2}: ') == '"b": 2}: '
    assert reader.feed('{"name": "sav') == ""
    assert reader.feed('ings"') == '{"name": "savings"'


def test_message_that_is_only_a_call() -> None:
    assert is_call(f"```json\n{SAVE}\n```")
    assert is_call('{{"name": "save_memory", "arguments": {"content": "x')
    assert not is_call(f"I keep that. {SAVE}")
    assert not is_call("save_memory keeps something.")


def test_all_our_tools_are_known() -> None:
    assert tools.TOOLS.keys() == MEMORY_TOOLS
