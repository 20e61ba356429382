"""Tools for models: one verb a module, shared by the chat, the REST API, MCP and the
OpenAI-compatible endpoint.

::

    a call ─ run ─ checked arguments ─ search | list | save | forget ─ ToolResult
                                                └ within its ToolContext

`run` takes a call as the model made it. Errors go back to the model, in words that help it to call
again; the text of memories goes to the model and nowhere else.
"""

from memoryapp.tools.catalogue import DOCUMENT_TOOLS, TOOLS, schemas
from memoryapp.tools.dispatch import run
from memoryapp.tools.forget import NAME as FORGET
from memoryapp.tools.list import NAME as LIST
from memoryapp.tools.save import NAME as SAVE
from memoryapp.tools.search import NAME as SEARCH
from memoryapp.tools.tool import Tool
from memoryapp.tools.tool_context import Removal, ToolContext, ToolResult

__all__ = [
    "DOCUMENT_TOOLS",
    "FORGET",
    "LIST",
    "SAVE",
    "SEARCH",
    "TOOLS",
    "Removal",
    "Tool",
    "ToolContext",
    "ToolResult",
    "run",
    "schemas",
]
