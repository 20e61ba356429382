"""Questions to the apps above, which answer them with functions of their own.

A higher app registers its function when Django starts. What needs no answer is a signal instead.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Hook(Generic[P, R]):
    """A function that a higher app provides; it decorates the signature to be provided, whose body
    raises `NotImplementedError` as long as no app has done so.
    """

    def __init__(self, signature: Callable[P, R]) -> None:
        self._function = signature

    def provide(self, function: Callable[P, R]) -> Callable[P, R]:
        """Let calls run *function*; for use as a decorator."""
        self._function = function
        return function

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self._function(*args, **kwargs)
