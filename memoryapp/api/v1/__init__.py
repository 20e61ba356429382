"""``/v1``: the APIs of language models, with memory.

::

    chat_completions ┐
    responses        ├─ requests: key, rate, body ─ proxy ─ relay: the thread's parts
    messages         ┘                                              └─ events of that API

- ``chat_completions``: OpenAI's chat completions, and the list of models
- ``responses``: OpenAI's responses and conversations, which are resolved from what is stored here
- ``messages``: Anthropic's messages
- ``embeddings``: OpenAI's embeddings, by the embedder of the instance
- ``errors``: errors in the format of each API
"""
