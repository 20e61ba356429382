"""Groups of end users and agents, which share memories."""

from collections.abc import Collection
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from instances.models.choices import Reach
from instances.models.instance import MAX_END_USER, Instance
from instances.models.people import Agent


class GroupQuerySet(models.QuerySet["Group"]):
    def of(self, end_user: str, agent_id: int | None = None) -> "GroupQuerySet":
        """The groups of *end_user*, of an agent, and of everyone."""
        theirs = Q(everyone=True) | Q(shared_id=end_user)
        if end_user:
            members = GroupMember.objects.filter(end_user=end_user)
            theirs |= Q(pk__in=members.values("group"))
        if agent_id is not None:
            theirs |= Q(agents=agent_id)
        return self.filter(theirs).distinct()


class Group(models.Model):
    """People and agents that share a memory.

    What is shared is kept as if it were about one more end user, with an id of its own: the
    members are told it along with what is about themselves. So all that holds for an end user
    holds for a group as well: no fact of one changes one of another.

    `Instance.has_groups` saves the look-up where there are none.
    """

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(_("Name"), max_length=100)
    #: The id of its memories, conversations, notes and documents.
    shared_id = models.CharField(_("Id"), max_length=MAX_END_USER)
    #: True if all people and agents of the instance belong to it.
    everyone = models.BooleanField(_("Everyone"), default=False)
    agents = models.ManyToManyField(Agent, blank=True, related_name="groups")
    created_at = models.DateTimeField(default=timezone.now)

    objects = GroupQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["instance", "shared_id"], name="group_id_once"),
            models.CheckConstraint(condition=~Q(shared_id=""), name="group_has_an_id"),
        ]

    def __str__(self) -> str:
        return self.name


class GroupMember(models.Model):
    """An end user in a group."""

    instance = models.ForeignKey(Instance, on_delete=models.CASCADE, related_name="+")
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="members")
    end_user = models.CharField(max_length=MAX_END_USER)

    class Meta:
        ordering: ClassVar = ["end_user"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "end_user"], name="group_member_once"),
        ]
        indexes: ClassVar = [models.Index(fields=["instance", "end_user"], name="group_of_member")]

    def __str__(self) -> str:
        return f"{self.end_user} in {self.group}"


def seen_by(
    instance: Instance,
    end_user: str,
    *,
    agent: Agent | None = None,
    reach: Reach = Reach.ALL,
) -> list[str]:
    """The stored ids of those whose memories *end_user* may see: the own first, then those of
    groups; of these, what is within *reach*, and within that of the *agent*.
    """
    end_user = instance.canonical_end_user(end_user)
    limits = {reach, Reach(agent.reach) if agent else Reach.ALL}
    own = [] if Reach.SHARED in limits else [end_user]
    if Reach.OWN in limits or not instance.has_groups:
        return own
    groups = Group.objects.filter(instance=instance).of(end_user, agent.pk if agent else None)
    shared = groups.order_by("pk").values_list("shared_id", flat=True)
    return [*own, *(each for each in shared if each != end_user or not own)]


def told_to(people: Collection[str], path: str = "") -> Q:
    """The condition for conversations and notes, at the end of *path*, that are kept for one of
    *people* or shared with it.
    """
    return Q(**{f"{path}end_user__in": people}) | Q(**{f"{path}shared_with__in": people})


def group_names(instance: Instance) -> dict[str, str]:
    """The names of the groups of *instance*, by the ids of their memories."""
    if not instance.has_groups:
        return {}
    return dict(Group.objects.filter(instance=instance).values_list("shared_id", "name"))
