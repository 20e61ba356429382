"""The tools, and their descriptions in the form of the OpenAI API."""

from collections.abc import Iterable
from typing import Any

from memoryapp.tools import documents, forget, save, search
from memoryapp.tools import list as listing

TOOLS = {tool.name: tool for tool in (search.TOOL, listing.TOOL, save.TOOL, forget.TOOL)}

#: Further ones for clients of MCP.
DOCUMENT_TOOLS = {tool.name: tool for tool in (documents.SEARCH, documents.FETCH)}


def schemas(names: Iterable[str], *, external: bool = False) -> list[dict[str, Any]]:
    """Describe the tools called *names* in the form of the OpenAI API, for a model that answers in
    a conversation stored here, or for an *external* one.
    """
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": (external and tool.external_description) or tool.description,
                "parameters": tool.input_schema,
            },
        }
        for tool in (TOOLS[name] for name in names)
    ]
