"""From a conversation to candidate memories.

::

    window of messages ─ transcript ─ prompt ─ provider ─ parse ─ candidates ─ pipeline.remember

`run.read` does this for one run, with one call to the language model. All other modules are pure
functions.
"""
