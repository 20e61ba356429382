"""Spending of an instance in this month, and whether background work may spend more.

The month is that of the instance's time zone. The cap is a field of the instance, in the currency
of its prices (`memoryapp.models.prices`), from which `memoryapp.models.usage` computes the cost of
a call.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal

from django.db.models import Q, QuerySet, Sum

from instances.models import Instance
from memoryapp.models.usage import Usage


def may_spend(instance: Instance) -> bool:
    """True if a background call may be made now.

    Check it before each such call: extraction, merging, assessment, summaries, missing vectors. It
    queries the database. Workers that check at the same moment may all go ahead, so the cap can be
    exceeded by the calls that are under way, but by no more.
    """
    return instance.monthly_cap is None or not over_cap(Instance.objects.filter(pk=instance.pk))


def may_read(instance: Instance) -> bool:
    """True if conversations may be read for facts now: within the cap, or where that costs nothing.

    It queries the database.
    """
    return may_spend(instance) or instance.reads_at_no_cost


def waiting_at_cap() -> list[int]:
    """The ids of instances whose conversations are not read now, because of the cap."""
    reached = over_cap(Instance.objects.all())
    return [instance.pk for instance in reached if not instance.reads_at_no_cost]


def over_cap(instances: QuerySet[Instance]) -> list[Instance]:
    """Members of *instances* that have reached their cap in the present month."""
    capped = list(instances.filter(monthly_cap__isnull=False))
    spent = spent_by(capped)
    return [
        each
        for each in capped
        if each.monthly_cap is not None and each.monthly_cap <= spent[each.pk]
    ]


def spent_by(instances: Iterable[Instance]) -> dict[int, Decimal]:
    """Spending of each of *instances* in the present month, by id."""
    spent = {instance.pk: Decimal(0) for instance in instances}
    #: The ids by the moment at which the month began.
    began: dict[datetime, list[int]] = defaultdict(list)
    for instance in instances:
        began[instance.midnight().replace(day=1)].append(instance.pk)
    this_month = Q(pk__in=[])
    for since, ids in began.items():
        this_month |= Q(instance__in=ids, at__gte=since)
    costs = Usage.objects.filter(this_month, cost__isnull=False).order_by()
    spent.update(costs.values_list("instance").annotate(total=Sum("cost")))
    return spent
