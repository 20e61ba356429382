"""The docs page: Swagger UI, as Ninja brings it along, without a word of script in the page."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase


class DocsPage(DocsBase):
    """What can be asked, to be tried out with the session of who reads it."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Render the page around the document."""
        return render(
            request, "api/docs.html", {"api": api, "document": self.get_openapi_url(api, kwargs)}
        )
