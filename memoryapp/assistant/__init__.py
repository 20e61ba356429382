"""The assistant: recalls, calls tools and answers; a run extracts facts from the conversation.

::

    submit ─ Answer(running) ─┬─ answer ─ recall ─ provider ⇄ tools ─ reply, Answer(done) ─ Run
                              └─ a thread that continues if the client disconnects

Without a language model, the answer is what recall has found: `Answer.State.SEARCHED`.


- ``submission``: a message or another try becomes a running `Answer`
- ``answer``: one `Answer` to its end, as a plain generator of events
- ``tool_calls``: the tools that the model calls in one round
- ``prompt``: the system prompt, and the part of the conversation that the model sees
- ``cancellation``: waiting for providers and tools, until a signal to stop
- ``answer_threads``: the threads of this process that answer, and the state that a page streams
- ``thread_registry``: threads that can be stopped, within each holder's share; ``/v1`` uses it too
- ``events``: what happens while an answer is made
"""
