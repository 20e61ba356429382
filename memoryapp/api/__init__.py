"""The doors for programs: thin, each a call into the same code as the screens.

`mcp` is the Model Context Protocol: the tools of `memoryapp.tools` for other people's agents.
`rest` puts the REST API together: one module per resource (`memories`, `conversations`, `messages`,
`runs`, `instances`, `search`), and what they share: who asks (`callers`), what may go wrong
(`errors`), pages (`paging`), doing a thing once (`once`), how often (`throttling`).

`mem0` has the addresses that mem0's own client calls.
"""
