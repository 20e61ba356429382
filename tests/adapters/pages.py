"""Runs the code of an adapter's page in docs/adapters."""

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PAGES = Path(__file__).resolve().parents[2] / "docs" / "adapters"
MAX_LINES = 100


def code_of(page: str) -> str:
    """Return the first block of Python in *page*, the adapter."""
    text = (PAGES / f"{page}.md").read_text()
    block = re.search(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert block is not None, f"{page} has no code"
    return block[1]


def adapter(page: str) -> Any:
    """Return what the code of *page* defines."""
    names: dict[str, Any] = {"__name__": f"adapter_{page}"}
    exec(compile(code_of(page), f"docs/adapters/{page}.md", "exec"), names)  # noqa: S102
    return SimpleNamespace(**names)
