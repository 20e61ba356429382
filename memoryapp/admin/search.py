"""Searching the lists of the admin: by what an index finds."""

from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _

from conversations.search import TextQuery
from instances.access import signed_in
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.admin.filters import chosen_instance

#: Instances whose texts are searched if none is chosen.
MAX_SEARCHED = 20
#: Words that are looked for.
MAX_WORDS = 10
MAX_CHARACTERS = 200


def found_in(table: Any, request: HttpRequest, rows: QuerySet[Any], term: str) -> QuerySet[Any]:
    """Return those of *rows* that *term* finds in *table*."""
    term = term[:MAX_CHARACTERS]
    found = Q(pk__in=[])
    pk = parse_pk(term)
    if pk is not None and table.model._meta.pk.get_internal_type() in _NUMBERS:
        found |= Q(pk=pk)
    for name in table.exact:
        found |= Q(**{name: term})
    chosen = chosen_instance(request)
    if table.is_small or chosen:
        for name in table.parts:
            found |= Q(**{f"{name}__icontains": term})
    if table.has_words:
        found |= _with_words(request, term, chosen)
    return rows.filter(found)


def _with_words(request: HttpRequest, term: str, chosen: Instance | None) -> Q:
    """The rows that have each word of *term*, in the words of their instance's languages."""
    seen = Instance.objects.visible_to(signed_in(request).user)
    instances = [chosen] if chosen else list(seen.order_by("-pk")[:MAX_SEARCHED])
    each = [found for instance in instances if (found := _words_in(instance, term)) is not None]
    return reduce(or_, each, Q(pk__in=[]))


def _words_in(instance: Instance, term: str) -> Q | None:
    found: Q | None = None
    for word in term.split()[:MAX_WORDS]:
        query = TextQuery.parse(word, instance_id=instance.pk, languages=instance.search_languages)
        if query is not None:
            found = query.condition if found is None else found & query.condition
    return found


def described(table: Any) -> str:
    """Say what the search of *table* looks for."""
    if table.has_words:
        return _("Words in the text, or a number. Choose an instance to search only there.")
    if table.parts and not table.is_small:
        return _("A number or an id; in a chosen instance, part of a name.")
    return _("A name, or a number.") if table.parts or table.exact else _("A number.")


_NUMBERS = ("BigAutoField", "AutoField", "BigIntegerField", "OneToOneField")
