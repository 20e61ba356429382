"""The bodies of requests: JSON within bounds, whichever door it comes through."""

from typing import cast

from django.http import HttpRequest
from ninja.parser import Parser
from ninja.types import DictStrAny

from conversations.bounded_json import parse


class BoundedParser(Parser):
    """Reads the bodies of a Ninja API."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the value in the body; raises `TooDeep`, and ValueError for what is no JSON."""
        return cast(DictStrAny, parse(request.body))
