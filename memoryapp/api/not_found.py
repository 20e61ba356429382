"""The text of a 404: which object does not exist, or that the address is of no endpoint."""

import re
from functools import cache

from django.http import HttpRequest
from django.urls.resolvers import RoutePattern
from ninja import NinjaAPI

from conversations.sanitizer import sanitize

#: Characters of a name that are repeated.
MAX_NAME = 100
#: Nouns of the parameters that are not named after what they identify.
_NOUNS = {
    "instance_id": "instance",
    "held_id": "held statement",
    "refused_id": "refused proposal",
}
#: What programs create under an ID of their own, which is not the one in addresses.
_WITH_EXTERNAL_ID = frozenset({"conversation", "memory"})
#: A parameter in the path of an operation: its converter and its name.
_PARAMETER = re.compile(r"{(?:(\w+):)?(\w+)}")


def named(noun: str, name: object) -> str:
    """Return an object in words: ``memory 12``, ``agent “tom”``."""
    text = sanitize(str(name))[:MAX_NAME]
    return f"{noun} {text}" if text.isdigit() else f"{noun} “{text}”"


def missing(what: str, remark: str = "") -> str:
    """Return the text for an object that does not exist or is hidden from the caller."""
    return f"No {what}, or you do not have access. {remark}".strip()


class Endpoints:
    """The paths of an API, to tell which object of an address is missing."""

    def __init__(self, api: NinjaAPI, root: str) -> None:
        """Describe *api*, whose paths are below *root*, such as ``/api``."""
        self._api, self._root = api, root

    def missing_at(self, request: HttpRequest) -> str:
        """Return the text for a *request* that finds an endpoint, but not an object."""
        _, found = self._like(request)
        if found is None or not found.groupdict():
            return "Not found, or you do not have access."
        names = [named(_noun(parameter), name) for parameter, name in found.groupdict().items()]
        collection, methods = self._collection(found, list(found.groupdict())[-1])
        see = f"See GET {collection}." if "GET" in methods else ""
        return missing(" of ".join(reversed(names)), see)

    def misnamed_at(self, request: HttpRequest) -> str:
        """Return the text for a *request* whose address would be that of an endpoint, were it not
        for a name where an ID belongs; empty if it is of no endpoint at all.
        """
        path, found = self._like(request)
        if found is None:
            return ""
        for converter, parameter in _PARAMETER.findall(path):
            name = found[parameter]
            route = RoutePattern(f"<{converter or 'str'}:{parameter}>", is_endpoint=True)
            if route.match(name):
                continue
            noun, text = _noun(parameter), f"No {named(_noun(parameter), name)}."
            collection, methods = self._collection(found, parameter)
            if "POST" in methods and noun in _WITH_EXTERNAL_ID:
                return f"{text} Create it with POST {collection}, and use the ID that this returns."
            return f"{text} See GET {collection}." if "GET" in methods else text
        return ""

    def _paths(self) -> dict[str, set[str]]:
        """The methods of each path."""
        return {
            path: {method for operation in view.operations for method in operation.methods}
            for _, router in self._api._routers
            for path, view in router.path_operations.items()
        }

    def _like(self, request: HttpRequest) -> tuple[str, re.Match[str] | None]:
        """Return the first path that the address of *request* has the form of, and the match."""
        address = request.path_info.removeprefix(self._root).removesuffix("/")
        for path in self._paths():
            if found := _form_of(path).fullmatch(address):
                return path, found
        return "", None

    def _collection(self, found: re.Match[str], parameter: str) -> tuple[str, set[str]]:
        """Return the address of the list that would have the object of *parameter*, and the methods
        there.
        """
        address = found.string[: found.start(parameter) - 1]
        methods = (
            methods for path, methods in self._paths().items() if _form_of(path).fullmatch(address)
        )
        return self._root + address, next(methods, set())


def _noun(parameter: str) -> str:
    return _NOUNS.get(parameter, parameter.removesuffix("_id").replace("_", " "))


@cache
def _form_of(path: str) -> re.Pattern[str]:
    """Return the pattern of the addresses of *path*, with any text for each of its parameters."""
    first, *rest = _PARAMETER.split(path.removesuffix("/"))
    pattern = re.escape(first)
    for parameter, between in zip(rest[1::3], rest[2::3], strict=True):
        pattern += f"(?P<{parameter}>[^/]+){re.escape(between)}"
    return re.compile(pattern)
