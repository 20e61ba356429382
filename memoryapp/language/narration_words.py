"""The words with which a narrator tells what somebody said, and which support nothing. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class NarrationWords:
    """Words in small letters."""

    #: What a narrator says about what was said, and words that fit everything.
    narration: frozenset[str]
    #: Verbs for what people say, think and feel of what another said.
    attitudes: frozenset[str] = frozenset()
    #: Further words that support nothing.
    vague: frozenset[str] = frozenset()
    #: Irregular forms, and words that are said in one form and written in another, mapped to one.
    forms: Mapping[str, str] = field(default_factory=dict)
