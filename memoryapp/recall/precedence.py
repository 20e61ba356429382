"""The order of the results that are shown: some stand before others whose scores are higher.

What is current stands before what it takes the place of. "The training is on Saturdays now" does
not say what was before, and the earlier statement is often nearer to the question. So a later
statement that is about as likely passes an earlier one if it tells of a change
in the same thing, or is about the same thing; see `memoryapp.policy.succession`.

A reply of an assistant stands before the question that it answers: the question was asked before,
and is nearer to the one that is asked now than any answer.

A memory stands before the turn that it was learned from: it is the answer, and the turn says where
it comes from, and what else was said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from conversations.models import Message, Role
from memoryapp.policy.succession import Succession, succession
from memoryapp.policy.turn_nature import asks_for_answer
from memoryapp.recall.results import Hit, HitRef
from memoryapp.recall.scoring import HALF, Scale, Traits, says_the_same

#: The parts of a score by which a later statement stands before what it takes the place of, a reply
#: before its question, and a memory before its turn: that of what the turn has more of.
NEWER, REPLY, SAID = "newer", "reply", "said"
#: Results that are reordered, as many as a model is usually shown: what comes up from further down
#: takes the place of something that answers as often as it answers.
DEPTH = 5
#: The difference of the scores up to which a later statement passes an earlier one. With 2, one
#: that tells of another change does so as well.
LEADS = {Succession.CHANGE: 1.0, Succession.ALIKE: 0.5}
#: How far above it: a memory less than what is current, which passes the memories of what it
#: replaces, too.
_STEP, _SMALL_STEP = 2e-6, 1e-6


def current_first(hits: Sequence[Hit], traits: Mapping[HitRef, Traits], language: str) -> list[Hit]:
    """*hits*, best first, each before the earlier one that it takes the place of. The *traits* tell
    when and by whom each was said; most of them are in *language*.
    """
    first = list(hits[:DEPTH])
    # The oldest first: of three values, the second passes the first, and the third both.
    for later in sorted(first, key=lambda hit: _day(traits[hit.row])):
        passed = [
            earlier.score
            for earlier in first
            if _may_follow(traits[later.row], traits[earlier.row])
            and _passes(later, earlier, language)
        ]
        if passed:
            first[first.index(later)] = _raised(later, max(passed) + _STEP, NEWER)
    return _ordered([*first, *hits[DEPTH:]])


def replies_first(hits: Sequence[Hit], language: str) -> list[Hit]:
    """*hits*, best first, each reply of an assistant before the question that it answers; most of
    them are in *language*.
    """
    first = list(hits[:DEPTH])
    turns = {_place(hit.message): hit for hit in first if hit.memory is None and hit.message}
    for at, reply in enumerate(first):
        if reply.memory or reply.message is None or reply.message.role != Role.ASSISTANT:
            continue
        conversation, position = _place(reply.message)
        question = turns.get((conversation, position - 1))
        if (
            question is not None
            and question.score > reply.score
            and question.said.role == Role.USER
            and asks_for_answer(question.content, language=language)
        ):
            first[at] = _raised(reply, question.score + _SMALL_STEP, REPLY)
    return _ordered([*first, *hits[DEPTH:]])


def memories_first(
    hits: Sequence[Hit],
    learned: Mapping[int, Sequence[int]],
    traits: Mapping[HitRef, Traits],
    scale: Scale,
) -> list[Hit]:
    """*hits*, best first, with the best memory of a turn before the turn, if it has at least half
    of its evidence. *learned* are the ids of the memories of each message by its id.
    """
    first = {hit.row: hit for hit in hits[:DEPTH]}
    for turn in list(first.values()):
        if turn.row.kind != "message":
            continue
        refs = [HitRef("memory", pk) for pk in learned.get(turn.row.pk, ())]
        memories = [first[ref] for ref in refs if ref in first]
        if any(memory.score > turn.score for memory in memories):
            continue
        holding = [
            memory
            for memory in memories
            if says_the_same(traits[memory.row], traits[turn.row], scale, share=HALF)
        ]
        if holding:
            best = max(holding, key=lambda memory: memory.score)
            first[best.row] = _raised(best, turn.score + _SMALL_STEP, SAID)
    return _ordered([*first.values(), *hits[DEPTH:]])


def _place(message: Message) -> tuple[int, int]:
    """The conversation of *message*, and its position there."""
    return message.conversation_id, message.position


def _raised(hit: Hit, score: float, name: str) -> Hit:
    """*hit* raised to this *score* by the part of this *name*."""
    lead = score - hit.score
    return replace(hit, score=score, parts={**hit.parts, name: hit.parts.get(name, 0.0) + lead})


def _ordered(hits: Sequence[Hit]) -> list[Hit]:
    return sorted(hits, key=lambda hit: -hit.score)


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
