"""Log lines: for people (``console``) or for machines (``json``, one object a line).

Every line has the bound ids: of the request, of the run. No line of any level contains texts of
people, or ids of end users: see `SILENT`, `formatted` and `addresses`.
"""

import logging
import os
import re
import traceback
from types import TracebackType
from typing import Any, TextIO

import structlog
from structlog.contextvars import get_contextvars
from structlog.typing import EventDict, Processor

from memoryapp.telemetry.addresses import logged_address

FORMATS = ("console", "json")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None]

#: What the database adds to an error: the failing row, the statement with its values; up to the end
#: of this error's part.
_DETAILS = re.compile(
    r"\n(?:LINE \d+|DETAIL|HINT|CONTEXT|QUERY|STATEMENT): .*?"
    r"(?=\n\n(?:The above exception|During handling of)|\Z)",
    re.DOTALL,
)

#: Loggers whose lines below the given level would be too many, or contain texts of people: the
#: client logs requests to language models, Django its queries with their values.
SILENT = {
    "celery.app.trace": "WARNING",
    "celery.beat": "WARNING",
    "celery.worker.strategy": "WARNING",
    "django.db.backends": "INFO",
    # Each failed request has its line; here are the tracebacks.
    "django.request": "ERROR",
    "httpcore2": "WARNING",
    "httpx2": "WARNING",
    "mcp": "WARNING",
    "openai": "INFO",
}


def config(form: str, level: str) -> dict[str, Any]:
    """Return the setting ``LOGGING``. An unknown *form* or *level* counts as left out; a system
    check reports it.
    """
    json = form == "json"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"keepsake": {"()": lambda: _formatter(form)}},
        "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "keepsake"}},
        "loggers": {
            **{name: {"level": least} for name, least in SILENT.items()},
            # A line for each click would hide the others in a terminal.
            "keepsake.requests": {"level": "INFO" if json else "ERROR"},
            # The web server has handlers of its own.
            "uvicorn": {"handlers": [], "propagate": True},
            "uvicorn.error": {"handlers": [], "propagate": True},
            # Its lines for requests contain the query; ours do not.
            "uvicorn.access": {"handlers": [], "propagate": False},
            # Django would mail admins, and show things twice while it debugs.
            "django": {"handlers": [], "propagate": True},
            "django.server": {"handlers": [], "propagate": True},
        },
        "root": {"handlers": ["console"], "level": _known_level(level)},
    }


def start_handler() -> logging.Handler:
    """Return the handler of what a web server says before it has the settings, and of its process
    that only looks after others: see ``web_server_logging.json``.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(_formatter(os.environ.get("LOG_FORMAT", "")))
    handler.setLevel(_known_level(os.environ.get("LOG_LEVEL", "")))
    return handler


def request_id() -> str:
    """Return the id of the present request, or of the one that led to the present task."""
    return str(get_contextvars().get("request_id", ""))


def formatted(exc_info: ExcInfo) -> str:
    """Format an exception with its causes, without rows and values of the database."""
    return _DETAILS.sub("", "".join(traceback.format_exception(*exc_info)).rstrip("\n"))


def _known_level(level: str) -> str:
    return level if level in LEVELS else "INFO"


def _formatter(form: str) -> logging.Formatter:
    json = form == "json"
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_machine() if json else _people(),
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *(_as_json() if json else _as_text()),
        ],
    )


def _people() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        _without_requests,
        _without_colours,
    ]


def _without_colours(logger: object, name: str, line: EventDict) -> EventDict:
    """Drop the web server's second message, which is for terminals."""
    line.pop("color_message", None)
    return line


def _without_requests(logger: object, name: str, line: EventDict) -> EventDict:
    """Replace a request, which Django adds to its lines, and its address in their texts."""
    for key, request in list(line.items()):
        # Known by this, since the web server logs before, and without, loading Django.
        if not hasattr(request, "resolver_match"):
            continue
        address = logged_address(request)
        line[key] = f"{request.method} {address}"
        for written in (request.get_full_path(), request.path):
            line["event"] = str(line["event"]).replace(written, address)
    return line


def _machine() -> list[Processor]:
    return [
        *_people(),
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]


def _as_json() -> list[Processor]:
    return [
        structlog.processors.ExceptionRenderer(formatted),
        structlog.processors.JSONRenderer(ensure_ascii=False),
    ]


def _as_text() -> list[Processor]:
    # Without the time: `make run` and Docker add it.
    return [
        structlog.dev.ConsoleRenderer(
            colors=False, pad_event_to=0, pad_level=False, exception_formatter=_write_formatted
        )
    ]


def _write_formatted(stream: TextIO, exc_info: Any) -> None:
    stream.write("\n" + formatted(exc_info))
