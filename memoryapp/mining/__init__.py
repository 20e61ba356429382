"""From a conversation to the palace and the graph.

::

    turns not yet filed ─ window ─┬─ a language model: prompt ─ provider ─ parse ─┬─ palace.file
                                  └─ none: by the conversation's title ───────────┘

`run.mine` walks it for one run. Filing never fails because of a model: where none answers, the
turns are filed without it, and the run says so.
"""
