"""Ids of end users that turned out to be the same person."""

from typing import ClassVar

from django.db import models
from django.utils import timezone

from instances.models.instance import Instance
from instances.models.people import User


class EndUserAliasQuerySet(models.QuerySet["EndUserAlias"]):
    def ids_of(self, instance: Instance, end_user: str) -> list[str]:
        """Return *end_user* with the other ids of the same person."""
        aliases = self.filter(instance=instance, end_user=end_user).order_by("alias")
        return [end_user, *aliases.values_list("alias", flat=True)]


class EndUserAlias(models.Model):
    """Another id of an end user: what comes in with it counts as that person's.

    `end_user` is never an alias itself. `Instance.has_aliases` saves the look-up where there are
    none.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="aliases")
    alias = models.CharField(max_length=200)
    end_user = models.CharField(max_length=200)
    created_at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = EndUserAliasQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["alias"]
        verbose_name_plural = "end user aliases"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "alias"], name="alias_once"),
            models.CheckConstraint(
                condition=~models.Q(alias="") & ~models.Q(alias=models.F("end_user")),
                name="alias_of_another_id",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["instance", "end_user"], name="alias_of")]

    def __str__(self) -> str:
        return f"{self.alias} is {self.end_user}"
