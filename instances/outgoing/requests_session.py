"""A ``requests`` session whose calls pass the gate for outgoing calls."""

from collections.abc import Mapping, Sequence
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
import requests
from requests.adapters import BaseAdapter
from requests.structures import CaseInsensitiveDict

from instances.outgoing.current_policy import allowed_addresses
from instances.outgoing.limits import Limits
from instances.outgoing.policy import Address, AllowEntry, Mode, OutgoingPolicy, RefusedAddress
from instances.outgoing.transport import Transport

LIMITS = Limits(silence_seconds=10, total_seconds=20, max_bytes=1_000_000)


def session(named: str) -> requests.Session:
    """Return a session whose requests all pass the gate. The server at *named*, an address that the
    operator has configured, is called wherever it is.
    """
    made = requests.Session()
    made.trust_env = False
    for scheme in ("https://", "http://"):
        made.mount(scheme, _GateAdapter(named))
    return made


class _GateAdapter(BaseAdapter):
    def __init__(self, named: str) -> None:
        super().__init__()
        self._named = named

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,
        timeout: Any = None,
        verify: bool | str = True,
        cert: Any = None,
        proxies: Mapping[str, str] | None = None,
    ) -> requests.Response:
        """Send *request* and read the answer, within `LIMITS`."""
        try:
            with httpx2.Client(transport=Transport(self._sift), trust_env=False) as client:
                answer = client.request(
                    request.method or "GET",
                    request.url or "",
                    headers={name: str(value) for name, value in request.headers.items()},
                    content=cast(bytes | str | None, request.body),
                    extensions={"limits": LIMITS},
                )
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise requests.ConnectionError(str(error), request=request) from error
        response = requests.Response()
        response.request = request
        response.url = request.url or ""
        response.status_code = answer.status_code
        response.headers = CaseInsensitiveDict(answer.headers)
        response.encoding = "utf-8"
        response._content = answer.content
        return response

    def close(self) -> None:
        """Do nothing: no connection stays open."""

    def _sift(
        self, host: str, port: int, addresses: Sequence[Address]
    ) -> list[Address] | RefusedAddress:
        """Allow the server that the operator has named wherever it is; check all others."""
        url = urlsplit(self._named)
        if (host, port) == (url.hostname, url.port or (443 if url.scheme == "https" else 80)):
            policy = OutgoingPolicy(Mode.LISTED, (AllowEntry.parse(f"[{host}]:{port}"),))
            if all(policy.refusal(host, port, address) is None for address in addresses):
                return list(addresses)
        return allowed_addresses(host, port, addresses)
