"""From a conversation to candidate memories.

::

    window of messages ─ transcript ─ prompt ─ provider ─ parse ─ candidates ─ pipeline.remember

`run.read` does this for one run, with one call to the language model. `message_status`
tells what became of each message. All other modules are pure functions.
"""
