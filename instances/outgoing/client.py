"""An HTTP client that goes through the gate."""

import weakref
from collections.abc import Callable, Mapping
from typing import Any

import httpx2

from instances.outgoing.current_policy import allowed_addresses
from instances.outgoing.limits import Limits
from instances.outgoing.transport import AddressFilter, Transport

#: Returns the headers that hand the present trace on. Set by what traces, if anything does.
trace_headers: Callable[[], Mapping[str, str]] = dict


class LimitedTimeout(httpx2.Timeout):
    """A timeout that carries `Limits` through libraries that only know timeouts."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(limits.silence_seconds, connect=limits.connect_seconds)
        self.limits = limits


class Client(httpx2.Client):
    """An ``httpx2`` client behind the gate.

    Give each request its limits: ``client.get(url, extensions={"limits": Limits(…)})``, or
    ``timeout=LimitedTimeout(Limits(…))`` through a library that knows only timeouts.
    """

    def __init__(self, allowed: AddressFilter = allowed_addresses) -> None:
        transport = Transport(allowed)
        super().__init__(transport=transport, trust_env=False, follow_redirects=False)
        # Caches of clients drop them without closing them.
        weakref.finalize(self, transport.close)

    def build_request(self, *args: Any, **kwargs: Any) -> httpx2.Request:
        timeout = kwargs.get("timeout")
        if isinstance(timeout, LimitedTimeout):
            kwargs["extensions"] = {**(kwargs.get("extensions") or {}), "limits": timeout.limits}
        request = super().build_request(*args, **kwargs)
        request.headers.update(trace_headers())
        return request
