"""Adds entities and relations of imported memories to the graph; the memories are their sources."""

from collections import defaultdict
from collections.abc import Iterable

from instances.models import Instance
from instances.tiers import Tier
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.imports.converters import GraphEntity, GraphFact
from memoryapp.models import Memory
from memoryapp.privacy import pii


def add_to_graph(instance: Instance, facts: Iterable[tuple[GraphFact, Memory]]) -> None:
    """Add *facts*, each with the memory that states it, in the caller's transaction. They are dated
    and believed as that memory is, and disappear with it. Names with secrets are left out: the
    memory itself has a placeholder for them.
    """
    statements: defaultdict[str, list[StatementIn]] = defaultdict(list)
    mentions: defaultdict[str, list[EntityMention]] = defaultdict(list)
    for fact, memory in facts:
        ends = [fact.subject, *filter(None, [fact.object])]
        if any(_has_secret(instance, text) for text in (fact.predicate, *(e.name for e in ends))):
            continue
        named = [_named(end) for end in ends]
        if fact.object is None:
            mentions[memory.end_user].append(EntityMention(named[0], memory_id=memory.pk))
        else:
            statements[memory.end_user].append(
                StatementIn(
                    named[0],
                    fact.predicate,
                    named[1],
                    said_at=memory.said_at,
                    tier=Tier(memory.tier),
                    memory_id=memory.pk,
                )
            )
    for end_user in sorted({*statements, *mentions}):
        ingest(instance, end_user, statements[end_user], mentions[end_user])


def _named(entity: GraphEntity) -> NamedEntity:
    return NamedEntity(entity.name, entity.kind)


def _has_secret(instance: Instance, text: str) -> bool:
    examined = pii.examine(text, pii.PIIMode(instance.pii_policy))
    return bool(examined.findings or examined.refusal)
