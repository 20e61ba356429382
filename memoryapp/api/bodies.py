"""The parser of request bodies: JSON of bounded depth."""

from typing import cast

from django.http import HttpRequest
from ninja.parser import Parser
from ninja.types import DictStrAny

from conversations.bounded_json import parse


class BoundedParser(Parser):
    """Parses the request bodies of a Ninja API."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the value of the body; raises `TooDeep`, or ValueError for invalid JSON."""
        return cast(DictStrAny, parse(request.body))
