"""From a conversation to candidate memories.

::

    window of messages ─ transcript ─ prompt ─ provider ─ parse ─ candidates ─ pipeline.remember

`run.read` walks it for one run, with one call to the language model. `transcript` and `parse`
are pure functions.
"""
