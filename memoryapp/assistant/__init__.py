"""The assistant: recalls, answers, calls tools, and leaves what was said to be learned from.

::

    ask ─ Answer(running) ─┬─ answer ─ recall ─ provider ⇄ tools ─ reply, Answer(done) ─ Run
                           └─ background: a thread that outlives whoever looks on

- ``asking``: a message or another try becomes a running `Answer`
- ``answering``: one `Answer` to its end, as a plain generator of events
- ``recalled``: what the memory has to say to a message
- ``calls``: the tools that the model calls in one round
- ``prompt``: what the model is told, and how much of the conversation it sees
- ``waiting``: waiting for providers and tools without missing the call to stop
- ``background``: the threads of this process, and what those who look on see of them
- ``events``: what happens while an answer is made
"""
