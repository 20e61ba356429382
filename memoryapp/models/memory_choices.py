"""The closed sets of values of a memory: category, origin, and what can happen to it."""

from django.db import models
from django.utils.translation import gettext_lazy as _


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
        """Purpose of the category, in a few words."""
        return str(_MEANINGS[self])


_MEANINGS = {
    Category.GENERAL: _("anything else"),
    Category.PREFERENCE: _("a like, a dislike, or how something should be done"),
    Category.FACT: _("something that is true of a person or their world"),
    Category.EVENT: _("something that happens on a date"),
    Category.RELATIONSHIP: _("how two people or things are related"),
    Category.DECISION: _("a choice that was made"),
}


class Origin(models.TextChoices):
    """Where a memory comes from."""

    #: Learned from a conversation.
    CONVERSATION = "conversation", _("conversation")
    #: The result of a tool that the assistant called.
    TOOL_CALL = "tool_call", _("tool result")
    #: Found out by the assistant on its own.
    AUTO_DISCOVERY = "auto_discovery", _("found by the assistant")
    #: A person asked the assistant to remember it.
    USER_EXPLICIT = "user_explicit", _("asked to remember")
    MANUAL = "manual", _("added by hand")
    API = "api", _("API")
    IMPORT = "import", _("import")

    @property
    def confidence(self) -> int:
        """The default confidence in this source, 0 to 100."""
        return _CONFIDENCE.get(self, 70)


class ImportanceBy(models.TextChoices):
    """Giver of a memory's importance."""

    #: Nobody: rules, by the words of its text.
    RULES = "rules"
    #: The program or the file that it came from.
    SOURCE = "source"
    #: The reader of the conversation, or a later assessment.
    MODEL = "model"
    #: A person, on a screen.
    PERSON = "person"


_CONFIDENCE = {
    # A manual correction is fully trusted.
    Origin.MANUAL: 100,
    Origin.TOOL_CALL: 95,
    Origin.AUTO_DISCOVERY: 95,
    Origin.USER_EXPLICIT: 90,
}


class Feedback(models.TextChoices):
    """Verdict of a program of a memory that it was given."""

    NONE = ""
    POSITIVE = "positive", _("positive")
    NEGATIVE = "negative", _("negative")
    VERY_NEGATIVE = "very_negative", _("very negative")


class SourceAction(models.TextChoices):
    """Effect of a message to a memory."""

    #: The memory was written because of this message.
    STORED = "stored_new", _("learned here")
    #: This message gave the memory its present wording.
    UPDATED = "updated_existing", _("changed here")
    #: A person corrected the memory, or what is attached to it, and stated nothing new.
    EDITED = "edited", _("edited by hand")
    #: The message repeats the memory.
    REPEATED = "duplicate_exact", _("said again")
    #: It changed the memory, and the change was undone.
    UNDONE = "undone", _("changed here, and undone")
    #: It gives the key another value, which was trusted less than the present one.
    HEARD = "heard", _("different value here, not used")


class RevisionReason(models.TextChoices):
    """Why a memory was changed."""

    EDITED = "edited", _("edited by hand")
    EXTRACTED = "extracted", _("changed by a later message")
    SAVED = "saved", _("changed by a newer version")
    RESTORED = "restored", _("restored")
    HEARD = "heard", _("other value, not used")
    MERGED = "merged", _("merged with a later message")
    REPLACED = "replaced", _("replaced by a later message")
    JOINED = "joined", _("merged with another memory")
    OF_ANOTHER = "of_another", _("version of a memory that was merged into this one")


#: The reasons of revisions that are no earlier versions of their memory.
NO_VERSION = (RevisionReason.HEARD, RevisionReason.OF_ANOTHER)
