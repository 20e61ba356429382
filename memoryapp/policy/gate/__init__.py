"""The gate: whether what a model proposes is supported by what it has read. Pure.

::

    what was read ─ Source ─┐
    what is proposed ───────┴─ refusal() ─ None, or a Refusal with its reason
"""

from memoryapp.policy.gate.check import refusal
from memoryapp.policy.gate.reasons import Refusal, RefusalReason
from memoryapp.policy.gate.source import SaidLine, Source
from memoryapp.policy.gate.values import is_said, is_usable_key, unsaid_name

__all__ = [
    "Refusal",
    "RefusalReason",
    "SaidLine",
    "Source",
    "is_said",
    "is_usable_key",
    "refusal",
    "unsaid_name",
]
