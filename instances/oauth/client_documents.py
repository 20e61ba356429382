"""Fetches the document in which a client describes itself, at the address that is its id."""

import json
import re
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import httpx2
from oauth2_provider.cimd import CIMDError

from instances.outgoing.client import Client
from instances.outgoing.limits import Limits

#: The draft recommends 5 kB.
LIMITS = Limits(silence_seconds=5.0, total_seconds=5.0, max_bytes=16_384, connect_seconds=3.0)
#: How long a document counts, in seconds: what its server says, between these bounds.
MIN_AGE, MAX_AGE = 300, 86_400

_AGE = re.compile(r"max-age\s*=\s*(\d{1,9})", re.IGNORECASE)
_JSON = re.compile(r"application/([\w.+-]+\+)?json", re.IGNORECASE)


class Fetcher:
    """Fetches through the gate for outgoing calls, as `CIMD_METADATA_FETCHER`."""

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the document at *client_id*, and for how many seconds it counts. Raises
        `CIMDError` if there is none.
        """
        _check(client_id)
        try:
            response = _client().get(
                client_id,
                headers={"Accept": "application/json, application/*+json"},
                extensions={"limits": LIMITS},
            )
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise CIMDError(f"the document could not be fetched: {error}") from error
        media_type = response.headers.get("Content-Type", "").partition(";")[0].strip()
        if response.status_code != 200 or not _JSON.fullmatch(media_type):
            raise CIMDError(f"the answer is {response.status_code}, {media_type or 'no type'}")
        try:
            document = json_object(response.content)
        except ValueError as error:
            raise CIMDError(f"the document is refused: {error}") from error
        return document, _age(response.headers.get("Cache-Control", ""))


def json_object(content: bytes) -> dict[str, Any]:
    """Return the JSON object in *content*, in which a client describes itself; raises `ValueError`
    if there is none.
    """
    try:
        described = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError("This is not JSON.") from error
    if not isinstance(described, dict):
        raise ValueError("This is not a JSON object.")
    return described


@cache
def _client() -> Client:
    return Client()


def _check(client_id: str) -> None:
    """Raise `CIMDError` unless *client_id* is an address as the draft demands it (section 3)."""
    try:
        address = urlsplit(client_id)
        _ = address.port
    except ValueError as error:
        raise CIMDError("the id is no address") from error
    if address.scheme != "https" or not address.hostname or not address.path:
        raise CIMDError("the id must be an https address with a path")
    if address.username or address.password or "#" in client_id:
        raise CIMDError("the id must have neither a login nor a fragment")
    if {".", ".."} & set(address.path.split("/")):
        raise CIMDError("the id must have no dots as parts of its path")


def _age(cache_control: str) -> int:
    said = _AGE.search(cache_control)
    age = int(said[1]) if said else MAX_AGE
    if re.search(r"no-(store|cache)", cache_control, re.IGNORECASE):
        age = MIN_AGE
    return max(MIN_AGE, min(age, MAX_AGE))
