"""Parts of a server's answer that may be passed on: those in the format of the OpenAI API.

The rule, for a whole answer:

- It is an object with ``choices``, a list of objects, each with a ``message``. A chunk of a stream
  has a ``delta`` instead, or no choices and ``usage``. Anything else is not an answer.
- A field that the API defines passes if its type is right.
- A field that it does not define passes if it is simple: a number, true, false, null or a string of
  at most `MAX_STRING_CHARACTERS`. Servers add many, such as ``provider`` or ``stop_reason``.
- Text of any length, lists and objects pass only in fields that are known to have them, lists and
  objects up to `MAX_DEPTH` levels deep.

So nothing is passed on from a server that does not speak this protocol. Of a list of models, only
the few fields that describe a model pass, since many JSON lists look alike.
"""

from collections.abc import Mapping
from typing import Any

from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS
from memoryapp.providers.nesting import depth_within

#: Characters of a string in a field that is not for text.
MAX_STRING_CHARACTERS = 1_000
#: Characters of an id, of a model's name, and of the name of a field.
MAX_NAME_CHARACTERS = MAX_MODEL_CHARACTERS
#: Levels of lists and objects within one field.
MAX_DEPTH = 10
#: Choices in one answer, and models in one list.
MAX_CHOICES, MAX_MODELS = 128, 2_000

_TEXT = (str, type(None))
_NUMBER = (int, float)

#: The types of the fields that the API defines, and of long or nested fields of other servers.
_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "id": str,
    "object": str,
    "created": _NUMBER,
    "model": str,
    "index": int,
    "role": str,
    "finish_reason": _TEXT,
    "service_tier": _TEXT,
    "system_fingerprint": _TEXT,
    # Text.
    "content": (str, list, type(None)),
    "refusal": _TEXT,
    "reasoning": _TEXT,
    "reasoning_content": _TEXT,
    # Lists and objects.
    "annotations": (list, type(None)),
    "audio": (dict, type(None)),
    "citations": (list, type(None)),
    "content_filter_results": (dict, type(None)),
    "function_call": (dict, type(None)),
    "images": (list, type(None)),
    "logprobs": (dict, list, type(None)),
    "prompt_filter_results": (list, type(None)),
    "prompt_logprobs": (list, type(None)),
    "provider_specific_fields": (dict, type(None)),
    "reasoning_details": (list, type(None)),
    "search_results": (list, type(None)),
    "thinking_blocks": (list, type(None)),
    "timings": (dict, type(None)),
    "tool_calls": (list, type(None)),
    "usage": (dict, type(None)),
    "x_groq": (dict, type(None)),
}
_LONG = frozenset(("content", "refusal", "reasoning", "reasoning_content"))
_NAMES = frozenset(("id", "model"))

#: The fields of a model's description that pass, if simple.
_OF_A_MODEL = frozenset(
    """id object created owned_by name display_name description context_length context_window
    max_model_len root parent""".split()
)


def answer(payload: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the parts of a whole answer that may be passed on; None if it is not an answer."""
    choices = _objects(payload.get("choices"))
    if not choices:
        return None
    shaped = []
    for choice in choices:
        message = choice.get("message")
        if not isinstance(message, dict) or not message.keys() & {"role", "content", "tool_calls"}:
            return None
        shaped.append({**_fields(choice), "message": _fields(message)})
    return {**_fields(payload), "choices": shaped}


def chunk(payload: object) -> dict[str, Any] | None:
    """Return the parts of a chunk that may be passed on; None if it is not a chunk."""
    if not isinstance(payload, dict):
        return None
    choices = _objects(payload.get("choices"))
    if choices is None:
        has_usage = payload.get("choices") is None and isinstance(payload.get("usage"), dict)
        return {**_fields(payload), "choices": []} if has_usage else None
    shaped = []
    for choice in choices:
        # Some servers send the whole message, and some chunks have no delta.
        name = "message" if choice.get("message") else "delta"
        message = choice.get(name)
        if message is None and (name in choice or choice.get("finish_reason")):
            message = {}
        if not isinstance(message, dict):
            return None
        shaped.append({**_fields(choice), name: _fields(message)})
    return {**_fields(payload), "choices": shaped}


def says_nothing(payload: object) -> bool:
    """True if *payload* is no chunk, but may come among them, such as a sign of life."""
    if not isinstance(payload, dict):
        return payload is None
    return payload.get("choices") is None and not isinstance(payload.get("usage"), dict)


def models(payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the models of a list, with the fields that may be passed on."""
    data = payload.get("data")
    listed = data[:MAX_MODELS] if isinstance(data, list) else []
    described = [
        _fields({name: each[name] for name in _OF_A_MODEL & each.keys()})
        for each in listed
        if isinstance(each, dict)
    ]
    return [each for each in described if each.get("id")]


def _objects(value: object) -> list[dict[str, Any]] | None:
    """Return *value* if it is a list of objects that is not too long, else None."""
    if not isinstance(value, list) or len(value) > MAX_CHOICES:
        return None
    return value if all(isinstance(each, dict) for each in value) else None


def _fields(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in raw.items() if _passes(name, value)}


def _passes(name: str, value: object) -> bool:
    known = _TYPES.get(name)
    if len(name) > MAX_NAME_CHARACTERS or (known is not None and not isinstance(value, known)):
        return False
    if isinstance(value, str):
        longest = MAX_NAME_CHARACTERS if name in _NAMES else MAX_STRING_CHARACTERS
        return name in _LONG or len(value) <= longest
    if isinstance(value, dict | list):
        return known is not None and depth_within(value, MAX_DEPTH)
    return True
