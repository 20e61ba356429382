"""How amounts of tokens and money are written for people, in the language of the page."""

from decimal import Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _


def tokens(count: int) -> str:
    """Write a number of tokens that is only an estimate: 850, 12,000, 1.4 million."""
    if count >= 1_000_000:
        return _("%(number)s million") % {"number": number_format(round(count / 1_000_000, 1), 1)}
    return number_format(round(count, -3) if count >= 10_000 else count, force_grouping=True)


def price(amount: Decimal) -> str:
    """Write an amount of money without currency: 12.40, or with more digits if it is tiny."""
    digits = 2 if amount >= Decimal("0.1") or not amount else 4
    # `number_format` cuts digits off.
    return number_format(round(amount, digits), digits, force_grouping=True)
