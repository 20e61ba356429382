"""The screens of the audit log: its records, its check, and the export of a period."""

from dataclasses import dataclass
from datetime import date, timedelta
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_POST

from conversations.url_text import filter_text
from instances.access import Request, needs, require_superadmin, with_instance
from instances.ids import parse_pk
from instances.keyset_pages import page_of
from instances.models import Instance, InstanceRole, User
from instances.url_state import URLState, parsed
from memoryapp.audit.archive import write_archive
from memoryapp.audit.chaining import chain
from memoryapp.audit.forwarding import waiting
from memoryapp.audit.verification import BreakKind, Verification, verify_log
from memoryapp.models import AuditForwarding, AuditRecord
from memoryapp.web.audit.lines import LABELS, lines_of
from memoryapp.web.days import end_of, parse_day, start_of

#: Records, which are fewer lines.
PER_PAGE = 100

#: Findings of the check, in words; ``%(since)s`` is the first record that is missing.
BREAKS = {
    BreakKind.CHANGED: gettext_lazy("Record %(number)s was changed."),
    BreakKind.MISSING: gettext_lazy("Records are missing from %(since)s to before %(number)s."),
    BreakKind.OTHER_PERSON: gettext_lazy("Record %(number)s names another person than it did."),
}


@dataclass(frozen=True)
class AuditList(URLState):
    """The state of the list of the server, from its URL."""

    url_name = "audit"

    who: str = parsed(filter_text)
    action: str = parsed(lambda text: text if text in LABELS else "")
    where: str = parsed(filter_text)
    person: str = parsed(filter_text)
    memory: int | None = parsed(parse_pk)
    since: date | None = parsed(parse_day)
    until: date | None = parsed(parse_day)
    page: str = parsed(str)

    @property
    def narrowed(self) -> bool:
        """True if a filter restricts what is shown."""
        chosen = (self.who, self.action, self.where, self.person, self.memory)
        return any(chosen) or bool(self.since or self.until)

    @property
    def actions(self) -> list[tuple[str, Any]]:
        """The actions to choose from, in the order of their words."""
        return sorted(LABELS.items(), key=lambda item: str(item[1]).casefold())

    def records(self, rows: QuerySet[AuditRecord]) -> QuerySet[AuditRecord]:
        """Narrow *rows* to those that match the filters."""
        if self.who:
            rows = rows.filter(Q(actor=self.who) | Q(via=self.who))
        if self.action:
            rows = rows.filter(action=self.action)
        if self.where:
            rows = rows.filter(instance_name=self.where)
        if self.person:
            rows = rows.filter(end_user=self.person)
        if self.memory:
            rows = rows.filter(kind="memory", object_id=self.memory)
        if self.since:
            rows = rows.filter(at__gte=start_of(self.since))
        if self.until:
            rows = rows.filter(at__lt=end_of(self.until))
        return rows


@dataclass(frozen=True)
class InstanceAuditList(AuditList):
    """The state of the list of one instance."""

    url_name = "instance_audit"

    instance: Instance | None = None


@require_GET
def audit(request: HttpRequest) -> HttpResponse:
    """List the records of the server, but for those of others' private instances."""
    request = require_superadmin(request)
    return _page(request, AuditList.parse(request.GET), _visible(request.user))


@require_GET
@needs(InstanceRole.MANAGER)
@with_instance("activity")
def audit_of_instance(request: Request, instance: Instance) -> HttpResponse:
    """List the records of one instance, for its managers."""
    listing = InstanceAuditList.parse(request.GET, instance=instance)
    return _page(request, listing, AuditRecord.objects.filter(instance=instance))


@require_POST
def verify(request: HttpRequest) -> HttpResponse:
    """Check the whole chain, and show the result."""
    request = require_superadmin(request)
    chain()
    return _page(request, AuditList.parse(request.GET), _visible(request.user), verify_log())


@require_GET
def export(request: HttpRequest) -> HttpResponseBase:
    """Send the records of a period as an archive; what the person may not see is withheld."""
    request = require_superadmin(request)
    since, until = (parse_day(request.GET.get(name, "")) for name in ("since", "until"))
    if since is None or until is None or until < since:
        messages.error(request, _("Choose the first and the last day of the export."))
        return redirect("audit")
    chain()
    file = TemporaryFile()  # noqa: SIM115 - The response closes it.
    write_archive(file, start_of(since), end_of(until), reader=request.user)
    file.seek(0)
    name = f"keepsake-audit-{since}-{until}.zip"
    return FileResponse(file, as_attachment=True, filename=name)


def _visible(user: User) -> QuerySet[AuditRecord]:
    return AuditRecord.objects.visible_to(user)


def _page(
    request: Request,
    listing: AuditList,
    rows: QuerySet[AuditRecord],
    result: Verification | None = None,
) -> HttpResponse:
    page = page_of(listing.records(rows), ["-id"], listing.page, per_page=PER_PAGE)
    found = AuditRecord.objects.in_bulk(page.object_list)
    breaks = [] if result is None else result.breaks
    of_instance = isinstance(listing, InstanceAuditList)
    instance = getattr(listing, "instance", None)
    keys = {key.prefix: key for key in instance.api_keys.all()} if instance else {}
    forwarding = None
    if settings.AUDIT_FORWARD_URL and not of_instance:
        forwarding = AuditForwarding.objects.first()
    context = {
        "forwarding": forwarding,
        "unsent": waiting() if forwarding and forwarding.failures else 0,
        "section": "activity" if of_instance else "settings",
        "list": listing,
        "page": page,
        "lines": lines_of(
            [found[pk] for pk in page if pk in found],
            Instance.objects.visible_to(request.user),
            keys,
        ),
        "first_day": timezone.localdate() - timedelta(days=30),
        "last_day": timezone.localdate(),
        "result": result,
        "breaks": [
            BREAKS[each.kind] % {"number": each.number, "since": each.since} for each in breaks
        ],
    }
    template = "audit/instance.html" if of_instance else "audit/server.html"
    return render(request, template, context)
