"""Calls to language models and embedding models.

The caller passes an `Endpoint`, and every failure is a `ProviderError`. Only ``configured`` and
``circuit_breaker`` use the database.
"""

import os

# The library that runs the built-in model would report its use to its maker, with an id of this
# machine. It reads this once, when it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
