"""OpenAI's embeddings, made by the embedder of the instance."""

import base64
import math
from typing import Any

import numpy as np
from asgiref.sync import sync_to_async
from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from instances.models import Permission
from memoryapp.api.auth import caller_of
from memoryapp.api.errors import ApiError
from memoryapp.api.v1.request import BadRequest, end_user_of
from memoryapp.api.v1.requests import answering, body_of, instance_of, require_method
from memoryapp.embeddings.embedder import embed

#: The most texts of a request, and characters of a text.
MAX_TEXTS, MAX_CHARACTERS = 2_048, 32_000


@answering
async def embeddings(request: HttpRequest) -> HttpResponseBase:
    """Return the vector of each text."""
    require_method(request, "POST")
    return JsonResponse(await sync_to_async(_embeddings)(request))


def _embeddings(request: HttpRequest) -> dict[str, Any]:
    instance = instance_of(request, Permission.READ)
    body = body_of(request)
    texts = _texts(body.get("input"))
    person = end_user_of(instance, body, request.headers, caller_of(request).key)
    result = embed(instance, texts, about=[person] if person else None)
    if result.vectors is None:
        raise ApiError(503, "no_embedding", result.problem or "The embedder does not answer.")
    wanted, length = body.get("dimensions"), result.vectors.shape[1]
    if wanted not in (None, length):
        raise BadRequest(f"The vectors of this embedder have {length} dimensions.", "dimensions")
    tokens = sum(math.ceil(len(text) / 4) for text in texts)
    as_text = body.get("encoding_format") == "base64"
    return {
        "object": "list",
        "model": result.space,
        "data": [
            {"object": "embedding", "index": number, "embedding": _vector(row, as_text=as_text)}
            for number, row in enumerate(result.vectors)
        ],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def _vector(row: Any, *, as_text: bool) -> Any:
    if as_text:
        return base64.b64encode(np.asarray(row, dtype="<f4").tobytes()).decode()
    return [float(value) for value in row]


def _texts(given: Any) -> list[str]:
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list) or not texts or not all(isinstance(t, str) for t in texts):
        raise BadRequest("“input” must be a text, or a list of texts.", "input")
    if len(texts) > MAX_TEXTS:
        raise BadRequest(f"“input” may have at most {MAX_TEXTS:,} texts.", "input")
    if any(not text.strip() or len(text) > MAX_CHARACTERS for text in texts):
        raise BadRequest(
            f"Each text must have a word, and at most {MAX_CHARACTERS:,} characters.", "input"
        )
    return texts
