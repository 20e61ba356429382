"""Asking the language model about facts on their way into memory, so that nothing waits for long
and nothing fails because of it.
"""

from dataclasses import dataclass
from typing import Any

from instances.models import Instance
from instances.secrets import UnreadableSecret
from memoryapp.models import Usage, may_spend
from memoryapp.providers.answers import list_in
from memoryapp.providers.chat import complete_json
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.errors import ProviderError

#: Seconds for each silence of the provider. Somebody may wait for the answer with a form open.
TIMEOUT = 10.0


@dataclass(frozen=True)
class Question:
    """What the model is asked, and the list that its answer is to hold."""

    source: Usage.Source
    system: str
    user: str
    #: Name of the list in the answer, and JSON schema of its items, in the strict dialect.
    name: str
    item: dict[str, Any]


def ask(instance: Instance, question: Question, *, timeout: float = TIMEOUT) -> list[Any] | None:
    """Return the items of the model's answer, not looked at yet; None when there is nobody to ask,
    the cap is reached, or no usable answer came. Whatever was asked is on the books.
    """
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret:
        return None  # Said on the settings screen.
    if endpoint is None or not may_spend(instance):
        return None
    try:
        completion = complete_json(
            endpoint,
            system=question.system,
            user=question.user,
            schema={
                "type": "object",
                "additionalProperties": False,
                "required": [question.name],
                "properties": {question.name: {"type": "array", "items": question.item}},
            },
            schema_name=question.name,
            timeout=timeout,
        )
    except ProviderError as error:
        Usage.objects.book(instance, question.source, endpoint.model, error=error)
        return None
    part = next(iter(question.item["properties"]))
    items = list_in(completion.text, question.name, part=part)
    Usage.objects.book(
        instance,
        question.source,
        endpoint.model,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
        error="" if items is not None else f"The answer holds no list of {question.name}.",
    )
    return items
