"""``/mcp``: the tools over the Model Context Protocol, by streamable HTTP.

::

    POST /mcp ─ endpoint: key, rate ─ session: end user, tools ─ server: the official package
                                         └─ tools.run ─ the same tools as everywhere

There is no state between requests: any process may answer any of them. Before a memory is removed,
a client that can do so asks its user: see `consent`.
"""
