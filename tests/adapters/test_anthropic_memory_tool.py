"""The page on Anthropic's memory tool, with Anthropic's own package."""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anthropic.lib.tools import ToolError

from instances.models import Instance
from memoryapp.models import StoredDocument
from tests.adapters.conftest import Keepsake
from tests.adapters.pages import adapter

ODD = "# Ana\r\n\n\tlikes “tea”\u00a0…\n\n  no final newline"


@pytest.fixture
def tool_of(keepsake: Keepsake) -> Iterator[Callable[[str], Any]]:
    """The tool of a person."""
    made = adapter("anthropic-memory-tool").KeepsakeMemoryTool
    with contextlib.ExitStack() as stack:

        def tool_of(user_id: str) -> Any:
            tool = made(*keepsake, user_id)
            stack.callback(tool._http.close)
            return tool

        yield tool_of


@pytest.fixture
def tool(tool_of: Callable[[str], Any]) -> Any:
    """Ana's."""
    return tool_of("ana")


def call(tool: Any, command: str, **fields: Any) -> str:
    """Call *tool* as the SDK's runner does, with the input of a model."""
    return str(tool.call({"command": command, **fields}))


def refusal(tool: Any, command: str, **fields: Any) -> str:
    with pytest.raises(ToolError) as refused:
        call(tool, command, **fields)
    return str(refused.value)


def create(tool: Any, path: str, text: str = "x") -> str:
    return call(tool, "create", path=path, file_text=text)


def text_of(path: str) -> Any:
    return StoredDocument.objects.get(key=path).value["text"]


def test_the_tool_is_declared_to_the_model(tool: Any) -> None:
    assert tool.to_dict() == {"type": "memory_20250818", "name": "memory"}
    assert tool.name == "memory"


def test_a_file_is_kept_to_the_byte(tool: Any, instance: Instance) -> None:
    assert create(tool, "/memories/ana.md", ODD) == "File created successfully at: /memories/ana.md"
    assert text_of("/memories/ana.md") == ODD
    document = StoredDocument.objects.get()
    assert (document.instance, document.end_user) == (instance, "ana")
    shown = call(tool, "view", path="/memories/ana.md").split("\n")[1:]
    assert "\n".join(line.partition("\t")[2] for line in shown) == ODD
    assert [line.partition("\t")[0].strip() for line in shown] == ["1", "2", "3", "4", "5"]
    part = call(tool, "view", path="/memories/ana.md", view_range=[2, 3]).split("\n")[1:]
    assert [line.partition("\t")[0].strip() for line in part] == ["2", "3"]
    rest = call(tool, "view", path="/memories/ana.md", view_range=[4, -1]).split("\n")[1:]
    assert [line.partition("\t")[0].strip() for line in rest] == ["4", "5"]
    assert "already exists" in refusal(tool, "create", path="/memories/ana.md", file_text="y")


def test_text_is_replaced_where_it_occurs_once(tool: Any) -> None:
    create(tool, "/memories/a", "tea, tea, coffee\n")
    replace = {"path": "/memories/a", "new_str": "juice"}
    assert "occurs 2 times" in refusal(tool, "str_replace", old_str="tea", **replace)
    assert "occurs 0 times" in refusal(tool, "str_replace", old_str="milk", **replace)
    call(tool, "str_replace", old_str="tea, coffee", **replace)
    assert text_of("/memories/a") == "tea, juice\n"
    assert "does not exist" in refusal(
        tool, "str_replace", path="/memories/b", old_str="a", new_str="b"
    )


def test_lines_are_inserted(tool: Any) -> None:
    create(tool, "/memories/a", "one\nthree\n")
    call(tool, "insert", path="/memories/a", insert_line=1, insert_text="two\n")
    call(tool, "insert", path="/memories/a", insert_line=0, insert_text="zero")
    assert text_of("/memories/a") == "zero\none\ntwo\nthree\n"
    assert "between 0 and 5" in refusal(
        tool, "insert", path="/memories/a", insert_line=6, insert_text="x"
    )


def test_directories(tool: Any) -> None:
    assert call(tool, "view", path="/memories") == "Files and directories in /memories:"
    for path in ("a.md", "tool/plan.md", "tool/deep/er/x.md", "toolshed.md"):
        create(tool, f"/memories/{path}")
    assert call(tool, "view", path="/memories/").split("\n")[1:] == [
        "/memories/a.md",
        "/memories/tool",
        "/memories/tool/deep",
        "/memories/tool/plan.md",
        "/memories/toolshed.md",
    ]
    assert "already exists" in refusal(tool, "create", path="/memories/tool", file_text="")
    call(tool, "rename", old_path="/memories/tool", new_path="/memories/done/2031")
    keys = set(StoredDocument.objects.values_list("key", flat=True))
    assert keys == {
        f"/memories/{path}"
        for path in ("a.md", "done/2031/plan.md", "done/2031/deep/er/x.md", "toolshed.md")
    }
    assert "already exists" in refusal(
        tool, "rename", old_path="/memories/a.md", new_path="/memories/toolshed.md"
    )
    call(tool, "delete", path="/memories/done")
    call(tool, "delete", path="/memories/a.md")
    assert StoredDocument.objects.get().key == "/memories/toolshed.md"
    assert "does not exist" in refusal(tool, "delete", path="/memories/a.md")
    assert "does not exist" in refusal(tool, "view", path="/memories/a.md")
    assert "itself" in refusal(tool, "delete", path="/memories")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd",
        "/memories/../etc/passwd",
        "/memories/a/../../b",
        "/memories/./a",
        "/memories//a",
        "//memories/a",
        "/memoriesX/a",
        "memories/a",
        "..",
        "",
    ],
)
def test_no_path_leaves_the_directory(tool: Any, path: str) -> None:
    create(tool, "/memories/a")
    for command, fields in (
        ("view", {"path": path}),
        ("create", {"path": path, "file_text": "x"}),
        ("str_replace", {"path": path, "old_str": "a", "new_str": "b"}),
        ("insert", {"path": path, "insert_line": 0, "insert_text": "x"}),
        ("delete", {"path": path}),
        ("rename", {"old_path": path, "new_path": "/memories/b"}),
        ("rename", {"old_path": "/memories/a", "new_path": path}),
    ):
        assert "is not within /memories" in refusal(tool, command, **fields)
    assert StoredDocument.objects.get().key == "/memories/a"


def test_a_secret_is_replaced_and_the_model_is_told(tool: Any) -> None:
    answer = create(tool, "/memories/a", "My password is swordfish77.\n")
    assert answer.endswith("Placeholders stand for secrets in it: PASSWORD.")
    assert text_of("/memories/a") == "My password is [REDACTED:PASSWORD].\n"


def test_each_person_has_files_of_their_own(tool_of: Callable[[str], Any]) -> None:
    tool, ben = tool_of("ana"), tool_of("ben")
    create(tool, "/memories/a", "of Ana")
    assert "does not exist" in refusal(ben, "view", path="/memories/a")
    create(ben, "/memories/a", "of Ben")
    assert "of Ana" in call(tool, "view", path="/memories/a")
