"""Tells which statements are suppressed, and by which rules."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Protocol

from django.db.models import F
from django.utils import timezone

from instances.models import EndUserAlias, Instance
from memoryapp.models import SuppressedStatement, SuppressionRule
from memoryapp.policy.minhash import signature
from memoryapp.suppression.recognition import hash_key_of, same_fact


class Suppressible(Protocol):
    """A statement about a person, and the message that it is from, if any."""

    @property
    def content(self) -> str: ...
    @property
    def end_user(self) -> str: ...
    @property
    def message_id(self) -> int | None: ...


@dataclass(frozen=True)
class Suppression:
    """Why a statement must not be learned."""

    #: The rules that recognise it. None: a suppressed statement on its message does.
    rules: Sequence[SuppressionRule] = ()


def suppressions(
    instance: Instance, statements: Sequence[Suppressible], *, by_hand: bool = False
) -> dict[int, Suppression]:
    """Return why *statements* are suppressed, by the index of those that are, with two queries. For
    statements that a person adds *by_hand*, only rules count.
    """
    rules: dict[str, list[SuppressionRule]] = {}
    # Signatures are made with an id, so those of a person's other ids are compared as well.
    ids = {statement.end_user: [statement.end_user] for statement in statements}
    if instance.has_aliases:
        ids = {each: EndUserAlias.objects.ids_of(instance, each) for each in ids}
    for rule in SuppressionRule.objects.of_people(instance, chain(*ids.values())):
        rules.setdefault(rule.end_user, []).append(rule)
    stones: dict[int, list[SuppressedStatement]] = {}
    messages = {statement.message_id for statement in statements if statement.message_id}
    if messages and not by_hand:
        for stone in instance.suppressed_statements.filter(message__in=messages):
            stones.setdefault(stone.message_id or 0, []).append(stone)
    found = {}
    key = hash_key_of(instance)
    for index, statement in enumerate(statements):
        for_person = [rule for id_ in ids[statement.end_user] for rule in rules.get(id_, [])]
        on_message = stones.get(statement.message_id or 0, [])
        if not (for_person or on_message):
            continue
        hashes = {id_: signature([statement.content], key(id_)) for id_ in ids[statement.end_user]}
        matching = [rule for rule in for_person if same_fact(hashes[rule.end_user], rule)]
        if matching:
            found[index] = Suppression(matching)
        elif any(
            stone.whole or any(same_fact(each, stone) for each in hashes.values())
            for stone in on_message
        ):
            found[index] = Suppression()
    return found


def count_hits(found: Iterable[Suppression]) -> None:
    """Count for each rule that it has suppressed a statement."""
    for each in found:
        SuppressionRule.objects.filter(pk__in=[rule.pk for rule in each.rules]).update(
            kept_out=F("kept_out") + 1, last_kept_out_at=timezone.now()
        )
