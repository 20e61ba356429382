"""A question that is the pointer of a drawer, whose answer is what is filed there."""

from instances.models import Instance
from memoryapp.models import Drawer
from memoryapp.models.aaak import is_pointer
from memoryapp.recall.options import RecallOptions
from memoryapp.recall.results import Hit, RecallResult
from memoryapp.recall.search_scope import SearchScope

#: The only part of the score of such a hit.
POINTER = "pointer"


def pointed_at(instance: Instance, question: str, options: RecallOptions) -> RecallResult | None:
    """Return the message or note that *question* points to; None if it is no pointer, or leads to
    nothing that passes the filters.
    """
    # Most questions are none, and to write the statement for them would take as long as to rank.
    if not (options.with_messages and is_pointer(question)):
        return None
    within = SearchScope(instance, options).drawers.order_by()
    drawers = Drawer.objects.by_pointer(question).filter(pk__in=within.values("pk"))
    drawer = drawers.select_related("message").defer("search", "message__search").first()
    if drawer is None:
        return None
    hit = Hit(
        memory=None,
        message=drawer.message,
        score=1.0,
        ranks={},
        parts={POINTER: 1.0},
        drawer=drawer,
    )
    return RecallResult([hit])
