"""How much an instance has spent in its month, and whether anything is left for the background.

The month is that of the instance's own time zone, and its prices and cap are in whatever currency
its people think in: nothing here converts.
"""

from decimal import Decimal

from django.db.models import DateTimeField, F, Func, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from instances.models import Instance
from memoryapp.models.usage import Usage


class MonthStart(Func):
    """When the present month began, in the time zone whose name the expression gives."""

    template = (
        "(date_trunc('month', statement_timestamp() AT TIME ZONE %(expressions)s)"
        " AT TIME ZONE %(expressions)s)"
    )
    output_field = DateTimeField()
    arity = 1


def may_spend(instance: Instance) -> bool:
    """Whether a call that nobody waits for may be made now.

    Ask it before each such call: reading, merging, judging, summing up, filling in vectors. The
    answer is fresh from the database. Workers that ask at the same moment may all be told yes, so
    the cap may be overshot by the calls that are under way, and by no more.
    """
    return instance.monthly_cap is None or not over_cap().filter(pk=instance.pk).exists()


def over_cap() -> QuerySet[Instance]:
    """The instances that have spent what they may in the present month."""
    capped = Instance.objects.filter(monthly_cap__isnull=False)
    return with_spending(capped).filter(monthly_cap__lte=F("spent"))


def with_spending(instances: QuerySet[Instance]) -> QuerySet[Instance]:
    """Give each of *instances* what it has ``spent`` in its present month."""
    spent = (
        Usage.objects.filter(instance=OuterRef("pk"), at__gte=MonthStart(OuterRef("time_zone")))
        .order_by()
        .values("instance")
        .annotate(total=Sum("cost"))
        .values("total")
    )
    return instances.annotate(spent=Coalesce(Subquery(spent), Value(Decimal(0))))
