"""The addresses of requests as they are logged: without what people search for, and without ids of
end users, which programs put into paths.
"""

import re
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.urls import ResolverMatch

#: A parameter of a route: ``<int:pk>``, ``<name>``, or a group of a pattern.
_PARAMETER = re.compile(r"<(?:\w+:)?(?P<path>\w+)>|\(\?P<(?P<pattern>\w+)>[^()]*\)")
#: What is left of the pattern of a route.
_SYNTAX = re.compile(r"[\^$?\\]|\\Z")
#: Stands for an address that does not exist.
UNKNOWN = "(no such address)"


def logged_address(request: "HttpRequest") -> str:
    """Return the path of *request* without its query: our own ids as they are, and for what a
    caller has named the name of the parameter.
    """
    match = request.resolver_match
    return _filled(match) if match else UNKNOWN


def _filled(match: "ResolverMatch") -> str:
    def value(parameter: re.Match[str]) -> str:
        name = parameter["path"] or parameter["pattern"]
        given = match.kwargs.get(name)
        return str(given) if isinstance(given, int | UUID) else f"<{name}>"

    return "/" + _SYNTAX.sub("", _PARAMETER.sub(value, match.route))
