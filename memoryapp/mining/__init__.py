"""From a conversation to the palace and the graph.

::

    unfiled messages ─ window ─┬─ with a model: prompt ─ provider ─ parse ─┬─ placement ─ filing
                               └─ without: the conversation's title ───────┘

`run.mine` does this for one run. Filing never fails because of a model: if none answers, messages
are filed without it, and the run says so.
"""
