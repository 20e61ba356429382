"""The `/status/usage/calls` screen: what was told to which provider about whom."""

from dataclasses import dataclass
from datetime import date

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from conversations.url_text import filter_text
from instances.access import Request, needs, with_instance
from instances.keyset_pages import page_of
from instances.models import Instance, InstanceRole
from instances.url_state import URLState, parsed
from memoryapp.models import Usage
from memoryapp.web.days import end_of, parse_day, start_of

PER_PAGE = 50


@dataclass(frozen=True)
class CallList(URLState):
    """The state of the list, from its URL."""

    url_name = "calls"

    instance: Instance
    host: str = parsed(filter_text)
    person: str = parsed(filter_text)
    purpose: str = parsed(lambda text: text if text in Usage.Source.values else "")
    since: date | None = parsed(parse_day)
    until: date | None = parsed(parse_day)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """True if a filter restricts what is shown."""
        return any((self.host, self.person, self.purpose, self.since, self.until))

    @property
    def calls(self) -> QuerySet[Usage]:
        """The calls that match the filters."""
        return Usage.objects.filter(instance=self.instance).matching(
            host=self.host,
            end_user=self.person or None,
            source=self.purpose,
            since=start_of(self.since) if self.since else None,
            before=end_of(self.until) if self.until else None,
        )


@require_GET
@needs(InstanceRole.MANAGER)
@with_instance("usage")
def calls(request: Request, instance: Instance) -> HttpResponse:
    """List the calls of an instance to providers, the latest first, for its managers."""
    listing = CallList.parse(request.GET, instance=instance)
    page = page_of(listing.calls, ["-at", "-id"], listing.page, per_page=PER_PAGE)
    found = Usage.objects.in_bulk(page.object_list)
    context = {
        "section": "usage",
        "list": listing,
        "purposes": Usage.Source.choices,
        "page": page,
        "calls": [found[pk] for pk in page if pk in found],
    }
    return render(request, "usage/calls.html", context)
