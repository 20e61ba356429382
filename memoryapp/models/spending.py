"""What an instance has spent this month, and whether background work may spend more.

The month is that of the instance's time zone. Prices and cap are fields of the instance
(`instances.models.provider_settings`), in a currency of the users' choice; `memoryapp.models.usage`
computes the cost of a call from them.
"""

from decimal import Decimal

from django.db.models import DateTimeField, F, Func, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce

from instances.models import Instance
from memoryapp.models.usage import Usage


class MonthStart(Func):
    """The start of the present month in the time zone whose name the expression gives."""

    template = (
        "(date_trunc('month', statement_timestamp() AT TIME ZONE %(expressions)s)"
        " AT TIME ZONE %(expressions)s)"
    )
    output_field = DateTimeField()
    arity = 1


def may_spend(instance: Instance) -> bool:
    """Whether a background call may be made now.

    Check it before each such call: extraction, merging, assessment, summaries, missing vectors. It
    queries the database. Workers that check at the same moment may all go ahead, so the cap can be
    exceeded by the calls that are under way, but by no more.
    """
    return instance.monthly_cap is None or not over_cap().filter(pk=instance.pk).exists()


def may_read(instance: Instance) -> bool:
    """Whether conversations may be read for facts now: within the cap, or where that costs nothing.

    It queries the database.
    """
    return may_spend(instance) or instance.reads_at_no_cost


def waiting_at_cap() -> list[int]:
    """The ids of instances whose conversations are not read now, because of the cap."""
    return [instance.pk for instance in over_cap() if not instance.reads_at_no_cost]


def over_cap() -> QuerySet[Instance]:
    """Instances that have reached their cap in the present month."""
    capped = Instance.objects.filter(monthly_cap__isnull=False)
    return with_spending(capped).filter(monthly_cap__lte=F("spent"))


def with_spending(instances: QuerySet[Instance]) -> QuerySet[Instance]:
    """Annotate *instances* with what they have ``spent`` in the present month."""
    spent = (
        Usage.objects.filter(instance=OuterRef("pk"), at__gte=MonthStart(OuterRef("time_zone")))
        .order_by()
        .values("instance")
        .annotate(total=Sum("cost"))
        .values("total")
    )
    return instances.annotate(spent=Coalesce(Subquery(spent), Value(Decimal(0))))
