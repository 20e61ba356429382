"""The choice between a whole page and the fragment that htmx asks for."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from instances.access import Request


def show(
    request: Request,
    page: str,
    fragment: str,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """Render the whole *page*, or for htmx the *fragment* that the page includes."""
    template = fragment if request.htmx else page
    response = render(request, template, context, status=status)
    # One URL has two responses, so a cache must keep them apart.
    patch_vary_headers(response, ["HX-Request"])
    return response
