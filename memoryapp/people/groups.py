"""Groups of people and agents that share memories: making, changing and removing them."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.text import slugify

from conversations.models import Conversation
from conversations.sanitizer import sanitize
from instances.activity import InstanceAction, record
from instances.actor import Actor
from instances.models import Agent, Group, GroupMember, Instance
from instances.models.instance import MAX_END_USER
from instances.translatable import translatable
from memoryapp.models import Memory
from memoryapp.trust.sharing import end_sharing_with

MAX_MEMBERS = 1_000


class GroupRefused(ValueError):
    """A group cannot be as it is given; its text says why, translatable."""


@dataclass(frozen=True)
class GroupMembers:
    """The members of a group: ids of people, and agents."""

    people: Sequence[str] = ()
    agents: Iterable[Agent] = ()
    #: True if all people and agents of the instance are members.
    everyone: bool = False


@transaction.atomic
def create_group(
    instance: Instance, name: str, members: GroupMembers, *, end_user: str = "", by: Actor
) -> Group:
    """Make a group whose memories are kept under the id *end_user*; if it is empty, under a new one
    that is made from the *name*. Raises `GroupRefused`.
    """
    _lock(instance)
    id_ = instance.canonical_end_user(sanitize(end_user).strip())
    if instance.groups.filter(shared_id=id_).exists():
        raise GroupRefused(translatable("There is a group with the id “%(id)s” already.", id=id_))
    group = Group(instance=instance, shared_id=id_ or _new_id(instance, name))
    _store(group, name, members, by)
    Instance.objects.filter(pk=instance.pk).update(has_groups=True)
    instance.has_groups = True
    return group


@transaction.atomic
def change_group(group: Group, name: str, members: GroupMembers, *, by: Actor) -> None:
    """Give *group* this name and these members. Raises `GroupRefused`."""
    _lock(group.instance)
    _store(group, name, members, by)


@transaction.atomic
def remove_group(group: Group, *, by: Actor) -> None:
    """Remove *group*. What it shared stays under its id, and no other person sees it any more; nor
    is any other told what was shared with it.
    """
    instance = _lock(group.instance)
    record(instance, by, InstanceAction.SETTINGS, about=f"Group {group} removed")
    end_sharing_with(instance, [group.shared_id])
    group.delete()
    Instance.objects.filter(pk=instance.pk).update(has_groups=instance.groups.exists())


def _lock(instance: Instance) -> Instance:
    return Instance.objects.select_for_update(of=("self",)).get(pk=instance.pk)


def _store(group: Group, name: str, members: GroupMembers, by: Actor) -> None:
    instance = group.instance
    group.name, group.everyone = _name(group, name), members.everyone
    people = _people(group, members.people)
    group.save()
    GroupMember.objects.filter(group=group).exclude(end_user__in=people).delete()
    GroupMember.objects.bulk_create(
        [GroupMember(instance=instance, group=group, end_user=each) for each in people],
        ignore_conflicts=True,
    )
    group.agents.set(members.agents)
    record(instance, by, InstanceAction.SETTINGS, about=f"Group {group}")


def _name(group: Group, name: str) -> str:
    name = " ".join(sanitize(name).split())[:100]
    if not name:
        raise GroupRefused(translatable("Give the group a name."))
    if group.instance.groups.filter(name__iexact=name).exclude(pk=group.pk).exists():
        raise GroupRefused(translatable("There is a group with this name already."))
    return name


def _people(group: Group, given: Sequence[str]) -> list[str]:
    """The stored ids of the people in a group, each once."""
    instance = group.instance
    ids = (instance.canonical_end_user(sanitize(each).strip()) for each in given)
    people = list(dict.fromkeys(filter(None, ids)))
    if len(people) > MAX_MEMBERS:
        raise GroupRefused(translatable("A group has at most %(most)s members.", most=MAX_MEMBERS))
    groups = [group.shared_id, *instance.groups.values_list("shared_id", flat=True)]
    if inner := next((each for each in people if each in groups), None):
        raise GroupRefused(
            translatable("“%(id)s” is the id of a group, which cannot be a member.", id=inner)
        )
    return people


def _new_id(instance: Instance, name: str) -> str:
    """A new id, under which nothing is kept: a new group must share nothing that was there."""
    slug = slugify(name)[: MAX_END_USER - 10] or "group"
    ids = itertools.chain([slug], (f"{slug}-{number}" for number in itertools.count(2)))
    return next(each for each in ids if not _is_taken(instance, each))


def _is_taken(instance: Instance, end_user: str) -> bool:
    return any(
        rows.exists()
        for rows in (
            Memory._base_manager.filter(instance=instance, end_user=end_user),
            Conversation.objects.filter(instance=instance, end_user=end_user),
            instance.aliases.filter(alias=end_user),
            instance.groups.filter(shared_id=end_user),
            GroupMember.objects.filter(instance=instance, end_user=end_user),
        )
    )
