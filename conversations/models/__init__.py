"""Tables of conversations, messages and imports."""

from conversations.models.conversation import (
    MESSAGES_PER_PAGE,
    TRANSCRIPT_LINK_PREFIX,
    Conversation,
    ConversationOrigin,
    ConversationQuerySet,
    Message,
    MessageQuerySet,
    Role,
)
from conversations.models.imports import Import, ImportKind, ImportState

__all__ = [
    "MESSAGES_PER_PAGE",
    "TRANSCRIPT_LINK_PREFIX",
    "Conversation",
    "ConversationOrigin",
    "ConversationQuerySet",
    "Import",
    "ImportKind",
    "ImportState",
    "Message",
    "MessageQuerySet",
    "Role",
]
