"""``/mcp``: the four tools for whatever speaks the Model Context Protocol over streamable HTTP.

::

    POST /mcp ─ door: key, rate ─ visit: for whom, which tools ─ server: the official package
                                     └─ tools.run ─ the same tools as everywhere

Nothing is kept between two requests: any process may answer any of them.
"""
