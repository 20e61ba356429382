"""Conditional requests (RFC 9110, section 13): the entity tag of a memory, and the headers in which
clients name the one that they have.
"""

import hashlib
import json
from typing import Annotated

from django.http import HttpResponse
from django.utils.http import parse_etags
from ninja import Header

from memoryapp.api.errors import ApiError
from memoryapp.models import Memory

_SEPARATOR = "/"
_MAX_HEADER = 1_000
_EXAMPLE = '"12@1767225600000000/5f1c9a"'

IfNoneMatch = Annotated[
    str | None,
    Header(
        alias="If-None-Match",
        max_length=_MAX_HEADER,
        description="`ETag` of the memory that you have. If it is still the same, the response is "
        "`304` without a body.",
        examples=[_EXAMPLE],
    ),
]
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=_MAX_HEADER,
        description="`ETag` of the memory that you have. If the memory has been changed since, "
        "nothing is done, and the response is `412`. `*`: any version.",
        examples=[_EXAMPLE],
    ),
]


def entity_tag(memory: Memory) -> str:
    """Return the entity tag of *memory*: its version, and a digest of the rest of its response,
    such as how often it was recalled. `If-Match` is about the version alone: counting a recall
    must not refuse a change.
    """
    sources = [(each.pk, each.action) for each in memory.said_in]
    counted = (memory.recall_count, memory.last_recalled_at, memory.verified_at, memory.tier)
    rest = [*counted, memory.pinned, memory.external_id, memory.labels, memory.metadata, sources]
    digest = hashlib.sha256(json.dumps(rest, default=str, sort_keys=True).encode()).hexdigest()
    return f'"{memory.version_token}{_SEPARATOR}{digest[:12]}"'


def not_modified(memory: Memory, if_none_match: str | None) -> HttpResponse | None:
    """Return the response to a client that has *memory* as it is, else None."""
    if if_none_match is None:
        return None
    tag, known = entity_tag(memory), parse_etags(if_none_match)
    if "*" not in known and tag not in (each.removeprefix("W/") for each in known):
        return None
    return HttpResponse(status=304, headers={"ETag": tag})


def check_version(memory: Memory, if_match: str | None) -> None:
    """Raise `ApiError` if the client does not know this version of *memory*. The caller makes sure
    that it is still this one when it is changed.
    """
    if if_match is None:
        return
    known = parse_etags(if_match)
    # A weak tag never matches.
    versions = {each.strip('"').partition(_SEPARATOR)[0] for each in known if each[:1] == '"'}
    if "*" not in known and memory.version_token not in versions:
        raise ApiError(
            412,
            "precondition_failed",
            "This memory has been changed since you read it. Read it again, and repeat the request "
            "with the new ETag in If-Match.",
        )


def set_entity_tag(response: HttpResponse, memory: Memory) -> Memory:
    """Give *response*, which contains *memory*, its entity tag; return *memory*."""
    response["ETag"] = entity_tag(memory)
    return memory
