"""The check of Open WebUI's templates, on a wheel in its form with words of our own."""

import zipfile
from pathlib import Path

import pytest

from benchmarks import client_templates

MODULE = '''
DEFAULT_TITLE_GENERATION_PROMPT_TEMPLATE = """### Task:
A name for this.
### Chat History:
<chat_history>
{{MESSAGES:END:2}}
</chat_history>"""
DEFAULT_RAG_TEMPLATE = """### Task:
Answer from these.
<context>
{{CONTEXT}}
</context>
"""
DEFAULT_VOICE_MODE_PROMPT_TEMPLATE = """Speak briefly."""
DEFAULT_TOOLS_FUNCTION_CALLING_PROMPT_TEMPLATE = """{{TOOLS}}: choose."""
DEFAULT_OTHER = 1
'''


@pytest.mark.parametrize(
    ("more", "code"),
    [("", 0), ('DEFAULT_NEW_PROMPT_TEMPLATE = """Think about {{prompt}}"""', 1)],
)
def test_each_template_is_tried(
    more: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wheel = tmp_path / "open_webui.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("open_webui/config.py", MODULE + more)
    assert client_templates.main(["--wheel", str(wheel)]) == code
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(maxsplit=1)[1] for line in lines[:4]] == [
        "task of the client",
        "a person speaks",
        "a person speaks",
        "task of the client",
    ]
    assert bool(code) == ("MISTAKEN" in lines[-1])


def test_a_wheel_without_templates_is_said(tmp_path: Path) -> None:
    wheel = tmp_path / "open_webui.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("open_webui/config.py", "")
    assert client_templates.main(["--wheel", str(wheel)]) == 1
