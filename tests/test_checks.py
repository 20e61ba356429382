"""System checks of the settings."""

import os
import subprocess
import sys
from typing import Any

import pytest
from cryptography.fernet import Fernet
from django.conf import settings
from django.core.checks import run_checks
from django.test import override_settings

OIDC = {"OIDC_CLIENT_ID": "keepsake", "OIDC_CLIENT_SECRET": "any"}
FERNET_KEY = Fernet.generate_key().decode()


@pytest.mark.parametrize(
    ("changed", "id"),
    [
        ({"ENCRYPTION_KEY": "secret"}, "keepsake.E001"),
        ({"ENCRYPTION_KEY": FERNET_KEY, "ENCRYPTION_KEY_FALLBACKS": ["old"]}, "keepsake.E001"),
        ({"REDIS_URL": "amqp://localhost"}, "keepsake.E003"),
        ({"RUN_TIMEOUT_SECONDS": 10}, "keepsake.E004"),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"}, "keepsake.E024"),
        ({"WORKER_CONCURRENCY": 3}, "keepsake.E010"),
        ({"WORKER_SHARE": 0}, "keepsake.E011"),
        ({"LOG_FORMAT": "xml"}, "keepsake.E008"),
        ({"LOG_LEVEL": "LOUD"}, "keepsake.E008"),
        ({"KEEPSAKE_SIZE": "medium"}, "keepsake.E008"),
        ({"EMBEDDER": "large"}, "keepsake.E008"),
        ({"OUTGOING_ALLOW": ["ollama", "http://ollama"]}, "keepsake.E012"),
        ({"METRICS_TOKEN": "short"}, "keepsake.E009"),
        ({"MAX_UPLOAD_MB": 0}, "keepsake.E020"),
        ({"HEAD_SECONDS": 0.0}, "keepsake.E020"),
        ({"BODY_SILENCE_SECONDS": 0.0}, "keepsake.E020"),
        ({"BODY_GRACE_SECONDS": -1.0}, "keepsake.E020"),
        ({"ADMIN_PASSWORD": "password"}, "keepsake.W030"),
        ({"ADMIN_PASSWORD": "short-1"}, "keepsake.W030"),
        ({"OIDC_ISSUER": "https://id.example.org"}, "keepsake.E031"),
        ({"OIDC_CLIENT_SECRET": "any"}, "keepsake.E031"),
        ({"OIDC_ALLOWED_DOMAINS": ["example.org"]}, "keepsake.E031"),
        (OIDC | {"OIDC_ISSUER": "http://id.example.org"}, "keepsake.E032"),
        (OIDC | {"OIDC_ISSUER": "id.example.org"}, "keepsake.E032"),
        ({"TRUST_PROXY": True}, "keepsake.W005"),
        ({"HTTPS": False}, "keepsake.W006"),
        ({"HTTPS": True}, "keepsake.W007"),
    ],
)
@pytest.mark.filterwarnings("ignore:Overriding setting DATABASES")
def test_each_mistake_has_an_id_and_a_hint(changed: dict[str, Any], id: str) -> None:
    with override_settings(**changed):
        (error,) = (
            message for message in run_checks(include_deployment_checks=True) if message.id == id
        )
    assert error.hint


def test_default_settings_pass() -> None:
    assert not [message for message in run_checks() if str(message.id).startswith("keepsake")]


@pytest.mark.parametrize("issuer", ["https://id.example.org/realm", "http://localhost:8080"])
def test_complete_identity_provider_settings_pass(issuer: str) -> None:
    with override_settings(**OIDC, OIDC_ISSUER=issuer):
        assert not [message for message in run_checks() if str(message.id).startswith("keepsake")]


def test_worker_with_a_mistake_does_not_start() -> None:
    result = subprocess.run(
        [sys.executable, "-m", "celery", "--app", "memoryapp", "worker"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"API_RATE_LIMIT": "-1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert result.returncode == 1, result.stderr
    assert "keepsake.E005" in result.stderr
