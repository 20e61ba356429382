"""The write path of all memories, whatever their origin.

`remember` takes candidates through these stages, each with a `Plan` that every stage adds to::

    candidates ─ validation ─ embedding ─ merging by a model ─ assessment ─┐
    ┌──────────────────────────────────────────────────────────────────────┘
    └┬─ one transaction, one writer per person ─┬─ outcomes
     │   suppression ─ dedup ─ storage          │
     └──────────────────────────────────────────┘

The network is called before the transaction, never inside it. `policy.dedup` decides, as a pure
function; `storage` carries out its decision, or the model's judgement while that still holds.
`revise` does the same with corrections.
"""

from memoryapp.pipeline.candidates import (
    MAX_CONTENT,
    MAX_EXPIRES_DAYS,
    MAX_METADATA,
    MAX_SOURCE_CONTEXT,
    MAX_TAGS,
    SOURCE_CONTEXT,
    Candidate,
    Changed,
    Changes,
    KeyTaken,
    Outcome,
    Outranked,
    Rejected,
    Writer,
)
from memoryapp.pipeline.editing import restore, revise
from memoryapp.pipeline.pins import set_pinned
from memoryapp.pipeline.suppression import Suppressed
from memoryapp.pipeline.undo import NotTheNewest, keep_both, separate, undo
from memoryapp.pipeline.validation import Unfit, admit, admitted
from memoryapp.pipeline.write import RememberOptions, remember

__all__ = [
    "MAX_CONTENT",
    "MAX_EXPIRES_DAYS",
    "MAX_METADATA",
    "MAX_SOURCE_CONTEXT",
    "MAX_TAGS",
    "SOURCE_CONTEXT",
    "Candidate",
    "Changed",
    "Changes",
    "KeyTaken",
    "NotTheNewest",
    "Outcome",
    "Outranked",
    "Rejected",
    "RememberOptions",
    "Suppressed",
    "Unfit",
    "Writer",
    "admit",
    "admitted",
    "keep_both",
    "remember",
    "restore",
    "revise",
    "separate",
    "set_pinned",
    "undo",
]
