"""Texts that a model may be shown: the areas that stay with models here, and the rules of sending.

A rule names a server, and what its models are not shown: what is about an area, memories of a
category, and what is of a tier or of a scope. Turns and relations that such a memory came from, or
that came from it, say the same, so a rule for a category holds for them as well.
"""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Protocol

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.models import Message
from instances.models import Group, Instance
from instances.models.sensitivity_settings import AreaHandling
from memoryapp.models.graph import Statement
from memoryapp.models.memory import MemorySource
from memoryapp.providers.endpoints import host_of
from memoryapp.providers.list_prices import is_own_server
from memoryapp.suppression.sensitivity import areas_named, sensitive_areas


@dataclass(frozen=True)
class Recipient:
    """The model that would be shown a text, by where it runs."""

    #: Its server, as the usage log names it; empty if that is unknown.
    server: str = ""
    #: True if the server is one's own.
    is_own: bool = False
    #: False if no model reads it at all.
    is_model: bool = True


#: The model behind a program that calls a tool: it may be any.
UNKNOWN = Recipient()
#: Without a model, what is found is shown to the person who asks, and leaves nothing.
NOBODY = Recipient(is_own=True, is_model=False)


def model_of(instance: Instance) -> Recipient:
    """The language model of *instance*; `NOBODY` without one."""
    if not instance.provider:
        return NOBODY
    address = instance.chat_address
    return Recipient(host_of(address), is_own_server(instance.provider, address))


class Scope(models.TextChoices):
    """The people who see something."""

    PRIVATE = "private", _("private to a person")
    GROUP = "group", _("shared by a group")
    ALL = "all", _("shared by everyone")


@dataclass(frozen=True)
class SendingRule:
    """A class of what is remembered, which the models of a server are not shown. An empty field
    takes in any.
    """

    #: As the usage log names it; empty: any server that is not one's own.
    server: str = ""
    #: One of `AREAS`, or the name of an area of the managers' own.
    area: str = ""
    category: str = ""
    tier: int | None = None
    scope: str = ""

    def is_for(self, recipient: Recipient) -> bool:
        """True if *recipient* may not be shown what it covers. One that is unknown may run on any
        server.
        """
        if not (recipient.is_model and recipient.server):
            return recipient.is_model
        return recipient.server == self.server if self.server else not recipient.is_own

    def covers(self, category: str, tier: int, scope: str) -> bool:
        """True if what is of this category, empty for none, tier and scope is not shown, if it is
        about the area.
        """
        return (
            self.category in ("", category)
            and self.tier in (None, tier)
            and self.scope in ("", scope)
        )

    def as_json(self) -> dict[str, Any]:
        """The rule as it stands with the instance."""
        return asdict(self)


def rules_of(instance: Instance) -> list[SendingRule]:
    """The rules of *instance*."""
    return [SendingRule(**each) for each in instance.sending_rules]


class Remembered(Protocol):
    """A memory, or what is to become one."""

    @property
    def content(self) -> str: ...
    @property
    def end_user(self) -> str: ...
    @property
    def tier(self) -> int: ...
    @property
    def category(self) -> str | None: ...


class SendingPolicy:
    """Policy for what one recipient may be shown of an instance."""

    def __init__(self, instance: Instance, recipient: Recipient) -> None:
        self._instance = instance
        self._rules = [rule for rule in rules_of(instance) if rule.is_for(recipient)]
        self._areas_are_sent = recipient.is_own

    def allows(self, text: str, *, end_user: str, tier: int, category: str = "") -> bool:
        """True if the recipient may be shown *text*, which is about *end_user*."""
        covering = [
            rule
            for rule in self._rules
            if rule.covers(category, tier, self._scope_of(end_user) if rule.scope else "")
        ]
        if not all(rule.area for rule in covering):
            return False
        areas = {rule.area for rule in covering}
        return self.allows_text(text) and not areas_named(self._instance, text, areas)

    def allows_of_all(self, text: str, people: Iterable[str | None], *, tier: int) -> bool:
        """True if the recipient may be shown *text*, which is of each of *people*, such as a person
        and the group that it is shared with.
        """
        return all(
            self.allows(text, end_user=each, tier=tier) for each in people if each is not None
        )

    def allows_text(self, text: str) -> bool:
        """True if *text* is about no area that the recipient may not be shown."""
        return self._areas_are_sent or not sensitive_areas(self._instance, text, AreaHandling.LOCAL)

    def allows_memory(self, memory: Remembered) -> bool:
        """True if the recipient may be shown *memory*."""
        return self.allows(
            memory.content,
            end_user=memory.end_user,
            tier=memory.tier,
            category=memory.category or "",
        )

    def allows_message(self, message: Message, text: str) -> bool:
        """True if the recipient may be shown *message*, with its conversation, as this *text*."""
        of = message.conversation
        people = (of.end_user, of.shared_with)
        return self.allows_of_all(text, people, tier=message.tier) and not self.withheld_messages(
            [message.pk]
        )

    def withheld_messages(self, messages: Collection[int]) -> frozenset[int]:
        """Messages among *messages*, by id, that say what a memory says which may not be shown."""
        if not (self._by_category and messages):
            return frozenset()
        sources = MemorySource.objects.filter(
            instance=self._instance, message__in=messages, memory__category__in=self._categories
        ).select_related("memory")
        return frozenset(
            source.message_id
            for source in sources
            if source.message_id and not self.allows_memory(source.memory)
        )

    def withheld_statements(self, statements: Collection[int]) -> frozenset[int]:
        """Statements among *statements* of the graph, by id, that come from a memory or a message
        which may not be shown.
        """
        if not (self._by_category and statements):
            return frozenset()
        rows = Statement.objects.filter(instance=self._instance, pk__in=statements)
        of_memories = rows.filter(memory__category__in=self._categories).select_related("memory")
        of_messages = dict(rows.exclude(drawer__message=None).values_list("pk", "drawer__message"))
        withheld = self.withheld_messages(set(of_messages.values()))
        return frozenset(
            row.pk for row in of_memories if row.memory and not self.allows_memory(row.memory)
        ) | {pk for pk, message in of_messages.items() if message in withheld}

    @cached_property
    def _by_category(self) -> list[SendingRule]:
        return [rule for rule in self._rules if rule.category]

    @property
    def _categories(self) -> Iterable[str]:
        return {rule.category for rule in self._by_category}

    @cached_property
    def _groups(self) -> dict[str, bool]:
        """True for the ids under which something is shared by everyone, False for other groups."""
        if not self._instance.has_groups:
            return {}
        groups = Group.objects.filter(instance=self._instance)
        return dict(groups.values_list("shared_id", "everyone"))

    def _scope_of(self, end_user: str) -> Scope:
        if end_user not in self._groups:
            return Scope.PRIVATE
        return Scope.ALL if self._groups[end_user] else Scope.GROUP


def policy_for_model(instance: Instance) -> SendingPolicy:
    """Policy for what the language model of *instance* may be shown."""
    return SendingPolicy(instance, model_of(instance))


def policy_for_summaries(instance: Instance) -> SendingPolicy:
    """Policy for what goes into summaries: what the rules keep from no model at all, since the
    model that is told of a summary may be another than the one that wrote it.
    """
    return SendingPolicy(instance, replace(model_of(instance), server="", is_model=True))
