"""The tables of memories, the palace, the graph, stored documents, background work and the logs."""

from memoryapp.models.activity import Activity
from memoryapp.models.answers import Answer, RecallLog, ToolRun
from memoryapp.models.archived_memories import ArchivedMemory
from memoryapp.models.audit_forwarding import AuditForwarding
from memoryapp.models.audit_records import AuditRecord
from memoryapp.models.contradictions import Contradiction
from memoryapp.models.duplicate_pairs import Likeness, uncompared_vectors
from memoryapp.models.embedding_jobs import EmbeddingJob
from memoryapp.models.embedding_spaces import EmbeddingSpace, VectorIndex
from memoryapp.models.erasures import Erasure
from memoryapp.models.golden import GoldenQuestion, GoldenRound
from memoryapp.models.graph import Entity, EntityKind, Mention, Statement, Withdrawn
from memoryapp.models.held_statements import HeldStatement
from memoryapp.models.idempotency import IdempotentRequest
from memoryapp.models.key_requests import KeyRequest, RequestDoor, RequestRemark
from memoryapp.models.legal_holds import LegalHold
from memoryapp.models.memory import Memory, MemoryRevision, MemorySource
from memoryapp.models.memory_choices import Category, Feedback, Origin
from memoryapp.models.memory_counts import CountKind, MarkKind, MemoryCount, MemoryMark
from memoryapp.models.muted_messages import MutedMessage
from memoryapp.models.muted_notes import MutedNote
from memoryapp.models.palace import (
    Closet,
    Drawer,
    Palace,
    Room,
    Unfiled,
    Wing,
    WingKind,
    awaiting_filing,
)
from memoryapp.models.proposed_deletions import ProposedDeletion
from memoryapp.models.refused import RefusedProposal
from memoryapp.models.relations import Relation
from memoryapp.models.retention import Kept, RetentionRule
from memoryapp.models.runs import Run
from memoryapp.models.saved_filters import SavedFilter
from memoryapp.models.spending import may_read, may_spend, over_cap, waiting_at_cap
from memoryapp.models.stored_documents import StoredDocument
from memoryapp.models.summaries import Summary
from memoryapp.models.suppression import SuppressedStatement, SuppressionRule
from memoryapp.models.usage import Usage
from memoryapp.models.vectors import (
    DocumentEmbedding,
    DrawerEmbedding,
    MemoryEmbedding,
    RevisionEmbedding,
)
from memoryapp.models.versions import Version
from memoryapp.models.webhook_deliveries import WebhookDelivery, has_webhooks, webhooks_due

__all__ = [
    "Activity",
    "Answer",
    "ArchivedMemory",
    "AuditForwarding",
    "AuditRecord",
    "Category",
    "Closet",
    "Contradiction",
    "CountKind",
    "DocumentEmbedding",
    "Drawer",
    "DrawerEmbedding",
    "EmbeddingJob",
    "EmbeddingSpace",
    "Entity",
    "EntityKind",
    "Erasure",
    "Feedback",
    "GoldenQuestion",
    "GoldenRound",
    "HeldStatement",
    "IdempotentRequest",
    "Kept",
    "KeyRequest",
    "LegalHold",
    "Likeness",
    "MarkKind",
    "Memory",
    "MemoryCount",
    "MemoryEmbedding",
    "MemoryMark",
    "MemoryRevision",
    "MemorySource",
    "Mention",
    "MutedMessage",
    "MutedNote",
    "Origin",
    "Palace",
    "ProposedDeletion",
    "RecallLog",
    "RefusedProposal",
    "Relation",
    "RequestDoor",
    "RequestRemark",
    "RetentionRule",
    "RevisionEmbedding",
    "Room",
    "Run",
    "SavedFilter",
    "Statement",
    "StoredDocument",
    "Summary",
    "SuppressedStatement",
    "SuppressionRule",
    "ToolRun",
    "Unfiled",
    "Usage",
    "VectorIndex",
    "Version",
    "WebhookDelivery",
    "Wing",
    "WingKind",
    "Withdrawn",
    "awaiting_filing",
    "has_webhooks",
    "may_read",
    "may_spend",
    "over_cap",
    "uncompared_vectors",
    "waiting_at_cap",
    "webhooks_due",
]
