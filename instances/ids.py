"""Ids of rows, as addresses, forms and request bodies carry them."""

#: One more than the greatest id that PostgreSQL can store: a query for more would fail.
_LIMIT = 2**63
_MAX_DIGITS = 19


def parse_pk(value: object) -> int | None:
    """Return the id that *value* is, as ASCII digits or a number; None where no row can have it."""
    if isinstance(value, str):
        # Python refuses to convert thousands of digits with an error.
        if not (value.isascii() and value.isdigit() and len(value) <= _MAX_DIGITS):
            return None
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 < value < _LIMIT else None
