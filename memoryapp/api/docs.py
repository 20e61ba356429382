"""The docs page: Ninja's Swagger UI, without inline scripts."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


class DocsPage(DocsBase):
    """The operations, which can be tried out with the session of the reader."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        return render(
            request, "api/docs.html", {"api": api, "document": self.get_openapi_url(api, kwargs)}
        )
