"""From a question to ranked memories: every read passes here, whoever asks.

::

    question ─┬─ meaning   vectors over memories ────┐
              ├─ words     full text over memories ──┼─ fusion ─ hits
              └─ said      full text over messages ──┘

Each list is ranked on its own; `fusion` is a pure function over the three, and `fading` sets back
what is past its day or has long not been asked for. When the embedding
provider does not answer in time, the two lists of words answer alone and the result says so.
"""

from memoryapp.recall.past import recall_past
from memoryapp.recall.recalling import Hit, Recalled, note_recalled, recall
from memoryapp.recall.reranking import recall_and_rerank

__all__ = ["Hit", "Recalled", "note_recalled", "recall", "recall_and_rerank", "recall_past"]
