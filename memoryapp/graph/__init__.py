"""The temporal knowledge graph: learning it, correcting it, asking it.

::

    learn()        what somebody said becomes entities, mentions and statements
    neighbours()   what is known of the entities that a question names
    merge() rename() withdraw() state() end()   what a person sets right by hand

What holds when is not decided here: it follows from the statements, see
`memoryapp.models.relations`.
"""

from memoryapp.graph.corrections import (
    Merged,
    NameTaken,
    NotAlike,
    end,
    merge,
    rename,
    state,
    withdraw,
    would_merge,
)
from memoryapp.graph.ingestion import (
    Mentioned,
    NamedEntity,
    StatementIn,
    learn,
)
from memoryapp.graph.neighbourhood import RelationFact, named_in, neighbours

__all__ = [
    "Mentioned",
    "Merged",
    "NameTaken",
    "NamedEntity",
    "NotAlike",
    "RelationFact",
    "StatementIn",
    "end",
    "learn",
    "merge",
    "named_in",
    "neighbours",
    "rename",
    "state",
    "withdraw",
    "would_merge",
]
