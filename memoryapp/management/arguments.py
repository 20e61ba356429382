"""What commands ask for, and what they say when it is not there."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.db import OperationalError

from instances.models import Instance


def instance_named(slug: str) -> Instance:
    """The instance with that slug; raises `CommandError` that says which there are."""
    instance = Instance.objects.filter(slug=slug).first()
    if instance is None:
        slugs = ", ".join(Instance.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"There is no instance “{slug}”. There are: {slugs or 'none yet'}.")
    return instance


@contextmanager
def database_that_answers() -> Iterator[None]:
    """Turn a database that does not answer into words."""
    try:
        yield
    except OperationalError as error:
        raise CommandError(
            f"The database does not answer ({str(error).strip()}). "
            "If it is the embedded one, start Keepsake first."
        ) from error
