"""How long people wait for the server while something else goes on."""

import http.client
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.metrics import percentile

#: Seconds after which a request is given up; it counts as this long.
PATIENCE_SECONDS = 5.0
#: Seconds between two looks, so that watching is no load by itself.
PAUSE_SECONDS = 0.1


@dataclass
class Seen:
    """How long each address took, in milliseconds."""

    times: dict[str, list[float]] = field(default_factory=dict)
    failed: int = 0

    def at(self, name: str, share: float) -> float:
        return percentile(self.times[name], share)


def watch(
    port: int,
    addresses: Mapping[str, tuple[str, Mapping[str, str]]],
    goes_on: Callable[[], bool],
    *,
    rounds: int = 10,
    max_seconds: float = 40.0,
) -> Seen:
    """Ask for each of *addresses* (name to path and headers) in turn for as long as it *goes_on*,
    and at least so many *rounds*, but no longer than *max_seconds*.
    """
    until = time.monotonic() + max_seconds
    seen = Seen({name: [] for name in addresses})
    number = 0
    while (number < rounds or goes_on()) and time.monotonic() < until:
        number += 1
        for name, (path, headers) in addresses.items():
            began = time.perf_counter()
            if not _answered(port, path, headers):
                seen.failed += 1
            seen.times[name].append((time.perf_counter() - began) * 1000)
        time.sleep(PAUSE_SECONDS)
    return seen


def _answered(port: int, path: str, headers: Mapping[str, str]) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
    try:
        connection.request("GET", path, headers=dict(headers))
        answer = connection.getresponse()
        answer.read()
        return answer.status == 200
    except OSError:
        return False
    except http.client.HTTPException:
        return False
    finally:
        connection.close()
