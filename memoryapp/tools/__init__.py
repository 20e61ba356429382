"""What a model may do with the memory by itself: one verb a module, one implementation for every
door: the chat, the REST API, MCP and the OpenAI-compatible endpoint.

::

    a call ─ run ─ checked arguments ─ search | list | save | forget ─ Result: text, outcome, data
                                            └ reaches as far as its Scope

`run` takes a call as the model made it. Whatever is wrong with it goes back to the model, in words
that let it do better; the text of memories goes to the model and nowhere else. `TOOLS` says what
there is, and `schemas` describes it in the form of the OpenAI API.
"""

from memoryapp.tools.catalogue import TOOLS, Tool, schemas
from memoryapp.tools.dispatch import run
from memoryapp.tools.forget import NAME as FORGET
from memoryapp.tools.list import NAME as LIST
from memoryapp.tools.save import NAME as SAVE
from memoryapp.tools.search import NAME as SEARCH
from memoryapp.tools.tool_context import ToolContext, ToolResult

__all__ = [
    "FORGET",
    "LIST",
    "SAVE",
    "SEARCH",
    "TOOLS",
    "Tool",
    "ToolContext",
    "ToolResult",
    "run",
    "schemas",
]
