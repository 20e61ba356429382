"""Set-up of Django for the commands of the benchmarks, and their errors in one line each."""

import argparse
import contextlib
import os
from collections.abc import Iterator

import django


def add_json(parser: argparse.ArgumentParser) -> None:
    """Let the command line ask for the figures as JSON."""
    parser.add_argument("--json", action="store_true", help="end with one JSON object in a line")


def add_database(parser: argparse.ArgumentParser, name: str) -> None:
    """Let the command line name the benchmark's own database, called *name* by default."""
    parser.add_argument(
        "--database", default=name, help="dropped and made anew (default: %(default)s)"
    )


def add_embedder(parser: argparse.ArgumentParser) -> None:
    """Let the command line name the built-in embedder."""
    parser.add_argument(
        "--embedder",
        choices=["small", "multilingual"],
        help="the built-in embedder that is measured (default: that of the setting EMBEDDER)",
    )


def use_embedder(name: str | None) -> str:
    """Give new instances the built-in embedder called *name*, if it is named; return which they
    get.
    """
    from django.conf import settings

    settings.EMBEDDER = name or settings.EMBEDDER
    embedder: str = settings.EMBEDDER
    return embedder


@contextlib.contextmanager
def running(parser: argparse.ArgumentParser, *, when_stopped: str = "") -> Iterator[None]:
    """Set up Django for the block, in which alone models can be imported, and report its errors."""
    set_up()
    with reporting(parser, when_stopped=when_stopped):
        yield


def set_up() -> None:
    """Set up Django with the settings of the environment, as ``manage.py`` does. New instances have
    the small embedder unless ``EMBEDDER`` names one: its vectors are those of the data sets.
    """
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
    os.environ.setdefault("EMBEDDER", "small")
    django.setup()


@contextlib.contextmanager
def reporting(parser: argparse.ArgumentParser, *, when_stopped: str = "") -> Iterator[None]:
    """End the program with one line where the block fails for a reason that the person at the
    command line can mend (exit code 2), and with *when_stopped* where it is interrupted (130).
    """
    from django.db import OperationalError

    from memoryapp.providers.errors import ProviderError

    try:
        yield
    except (OSError, ValueError, RuntimeError, OperationalError, ProviderError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        parser.exit(130, " ".join(filter(None, ("Stopped.", when_stopped))) + "\n")
