"""``save_memory``: keep something that the user wants kept."""

from datetime import date

from pydantic import BaseModel, Field

from memoryapp.models import Category, Origin
from memoryapp.pipeline import Candidate, Rejected, Writer, remember
from memoryapp.pipeline.dedup import Action
from memoryapp.tools.scope import Result, Scope

NAME = "save_memory"
DESCRIPTION = """\
Keep one lasting fact in the long-term memory, at once.
Use it when the user asks you to remember something, or corrects what you remembered.
Do not use it for anything else: what is worth keeping in a conversation is learned from it \
afterwards without your doing. Never save what you said yourself, what only matters for the task \
at hand, or secrets such as passwords."""

_SAID = {
    Action.STORED: ("Remembered", "stored"),
    Action.UPDATED: ("Changed what was remembered", "stored as the new version of what was there"),
    Action.DUPLICATE: ("Known already", "known already, nothing to store"),
}


class Arguments(BaseModel):
    content: str = Field(
        min_length=1,
        max_length=2_000,
        description="One sentence in the third person that can be understood on its own, with "
        "names instead of pronouns and dates instead of words such as tomorrow.",
    )
    category: Category = Field(Category.GENERAL, description="What kind of fact it is.")
    importance: int | None = Field(
        None, ge=1, le=10, description="1: trivial, 10: vital, such as a severe allergy."
    )
    valid_until: date | None = Field(
        None, description="The last day on which it holds, if it is about something that ends."
    )
    tags: list[str] = Field(
        default_factory=list, max_length=12, description="One to four lower-case words."
    )


def save(arguments: Arguments, scope: Scope) -> Result:
    """Take it through the write path, linked to the message that is being answered."""
    candidate = Candidate(
        arguments.content,
        category=arguments.category,
        importance=arguments.importance,
        tags=arguments.tags,
        valid_until=arguments.valid_until,
        end_user=scope.conversation.end_user,
        conversation_id=scope.conversation.pk,
        message_id=scope.message.pk,
    )
    writer = Writer(Origin.CONVERSATION, via="assistant")
    try:
        (outcome,) = remember(scope.instance, [candidate], writer)
    except Rejected as error:
        return Result(f"Not saved: {error}", "Not kept: it was not fit to be a memory", ok=False)
    for_people, for_model = _SAID[outcome.action]
    pk = outcome.memory.pk
    return Result(f"[m{pk}] {for_model}.", for_people, (pk,))
