"""The temporal knowledge graph: adding to it, correcting it, querying it.

::

    ingestion       statements of a message become entities, mentions and statements
    neighbourhood   the relations of the entities that a question names
    corrections     what a person changes: merge, rename, withdraw, add, end

What holds when is not decided here: it follows from the statements, see
`memoryapp.models.relations`.
"""
