"""Liveness, readiness and metrics for machines: without login, secrets or names."""

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from memoryapp.health.metrics import exposition
from memoryapp.health.readiness import readiness


@login_not_required
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that this process answers. Checks no dependencies: a restart would not repair them."""
    return JsonResponse({"alive": True})


@login_not_required
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether requests should be sent here, and what is missing."""
    state = readiness()
    return JsonResponse(
        {
            "ready": state.ready,
            "database": state.database,
            **({"difference": state.difference} if state.difference else {}),
            "redis": state.redis,
            "worker": _heartbeat(state.worker),
            "scheduler": _heartbeat(state.scheduler),
        },
        status=200 if state.ready else 503,
    )


@login_not_required
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the metrics to clients with the token; none without a token in the settings."""
    if not settings.METRICS_TOKEN:
        raise Http404
    header = request.headers.get("Authorization", "")
    if not constant_time_compare(header, f"Bearer {settings.METRICS_TOKEN}"):
        return HttpResponse(
            "Send the METRICS_TOKEN as a bearer token.\n",
            status=401,
            content_type="text/plain",
            headers={"WWW-Authenticate": "Bearer"},
        )
    return HttpResponse(exposition(), content_type=CONTENT_TYPE_LATEST)


def _heartbeat(seconds: float | None) -> dict[str, object]:
    return {
        "alive": seconds is not None,
        "seconds_ago": None if seconds is None else round(seconds, 1),
    }
