"""From a question to ranked memories: every read passes here, whoever asks.

::

    question ─┬─ semantic   vectors over memories ────┐
              ├─ keyword    full text over memories ──┼─ fusion ─ hits
              └─ keyword    full text over messages ──┘

Each list is ranked on its own; `fusion` is a pure function over the three. When the embedding
provider does not answer in time, the two keyword lists answer alone and the result says so.
"""

from memoryapp.recall.recalling import Hit, Recalled, note_recalled, recall

__all__ = ["Hit", "Recalled", "note_recalled", "recall"]
