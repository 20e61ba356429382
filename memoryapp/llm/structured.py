"""Ask an instance's language model for a typed answer."""

from collections.abc import Collection
from functools import partial
from typing import Any, TypeVar

from instances.models import Instance
from instances.secrets import UnreadableSecret
from instances.translatable import TranslatableText, translatable
from memoryapp.llm.answers import StructuredAnswer, UnusableAnswer
from memoryapp.models.runs import Run
from memoryapp.models.spending import may_spend
from memoryapp.models.usage import Usage
from memoryapp.providers.chat import complete_json, cut_short
from memoryapp.providers.configured import chat_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError

#: Only a manager of the instance can do something about it.
NO_MODEL = translatable("No language model is set up. Choose one in Settings.")
#: Tokens of a usual answer, for the time that it takes.
ANSWER_TOKENS = 200
#: Read timeout in seconds for calls during which a person may be waiting at a form.
FORM_TIMEOUT_SECONDS = 10.0

A = TypeVar("A", bound=StructuredAnswer)


class NoModel(Exception):
    """The instance has no language model; trying again cannot help."""


def ask(
    instance: Instance,
    source: Usage.Source,
    endpoint: Endpoint,
    answer: type[A],
    *,
    about: Collection[str],
    system: str,
    user: str,
    context: Any = None,
    timeout: float = 60.0,
    run: Run | None = None,
    record_unusable: bool = False,
) -> A:
    """Ask the model behind *endpoint*, with text *about* these end users, and record the call in
    the usage log, failed or not.

    ``context`` is for the validators of *answer*. ``record_unusable`` writes into the usage log
    that an answer could not be used, for calls whose failure is recorded nowhere else. ``timeout``
    is longer for a model that was measured and needs more time.

    Raises `UnusableAnswer` if nothing of what the model wrote can be used, and `ProviderError`.
    """
    record = partial(
        Usage.objects.record,
        instance,
        source,
        endpoint.model,
        host=endpoint.host,
        about=about,
        run=run,
    )
    size = len(system) + len(user)
    timeout = endpoint.abilities.limit_seconds(size, ANSWER_TOKENS, usual=timeout)
    try:
        completion = complete_json(
            endpoint,
            system=system,
            user=user,
            schema=answer.json_schema(),
            schema_name=answer.schema_name,
            timeout=timeout,
            # The likeliest answer, if it was unusable, would be so again.
            greedy=run is None or run.attempts < 2,
        )
    except ProviderError as error:
        record(error=error)
        raise
    record = partial(
        record,
        prompt_tokens=completion.prompt_tokens,
        completion_tokens=completion.completion_tokens,
    )
    try:
        typed = answer.from_text(
            completion.text, context, model=completion.model, cut_off=completion.cut_off
        )
    except UnusableAnswer as error:
        why = cut_short(endpoint) if completion.cut_off else TranslatableText(str(error))
        record(error=why if record_unusable else "")
        raise UnusableAnswer(why) from error
    record()
    return typed


def ask_if_possible(
    instance: Instance,
    source: Usage.Source,
    answer: type[A],
    *,
    about: Collection[str],
    system: str,
    user: str,
) -> A | None:
    """Ask about facts on their way into memory: soon, or not at all.

    None when no model is set up, it is too slow, the cap is reached, or no usable answer came.
    """
    try:
        endpoint = chat_endpoint(instance)
    except UnreadableSecret:
        return None  # The settings screen says so.
    if endpoint is None or not may_spend(instance):
        return None
    if endpoint.abilities.is_slow:
        return None
    try:
        return ask(
            instance,
            source,
            endpoint,
            answer,
            about=about,
            system=system,
            user=user,
            timeout=FORM_TIMEOUT_SECONDS,
            record_unusable=True,
        )
    except (ProviderError, UnusableAnswer):
        return None
