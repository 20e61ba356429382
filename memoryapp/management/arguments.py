"""Arguments that commands share, and errors in words."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from django.db import OperationalError

from instances.models import Instance


def instance_named(slug: str) -> Instance:
    """Return the instance with that slug; otherwise raise `CommandError`, which lists the slugs."""
    instance = Instance.objects.filter(slug=slug).first()
    if instance is None:
        slugs = ", ".join(Instance.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"There is no instance “{slug}”. There are: {slugs or 'none yet'}.")
    return instance


def add_import_arguments(parser: ArgumentParser, *, dry_run: str) -> None:
    """Add the file, the instance and ``--dry-run``, which *dry_run* explains."""
    parser.add_argument("file", type=Path, help="the file to import")
    parser.add_argument("--instance", required=True, help="slug of the target instance")
    parser.add_argument("--dry-run", action="store_true", help=dry_run)


@contextmanager
def file_that_opens(file: Path) -> Iterator[None]:
    """Turn a *file* that cannot be read, and a database that does not answer, into a message."""
    try:
        with database_that_answers():
            yield
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror or error}") from error


@contextmanager
def database_that_answers() -> Iterator[None]:
    """Turn a database that does not answer into a message."""
    try:
        yield
    except OperationalError as error:
        raise CommandError(
            f"The database does not answer ({str(error).strip()}). "
            "If it is the embedded one, start Keepsake first."
        ) from error
