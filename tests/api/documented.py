"""What the OpenAPI document of the REST API says about its operations."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from ninja import Status
from ninja.operation import Operation, PathView

from memoryapp.api.rest.routes import api

API = "memoryapp.api"


def views() -> Iterator[PathView]:
    """The operations of the API, by path."""
    for _, router in api._routers:
        yield from router.path_operations.values()


def operations() -> Iterator[Operation]:
    """All operations of the API."""
    for view in views():
        yield from view.operations


def declared(operation: Operation) -> set[int]:
    """The statuses that *operation* declares."""
    return {status for status in operation.response_models if isinstance(status, int)}


def operation_of(response: Any) -> Operation | None:
    """The operation that has answered with *response* of Django's client; None for another view."""
    match, method = response.resolver_match, response.request["REQUEST_METHOD"]
    if match is None or match.namespace != "api":
        return None
    of_view = [each for each in views() if match.url_name in map(_name, each.operations)]
    return next(
        (each for view in of_view for each in view.operations if method in each.methods), None
    )


def _name(operation: Operation) -> str:
    return operation.view_func.__name__


def assert_declared(response: Any) -> None:
    """Check that the operation declares the status of *response*, unless the server has failed."""
    operation = operation_of(response)
    if operation is not None and response.status_code != 500:
        told = f"{operation.view_func.__name__} answers {response.status_code}, undeclared"
        assert response.status_code in declared(operation), told


def written(function: Callable[..., Any]) -> set[int]:
    """The statuses of each `Status` that is written in *function*, or in a function of the API that
    it calls. Another way to answer needs no declaration to be sent: `assert_declared` checks it.
    """
    found: set[int] = set()
    seen: set[Callable[..., Any]] = set()
    left = [inspect.unwrap(function)]
    while left:
        each = left.pop()
        if each not in seen:
            seen.add(each)
            for call in _calls(each):
                called = (
                    each.__globals__.get(call.func.id) if isinstance(call.func, ast.Name) else 0
                )
                if called is Status:
                    found |= _numbers(call.args[0])
                elif isinstance(called, FunctionType) and called.__module__.startswith(API):
                    left.append(inspect.unwrap(called))
    return found


def _calls(function: Callable[..., Any]) -> Iterator[ast.Call]:
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _numbers(expression: ast.expr) -> set[int]:
    """The numbers in *expression*, such as both of ``201 if is_new else 200``."""
    constants = (node for node in ast.walk(expression) if isinstance(node, ast.Constant))
    return {node.value for node in constants if type(node.value) is int}
