"""From a conversation to candidate memories.

::

    window of messages ─┬─ transcript ─ prompt ─ provider ─ parse ─┬─ gate ─ pipeline.remember
                        └─ the built-in reader ────────────────────┘

`run.read` does this for one run: with one call to the language model or, without a model, by the
rules of `memoryapp.reader`. `message_status`
tells what became of each message. All other modules are pure functions.
"""
