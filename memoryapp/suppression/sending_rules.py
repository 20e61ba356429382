"""Sets the rules of which model may see what."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import transaction

from instances.actor import Actor
from instances.models import Instance
from instances.models.sensitivity_settings import AREAS
from instances.translatable import translatable
from memoryapp.models import Memory, Summary
from memoryapp.providers.endpoints import host_of
from memoryapp.suppression.sending import SendingRule
from memoryapp.suppression.settings_lists import change_list

MAX_RULES = 50
MAX_SERVER = 200
#: A server as an example.
EXAMPLE = "api.openai.com"


class SendingRuleRefused(ValueError):
    """A rule cannot be set; the text says why, translatable."""


def server_named(text: str) -> str:
    """The server of an address or a name, such as ``api.openai.com``, as rules name it; empty for
    nothing. Raises `SendingRuleRefused`.
    """
    text = text.strip()
    try:
        server = host_of(text if "://" in text else f"https://{text}")
    except ValueError:
        server = ""
    if (text and not server) or len(server) > MAX_SERVER or any(map(str.isspace, server)):
        raise SendingRuleRefused(
            translatable("Enter the server of a model, such as %(example)s.", example=EXAMPLE)
        )
    return server


def area_named(instance: Instance, name: str) -> str:
    """The area of that *name*, or nothing. Raises `SendingRuleRefused`."""
    if name and name not in {*AREAS, *(each["name"] for each in instance.own_areas)}:
        raise SendingRuleRefused(translatable("There is no area “%(name)s”.", name=name))
    return name


def set_rules(instance: Instance, rules: Iterable[SendingRule], *, by: Actor) -> None:
    """Set these *rules*, in the place of all others. Raises `SendingRuleRefused`."""
    _change(instance, lambda _: list(rules), by)


def add_rule(instance: Instance, rule: SendingRule, *, by: Actor) -> None:
    """Set one more *rule*. Raises `SendingRuleRefused`."""
    _change(instance, lambda rules: [*rules, rule], by)


def remove_rule(instance: Instance, rule: SendingRule, *, by: Actor) -> bool:
    """Remove *rule*; False if it is gone."""
    return _change(instance, lambda rules: [each for each in rules if each != rule], by)


@transaction.atomic
def _change(
    instance: Instance, change: Callable[[list[SendingRule]], list[SendingRule]], by: Actor
) -> bool:
    def changed(stored: list[Any]) -> list[Mapping[str, Any]]:
        rules = dict.fromkeys(change([SendingRule(**each) for each in stored]))
        if len(rules) > MAX_RULES:
            raise SendingRuleRefused(
                translatable("There are %(most)s rules already. Remove one first.", most=MAX_RULES)
            )
        return [rule.as_json() for rule in rules]

    if not change_list(instance, "sending_rules", changed, about="What models see", by=by):
        return False
    # They were written by other rules.
    Summary.objects.drop(Memory.objects.in_instance(instance))
    return True
