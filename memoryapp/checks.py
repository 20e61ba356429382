"""System checks of the settings, each with a hint."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from instances.outgoing.current_policy import operator_entries
from instances.secrets import encryption_keys
from instances.signin.checks import SETTINGS
from memoryapp.audit.forwarding import SCHEMES
from memoryapp.forgetting.retention import floors
from memoryapp.models import Kept
from memoryapp.process import size
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.telemetry import traces
from memoryapp.telemetry.logs import FORMATS, LEVELS
from memoryapp.webhooks.signature import is_secret

BROKERS = ("redis", "rediss", "unix", "redis+socket")


@register(SETTINGS)
def settings_fit(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check the settings from the environment."""
    return [
        *_mistakes_in_secrets(),
        *_mistakes_in_addresses(),
        *_mistakes_in_numbers(),
        *_mistakes_in_choices(),
        *_mistakes_in_floors(),
        *_mistakes_in_collector(),
        *_mistakes_in_traces(),
    ]


def _mistakes_in_secrets() -> Iterator[CheckMessage]:
    try:
        for key in encryption_keys():
            Fernet(key)
    except ValueError:
        yield Error(
            "ENCRYPTION_KEY or one of ENCRYPTION_KEY_FALLBACKS is not a Fernet key.",
            hint="Leave it out, or make one with: python -c 'from cryptography.fernet import "
            "Fernet; print(Fernet.generate_key().decode())'",
            id="keepsake.E001",
        )
    if 0 < len(settings.METRICS_TOKEN) < 16:
        yield Error(
            "METRICS_TOKEN is short enough to be guessed.",
            hint="Make one with: openssl rand -hex 32",
            id="keepsake.E009",
        )


def _mistakes_in_addresses() -> Iterator[CheckMessage]:
    if urlsplit(settings.REDIS_URL).scheme not in BROKERS:
        yield Error(
            "REDIS_URL is not a Redis address.",
            hint="Use redis://host:6379/0, or leave it out for the embedded server.",
            id="keepsake.E003",
        )
    if settings.TRUST_PROXY and not settings.HTTPS:
        yield Warning(
            "A proxy is trusted to say whether a request came by https, but cookies are sent "
            "by plain http too.",
            hint="Set HTTPS=true when the proxy ends TLS, or leave TRUST_PROXY out.",
            id="keepsake.W005",
        )
    try:
        operator_entries()
    except ValueError as error:
        yield Error(
            f"OUTGOING_ALLOW has an entry that cannot be read. {error}",
            hint="Separate entries by commas: OUTGOING_ALLOW=ollama:11434,10.0.0.0/8.",
            id="keepsake.E012",
        )


def _mistakes_in_numbers() -> Iterator[CheckMessage]:
    if settings.RUN_TIMEOUT_SECONDS < 90:
        yield Error(
            f"RUN_TIMEOUT_SECONDS is {settings.RUN_TIMEOUT_SECONDS}: a language model may take "
            "up to 60 seconds, and a run that takes too long is begun again.",
            hint="Use 90 or more.",
            id="keepsake.E004",
        )
    if settings.WORKER_CONCURRENCY < 8:
        yield Error(
            f"WORKER_CONCURRENCY is {settings.WORKER_CONCURRENCY}: too few to share between "
            "instances.",
            hint="Use 8 or more. Tasks are threads, and most of them wait. WORKER_SHARE limits "
            "how many are for one instance.",
            id="keepsake.E010",
        )
    if settings.WORKER_SHARE < 1:
        yield Error(
            f"WORKER_SHARE is {settings.WORKER_SHARE}: no task would run.",
            hint="Use 1 or more: the number of tasks that a worker runs at once for one instance.",
            id="keepsake.E011",
        )
    for name in ("MAX_UPLOAD_MB", "HEAD_SECONDS", "BODY_SILENCE_SECONDS", "BODY_GRACE_SECONDS"):
        if getattr(settings, name) <= 0:
            yield Error(
                f"{name} is {getattr(settings, name)}: every request would be refused.",
                hint="Use a number above 0, or leave it out.",
                id="keepsake.E020",
            )
    if settings.API_RATE_LIMIT < 0:
        yield Error(
            f"API_RATE_LIMIT is {settings.API_RATE_LIMIT}: no key could make any request.",
            hint="Use the number of requests that one key may make in a minute, or 0 for no limit.",
            id="keepsake.E005",
        )


def _mistakes_in_choices() -> Iterator[CheckMessage]:
    for name, allowed in (
        ("LOG_FORMAT", FORMATS),
        ("LOG_LEVEL", LEVELS),
        ("KEEPSAKE_SIZE", size.SIZES),
        ("EMBEDDER", [*BuiltinModel]),
    ):
        if getattr(settings, name) not in allowed:
            yield Error(
                f"{name} is {getattr(settings, name)}.",
                hint=f"Use one of {', '.join(filter(None, allowed))}, or leave it out.",
                id="keepsake.E008",
            )


def _mistakes_in_floors() -> Iterator[CheckMessage]:
    try:
        floors()
    except ValueError:
        yield Error(
            f"RETENTION_FLOORS is {','.join(settings.RETENTION_FLOORS)}.",
            hint=f"Write the days for some of {', '.join(Kept.values)}: activity=183,usage=62.",
            id="keepsake.E021",
        )


def _mistakes_in_traces() -> Iterator[CheckMessage]:
    if not traces.wanted():
        return
    url = urlsplit(settings.OTEL_EXPORTER_OTLP_ENDPOINT)
    if url.scheme not in ("http", "https") or not url.hostname:
        yield Error(
            "OTEL_EXPORTER_OTLP_ENDPOINT is no address of a collector.",
            hint="Use http://host:4318, or leave it out.",
            id="keepsake.E024",
        )
    if missing := traces.missing_package():
        yield Error(
            f"OTEL_EXPORTER_OTLP_ENDPOINT is set, but {missing} is not installed.",
            hint="Install keepsake-memory[traces], or leave it out.",
            id="keepsake.E025",
        )


def _mistakes_in_collector() -> Iterator[CheckMessage]:
    if not (address := settings.AUDIT_FORWARD_URL):
        return
    url = urlsplit(address)
    if url.scheme not in SCHEMES or not url.hostname:
        yield Error(
            "AUDIT_FORWARD_URL is no address of a collector.",
            hint="Use https://… or syslog+tls://host:6514, or leave it out.",
            id="keepsake.E022",
        )
    if settings.AUDIT_FORWARD_SECRET and not is_secret(settings.AUDIT_FORWARD_SECRET):
        yield Error(
            "AUDIT_FORWARD_SECRET is no secret of Standard Webhooks.",
            hint="Use whsec_ and base64, or leave it out.",
            id="keepsake.E023",
        )


@register(deploy=True)
def fit_for_others(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Check what matters only if others can reach it: ``manage.py check --deploy``."""
    if not settings.HTTPS:
        return [
            Warning(
                "HTTPS is off: passwords and memories travel so that the network can read them.",
                hint="Put a proxy that ends TLS before it and set HTTPS=true and TRUST_PROXY=true "
                "(docs/deploy.md), or keep it to this machine and networks that you trust.",
                id="keepsake.W006",
            )
        ]
    if not settings.TRUST_PROXY:
        return [
            Warning(
                "HTTPS is on and no proxy is trusted: unless the proxy is on this very machine, "
                "every page sends the browser to itself for ever.",
                hint="Set TRUST_PROXY=true when the proxy sets X-Forwarded-Proto.",
                id="keepsake.W007",
            )
        ]
    return []
