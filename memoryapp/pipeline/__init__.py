"""The write path: every memory passes here, whatever door it came through.

`remember` takes candidates through the stages in order::

    candidates ─ embedding ─┬─ one transaction, one writer per person ─┬─ outcomes
                            │   dedup ─ storage                        │
                            └──────────────────────────────────────────┘

The network is spoken to before the transaction, never inside it. The decision of `dedup` is a
pure function; `storage` carries it out.
"""

from memoryapp.pipeline.storage import (
    Candidate,
    Changed,
    Changes,
    Outcome,
    Rejected,
    Writer,
    remember,
    restore,
    revise,
)
from memoryapp.pipeline.undo import NotTheNewest, undo

__all__ = [
    "Candidate",
    "Changed",
    "Changes",
    "NotTheNewest",
    "Outcome",
    "Rejected",
    "Writer",
    "remember",
    "restore",
    "revise",
    "undo",
]
