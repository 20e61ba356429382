"""Runs a tool: checks the call as the model made it, and turns every error into a result."""

import logging
from collections.abc import Collection

from django.db import Error as DatabaseError
from pydantic import ValidationError

from conversations.importers.json_repair import repair_halves
from instances.translatable import translatable
from memoryapp.forgetting.holds import OnHold
from memoryapp.tools.catalogue import DOCUMENT_TOOLS, TOOLS
from memoryapp.tools.tool_context import ToolContext, ToolResult

logger = logging.getLogger(__name__)


def run(name: str, arguments: str, context: ToolContext, *, allowed: Collection[str]) -> ToolResult:
    """Carry out one call; *arguments* is JSON as the model wrote it. Never raises: the result of a
    failed call tells the model what to change.
    """
    tool = (TOOLS | DOCUMENT_TOOLS).get(name) if name in allowed else None
    if tool is None:
        names = ", ".join(allowed) or "none"
        text = f"There is no tool {name!r}. There are: {names}."
        return ToolResult(text, translatable("No such tool"), ok=False)
    try:
        checked = tool.arguments.model_validate_json(_whole(arguments) or "{}")
    except ValidationError as error:
        return ToolResult(
            f"The arguments were not usable: {_reasons(error)}. Correct them and call again.",
            translatable("The model called it wrongly"),
            ok=False,
        )
    try:
        return tool.run(checked, context)
    except OnHold as held:
        text = f"{held} Tell the user so, and do not call again for it."
        return ToolResult(text, translatable("It is under a legal hold"), ok=False)
    except DatabaseError as error:
        # Its message may quote a row.
        logger.error("%s failed: %s", name, type(error).__name__)
    except Exception:
        logger.exception("%s failed", name)
    return ToolResult(
        "The tool failed because of an internal error. Continue without it.",
        translatable("It failed"),
        ok=False,
    )


def _whole(arguments: str) -> bytes:
    """Return *arguments* with U+FFFD for halves of characters, which a model was cut between."""
    return repair_halves(arguments.encode("utf-8", "surrogatepass"))


def _reasons(error: ValidationError) -> str:
    return "; ".join(
        f"{'.'.join(str(part) for part in item['loc']) or 'arguments'}: "
        + item["msg"].removeprefix("Value error, ")
        for item in error.errors(include_url=False, include_input=False, include_context=False)
    )
