"""``/v1``: a request of any OpenAI client, on its way to the provider and back.

::

    request ─ asked ─ keeping ─ recall ─ provider ⇄ our tools ─ caller
                         │                    └─ what was said ─ keeping ─ Run
                         └─ transcript: which conversation is it, and what in it is new

- ``asked``: what the caller wants, of the provider and of Keepsake
- ``transcript``: what a client sends again and again, as links of a chain; pure
- ``keeping``: the conversation that a transcript is of; what is new in it is stored, once
- ``passing``: one request to its end, as a plain generator of what the caller is sent
- ``outgoing``: what the provider is sent, and how it takes what we add
- ``hiding``: our own tools, taken out of what the caller is sent; pure
- ``serving``: the threads of this process that pass requests on
"""
