"""Puts what is current before what it takes the place of.

Whoever tells that the training is on Saturdays now seldom says what it was before, and the earlier
statement is often nearer to the question. So among the first results, a later statement that is
about as likely passes an earlier one if it tells of a change in the same thing, or is about the
same thing; see `memoryapp.policy.succession`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memoryapp.policy.succession import Succession, succession
from memoryapp.recall.results import Hit, HitRef
from memoryapp.recall.scoring import Traits

#: The part of a score by which a later statement stands before what it takes the place of.
NEWER = "newer"
#: Results among which that is looked for, as many as a model is usually shown: what comes up from
#: further down takes the place of something that answers as often as it answers.
DEPTH = 5
#: The difference of the scores up to which a later statement passes an earlier one. With 2, one
#: that tells of another change does so as well.
LEADS = {Succession.CHANGE: 1.0, Succession.ALIKE: 0.5}
_STEP = 0.001


def current_first(hits: Sequence[Hit], traits: Mapping[HitRef, Traits], language: str) -> list[Hit]:
    """*hits*, best first, each before the earlier one that it takes the place of. The *traits* tell
    when and by whom each was said; most of them are in *language*.
    """
    first, rest = list(hits[:DEPTH]), hits[DEPTH:]
    # The oldest first: of three values, the second passes the first, and the third both.
    for later in sorted(first, key=lambda hit: _day(traits[hit.row])):
        passed = [
            earlier.score
            for earlier in first
            if _may_follow(traits[later.row], traits[earlier.row])
            and _passes(later, earlier, language)
        ]
        if passed:
            lead = max(passed) + _STEP - later.score
            first[first.index(later)] = replace(
                later, score=later.score + lead, parts={**later.parts, NEWER: lead}
            )
    return sorted([*first, *rest], key=lambda hit: -hit.score)


def _day(traits: Traits) -> int:
    return traits.day.toordinal() if traits.day else 0


def _may_follow(later: Traits, earlier: Traits) -> bool:
    """True if what *later* states may replace the *earlier* one: an assistant, a tool and a
    document replace nothing that was said.
    """
    return bool(_day(earlier)) and _day(earlier) < _day(later) and later.source >= 0


def _passes(later: Hit, earlier: Hit, language: str) -> bool:
    behind = earlier.score - later.score
    if not 0 < behind <= max(LEADS.values()):
        return False
    return behind <= LEADS.get(succession(later.content, earlier.content, language), 0)
