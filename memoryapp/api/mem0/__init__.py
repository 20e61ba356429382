"""The API of mem0, so that its own client works with this server as its host.

::

    MemoryClient ─ urls ─┬─ add ─┬─ ingest ─ a conversation ─ a run extracts facts
                         │       └─ pipeline.remember, without inference
                         ├─ search ─ filters ─ recall.recall
                         ├─ memories ─ revise, forget, history
                  ├─ events, exports, feedback, project
                  └─ server ─ the same for programs made for mem0's self-hosted server

`entity_scope` parses the owners of memories (user, agent, app, run), `schemas` formats responses.
Requests and responses have mem0's form; behind them are the same pipeline and the same recall as
behind every other API.
"""
