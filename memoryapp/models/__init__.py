"""What is remembered, and the ledger of how it came to be."""

from memoryapp.models.answers import Answer, RecallLog, ToolRun
from memoryapp.models.desk import SavedFilter
from memoryapp.models.embedding_jobs import EmbeddingJob
from memoryapp.models.ledger import Activity, Run, Usage
from memoryapp.models.memory import (
    Category,
    Memory,
    MemoryRevision,
    MemorySource,
    Origin,
)
from memoryapp.models.never_again import NeverAgain, Tombstone
from memoryapp.models.palace import Closet, Drawer, Palace, Room, Unfiled, Wing, WingKind
from memoryapp.models.requests import IdempotentRequest
from memoryapp.models.spending import may_spend, over_cap
from memoryapp.models.summaries import Summary
from memoryapp.models.vectors import (
    DrawerEmbedding,
    EmbeddingSpace,
    MemoryEmbedding,
    RevisionEmbedding,
)

__all__ = [
    "Activity",
    "Answer",
    "Category",
    "Closet",
    "Drawer",
    "DrawerEmbedding",
    "EmbeddingJob",
    "EmbeddingSpace",
    "IdempotentRequest",
    "Memory",
    "MemoryEmbedding",
    "MemoryRevision",
    "MemorySource",
    "NeverAgain",
    "Origin",
    "Palace",
    "RecallLog",
    "RevisionEmbedding",
    "Room",
    "Run",
    "SavedFilter",
    "Summary",
    "Tombstone",
    "ToolRun",
    "Unfiled",
    "Usage",
    "Wing",
    "WingKind",
    "may_spend",
    "over_cap",
]
