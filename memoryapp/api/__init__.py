"""The doors for programs: thin, each a call into the same code as the screens.

`rest` puts the REST API together: one module per resource (`memories`, `conversations`, `messages`,
`runs`, `instances`, `search`), and what they share: who asks (`callers`), what may go wrong
(`errors`), pages (`paging`), doing a thing once (`once`), how often (`throttling`).
"""
