"""Calls to an instance's language model, each recorded in the usage log."""

from collections.abc import Callable, Mapping
from typing import Any

from instances.models import Instance
from memoryapp.models.runs import Run
from memoryapp.models.usage import Usage
from memoryapp.providers.chat import Completion, complete_json
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError

#: What to do about it is for a manager of the instance.
NO_MODEL = "No language model is set up. Choose one in Settings."


class NoModel(Exception):
    """The instance has no language model; trying again cannot help."""


def complete_and_book(
    instance: Instance,
    source: Usage.Source,
    endpoint: Endpoint,
    *,
    system: str,
    user: str,
    schema: Mapping[str, Any],
    schema_name: str,
    timeout: float = 60.0,
    run: Run | None = None,
    problem: Callable[[str], str] = lambda text: "",
) -> Completion:
    """Call `complete_json` and record the call in the usage log of *instance*, failed or not.

    ``problem`` returns the error to record for the text of an answer that cannot be used, and an
    empty string for one that can.

    Raises:
        ProviderError: as `complete_json` does.

    """
    try:
        completion = complete_json(
            endpoint,
            system=system,
            user=user,
            schema=schema,
            schema_name=schema_name,
            timeout=timeout,
        )
    except ProviderError as error:
        Usage.objects.record(instance, source, endpoint.model, run=run, error=error)
        raise
    Usage.objects.record(
        instance,
        source,
        endpoint.model,
        run=run,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        error=problem(completion.text),
    )
    return completion
