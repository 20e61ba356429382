"""The write path: every memory passes here, however it came in.

`remember` takes candidates through the stages in order, each with a `Plan` that the next one
completes::

    candidates ─ validation ─ embedding ─ merging by a model ─ assessment ─┐
    ┌──────────────────────────────────────────────────────────────────────┘
    └┬─ one transaction, one writer per person ─┬─ outcomes
     │   suppression ─ dedup ─ storage          │
     └──────────────────────────────────────────┘

The network is called before the transaction, never inside it. `policy.dedup` decides as a pure
function; `storage` carries the decision out, or follows the model's judgement while that still
holds. `revise` takes corrections the same way.
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
