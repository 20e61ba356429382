"""From a question to what answers it, best first: every read passes here, whoever asks.

::

    question ─┬─ memories   by meaning, by words ──┐
              ├─ turns      by meaning, by words ──┼─ weighing ── hits
              └─ messages   by words, not filed ───┘

`gathering` looks into each list, among what the `scope` of the question lets through; `weighing`
adds up what speaks for each thing found, or `fusion` does it by ranks alone; `fading` sets back
what is past its day or has long not been asked for; `loading` fetches what is shown. When the
embedding provider does not answer in time, words answer alone, and the result says so.
"""

from memoryapp.recall.as_of import recall_past
from memoryapp.recall.reranking import recall_and_rerank
from memoryapp.recall.search import (
    Hit,
    RecallResult,
    note_recalled,
    recall,
)

__all__ = ["Hit", "RecallResult", "note_recalled", "recall", "recall_and_rerank", "recall_past"]
