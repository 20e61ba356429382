"""The door to a language model for what works on memories: each call goes on the books."""

from collections.abc import Callable, Mapping
from typing import Any

from instances.models import Instance
from memoryapp.models.ledger import Usage
from memoryapp.models.runs import Run
from memoryapp.providers.chat import Completion, complete_json
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError


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
    """Ask as `complete_json` does, and book the call for *instance*, a failed one as well.

    ``problem`` says for the books what is wrong with the text of an answer that cannot be used;
    empty for one that can.

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
        Usage.objects.book(instance, source, endpoint.model, run=run, error=error)
        raise
    Usage.objects.book(
        instance,
        source,
        endpoint.model,
        run=run,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        error=problem(completion.text),
    )
    return completion
