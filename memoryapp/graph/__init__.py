"""The temporal knowledge graph: adding to it, correcting it, querying it.

::

    ingest()        statements of a message become entities, mentions and statements
    relations_of()  the relations of the entities that a question names
    corrections     what a person changes: merge, rename, withdraw, add, end

What holds when is not decided here: it follows from the statements, see
`memoryapp.models.relations`.
"""

from memoryapp.graph.corrections import (
    EntitiesNotMergeable,
    EntityNameTaken,
    MergedEntities,
    NewRelation,
    add_relation,
    end_relation,
    merge_entities,
    preview_merge,
    rename_entity,
    withdraw_relation,
)
from memoryapp.graph.ingestion import EntityMention, NamedEntity, StatementIn, ingest
from memoryapp.graph.neighbourhood import RelationFact, entities_named_in, relations_of

__all__ = [
    "EntitiesNotMergeable",
    "EntityMention",
    "EntityNameTaken",
    "MergedEntities",
    "NamedEntity",
    "NewRelation",
    "RelationFact",
    "StatementIn",
    "add_relation",
    "end_relation",
    "entities_named_in",
    "ingest",
    "merge_entities",
    "preview_merge",
    "relations_of",
    "rename_entity",
    "withdraw_relation",
]
