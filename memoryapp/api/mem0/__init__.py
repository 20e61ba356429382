"""The addresses that mem0's own client calls, so that it works here with no more than another host.

::

    MemoryClient ─ door ─┬─ adding ─┬─ hearing ─ a conversation ─ a run reads it
                         │          └─ pipeline.remember, when nothing is to be inferred
                         ├─ finding ─ filters ─ recall.recall
                         └─ keeping ─ revise, forget, history

`owners` says whose a memory is (user, agent, app, run), `shapes` how things are written in answers.
What a request may hold and what an answer looks like is mem0's to say; what becomes of it is not:
everything goes through the same pipeline and the same recall as from any other door.
"""
