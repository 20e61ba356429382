"""The examples of the pages are what the API answers."""

import json
import re
from pathlib import Path
from typing import Any

from tests.api.conftest import Program

PAGE = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text()


def section(title: str) -> str:
    return PAGE.partition(f"## {title}\n")[2].partition("\n## ")[0]


def blocks(title: str, language: str) -> list[str]:
    """Return the blocks of code of one section."""
    return re.findall(rf"```{language}\n(.*?)```", section(title), re.DOTALL)


def test_storing_as_on_the_page_answers_as_on_the_page(program: Program) -> None:
    [request], [answer] = blocks("Store and retrieve", "bash"), blocks("Store and retrieve", "json")
    sent = re.search(r"-d '(.+?)'", request)
    address = re.search(r"http://127\.0\.0\.1:8000/api/(\S+)", request)
    assert sent and address
    stored: Any = program.send("POST", address[1], json.loads(sent[1]), 201)
    assert stored == json.loads(answer) | {"id": stored["id"]}


def test_the_error_of_the_page_is_the_one_of_the_api(program: Program) -> None:
    [answer] = blocks("Errors", "json")
    body = {"content": "4111 1111 1111 1111"}
    error = program.send("POST", "memories", body, 422)
    assert error | {"request_id": ""} == json.loads(answer) | {"request_id": ""}
