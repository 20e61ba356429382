"""The closed sets of values of a memory: category, origin, and what can happen to it."""

from django.db import models


class Category(models.TextChoices):
    """Category of a memory."""

    #: Anything that fits none of the others.
    GENERAL = "general"
    #: What a person likes, dislikes or wants done in a certain way.
    PREFERENCE = "preference"
    #: A neutral statement about a person or the world they live in.
    FACT = "fact"
    #: Something that happens on a date.
    EVENT = "event"
    #: How two people or things are related.
    RELATIONSHIP = "relationship"
    #: A choice that was made.
    DECISION = "decision"

    @property
    def meaning(self) -> str:
        """What it is for, in a few words."""
        return _MEANINGS[self]


_MEANINGS = {
    Category.GENERAL: "anything else",
    Category.PREFERENCE: "a like, a dislike, or how something should be done",
    Category.FACT: "something that is true of a person or their world",
    Category.EVENT: "something that happens on a date",
    Category.RELATIONSHIP: "how two people or things are related",
    Category.DECISION: "a choice that was made",
}


class Origin(models.TextChoices):
    """Where a memory comes from."""

    #: Learned from a conversation.
    CONVERSATION = "conversation", "conversation"
    #: The result of a tool that the assistant called.
    TOOL_CALL = "tool_call", "tool result"
    #: Found out by the assistant on its own.
    AUTO_DISCOVERY = "auto_discovery", "found out"
    #: A person asked the assistant to remember it.
    USER_EXPLICIT = "user_explicit", "told to remember"
    MANUAL = "manual", "added by hand"
    API = "api", "API"
    IMPORT = "import", "import"

    @property
    def confidence(self) -> int:
        """The default confidence in this source, 0 to 100."""
        return _CONFIDENCE.get(self, 70)


_CONFIDENCE = {
    # A manual correction is fully trusted.
    Origin.MANUAL: 100,
    Origin.TOOL_CALL: 95,
    Origin.AUTO_DISCOVERY: 95,
    Origin.USER_EXPLICIT: 90,
}


class SourceAction(models.TextChoices):
    """What a message did to a memory."""

    #: The memory was written because of this message.
    STORED = "stored_new", "learned here"
    #: This message gave the memory its present wording.
    UPDATED = "updated_existing", "changed here"
    #: The message repeats the memory.
    REPEATED = "duplicate_exact", "said again"
    #: It changed the memory, and the change was undone.
    UNDONE = "undone", "changed here, and taken back"
    #: It gives the key another value, which was trusted less than the present one.
    HEARD = "heard", "said otherwise here, and not taken"


class RevisionReason(models.TextChoices):
    """Why a memory was changed."""

    EDITED = "edited", "edited by hand"
    EXTRACTED = "extracted", "changed by what was said later"
    SAVED = "saved", "changed by a newer version"
    RESTORED = "restored", "restored"
    HEARD = "heard", "heard, and not taken"
    MERGED = "merged", "put together with what was said later"
    REPLACED = "replaced", "replaced by what was said later"
    JOINED = "joined", "put together with another memory"
    OF_ANOTHER = "of_another", "said by a memory that was put together with this one"
