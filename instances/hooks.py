"""Questions to the apps above, which answer them with functions of their own.

A higher app registers its function when Django starts. What needs no answer is a signal instead.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, ParamSpec, TypeVar

from django.utils.translation import gettext as _

from instances.embedding_choice import EmbeddingChoice
from instances.models import Instance, User

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


class ReembeddingRunning(Exception):
    """Another change of model is under way; the message says what to do."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Another change of the embedding model is already running. Cancel it first, or "
                "wait until it is done."
            )
        )


@Hook
def count_contents(instance: Instance) -> dict[str, int]:
    """Return the numbers of ``memories`` and ``conversations`` of *instance*."""
    raise NotImplementedError


@Hook
def has_memories(instance: Instance) -> bool:
    """Return whether *instance* has memories."""
    raise NotImplementedError


@Hook
def has_vectors(instance: Instance) -> bool:
    """Return whether memories of *instance* have vectors."""
    raise NotImplementedError


@Hook
def is_reembedding(instance: Instance) -> bool:
    """Return whether *instance* is changing to another embedding model."""
    raise NotImplementedError


@Hook
def embedding_work(instance: Instance) -> Any:
    """Return the state of the vectors of *instance*, as its card shows it."""
    raise NotImplementedError


@Hook
def unread_languages(instance: Instance) -> Any:
    """Return the languages of *instance* that its embedder does not read, as its card names them;
    None for none.
    """
    raise NotImplementedError


@Hook
def model_report(instance: Instance) -> Any:
    """Return what the language models of *instance* can do, as its card shows it."""
    raise NotImplementedError


@Hook
def found_ollama(instance: Instance, user: User) -> Any:
    """Return an Ollama server to offer to *user* for *instance*; None for none."""
    raise NotImplementedError


@Hook
def reembedding_estimate(instance: Instance, choice: EmbeddingChoice) -> Any:
    """Return what it takes to switch *instance* to *choice*, as its card shows it."""
    raise NotImplementedError


@Hook
def start_reembedding(
    instance: Instance, choice: EmbeddingChoice, *, by: User | None, key: str
) -> None:
    """Make the vectors of *choice* next to the present ones; *key* is its provider's, if given.

    Called in a transaction. Raises `ReembeddingRunning`.
    """
    raise NotImplementedError


@Hook
def client_snippets(address: str, key: str | None = None) -> Sequence[Any]:
    """Return what to paste into each kind of client, for the server at *address* and an API *key*,
    or a placeholder for one.
    """
    raise NotImplementedError
