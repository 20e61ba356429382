"""The address and the key of a model."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from memoryapp.providers.abilities import UNMEASURED, ModelAbilities


@dataclass(frozen=True)
class Endpoint:
    """One model at one OpenAI-compatible address, with the key that opens it.

    ``base_url`` is everything before ``/chat/completions`` or ``/embeddings``; ``api_key`` is
    empty where none is needed and stays out of ``repr``. ``instance_id`` is the instance that
    calls; without one, no circuit breaker applies.
    """

    provider: str
    base_url: str
    api_key: str = field(repr=False)
    model: str
    instance_id: int | None = None
    #: Whose share of concurrent calls is used: see `Instance.holder`.
    holder: str = ""
    #: What the model can do, as far as it was measured.
    abilities: ModelAbilities = UNMEASURED

    @property
    def host(self) -> str:
        """The server, as ``name:port``."""
        return host_of(self.base_url)


def host_of(address: str) -> str:
    """The server of *address* as ``name:port``, without a name and password."""
    return urlsplit(address).netloc.rpartition("@")[2].lower()
