"""The proxies have the same limits as Keepsake: the ``Caddyfile`` of Compose, and the files in
``deploy``.
"""

import re

import pytest
from django.conf import settings

from memoryapp.request_limits.body_sizes import FORM_BYTES, large_body_routes
from tests.deployment.files import PROJECT

PAGE = (PROJECT / "docs" / "deploy.md").read_text()

CHATS = ("/v1/chat/completions", "/v1/responses", "/v1/messages")
UPLOADS = ("/conversations/import", "/api/imports")

#: Megabytes by path; the empty path stands for all others.
LIMITS = {path: door.max_bytes >> 20 for path, door in large_body_routes().items()} | {
    "": settings.MAX_BODY_BYTES >> 20
}


def test_limits_are_found() -> None:
    assert {
        **dict.fromkeys(CHATS, 50),
        **dict.fromkeys(UPLOADS, settings.MAX_UPLOAD_MB + (FORM_BYTES >> 20)),
        "": 3,
    } == LIMITS


def test_nginx_has_the_same_limits() -> None:
    text = (PROJECT / "deploy" / "nginx.conf").read_text()
    *_, server = re.findall(r"^server \{.+?^\}", text, re.DOTALL | re.MULTILINE)
    locations = r"location = (\S+) \{\s+client_max_body_size (\d+)m;"
    limits = {path: int(size) for path, size in re.findall(locations, server)}
    (default,) = re.findall(r"^    client_max_body_size (\d+)m;", server, re.MULTILINE)
    assert limits | {"": int(default)} == LIMITS


@pytest.mark.parametrize(
    ("file", "address"),
    [("deploy/Caddyfile", r"memory\.example\.org"), ("Caddyfile", r"\{\$ALLOWED_HOSTS\}")],
)
def test_caddy_has_the_same_limits(file: str, address: str) -> None:
    text = (PROJECT / file).read_text()
    (site,) = re.findall(rf"^{address} \{{.+?^\}}", text, re.DOTALL | re.MULTILINE)
    sizes = dict(re.findall(r"request_body @(\w+) \{\s+max_size (\d+)MiB", site))
    paths = {
        path: name
        for name, all_paths in re.findall(r"@(\w+) path (.+)$", site, re.MULTILINE)
        for path in all_paths.split()
    }
    (other_paths,) = re.findall(r"@other not path (.+)$", site, re.MULTILINE)
    assert set(other_paths.split()) == set(paths)
    limits = {path: int(sizes[name]) for path, name in paths.items()}
    assert limits | {"": int(sizes["other"])} == LIMITS


def test_documented_table_has_the_same_limits() -> None:
    rows = dict(
        re.findall(r"^\| `?(/[^`\s]+|any other)`? \| (\d+|`MAX_UPLOAD_MB`)", PAGE, re.MULTILINE)
    )
    assert {path: rows[path or "any other"] for path in LIMITS} == {
        **dict.fromkeys(CHATS, "50"),
        **dict.fromkeys(UPLOADS, "`MAX_UPLOAD_MB`"),
        "": "3",
    }
