"""Finds the JSON list or object in a text of a language model. Pure functions."""

import html
import json
from collections.abc import Collection, Iterator
from typing import Any

from memoryapp.providers.json_mending import CutList, CutObject, UnfinishedList, groups
from memoryapp.providers.thinking import separate

#: How well a list fits, from an empty one to one of objects with the right key.
_EMPTY, _OTHER, _NAMED, _FITTING = range(4)
_Ranked = tuple[int, list[Any]]


def list_in(answer: str, name: str, *, part: str, cut_off: bool = False) -> list[Any] | None:
    """Return the list that *answer* holds under *name*, alone or as its only list; None if there is
    none. Objects with the key *part* count as the items of such a list.

    Of several, the best one counts: one of objects with *part* before others, and an empty one
    last. Of equal ones, the last counts. It is an `UnfinishedList` if the answer ends within it; of
    one that was ``cut_off``, also if it ends between two items.
    """
    best: _Ranked | None = None
    cut = CutList if cut_off else UnfinishedList
    for values in _values(answer, cut_off=cut_off):
        last = values[-1]
        lists = [_best_list(value, name, part) for value in values]
        found = [each for each in lists if each]
        rank = max((rank for rank, _ in found), default=_EMPTY)
        items = [item for own, items in found for item in items if own == rank]
        if rank == _EMPTY and lists[-1] is None and isinstance(last, CutObject | CutList):
            # An empty one was a draft of what is cut off before its first item ends.
            best = best if best and best[0] else None
        elif found and (best is None or rank >= best[0]):
            # A row of objects without a list around them has no end that would be missing.
            is_row = isinstance(last, CutObject) and lists[-1] is None
            is_row = is_row or (cut_off and isinstance(last, dict) and part in last)
            best = rank, UnfinishedList(items) if is_row or _is_cut(last, cut) else items
    return None if best is None else best[1]


def object_in(answer: str, parts: Collection[str]) -> dict[str, Any] | None:
    """Return the object that *answer* holds in the same way, with the most of *parts* in it."""
    found = [each for values in _values(answer) for value in values for each in _objects(value)]
    with_parts = [(sum(part in each for part in parts), each) for each in reversed(found)]
    most, best = max(with_parts, key=lambda each: each[0], default=(0, None))
    return best if most else None


def _values(answer: str, *, cut_off: bool = False) -> Iterator[list[Any]]:
    """Yield the lists and objects of *answer*, without those in its thinking, in groups of those
    that follow each other.
    """
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        pass
    else:
        if isinstance(value, str) and value != answer:
            yield from groups(value)
        yield [value]
        return
    said, thought = separate(answer)
    found = list(groups(_readable(said)))
    if not found and thought and not cut_off:
        # A model that forgot to say that it is done thinking has its answer at the end.
        text = _readable(thought).rstrip()
        found = list(groups(text))[-1:] if text.endswith(("]", "}")) else []
    yield from found


def _is_cut(value: Any, kind: type[CutList]) -> bool:
    """True if *value* is or holds a list of this *kind*, with all that is around it cut as well."""
    inside = value.values() if isinstance(value, CutObject) else ()
    return isinstance(value, kind) or any(_is_cut(each, kind) for each in inside)


def _readable(text: str) -> str:
    """*text* without fences, and without backslashes or entities if all of it is escaped."""
    if '{\\"' in text and '{"' not in text:
        text = text.replace('\\"', '"')
    if "&quot;" in text and '"' not in text:
        text = html.unescape(text)
    return text.replace("```json", "").replace("```", "")


def _opened(value: Any, brackets: str = "[{") -> Any:
    """*value*, or the list or object that is written in it as a text."""
    if isinstance(value, str) and value.lstrip().startswith(tuple(brackets)):
        inside = next(groups(value), [])
        return inside[0] if len(inside) == 1 else value
    return value


def _best_list(value: Any, name: str, part: str, levels: int = 4) -> _Ranked | None:
    """The list in *value* that fits best, with its rank."""
    if isinstance(value, dict):
        if part in value:
            return None if isinstance(value, CutObject) else (_FITTING, [value])
        candidates = [_of_member(value, key, name, part, levels) for key in value]
        return _best([each for each in candidates if each])
    if not isinstance(value, list):
        return None
    items = [_opened(each, "{") for each in value]
    items = [each for each in items if not isinstance(each, CutObject)]
    if any(isinstance(each, dict) and part in each for each in items):
        return _FITTING, items
    inside = [_best_list(each, name, part, levels - 1) for each in value] if levels else []
    if fitting := [each[1] for each in inside if each and each[0] >= _NAMED]:
        return _FITTING, [item for items in fitting for item in items]
    if isinstance(value, CutList) or (value and not items):
        # What is cut off may be half of its last item, or nothing of it could be read.
        return None
    return (_OTHER if items else _EMPTY), items


def _of_member(
    value: dict[str, Any], key: str, name: str, part: str, levels: int
) -> _Ranked | None:
    member = _opened(value[key])
    if not isinstance(member, dict | list) or not levels:
        return None
    best = _best_list(member, name, part, levels - 1)
    if best is None or best[0] == _FITTING or not isinstance(member, list):
        return best
    if key == name:
        return (_NAMED, best[1]) if best[1] else best
    lists = [each for each in value.values() if isinstance(each, list)]
    return best if len(lists) == 1 and not isinstance(value, CutObject) else None


def _best(found: list[_Ranked]) -> _Ranked | None:
    if not found:
        return None
    best = max(rank for rank, _ in found)
    return best, [item for rank, items in found for item in items if rank == best]


def _objects(value: Any, levels: int = 4) -> Iterator[dict[str, Any]]:
    """Yield *value* and the objects in it, the outer ones last, without those that are cut off."""
    if isinstance(value, CutObject) or not levels:
        return
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in inside:
        yield from _objects(_opened(each), levels - 1)
    if isinstance(value, dict):
        yield value
