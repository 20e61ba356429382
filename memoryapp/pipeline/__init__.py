"""The write path: every memory passes here, whatever door it came through.

`remember` takes candidates through the stages in order::

    candidates ─ admission ─ embedding ─ merging ─ assessment ─┐
    ┌──────────────────────────────────────────────────────────┘
    └┬─ one transaction, one writer per person ─┬─ outcomes
     │   dedup ─ storage                        │
     └──────────────────────────────────────────┘

The network is spoken to before the transaction, never inside it. The decision of `dedup` is a
pure function; `storage` carries it out, or
what the language model said before in `merging`. `revise` takes corrections the same way.
"""

from memoryapp.pipeline.candidates import (
    IDS_ATTACHED,
    MAX_CONTENT,
    MAX_METADATA,
    MAX_TAGS,
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    Outcome,
    Rejected,
    Writer,
)
from memoryapp.pipeline.editing import restore, revise
from memoryapp.pipeline.suppression import Suppressed
from memoryapp.pipeline.undo import NotTheNewest, keep_both, undo
from memoryapp.pipeline.validation import Unfit, admit, admitted
from memoryapp.pipeline.write import remember

__all__ = [
    "IDS_ATTACHED",
    "MAX_CONTENT",
    "MAX_METADATA",
    "MAX_TAGS",
    "Candidate",
    "Changed",
    "Changes",
    "KeyTaken",
    "NotTheNewest",
    "Outcome",
    "Rejected",
    "Suppressed",
    "Unfit",
    "Writer",
    "admit",
    "admitted",
    "keep_both",
    "remember",
    "restore",
    "revise",
    "undo",
]
