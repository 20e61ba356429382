"""Sources that have stated a memory, with the links to it and to its rollback."""

from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from instances.models import Instance
from memoryapp.models import MemorySource


class StatedBy(NamedTuple):
    """A key, file or conversation: what it is called, its page, and the query string of the page
    that rolls it back.
    """

    label: str
    url: str
    rollback: str


def stated_by(instance: Instance, sources: Iterable[MemorySource]) -> list[StatedBy]:
    """Return each key, file and conversation among *sources* once. Takes up to two queries;
    conversations are loaded already.
    """
    rows = list(sources)
    found: dict[StatedBy, None] = {}
    prefixes = {row.via.partition(" ")[2] for row in rows} - {""}
    for key in instance.api_keys.filter(prefix__in=prefixes) if prefixes else ():
        label = _("the API key “%(name)s”") % {"name": key.name}
        url = reverse("api_key", args=[instance.slug, key.pk])
        found[StatedBy(label, url, rollback_query(instance, key=key.pk))] = None
    batches = {batch for row in rows if row.via == "import" for batch in row.batches}
    files = instance.imports.filter(batch__in=batches).order_by("pk")
    for pk, filename in files.values_list("pk", "filename") if batches else ():
        label = _("the file %(name)s") % {"name": filename}
        url = reverse("import", args=[pk])
        found[StatedBy(label, url, rollback_query(instance, file=pk))] = None
    for row in rows:
        if row.conversation is not None:
            label = _("the conversation “%(name)s”") % {"name": row.conversation}
            query = rollback_query(instance, conversation=row.conversation.pk)
            found[StatedBy(label, row.conversation.get_absolute_url(), query)] = None
    return list(found)


def rollback_query(instance: Instance, **source: int) -> str:
    """The query string of the rollback of *source*: the id of a key, file or conversation."""
    return urlencode({"instance": instance.slug} | source)
