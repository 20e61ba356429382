"""Options of a search: filters, and the order and number of results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from django.db.models import QuerySet

from conversations.models import Conversation
from instances.models import Agent, Reach
from memoryapp.models import Drawer, Memory
from memoryapp.recall.scoring import Weights

#: How many weaker matches the lists on screens offer.
WEAKER_ON_SCREEN = 10


@dataclass(frozen=True)
class RecallOptions:
    """Filters, order and number of the results of `recall`. The defaults search everything."""

    limit: int = 5
    #: The person who asks: only what that one may see; None: all that there is.
    end_user: str | None = None
    #: The agent that is asked, whose reach may be narrower.
    agent: Agent | None = None
    #: The part of what the person may see that is searched.
    reach: Reach = Reach.ALL
    #: The memories to search, such as those that pass the filters of a screen; None: all.
    memories: QuerySet[Memory] | None = None
    #: The drawers to search, such as those of a room of the palace; None: all.
    drawers: QuerySet[Drawer] | None = None
    #: Without it, messages support the memories learned from them, and are no results.
    with_messages: bool = True
    #: Its messages are no results: the question is asked in it.
    current_conversation: Conversation | None = None
    #: The first and the last day on which a result was created or said.
    since: date | None = None
    until: date | None = None
    #: A `RecallProfile` in place of the instance's.
    profile: str | None = None
    #: Weights in place of the instance's.
    weights: Weights | None = None
    #: Importances that are tried in place of those of memories, by their ids.
    importances: Mapping[int, int] = field(default_factory=dict)
    #: Leave out what is below the floor of relevance. Without it, even "asdf" finds something.
    only_relevant: bool = True
    #: Return what is clearly weaker than the best result as well: a model will choose among them.
    weaker_too: bool = False
    #: The question is a message of a chat: its quotation marks and minus signs are no operators.
    is_message: bool = False
    #: Take the floor of a general task, whatever the question is: only clear matches pass.
    only_clear: bool = False
    #: How many further results to return apart: below the floor, or stating nothing.
    max_weaker: int = 0
    #: Where some results hold the words of the question, what merely resembles it is weaker, too:
    #: for searches by people, who act on all that was found.
    words_decide: bool = False
    #: The columns to load of the memories found; empty: all.
    columns: Sequence[str] = ()

    @property
    def is_narrowed(self) -> bool:
        """True if results of any kind are limited to a person or to days."""
        return self.end_user is not None or self.since is not None or self.until is not None


DEFAULT_OPTIONS = RecallOptions()
