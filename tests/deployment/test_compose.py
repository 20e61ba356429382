"""``docker-compose.yml``: it is valid and requires the necessary settings."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from tests.deployment.files import (
    FILLED_IN,
    PROJECT,
    compose,
    dockerfile,
    image_environment,
    services,
)
from tests.deployment.image_check import pages

OURS = ("migrate", "web", "worker")
SECRETS = ("SECRET_KEY", "ENCRYPTION_KEY", "POSTGRES_PASSWORD", "ADMIN_PASSWORD")


def test_example_env_lists_every_secret_and_only_known_variables() -> None:
    example = (PROJECT / ".env.example").read_text()
    offered = set(re.findall(r"^(\w+)=", example, re.MULTILINE))
    text = (PROJECT / "docker-compose.yml").read_text()
    # `${NAME}`, and names without a value.
    known = set(re.findall(r"\$\{(\w+)", text)) | set(re.findall(r"^ +(\w+):$", text, re.MULTILINE))
    assert set(SECRETS) <= offered <= known
    for secret in SECRETS:
        assert re.search(rf"^{secret}=$", example, re.MULTILINE), "a secret has a default"


def test_compose_accepts_the_completed_example_env() -> None:
    example = (PROJECT / ".env.example").read_text()
    filled = re.sub(r"^(\w+)=$", r"\1=filled-in-by-hand", example, flags=re.MULTILINE)
    result = compose(filled, "config", "--quiet")
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not shutil.which("openssl"), reason="the example's commands need openssl")
def test_commands_in_the_example_env_generate_valid_secrets() -> None:
    example = (PROJECT / ".env.example").read_text()
    generated = {
        name: subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name, command in pages.secret_commands(example).items()
    }
    assert set(generated) == set(SECRETS) - {"ADMIN_PASSWORD"}
    assert re.fullmatch("[a-z0-9]{64}", generated["POSTGRES_PASSWORD"]), "not valid within a URL"
    Fernet(generated["ENCRYPTION_KEY"])
    assert deployment_check(**generated).returncode == 0


def test_quoted_password_is_unchanged() -> None:
    found = services(ADMIN_PASSWORD="'a$b #c'")
    # Compose escapes its output, so that a dollar sign is doubled.
    assert found["migrate"]["environment"]["ADMIN_PASSWORD"] == "a$$b #c"
    assert not any("ADMIN_PASSWORD" in found[name]["environment"] for name in OURS[1:])


@pytest.mark.parametrize("page", ["deploy", "backup", "scale"])
def test_documented_compose_options_exist(page: str) -> None:
    text = (PROJECT / "docs" / f"{page}.md").read_text()
    commands = re.findall(r"docker compose ([a-z]+)((?: -[-\w]+)*)", text)
    assert commands
    for command, options in set(commands):
        usage = compose("", command, "--help")
        assert usage.returncode == 0, command
        for option in options.split():
            assert re.search(rf"(?<!\S){option}\b", usage.stdout), f"{command} {option}"


@pytest.mark.parametrize("missing", SECRETS)
def test_missing_secret_is_named_and_stops_compose(missing: str) -> None:
    filled = "\n".join(f"{name}={value}" for name, value in FILLED_IN.items() if name != missing)
    result = compose(filled, "config", "--quiet")
    assert result.returncode != 0
    missing_names = set(
        re.findall(r"required variable (\w+) is missing a value: set it in .env", result.stderr)
    )
    assert missing_names == {missing}


def test_only_the_web_server_is_published_and_only_on_localhost_by_default() -> None:
    ports = {name: it["ports"] for name, it in services().items() if it.get("ports")}
    assert list(ports) == ["web"]
    (port,) = ports["web"]
    assert (port["host_ip"], port["published"], port["target"]) == ("127.0.0.1", "8000", 8000)
    (port,) = services(PUBLISH="0.0.0.0:80")["web"]["ports"]
    assert (port["host_ip"], port["published"]) == ("0.0.0.0", "80")  # noqa: S104 - Compared.


def test_databases_have_no_outside_network() -> None:
    found = services()
    for name in ("postgres", "redis"):
        assert list(found[name]["networks"]) == ["stores"]
        assert found[name]["image"].partition(":")[2][0].isdigit(), "the tag is not a version"
        assert found[name]["volumes"]


def test_third_party_images_can_be_pinned() -> None:
    digest = "@sha256:" + "0" * 64
    found = services(
        PYTHON_IMAGE=f"python:3.13{digest}",
        POSTGRES_IMAGE=f"pgvector/pgvector:pg18{digest}",
        REDIS_IMAGE=f"valkey/valkey:9{digest}",
    )
    assert built(found)["args"]["PYTHON_IMAGE"] == f"python:3.13{digest}"
    assert found["postgres"]["image"] == f"pgvector/pgvector:pg18{digest}"
    assert found["redis"]["image"] == f"valkey/valkey:9{digest}"
    # A manual build uses the same base image as Compose.
    (default,) = re.findall(r"^ARG PYTHON_IMAGE=(\S+)$", dockerfile(), re.MULTILINE)
    assert built(services())["args"]["PYTHON_IMAGE"] == default
    assert set(re.findall(r"^FROM (\S+)", dockerfile(), re.MULTILINE)) == {"${PYTHON_IMAGE}"}


def built(found: dict[str, Any]) -> dict[str, Any]:
    """Return how the image is built."""
    (build,) = (it["build"] for it in found.values() if "build" in it)
    assert isinstance(build, dict)
    return build


def test_image_is_built_once_for_all_containers() -> None:
    """Builders without a common cache would build it for each service that asks for it."""
    found = services()
    assert built(found)["args"]["PIP_INDEX_URL"] == ""
    assert {found[name]["image"] for name in OURS} == {"keepsake"}
    assert built(services(PIP_INDEX_URL="https://pypi.example.org/simple"))["args"][
        "PIP_INDEX_URL"
    ].startswith("https://pypi.example.org")


@pytest.mark.parametrize("name", OURS)
def test_app_containers_are_unprivileged_and_read_only(name: str) -> None:
    it = services()[name]
    assert it["read_only"] is True
    assert it["cap_drop"] == ["ALL"]
    assert it["security_opt"] == ["no-new-privileges:true"]
    assert it["tmpfs"] == ["/tmp"]  # noqa: S108 - In the container.
    assert [volume["target"] for volume in it["volumes"]] == ["/data"]
    assert image_environment()["KEEPSAKE_HOME"] == "/data"


def test_external_databases_replace_the_bundled_ones(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "deploy.md").read_text()
    section = page.partition("## Databases of your own")[2]
    addresses = dict(re.findall(r"^(\w+)=(.+)$", section, re.MULTILINE))
    (text,) = re.findall(r"```yaml\n(services:\n  postgres: !reset.+?)```", section, re.DOTALL)
    override = tmp_path / "docker-compose.override.yml"
    override.write_text(text)
    found = services(override, **addresses)
    assert set(found) == set(OURS)
    for name in OURS:
        assert "db.example.org" in found[name]["environment"]["DATABASE_URL"]
        assert "redis.example.org" in found[name]["environment"]["REDIS_URL"]
        waits = list(found[name].get("depends_on", {}))
        assert waits == ([] if name == "migrate" else ["migrate"])


def test_every_setting_is_passed_on_or_said_not_to_be() -> None:
    rows = documented("docs/settings.md")
    page = (PROJECT / "docs" / "deploy.md").read_text()
    (paragraph,) = re.findall(r"^Not passed on are (.+?)\n\n", page, re.MULTILINE | re.DOTALL)
    left_out = set(re.findall(r"`([A-Z_]+)`", paragraph)) & rows
    assert left_out
    values = {name: f"the-{name.lower()}" for name in rows}
    found = services(**values)
    passed = {
        name
        for name, value in values.items()
        if any(value in str(found[it]["environment"].get(name)) for it in OURS)
    }
    assert passed == rows - left_out
    for name in OURS:
        assert not left_out & set(found[name]["environment"])


def test_no_setting_of_the_image_is_taken_away() -> None:
    """A variable that Compose lists and has no value for is removed from those of the image."""
    for name in OURS:
        there = services()[name]["environment"]
        assert all(there[key] for key in image_environment().keys() & there.keys())


def test_every_container_is_limited() -> None:
    found = services(
        **{f"{name}_MEMORY": "300m" for name in ("WEB", "WORKER", "POSTGRES", "REDIS")},
        **{f"{name}_CPUS": "1.5" for name in ("WEB", "WORKER", "POSTGRES")},
        COMPOSE_PROFILES="tls",
    )
    assert all(0 < it["pids_limit"] < 10_000 for it in found.values())
    limited = {name for name, it in found.items() if it.get("mem_limit") == str(300 << 20)}
    assert limited == {"web", "worker", "postgres", "redis"}
    assert {name for name, it in found.items() if it.get("cpus") == 1.5} == limited - {"redis"}
    # All of them are optional.
    assert not any("mem_limit" in it or "cpus" in it for it in services().values())


def test_redis_accepts_the_other_containers_whatever_image_it_is() -> None:
    assert " --protected-mode no" in " ".join(services()["redis"]["command"])


def test_proxy_is_there_only_if_asked_for_and_alone_is_open_to_others() -> None:
    assert "proxy" not in services()
    found = services(COMPOSE_PROFILES="tls", PUBLISH="127.0.0.1:8000-8001")
    proxy = found["proxy"]
    assert {port["published"] for port in proxy["ports"]} == {"80", "443"}
    assert proxy["environment"]["ALLOWED_HOSTS"] == FILLED_IN["ALLOWED_HOSTS"]
    assert (proxy["cap_drop"], proxy["cap_add"]) == (
        ["ALL"],
        # With the latter it reads a Caddyfile that is for another user alone.
        ["NET_BIND_SERVICE", "DAC_OVERRIDE"],
    )
    assert proxy["read_only"] and list(proxy["networks"]) == ["default"]
    # A port for each container of `web`, and none that others reach.
    (port,) = found["web"]["ports"]
    assert (port["host_ip"], port["published"]) == ("127.0.0.1", "8000-8001")


def test_number_of_containers_outlasts_a_plain_start() -> None:
    """A number on the command line is forgotten by the next ``up``, as of a restore."""
    found = services(WEB_CONTAINERS="2", WORKER_CONTAINERS="3", PUBLISH="127.0.0.1:8000-8001")
    assert (found["web"]["scale"], found["worker"]["scale"]) == (2, 3)
    found = services()
    assert (found["web"]["scale"], found["worker"]["scale"]) == (1, 1)
    for page in ("deploy", "backup", "scale"):
        assert "--scale" not in (PROJECT / "docs" / f"{page}.md").read_text()


def test_files_that_an_operator_makes_stay_out_of_the_repository() -> None:
    text = "".join((PROJECT / "docs" / f"{page}.md").read_text() for page in ("deploy", "backup"))
    made = {
        *re.findall(r"[>] ([\w.-]+)$", text, re.MULTILINE),
        *re.findall(r"--file ([\w.-]+)", text),
        *re.findall(r"docker compose cp \S+/([\w.-]+) \.`", text),
        *re.findall(r"`(docker-compose\.override\.yml)`", text),
        *re.findall(r"install -m 600 \.env\.example (\S+)`", text),
    }
    assert {".env", "keepsake.dump", "erasures.jsonl", "docker-compose.override.yml"} <= made
    for name in made:
        ignored = subprocess.run(["git", "check-ignore", "--quiet", name], cwd=PROJECT, check=False)
        assert ignored.returncode == 0, name


@pytest.mark.parametrize("name", OURS)
def test_host_of_the_containers_has_a_name(name: str) -> None:
    page = (PROJECT / "docs" / "deploy.md").read_text()
    assert "http://host.docker.internal:11434/v1" in page
    assert services()[name]["extra_hosts"] == ["host.docker.internal=host-gateway"]


def test_services_wait_for_migrations() -> None:
    found = services()
    assert found["migrate"]["restart"] == "no"
    for name in ("web", "worker"):
        waits = {other: it["condition"] for other, it in found[name]["depends_on"].items()}
        assert waits == {
            "migrate": "service_completed_successfully",
            "postgres": "service_healthy",
            "redis": "service_healthy",
        }
        assert found[name]["restart"] == "unless-stopped"


def test_every_variable_is_documented() -> None:
    there = documented("docs/settings.md", "docs/deploy.md")
    for name in OURS:
        assert set(services()[name]["environment"]) <= there
    assert set(image_environment()) - {"PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"} <= there
    example = (PROJECT / ".env.example").read_text()
    assert set(re.findall(r"^(\w+)=", example, re.MULTILINE)) <= there
    assert set(re.findall(r"\$\{(\w+)", (PROJECT / "docker-compose.yml").read_text())) <= there


def documented(*pages: str) -> set[str]:
    """Return the variables in the first columns of the tables of these pages."""
    return {
        name
        for page in pages
        for cell in re.findall(r"^\| (`[A-Z_`, ]+`) \|", (PROJECT / page).read_text(), re.MULTILINE)
        for name in re.findall(r"`(\w+)`", cell)
    }


def deployment_check(**changed: str) -> "subprocess.CompletedProcess[str]":
    web = services(**changed)["web"]["environment"]
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=PROJECT,
        env={"PATH": os.environ["PATH"], "KEEPSAKE_HOME": os.environ["KEEPSAKE_HOME"]}
        | {name: value for name, value in web.items() if value is not None},
        capture_output=True,
        text=True,
        check=False,
    )


def test_deployment_checks_pass_behind_a_tls_proxy() -> None:
    result = deployment_check()
    assert result.returncode == 0, result.stderr


def test_deployment_checks_warn_about_plain_http() -> None:
    result = deployment_check(HTTPS="false", TRUST_PROXY="false")
    assert result.returncode == 1
    assert "HTTPS is off: passwords and memories travel" in result.stderr
    assert re.findall(r"\((\w+\.\w+)\) ", result.stderr) == ["keepsake.W006"]
