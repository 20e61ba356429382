"""``python -m tests.deployment.citus_check SOURCE``: see the package."""

import argparse
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.deployment.citus_check import suite
from tests.deployment.citus_check.build import built
from tests.deployment.citus_check.cluster import PORT, Cluster
from tests.deployment.citus_check.walk import Walk
from tests.deployment.image_check.steps import Failed, Steps


def main() -> int:
    """Run all steps; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path, help="folder with the source of Citus")
    parser.add_argument("--port", type=int, default=PORT, help="of the coordinator")
    options = parser.parse_args()
    steps = Steps()
    # A check that is ended from outside cleans up, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("citus-check: ended"))
    try:
        check(steps, options.source, options.port)
    except Failed as error:
        print(f"citus-check: failed at “{error}” after {steps.seconds:.0f} s")
        return 1
    print(f"citus-check: {steps.passed} steps passed in {steps.seconds:.0f} s")
    return 0


def check(steps: Steps, source: Path, port: int) -> None:
    """Start a cluster and a language model, and go the way."""
    steps.run("Citus", lambda: str(built(source)))
    with (
        tempfile.TemporaryDirectory(prefix="keepsake-citus-check-", dir="/var/tmp") as folder,
        Cluster(built(source), port) as cluster,
        subprocess.Popen(
            [sys.executable, "-m", "tests.deployment.image_check.model_server"]
        ) as model,
    ):
        walk = Walk(cluster, Path(folder), port + 10)
        try:
            walk.there_and_back(steps)
            walk.use(steps)
            steps.run("tests", lambda: suite.run(cluster))
        except Failed:
            print(walk.site.said())
            raise
        finally:
            walk.site.stop()
            model.terminate()


if __name__ == "__main__":
    sys.exit(main())
