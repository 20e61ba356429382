"""Memory of what servers have refused, so that each refusal costs only one extra call."""

import threading

from memoryapp.providers.endpoints import Endpoint

#: The callers name the models, so there may be as many as they like.
MAX_ENTRIES = 2_000


class Refusals:
    """Options that servers do not know, by instance, server and model.

    By instance, since its own request may be the reason. Kept in memory: losing an entry costs one
    call. When there are too many, the oldest is forgotten. Any thread may call any method.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int | None, str, str, str], None] = {}
        self._lock = threading.Lock()

    def add(self, endpoint: Endpoint, option: str) -> None:
        """Note that *endpoint* refuses *option*."""
        with self._lock:
            self._entries[_key(endpoint, option)] = None
            if len(self._entries) > MAX_ENTRIES:
                del self._entries[next(iter(self._entries))]

    def has(self, endpoint: Endpoint, option: str) -> bool:
        """True if *endpoint* has refused *option*."""
        return _key(endpoint, option) in self._entries


def _key(endpoint: Endpoint, option: str) -> tuple[int | None, str, str, str]:
    return endpoint.instance_id, endpoint.base_url, endpoint.model, option


#: Of this process.
refusals = Refusals()
