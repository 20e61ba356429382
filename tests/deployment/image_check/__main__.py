"""``python -m tests.deployment.image_check``: see the package."""

import os
import signal
import sys
import tempfile
from functools import partial
from pathlib import Path

from tests.deployment.image_check import alone, base_images, doubled, operate, use
from tests.deployment.image_check.engine import Engine, NoEngine, engine
from tests.deployment.image_check.installation import Installation
from tests.deployment.image_check.steps import Failed, Steps
from tests.deployment.image_check.visitor import Visitor

#: Seconds after which no further step begins.
BUDGET = float(os.environ.get("IMAGE_CHECK_SECONDS", "1800"))


def main() -> int:
    """Run all steps; return the exit code."""
    steps = Steps(BUDGET)
    # A check that is ended from outside cleans up, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("image-check: ended"))
    try:
        with engine() as running:
            steps.run("engine", lambda: described(running))
            images = base(steps, running)
            with tempfile.TemporaryDirectory(prefix="keepsake-image-check-") as folder:
                site = Installation(Path(folder), running)
                # What an interrupted run may have left.
                site.lay(images)
                site.remove()
                try:
                    walk(steps, site)
                except Failed:
                    report(site)
                    raise
                finally:
                    steps.run("removed", partial(removed, site), always=True)
    except NoEngine as error:
        print(f"left out: no container engine ({error}). Nothing was checked.")
        return 0
    except Failed as error:
        print(f"image-check: failed at “{error}” after {steps.seconds:.0f} s")
        return 1
    left_out = f"; left out: {', '.join(steps.left_out)}" if steps.left_out else ""
    print(f"image-check: {steps.passed} steps passed in {steps.seconds:.0f} s{left_out}")
    return 0


def walk(steps: Steps, site: Installation) -> None:
    """Go through the life of an installation."""
    steps.run("build", partial(operate.build, site))
    steps.run("alone", partial(alone.use_alone, site))
    steps.run("first start", partial(operate.start, site))
    steps.run("containers", partial(operate.look_at_containers, site))
    steps.run("check --deploy", partial(operate.check_deploy, site))
    steps.run("pages", partial(use.read_pages, site))
    program = Visitor("")

    def make_key() -> str:
        nonlocal program
        program = use.make_key(site)
        return "with every permission"

    steps.run("key", make_key)
    for name, step in (
        ("store and search", lambda: use.store(program)),
        ("import", lambda: use.import_file(program)),
        ("MCP", lambda: use.use_mcp(program)),
        ("chat", lambda: use.chat(program)),
        ("down and up", lambda: operate.restart(site, program)),
        ("upgrade", lambda: operate.upgrade(site)),
        ("backup and restore", lambda: operate.back_up_and_restore(site, program)),
        ("logs", lambda: operate.read_logs(site)),
        ("proxy, two web, two workers", lambda: doubled.start_doubled(site)),
        ("https", lambda: doubled.use_by_https(site, program.key)),
        ("outages", lambda: doubled.survive_outages(site, program.key)),
        ("containers, doubled", lambda: operate.look_at_containers(site)),
        ("check --deploy with https", lambda: operate.check_deploy(site)),
    ):
        steps.run(name, step)


def described(running: Engine) -> str:
    """Describe the engine."""
    version = running.docker("version", "--format", "{{.Server.Version}}").stdout.strip()
    compose = running.docker("compose", "version", "--short").stdout.strip()
    whose = "its own, until the end" if running.is_own else "the one that runs here"
    return f"Docker {version}, {whose}; Compose {compose}"


def base(steps: Steps, running: Engine) -> dict[str, str]:
    """Return the base images, by the variables that name them."""
    images: dict[str, str] = {}

    def find() -> str:
        if base_images.can_pull(running):
            images.update(base_images.published())
            return "as published"
        made = base_images.make_stand_ins(running)
        images.update(base_images.STAND_IN_FOR)
        return f"no registry answers: stand-ins of Debian's packages, {'made' if made else 'there'}"

    steps.run("base images", find)
    if images == base_images.STAND_IN_FOR:
        steps.leave_out("the published images", "no registry answers")
    return images


def report(site: Installation) -> None:
    """Print the last lines of each container."""
    print(site.states())
    for service in ("migrate", "web", "worker", "proxy", "postgres", "redis"):
        try:
            lines = site.logs(service)[-15:]
        except Failed:
            continue
        print(f"--- {service}", *lines, sep="\n")


def removed(site: Installation) -> str:
    """Remove all that was started."""
    site.remove()
    left = site.engine.docker("ps", "--all", "--quiet", "--filter", "name=keepsake-image-check")
    if left.stdout.strip():
        raise Failed(f"containers are left: {left.stdout}")
    return "containers, networks, volumes and image"


if __name__ == "__main__":
    sys.exit(main())
