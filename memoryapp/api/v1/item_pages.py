"""Pages of the messages of a conversation, as clients of OpenAI's API ask for them."""

from collections.abc import Mapping
from itertools import accumulate

from django.db.models import F, Func, IntegerField

from conversations.models import Conversation, Message, Role
from instances.ids import parse_pk
from memoryapp.models.pagination import MAX_PAGE_CHARACTERS
from memoryapp.openai_proxy.request import BadRequest

#: Messages on a page, by default and at most.
USUAL_ITEMS, MAX_ITEMS = 20, 100


def item_page(conversation: Conversation, asked: Mapping[str, str]) -> tuple[list[Message], bool]:
    """Return the messages of *conversation* after the item that the parameters *asked* name, and
    whether there are more. A page has fewer than ``limit`` where their texts are long.

    Raises `BadRequest`.
    """
    order = asked.get("order", "desc")
    if order not in ("asc", "desc"):
        raise BadRequest("“order” must be “asc” or “desc”.", "order")
    limit = parse_pk(asked.get("limit", USUAL_ITEMS))
    if limit is None or limit > MAX_ITEMS:
        raise BadRequest(f"“limit” must be a number from 1 to {MAX_ITEMS}.", "limit")
    rows = conversation.messages.exclude(role=Role.SYSTEM).exclude(content="")
    if after := asked.get("after", ""):
        last = _position(conversation, after)
        rows = rows.filter(**{"position__gt" if order == "asc" else "position__lt": last})
    rows = rows.order_by("position" if order == "asc" else "-position")
    size = Func(F("content"), function="octet_length", output_field=IntegerField())
    sizes = rows.values_list("pk", size)[: limit + 1]
    ids = [pk for pk, _ in sizes]
    fit = sum(total <= MAX_PAGE_CHARACTERS for total in accumulate(size for _, size in sizes))
    shown = ids[: min(limit, max(1, fit))]
    return list(rows.filter(pk__in=shown).defer("search")), len(ids) > len(shown)


def _position(conversation: Conversation, item: str) -> int:
    """The position of the message that is called *item*, such as ``msg_12``."""
    pk = parse_pk(item.rpartition("_")[2])
    found = conversation.messages.filter(pk=pk or 0).values_list("position", flat=True).first()
    if found is None:
        raise BadRequest(f"There is no item “{item}”.", "after")
    return found
