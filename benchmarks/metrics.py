"""How good a ranking is, and which turns a question's evidence names. Pure functions."""

import math
import re
from collections.abc import Collection, Iterable, Sequence

_TURN = re.compile(r"D:?(\d+):(\d+)")


def turn_ids(text: str) -> list[str]:
    """Read the turn ids in *text*, written in the one form ``D30:5``.

    LoCoMo's annotators also wrote ``D30:05``, ``D:11:26``, and two ids in one string.
    """
    return [f"D{int(session)}:{int(turn)}" for session, turn in _TURN.findall(text)]


def evidence(raw: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the turns that a question's evidence names, each once; those not *known* are left
    out.
    """
    ids = dict.fromkeys(turn_id for text in raw for turn_id in turn_ids(text))
    return [turn_id for turn_id in ids if turn_id in known]


def session_of(turn_id: str) -> str:
    """Return the session of a turn: ``D30`` for ``D30:5``."""
    return turn_id.partition(":")[0]


def sessions(turns: Iterable[str]) -> list[str]:
    """Return the sessions of ranked *turns*, by their first appearance."""
    return list(dict.fromkeys(session_of(turn_id) for turn_id in turns))


def recall_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the share of the *relevant* among the first *k* of *ranked*, 0 to 1."""
    return len(set(ranked[:k]) & set(relevant)) / len(set(relevant))


def ndcg_at(k: int, ranked: Sequence[str], relevant: Collection[str]) -> float:
    """Return the normalised discounted cumulative gain with binary gain, 0 to 1.

    ``DCG = Σ gain / log2(rank + 1)``, rank from 1 (Järvelin and Kekäläinen, 2002).
    """
    relevant = set(relevant)
    found = sum(
        1 / math.log2(rank + 1) for rank, item in enumerate(ranked[:k], 1) if item in relevant
    )
    return found / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(relevant)) + 1))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest of *values* that at least *share* (0 to 1) of them do not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]
