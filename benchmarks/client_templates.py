"""``python -m benchmarks.client_templates --wheel FILE``: are a client's own requests known?

Reads the default templates of Open WebUI from a wheel of it (``pip download --no-deps
open-webui``), fills them as it does, and says of each what `/v1` would take it for. To be run with
each release of Open WebUI; ends with 1 if a template is taken for something else than it is.
"""

import argparse
import ast
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

from memoryapp.api.v1.client_tasks import is_client_task
from memoryapp.api.v1.client_templates import said_in

#: The module of the wheel with the templates, and their names in it.
MODULE = "open_webui/config.py"
NAME = re.compile(r"DEFAULT_\w+_TEMPLATE")
QUESTION = "Where does my cat sleep?"
CHAT = f"USER: My cat is called Biscotto.\nASSISTANT: Noted.\nUSER: {QUESTION}"
#: Templates that Open WebUI sends as instructions before a person's message, and the one before a
#: question that is asked of tools.
INSTRUCTIONS = ("VOICE_MODE", "REALTIME_CALL", "REALTIME_TTS")
TOOLS = "TOOLS_FUNCTION_CALLING"
DOCUMENTS = "DEFAULT_RAG_TEMPLATE"
_VARIABLE = re.compile(r"\{\{(\w+)[^{}]{0,60}\}\}")
_VALUES = {
    "TOOLS": '[{"name": "clock", "parameters": {}}]',
    "CONTEXT": "<source>The cat sleeps in Paris.</source>",
    "TYPE": "General",
    "responses": '"""On the sofa."""\n\n"""In bed."""',
}

TASK, CONVERSATION, MISTAKEN = "task of the client", "a person speaks", "MISTAKEN"


def templates(wheel: Path) -> dict[str, str]:
    """Return the default templates in *wheel* by their names."""
    with zipfile.ZipFile(wheel) as archive:
        tree = ast.parse(archive.read(MODULE))
    return {
        node.targets[0].id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        if NAME.fullmatch(node.targets[0].id)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    }


def filled(template: str) -> str:
    """Return *template* as it is sent: with a chat, a question and what else it names."""
    return _VARIABLE.sub(
        lambda found: CHAT if found[1] == "MESSAGES" else _VALUES.get(found[1], QUESTION), template
    )


def verdict(name: str, template: str) -> str:
    """Return what a request made of the template called *name* is taken for."""
    text = filled(template)
    if name == DOCUMENTS:
        messages = _messages(f"{text}\n{QUESTION}")
        right = not is_client_task(messages) and said_in(messages[-1]["content"]) == QUESTION
        return CONVERSATION if right else MISTAKEN
    if TOOLS in name:
        history = f'History:\nUSER: """My cat is called Biscotto."""\nQuery: {QUESTION}'
        sent = [_messages(f"Query: {QUESTION}", text), _messages(history, text)]
        return TASK if all(map(is_client_task, sent)) else MISTAKEN
    if any(each in name for each in INSTRUCTIONS):
        return MISTAKEN if is_client_task(_messages(QUESTION, text)) else CONVERSATION
    return TASK if is_client_task(_messages(text)) else MISTAKEN


def _messages(said: str, instructions: str = "") -> list[dict[str, Any]]:
    told = [{"role": "system", "content": instructions}] if instructions else []
    return [*told, {"role": "user", "content": said}]


def main(arguments: list[str] | None = None) -> int:
    """Print the verdict on each template."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--wheel", type=Path, required=True, help="a wheel of Open WebUI")
    found = templates(parser.parse_args(arguments).wheel)
    if not found:
        print(f"{MODULE} holds no templates: has it moved?")
        return 1
    verdicts = {name: verdict(name, template) for name, template in found.items()}
    for name, said in verdicts.items():
        print(f"{name:<50} {said}")
    return int(MISTAKEN in verdicts.values())


if __name__ == "__main__":
    sys.exit(main())
