"""The site: who is admitted, the pages that there are, and the names under which tables stand."""

from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.admin import AdminSite
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path, reverse
from django.utils.translation import gettext_lazy as _
from django.views.generic import RedirectView

from instances.access import require_superadmin
from memoryapp.admin.base import TableAdmin

#: Pages of Django's site that exist here. Signing in is the product's own, with the second factor.
_PAGES = {"index", "jsi18n"}


class Site(AdminSite):
    """Django's admin, under the rules of the screens."""

    site_header = site_title = "Keepsake"
    index_title = _("Everything on this server")
    enable_nav_sidebar = True
    final_catch_all_view = False

    def has_permission(self, request: HttpRequest) -> bool:
        """True if the person is a superadmin."""
        return request.user.is_active and request.user.is_superuser

    def admin_view(self, view: Callable[..., Any], cacheable: bool = False) -> Any:
        """Admit superadmins only; to others, no page exists."""
        inner = super().admin_view(view, cacheable)

        def for_superadmins(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            require_superadmin(request)
            response: HttpResponse = inner(request, *args, **kwargs)
            return response

        return for_superadmins

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """The first page, and those of the tables."""
        own = [
            each
            for each in super().get_urls()
            if isinstance(each, URLResolver) or each.name in _PAGES
        ]
        for each in own:
            if isinstance(each, URLPattern):
                each.callback.login_url = None  # type: ignore[attr-defined] # Not Django's own.
        # People type it. Who is not signed in is sent to the one sign-in page before.
        typed = self.admin_view(RedirectView.as_view(pattern_name="admin:index"))
        return [*own, path("login/", typed, name="login")]

    def registered(self, model: type[Model]) -> TableAdmin[Any] | None:
        """The table of *model*, if it is shown."""
        found: TableAdmin[Any] | None = self._registry.get(model)  # type: ignore[assignment]
        return found

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """The tables by area, in the order in which they were registered."""
        areas: dict[str, list[dict[str, Any]]] = {}
        registry: dict[type[Model], Any] = dict(self._registry)
        for model, table in registry.items():
            meta = model._meta
            address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
            areas.setdefault(str(table.area), []).append(
                {
                    "model": model,
                    "name": table.plural,
                    "object_name": meta.object_name,
                    "perms": {},
                    "admin_url": address,
                    "add_url": None,
                    "view_only": True,
                }
            )
        return [
            {
                "name": area,
                "app_label": f"area-{number}",
                "app_url": f"{reverse('admin:index')}#area-{number}",
                "has_module_perms": True,
                "models": tables,
            }
            for number, (area, tables) in enumerate(areas.items())
        ]


site = Site(name="admin")


def register(area: Any, tables: Iterable[type[TableAdmin[Any]]]) -> None:
    """Show *tables* under the heading *area*; each names its model."""
    for table in tables:
        table.area = area
        site.register(table.model, table)
