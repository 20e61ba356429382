"""The summary of a person: their memories in a few sentences.

::

    memories of one person ─ prompt ─ provider ─ text ─ Summary ─ the chat's system message

It is written again after a run that stored memories, and after memories have been deleted or
edited, which deletes the former text at once.
"""
