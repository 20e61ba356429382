"""The values that the admin shows, in lists and on the page of a row."""

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib.admin.utils import display_for_value
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import FieldDoesNotExist, ImproperlyConfigured
from django.db import models
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from instances.models import Instance
from instances.models.fields import TranslatableTextField
from instances.translatable import translated
from memoryapp.admin.labels import LABELS
from memoryapp.privacy.verbatim import masked
from memoryapp.web.memory.words import category_name

#: Characters of a text in a list, and on the page of a row.
IN_LIST, ON_PAGE = 120, 20_000
#: Characters of a text that are loaded for a list, so that what is cut there was masked as a whole.
LOADED_FOR_LIST = 2_000
EMPTY = "—"

#: Types of fields whose values may be shown. Any other, such as of secrets, vectors and documents
#: in JSON, is an error when Django starts.
SHOWN = (
    *(models.BooleanField, models.CharField, models.TextField, models.DateField),
    *(models.IntegerField, models.FloatField, models.DecimalField, models.UUIDField),
    *(models.ForeignKey, models.GenericIPAddressField, ArrayField),
)
#: Fields of these types whose values nobody may see.
NEVER = frozenset(
    "password token former_token token_checksum digest code client_secret secret session_key "
    "device_code user_code public_id".split()
)

Show = Callable[[Any], Any]


def column(model: type[models.Model], name: str, *, in_list: bool, sorts: bool = False) -> Show:
    """Return the function that shows the field *name* of a row of *model*."""
    try:
        field = model._meta.get_field(name)
    except FieldDoesNotExist as error:
        raise ImproperlyConfigured(f"{model.__name__} has no field {name}.") from error
    if name in NEVER or not isinstance(field, SHOWN) or "Encrypted" in type(field).__name__:
        raise ImproperlyConfigured(f"{model.__name__}.{name} may not be shown.")

    def show(row: Any) -> Any:
        return _shown(field, row, in_list=in_list)

    return labelled(
        show,
        name,
        boolean=isinstance(field, models.BooleanField),
        admin_order_field=name if sorts else None,
    )


def labelled(show: Show, name: str, **attributes: Any) -> Show:
    """Name a function so that Django's admin shows it as the column *name*."""
    show.__name__ = name
    for attribute, value in (attributes | {"short_description": LABELS[name]}).items():
        setattr(show, attribute, value)
    return show


def _shown(field: Any, row: Any, *, in_list: bool) -> Any:
    if isinstance(field, models.ForeignKey):
        return link_to(field.related_model, getattr(row, field.attname), row, field.name)
    if field.name == "category":
        return category_name(row.category)
    if field.choices:
        return getattr(row, f"get_{field.name}_display")() or EMPTY
    value = getattr(row, head_of(field.name), None) if in_list else None
    value = getattr(row, field.name) if value is None else value
    if isinstance(field, models.BooleanField):
        return value
    if isinstance(field, ArrayField):
        value = ", ".join(map(str, value or ()))
    if isinstance(field, TranslatableTextField):
        value = translated(value)
    if isinstance(value, str):
        return text_of(row, value, in_list=in_list) or EMPTY
    return display_for_value(value, EMPTY)


def text_of(row: Any, text: str, *, in_list: bool) -> str:
    """Return *text* of *row* as the screens show it: masked by its instance's policy, and cut."""
    shown = masked(text[: LOADED_FOR_LIST if in_list else ON_PAGE], policy_of(row))
    if in_list:
        return Truncator(" ".join(shown.split())).chars(IN_LIST)
    return shown + "…" * (len(text) > ON_PAGE)


def policy_of(row: Any) -> str:
    """The policy for secrets of the instance of *row*; the strict one without any."""
    instance = row if isinstance(row, Instance) else getattr(row, "instance", None)
    return instance.pii_policy if instance else ""


def head_of(name: str) -> str:
    """The name of the annotation with the beginning of a text."""
    return f"{name}_head"


def link_to(model: type[models.Model], pk: object, row: Any, name: str) -> Any:
    """Return a link to the page of the row that the foreign key *name* of *row* refers to."""
    from memoryapp.admin.site import site

    if pk is None:
        return EMPTY
    admin: Any = site.registered(model)
    if admin is None:
        return str(pk)
    title = (
        admin.title_of(getattr(row, name), shown_in=row)
        if admin.title_field
        else admin.numbered(pk)
    )
    return format_html('<a href="{}">{}</a>', page_of(model, pk), title)


def page_of(model: type[models.Model], pk: object) -> str:
    """The address of the admin's page of a row."""
    meta = model._meta
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_change", args=[pk])


def list_of(model: type[models.Model], **query: str | int) -> str:
    """The address of the admin's list of the rows of *model* that match."""
    meta = model._meta
    address = reverse(f"admin:{meta.app_label}_{meta.model_name}_changelist")
    return f"{address}?{urlencode(query)}" if query else address


def number_link(number: int | None, address: str) -> Any:
    """Return a number as a link to the list of what it counts."""
    return format_html('<a href="{}">{}</a>', address, display_for_value(number or 0, EMPTY))


def yes_or_no(value: bool) -> str:
    """Return an answer in words."""
    return str(_("Yes") if value else _("No"))


def long_texts(model: type[models.Model], names: Sequence[str]) -> list[str]:
    """The fields among *names* whose texts may be long."""
    fields = [model._meta.get_field(name) for name in names]
    return [
        each.name
        for each in fields
        if type(each) is models.TextField  # Not one whose text is stored in parts.
    ]
