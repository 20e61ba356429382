"""OAuth 2.1: people connect clients such as Claude or ChatGPT, without a key.

::

    client ─ metadata ─ registers, or has a document ─ consent (a screen) ─ code ─ tokens
                                                          └─ ApiKey: instance, permissions

- ``views``: the addresses: metadata, the screen, and the list of connections
- ``endpoints``: registration and tokens
- ``forms``: what a person decides on the screen
- ``validator``: what django-oauth-toolkit, which speaks the protocol, asks and stores
- ``client_documents``: fetches the documents of clients, through the gate for outgoing calls
- ``tokens``: from an access token to the key of its connection
- ``connections``: makes and ends connections

Specifications: OAuth 2.1, RFC 7591 (registration), RFC 8414 and RFC 9728 (metadata), RFC 8707
(resource), RFC 9207 (issuer), Client ID Metadata Documents, and the authorization part of MCP.
"""
