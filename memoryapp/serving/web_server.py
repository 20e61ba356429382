"""``python -m memoryapp.serving.web_server``: the web server of ``manage.py run``.

With ``--set-up FD``, it first brings the database up to date, and reports to that file descriptor,
as JSON lines, what it does and with which account to sign in. So Django is loaded once until the
first page, and not once for the set-up and once to serve.
"""

import argparse
import gc
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import uvicorn
from django.core.exceptions import ImproperlyConfigured

#: The option for the set-up, with its value.
SET_UP = "--set-up"
#: Seconds in which open requests may end when it is stopped.
GRACE_SECONDS = 3


def main(arguments: Sequence[str]) -> None:
    """Set up the database if asked to, and serve until a signal comes."""
    parser = argparse.ArgumentParser(
        prog="python -m memoryapp.serving.web_server", description=__doc__
    )
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(SET_UP, type=int, metavar="FD", help="where to report")
    parser.add_argument("--demo", action="store_true", help="load it into an empty database")
    options = parser.parse_args(arguments)
    # Little of what is loaded becomes garbage: to look for it takes a fifth of a start.
    gc.disable()
    try:
        # Only now: it reads the settings.
        import memoryapp.asgi  # noqa: F401 - For its side effects.
    except ImproperlyConfigured as error:
        sys.exit(f"Keepsake cannot start: {error}")
    gc.enable()
    if options.set_up is not None and _set_up(options.set_up, demo=options.demo):
        # What a migration and the demo have loaded would stay in memory.
        serving = ["--host", options.host, "--port", str(options.port)]
        os.execv(sys.executable, [sys.executable, "-m", "memoryapp.serving.web_server", *serving])  # noqa: S606 - Our own command.
    uvicorn.run(
        # By name, so that WEB_CONCURRENCY can have several.
        "memoryapp.asgi:application",
        host=options.host,
        port=options.port,
        http="memoryapp.serving.http_protocol:HttpProtocol",
        lifespan="on",
        timeout_graceful_shutdown=GRACE_SECONDS,
        access_log=False,
        # Only TRUST_PROXY decides whether X-Forwarded-For counts.
        proxy_headers=False,
        # The logging of the settings is there already.
        log_config=None,
    )


def _set_up(descriptor: int, *, demo: bool) -> bool:
    """Check the settings and set up the database; return whether anything but looking was done."""
    from django.core.management import CommandError, call_command
    from django.db import OperationalError

    from instances.signin.checks import SETTINGS
    from memoryapp.serving.set_up import set_up

    with os.fdopen(descriptor, "w") as reports:

        def report(content: dict[str, Any]) -> None:
            reports.write(f"{json.dumps(content)}\n")
            reports.flush()

        try:
            with open(os.devnull, "w") as nowhere:
                call_command("check", tags=[SETTINGS], stdout=nowhere)
            login, changed = set_up(report, demo=demo)
        except CommandError as error:
            sys.exit(str(error))
        except OperationalError as error:
            sys.exit(f"The database does not answer: {error}")
        report({"login": login.name, "password": login.password})
    return changed


if __name__ == "__main__":
    main(sys.argv[1:])
