"""Base of all tables of the admin: each person sees their rows, and pages only read."""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.contrib.admin import ModelAdmin
from django.contrib.admin.options import ShowFacets
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import ForeignKey, Model, QuerySet
from django.db.models.functions import Left
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern
from django.utils.html import format_html
from django.utils.safestring import SafeString

from instances.access import signed_in
from instances.ids import parse_pk
from instances.models import Instance
from memoryapp.admin.columns import (
    LOADED_FOR_LIST,
    column,
    head_of,
    labelled,
    long_texts,
    text_of,
)
from memoryapp.admin.filters import InstanceFilter, chosen_instance, filter_by

#: Rows that are counted, and paged through: beyond, filters are quicker than pages.
MAX_ROWS = 10_000


class BoundedPaginator(Paginator[Any]):
    """Pages through the first `MAX_ROWS`: counting ten million takes longer than showing 50."""

    @cached_property
    def _counted(self) -> int:
        rows: Any = self.object_list
        return int(rows.order_by()[: MAX_ROWS + 1].count())

    @property
    def is_capped(self) -> bool:
        """True if there are more rows than are counted."""
        return self._counted > MAX_ROWS

    @cached_property
    def count(self) -> int:
        """The number of rows that are paged through."""
        return min(self._counted, MAX_ROWS)


Row = TypeVar("Row", bound=Model)
#: A link above a row: its text and address.
Tool = tuple[Any, str]

#: The path to the instance of tables that belong to no instance.
SERVER = "-"


class TableAdmin(ModelAdmin[Row]):
    """One table, to read. A subclass names what is shown; all else follows from it."""

    model: type[Row]
    #: What one row and several are called.
    name: Any
    plural: Any
    #: The heading under which the table stands on the first page.
    area: Any = ""
    #: The lookup of the instance that a row belongs to, or `SERVER`.
    instance_path = "instance"
    #: The fields in the list and on the page of a row.
    columns: ClassVar[Sequence[str]] = ()
    details: ClassVar[Sequence[str]] = ()
    #: Further columns: methods of the subclass.
    counted: ClassVar[Sequence[str]] = ()
    #: Fields to filter by: those with choices, dates, yes and no.
    filters: ClassVar[Sequence[str]] = ()
    #: Parameters of the list that links from other tables set.
    links: ClassVar[Sequence[str]] = ()
    #: The field that names a row; empty: it is named by its number.
    title_field = ""
    #: Columns that are searched for exactly these words; an id is always found.
    exact: ClassVar[Sequence[str]] = ()
    #: Columns that are searched for a part; only in a chosen instance, unless the table is small.
    parts: ClassVar[Sequence[str]] = ()
    #: True if it has few rows, so that parts of names are searched in all of them.
    is_small = False
    #: True if it has a text with a search index.
    has_words = False
    #: The order in a chosen instance that an index has; else newest first.
    instance_order: ClassVar[Sequence[str]] = ()

    ordering = ("-pk",)
    list_per_page = 50
    list_max_show_all = 0
    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    paginator = BoundedPaginator
    view_on_site = False
    search_fields = ("pk",)
    actions_on_bottom = False

    def __init__(self, model: type[Row], admin_site: admin.AdminSite) -> None:
        fields = model._meta
        own: Any = self  # Django's types want these on the class.
        own.list_display = [
            *(column(model, name, in_list=True) for name in self.columns),
            *(labelled(self._bound(name), name) for name in self.counted),
        ]
        own.fields = [
            *(column(model, name, in_list=False) for name in [*self.columns, *self.details]),
            *(labelled(self._bound(name), name) for name in self.counted),
        ]
        own.readonly_fields = own.fields
        own.list_filter = [
            *([] if self.instance_path in (SERVER, "") else [InstanceFilter]),
            *(filter_by(model, name) for name in self.filters),
        ]
        shown: list[Any] = [fields.get_field(name) for name in [*self.columns, *self.details]]
        self._long = long_texts(model, self.columns)
        self._joined = [each.name for each in shown if isinstance(each, ForeignKey)]
        self._needed = {each.attname for each in shown} | {"instance_id"}
        super().__init__(model, admin_site)

    def _bound(self, name: str) -> Callable[[Any], Any]:
        method = getattr(self, name)
        return lambda row: method(row)

    # --- which rows ---

    def visible(self, request: HttpRequest) -> QuerySet[Row]:
        """The rows of the instances that the person may see."""
        rows: QuerySet[Row] = super().get_queryset(request)
        if self.instance_path == SERVER:
            return rows
        seen = Instance.objects.visible_to(signed_in(request).user).values("pk")
        return rows.filter(**{f"{self.instance_path or 'pk'}__in": seen})

    def get_queryset(self, request: HttpRequest) -> QuerySet[Row]:
        """The rows that the person may see, without what no column shows."""
        rows = self.visible(request)
        heavy = {
            each.name
            for each in self.model._meta.concrete_fields
            if each.attname not in self._needed and each.get_internal_type() in _HEAVY
        }
        heads = {head_of(name): Left(name, LOADED_FOR_LIST) for name in self._long}
        return self.annotated(rows.defer(*heavy, *self._long).annotate(**heads)).select_related(
            *self.joined()
        )

    def annotated(self, rows: QuerySet[Row]) -> QuerySet[Row]:
        """Add to *rows* what further columns need."""
        return rows

    def joined(self) -> list[str]:
        """The foreign keys whose rows name themselves, and the instance, which has the policy."""
        from memoryapp.admin.site import site

        def is_titled(name: str) -> bool:
            related: Any = self.model._meta.get_field(name).related_model
            found = site.registered(related)
            return found is not None and bool(found.title_field)

        own = ["instance"] if hasattr(self.model, "instance_id") else []
        return [*{*own, *filter(is_titled, self._joined)}]

    def get_ordering(self, request: HttpRequest) -> Any:
        """Newest first; in one instance, as its index has them."""
        if self.instance_order and chosen_instance(request):
            return self.instance_order
        return self.ordering

    # --- how a row is called ---

    def numbered(self, pk: object) -> str:
        """How the row *pk* is called that has no name."""
        return f"{self.name} {pk}"

    def title_of(self, row: Any, *, shown_in: Any = None) -> str:
        """How *row* is called, as a link in *shown_in*, a row of the same instance: never by a text
        that is not masked.
        """
        text = str(getattr(row, self.title_field) or "") if self.title_field else ""
        return text_of(shown_in or row, text, in_list=True) or self.numbered(row.pk)

    @admin.display(description=SafeString('<input type="checkbox" id="action-toggle">'))
    def action_checkbox(self, obj: Row) -> SafeString:
        """The box of a row, described by its name."""
        return format_html(
            '<input type="checkbox" name="_selected_action" value="{}" class="action-select" '
            'aria-label="{}">',
            obj.pk,
            self.title_of(obj),
        )

    # --- searching ---

    @property
    def search_help_text(self) -> str:  # type: ignore[override]
        """Fields in which the search looks, in words."""
        from memoryapp.admin.search import described

        return described(self)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Row], search_term: str
    ) -> tuple[QuerySet[Row], bool]:
        """Find rows by their id, exact values, and parts of names."""
        from memoryapp.admin.search import found_in

        term = search_term.replace("\x00", "").strip()
        return (found_in(self, request, queryset, term) if term else queryset), False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """True if the address may filter by *lookup*: only by what the page offers. Any other could
        ask for the letters of a secret, one by one.
        """
        name, _, rest = lookup.partition("__")
        if name in self.filters:
            return rest in _COMPARISONS
        if lookup == InstanceFilter.parameter_name:
            return True
        return lookup in self.links and parse_pk(value) is not None

    # --- what may be done ---

    def has_view_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """The site admits superadmins only."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Never: programs and screens write."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Never: screens do."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Row | None = None) -> bool:
        """Never: screens do."""
        return False

    def get_urls(self) -> list[URLPattern]:
        """The list and the page of a row; the rest of Django's does not exist."""
        return [each for each in super().get_urls() if (each.name or "").endswith(_PAGES)]

    def _get_obj_does_not_exist_redirect(
        self, request: HttpRequest, opts: Any, object_id: str
    ) -> HttpResponse:
        raise Http404

    # --- pages ---

    def tools(self, row: Any) -> Iterable[Tool]:
        """Links above a row: to its own screen, and to what belongs to it."""
        return ()

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """The list, with the name of the table."""
        return TableList

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, under the name of the table."""
        context = {"title": self.plural, "plural": self.plural} | (extra_context or {})
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """The page of a row, under its name."""
        row: Any = context.get("original")
        named = {
            "title": self.title_of(row),
            "subtitle": None,
            "plural": self.plural,
            "tools": list(self.tools(row)),
        }
        response: HttpResponse = super().render_change_form(
            request, context | named, *args, **kwargs
        )
        return response


class TableList(ChangeList):
    """The list of a table."""

    def get_results(self, request: HttpRequest) -> None:
        """Load a page, and whether there are more rows than are counted."""
        super().get_results(request)
        self.is_capped = getattr(self.paginator, "is_capped", False)

    def __str__(self) -> str:
        return str(self.title)


#: Names of the pages that exist, by their ends.
_PAGES = ("_changelist", "_change")
#: How the filters compare.
_COMPARISONS = frozenset(["", "exact", "gte", "lt", "isnull", "isempty"])
#: Types of columns that are large, and not loaded unless they are shown.
_HEAVY = frozenset("JSONField SearchVectorField GeneratedField BinaryField TextField".split())
