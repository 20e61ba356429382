"""Filters of the lists of the admin."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import BooleanField, DateField, Field, Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from instances.access import signed_in
from instances.models import Instance
from memoryapp.admin.labels import LABELS

#: Instances that are offered; others are found by typing their name in the address, the slug.
MAX_OFFERED = 200


def chosen_instance(request: HttpRequest) -> Instance | None:
    """The instance that the address names, if the person may see it."""
    slug = request.GET.get("instance", "").replace("\x00", "")
    if not slug:
        return None
    return Instance.objects.visible_to(signed_in(request).user).filter(slug=slug).first()


class InstanceFilter(admin.SimpleListFilter):
    """Narrows to one instance, typed or chosen from those that the person may see."""

    title = gettext_lazy("instance")
    parameter_name = "instance"
    template = "admin/instance_filter.html"

    def __init__(
        self,
        request: HttpRequest,
        params: dict[str, list[str]],
        model: type[Model],
        model_admin: Any,
    ) -> None:
        self._path = model_admin.instance_path
        self._seen = Instance.objects.visible_to(signed_in(request).user)
        super().__init__(request, params, model, model_admin)

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """The instances that are offered."""
        return list(self._seen.order_by("name").values_list("slug", "name")[:MAX_OFFERED])

    def has_output(self) -> bool:
        """Always: a name can be typed."""
        return True

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """The rows of the chosen instance; none of one that the person may not see."""
        slug = (self.value() or "").replace("\x00", "")
        if not slug:
            return queryset
        chosen = list(self._seen.filter(slug=slug).values_list("pk", flat=True))
        return queryset.filter(**{f"{self._path}__in": chosen})

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Choices for the template: the field, and what else is chosen."""
        yield {
            "value": self.value() or "",
            "offered": self.lookup_choices,
            "others": [
                (name, value)
                for name, values in changelist.get_filters_params().items()
                if name != self.parameter_name
                for value in (values if isinstance(values, list) else [values])
            ]
            + ([("q", changelist.query)] if changelist.query else []),
            "clear": changelist.get_query_string(remove=[self.parameter_name]),
        }


class _Labelled(admin.FieldListFilter):
    """A filter by a field, titled like its column."""

    def __init__(self, field: Field[Any, Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(field, *args, **kwargs)
        self.title = LABELS[field.name]


class _ByChoice(_Labelled, admin.ChoicesFieldListFilter):
    pass


class _ByTime(_Labelled, admin.DateFieldListFilter):
    pass


class _YesOrNo(_Labelled, admin.BooleanFieldListFilter):
    pass


class _FilledOrNot(_Labelled, admin.EmptyFieldListFilter):
    pass


def filter_by(model: type[Model], name: str) -> tuple[str, Any]:
    """Return the filter that fits the type of the field *name*, for ``list_filter``."""
    field: Any = model._meta.get_field(name)
    if field.choices:
        return name, _ByChoice
    if isinstance(field, BooleanField):
        return name, _YesOrNo
    return name, _ByTime if isinstance(field, DateField) else _FilledOrNot
