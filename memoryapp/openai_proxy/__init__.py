"""``/v1``: passes requests for a reply on to the provider, with memory.

::

    request ─ parse ─ match conversation ─ recall ─ provider ⇄ our tools ─ caller
                         │                     └─ reply ─ stored ─ Run
                         └─ transcript: which messages are new

- ``responses_format``, ``messages_format``: OpenAI's responses and Anthropic's messages in terms of
  chat completions, whose chunks ``chat_chunks`` reads; pure
- ``stored_history``: the messages before a request that names a stored reply
- ``request``: the parts of a request for the provider and for Keepsake
- ``transcript``: links that identify the messages of a transcript; pure
- ``conversation_matching``: finds the conversation of a transcript, and stores its new messages
- ``proxy``: answers one request, as a plain generator
- ``wire``: what differs between the APIs in which a request is passed on
- ``chat_wire``: chat completions, with ``upstream_request``, ``tool_call_filter`` and
  ``written_calls``
- ``messages_wire``: Anthropic's messages as they are, with ``messages_request``, ``message_filter``
  and ``messages_transcript``, which reads them for the conversation
- ``turn_context``: what the model is shown for a turn, kept while the client's tools run
- ``upstream_request``: the request to the provider, as far as servers accept our additions
- ``tool_call_filter``: removes calls of our own tools from the answer; pure
- ``worker_threads``: the threads of this process that pass requests on
"""
