"""The palace and the graph."""

from collections.abc import Iterable
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from memoryapp.admin.base import TableAdmin, Tool
from memoryapp.admin.columns import list_of
from memoryapp.models import Closet, Drawer, Entity, Relation, Room, Statement, Wing


class WingAdmin(TableAdmin[Wing]):
    model = Wing
    name, plural = gettext_lazy("Subject"), gettext_lazy("Subjects of the palace")
    columns = ("name", "number", "kind", "instance", "end_user", "created_at")
    details = ("aliases",)
    filters = ("kind", "created_at")
    title_field = "name"
    exact = ("slug",)
    parts = ("name",)

    def tools(self, row: Wing) -> Iterable[Tool]:
        """To its place in the palace, and its conversations."""
        palace = f"{reverse('palace')}?instance={row.instance.slug}&wing={row.pk}"
        yield _("Open in Keepsake"), palace
        yield _("Conversations"), list_of(Room, wing=row.pk)


class RoomAdmin(TableAdmin[Room]):
    model = Room
    name, plural = gettext_lazy("Filed conversation"), gettext_lazy("Conversations of the palace")
    columns = ("id", "instance", "wing", "number", "conversation", "created_at")
    filters = ("created_at",)
    links = ("wing",)

    def tools(self, row: Room) -> Iterable[Tool]:
        """To its topics."""
        yield _("Topics"), list_of(Closet, room=row.pk)


class ClosetAdmin(TableAdmin[Closet]):
    model = Closet
    name, plural = gettext_lazy("Topic"), gettext_lazy("Topics of the palace")
    columns = ("name", "room", "instance")
    links = ("room",)
    title_field = "name"
    parts = ("name",)

    def tools(self, row: Closet) -> Iterable[Tool]:
        """To its messages."""
        yield _("Messages"), list_of(Drawer, closet=row.pk)


class DrawerAdmin(TableAdmin[Drawer]):
    model = Drawer
    name, plural = gettext_lazy("Filed message"), gettext_lazy("Messages and notes of the palace")
    columns = ("id", "instance", "closet", "message", "note", "end_user", "said_at")
    details = ("number", "events", "filed_at")
    filters = ("said_at", "filed_at")
    links = ("closet",)
    has_words = True
    instance_order = ("-said_at", "-id")

    def tools(self, row: Drawer) -> Iterable[Tool]:
        """To its screen."""
        yield _("Open in Keepsake"), reverse("palace_drawer", args=[row.pk])


class EntityAdmin(TableAdmin[Entity]):
    model = Entity
    name, plural = gettext_lazy("Person or thing"), gettext_lazy("People and things of the graph")
    columns = ("name", "kind", "instance", "end_user", "created_at")
    filters = ("kind", "created_at")
    title_field = "name"
    exact = ("slug",)
    parts = ("name",)

    def tools(self, row: Entity) -> Iterable[Tool]:
        """To its screen, and what is known of it."""
        yield _("Open in Keepsake"), reverse("entity", args=[row.pk])
        yield _("Relations"), list_of(Relation, subject=row.pk)


class RelationAdmin(TableAdmin[Relation]):
    model = Relation
    name, plural = gettext_lazy("Relation"), gettext_lazy("Relations")
    columns = (
        "id",
        "subject",
        "predicate",
        "object",
        "value",
        "instance",
        "valid_from",
        "valid_to",
    )
    details = ("end_user", "confidence", "tier", "said_at")
    filters = ("tier", "said_at")
    links = ("subject", "object")
    exact = ("predicate",)


class StatementAdmin(TableAdmin[Statement]):
    model = Statement
    name, plural = gettext_lazy("Statement"), gettext_lazy("Statements behind relations")
    columns = ("id", "subject", "predicate", "object", "value", "instance", "said_at")
    details = ("end_user", "confidence", "tier", "drawer", "memory", "by")
    filters = ("tier", "said_at")
    links = ("subject", "object")
    exact = ("predicate",)


TABLES: list[type[TableAdmin[Any]]] = [
    *(WingAdmin, RoomAdmin, ClosetAdmin, DrawerAdmin, EntityAdmin, RelationAdmin, StatementAdmin)
]
