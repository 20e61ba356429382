"""Calls to language models and embedding models.

The caller passes an `Endpoint`, and every failure is a `ProviderError`. Only ``configured`` and
``circuit_breaker`` use the database.
"""
