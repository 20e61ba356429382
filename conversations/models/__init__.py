"""Tables of conversations, messages and imports, and of how frequent words are."""

from conversations.models.conversation import (
    MESSAGES_PER_PAGE,
    TRANSCRIPT_LINK_PREFIX,
    Conversation,
    ConversationOrigin,
    ConversationQuerySet,
    Message,
    MessageQuerySet,
    Nature,
    Role,
)
from conversations.models.imports import Import, ImportedConversation, ImportKind, ImportState
from conversations.models.upload_parts import UploadPart
from conversations.models.word_counts import CountedTexts, WordCount

__all__ = [
    "MESSAGES_PER_PAGE",
    "TRANSCRIPT_LINK_PREFIX",
    "Conversation",
    "ConversationOrigin",
    "ConversationQuerySet",
    "CountedTexts",
    "Import",
    "ImportKind",
    "ImportState",
    "ImportedConversation",
    "Message",
    "MessageQuerySet",
    "Nature",
    "Role",
    "UploadPart",
    "WordCount",
]
