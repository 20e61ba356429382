"""What machines ask: is it alive, is it ready. Without signing in, and without a secret in it."""

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from memoryapp.health.readiness import readiness


@login_not_required
@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that this process answers. Asks nobody else: to restart it would mend no database."""
    return JsonResponse({"alive": True})


@login_not_required
@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether requests should be sent here, and what is missing."""
    found = readiness()
    return JsonResponse(
        {
            "ready": found.ready,
            "database": found.database,
            "redis": found.redis,
            "worker": _sign(found.worker),
            "scheduler": _sign(found.scheduler),
        },
        status=200 if found.ready else 503,
    )


def _sign(seconds: float | None) -> dict[str, object]:
    return {
        "alive": seconds is not None,
        "seconds_ago": None if seconds is None else round(seconds, 1),
    }
