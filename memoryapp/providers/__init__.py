"""The outside world: language models and embedding models, behind one kind of error.

The caller passes an ``Endpoint``. Only ``configured`` and ``breaking`` use the database.

- ``endpoints``: where a provider is; what is known of each is in ``instances.presets``
- ``chat``: one question, one answer, as JSON
- ``answers``: the list in what it wrote, whatever stands around it
- ``streaming``: a conversation, answered piece by piece, with calls of tools
- ``chunks``: such an answer as it comes
- ``breaking``: the circuit breaker for servers that keep failing
- ``shapes``: which parts of an answer may be passed on
- ``echoes``: removes the key from answers that repeat it
- ``embeddings``: texts to unit vectors, by an OpenAI-compatible server
- ``builtin``: texts to unit vectors in this process, with no key and no server
- ``fields``: single values of an answer, made fit to store
- ``client``: the HTTP call that the two remote ones share
- ``errors``: whatever goes wrong, as a ``ProviderError`` that a person can act on
"""

import os

# The library that runs the built-in model would report its use to its maker, from this machine and
# with an id of its own for it. It reads this once, when it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
