"""Asking the language model about facts on their way into memory, so that nothing waits for long
and nothing fails because of it.
"""

from dataclasses import dataclass
from typing import Any

from instances.models import Instance
from instances.secrets import UnreadableSecret
from memoryapp.llm.calls import complete_and_book
from memoryapp.models import Usage, may_spend
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.errors import ProviderError
from memoryapp.providers.json_extraction import list_in

#: Seconds for each silence of the provider. Somebody may wait for the answer with a form open.
TIMEOUT_SECONDS = 10.0


@dataclass(frozen=True)
class Question:
    """What the model is asked, and the list that its answer is to hold."""

    source: Usage.Source
    system: str
    user: str
    #: Name of the list in the answer, and JSON schema of its items, in the strict dialect.
    name: str
    item: dict[str, Any]


def ask(
    instance: Instance, question: Question, *, timeout: float = TIMEOUT_SECONDS
) -> list[Any] | None:
    """Return the items of the model's answer, not looked at yet; None when there is nobody to ask,
    the cap is reached, or no usable answer came. Whatever was asked is on the books.
    """
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret:
        return None  # Said on the settings screen.
    if endpoint is None or not may_spend(instance):
        return None

    def items_in(text: str) -> list[Any] | None:
        return list_in(text, question.name, part=next(iter(question.item["properties"])))

    try:
        completion = complete_and_book(
            instance,
            question.source,
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
            problem=lambda text: (
                f"The answer holds no list of {question.name}." if items_in(text) is None else ""
            ),
        )
    except ProviderError:
        return None
    return items_in(completion.text)
