"""Search: from a question to the memories and messages that answer it, best first.

::

    question ─┬─ memories   by meaning, by words ──┐
              ├─ drawers    by meaning, by words ──┼─ ranking ── hits
              └─ messages   by words, not filed ───┘

- ``pointers``: a question that is a pointer of the palace, and needs none of the rest
- ``query``: the question with its analysis (``query_analysis``, ``dates``) and its vectors
- ``options`` and ``search_scope``: filters, and the rows that pass them
- ``retrieval``: the candidates of each list, with ``sql`` and ``vector_search``
- ``scoring`` and ``decay``: ranking by signals; ``fusion``: ranking by ranks alone
- ``floor``: what is relevant at all; see `memoryapp.policy.relevance`
- ``hydration``: the rows behind the hits
- ``search``: these stages one after the other; ``as_of``: the same for a moment in the past
- ``reranking``: the first hits once more, by a language model
- ``pins``: what is told to a model whatever the question is
- ``entries`` and ``hit_entries``: hits as lines that a model reads
- ``explanation``: why a memory is, or is not, among the hits
"""

from memoryapp.recall.as_of import recall_past
from memoryapp.recall.options import RecallOptions
from memoryapp.recall.reranking import recall_and_rerank
from memoryapp.recall.results import Hit, HitRef, RecallResult, note_recalled
from memoryapp.recall.search import recall

__all__ = [
    "Hit",
    "HitRef",
    "RecallOptions",
    "RecallResult",
    "note_recalled",
    "recall",
    "recall_and_rerank",
    "recall_past",
]
