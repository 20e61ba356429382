"""Run pytest, and run each test that failed once more, alone: ``python -m tests.rerunning …``.

A test that fails beside others and passes alone is unstable. Continuous integration names it and
goes on, so that one such test does not hide the result of all others; it is mended next.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

#: More failed tests than this are no chance: they are not run again.
MAX_RERUN = 10

#: Where pytest keeps, in its cache folder, what failed.
LAST_FAILED = "v/cache/lastfailed"


def main(arguments: list[str]) -> int:
    """Run pytest with *arguments* and return its exit code, 0 if all that failed passed alone."""
    with tempfile.TemporaryDirectory() as cache:
        code = _pytest(*arguments, "-o", f"cache_dir={cache}")
        failed = _last_failed(Path(cache))
        if code != pytest.ExitCode.TESTS_FAILED or not 0 < len(failed) <= MAX_RERUN:
            return code
        print(f"Again        {len(failed)} failed: each once more, alone", flush=True)
        unstable = [test for test in failed if _passes_alone(test, arguments, Path(cache))]
    for test in unstable:
        print(f"Unstable     {test}: failed beside others, passed alone", flush=True)
    for test in failed:
        if test not in unstable:
            print(f"Failed       {test}: twice", flush=True)
    return 0 if unstable == failed else code


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def _passes_alone(test: str, arguments: list[str], cache: Path) -> bool:
    """True if *test* passes in a run of its own, with nothing beside it."""
    (cache / LAST_FAILED).write_text(json.dumps({test: True}))
    only_this = ("-n", "0", "--last-failed", "--last-failed-no-failures", "none")
    return _pytest(*arguments, *only_this, "-o", f"cache_dir={cache}") == 0


def _last_failed(cache: Path) -> list[str]:
    """Return the ids of the tests, and the files, that failed in the run with this *cache*."""
    file = cache / LAST_FAILED
    return sorted(json.loads(file.read_text())) if file.exists() else []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
