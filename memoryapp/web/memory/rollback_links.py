"""Links to the rollback of what has stated a memory."""

from collections.abc import Iterable
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from instances.models import Instance
from memoryapp.models import MemorySource

#: A label, and the query string of the rollback page.
Link = tuple[str, str]


def links_of(instance: Instance, sources: Iterable[MemorySource]) -> list[Link]:
    """Return a link for each key, file and conversation among *sources*, each once. Takes up to two
    queries; conversations are loaded already.
    """
    rows = list(sources)
    links: dict[Link, None] = {}
    prefixes = {row.via.partition(" ")[2] for row in rows} - {""}
    for key in instance.api_keys.filter(prefix__in=prefixes) if prefixes else ():
        label = _("the API key “%(name)s”") % {"name": key.name}
        links[label, rollback_query(instance, key=key.pk)] = None
    batches = {batch for row in rows if row.via == "import" for batch in row.batches}
    files = instance.imports.filter(batch__in=batches).order_by("pk")
    for pk, filename in files.values_list("pk", "filename") if batches else ():
        label = _("the file %(name)s") % {"name": filename}
        links[label, rollback_query(instance, file=pk)] = None
    for row in rows:
        if row.conversation is not None:
            query = rollback_query(instance, conversation=row.conversation.pk)
            label = _("the conversation “%(name)s”") % {"name": row.conversation}
            links[label, query] = None
    return list(links)


def rollback_query(instance: Instance, **source: int) -> str:
    """The query string of the rollback of *source*: the id of a key, file or conversation."""
    return urlencode({"instance": instance.slug} | source)
