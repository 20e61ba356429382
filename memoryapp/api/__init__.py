"""The doors for programs: thin, each a call into the same code as the screens.

- `rest` puts the REST API together, one module per resource: `memories` (and their `revisions`),
  `search`, `conversations`, `messages`, `runs`, `instances`; and two ways to the same for those who
  know it so: `store` (store and retrieve) and `tools` (what a model may call).
- `mcp` is the Model Context Protocol: the same tools for other people's agents.
- `openai` is OpenAI's API, and `mem0` the addresses that mem0's own client calls.

What they share: who asks (`callers`), what may go wrong (`errors`, `answering`), what becomes of a
new fact (`remembering`), pages (`paging`), doing a thing once (`once`), how often (`throttling`).
"""
