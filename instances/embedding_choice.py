"""The embedding model of an instance, as one value that can be stored and compared."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from instances.presets import PRESETS

#: The providers that are built in, in words.
_BUILT_IN = {
    "builtin": "the small built-in embedder",
    "multilingual": "the multilingual built-in embedder",
}


@dataclass(frozen=True)
class EmbeddingChoice:
    """A provider, its model and the name of its key: what determines an embedding space.

    An instance searches with one of them; while it switches to another, there are two.
    """

    provider: str
    base_url: str = ""
    model: str = ""
    #: Length of the vectors; None until the model has answered for the first time.
    dimensions: int | None = None
    #: The name of the secret that holds the provider's key.
    key: str = "embedding_api_key"

    @classmethod
    def stored(cls, values: dict[str, Any]) -> Self:
        """Return the choice that `as_dict` has written."""
        return cls(**values)

    def as_dict(self) -> dict[str, Any]:
        """Return it for a JSON column: with the name of the key, not with the key."""
        return asdict(self)

    @property
    def is_builtin(self) -> bool:
        """True if it runs on this machine, at no cost."""
        return self.provider in _BUILT_IN

    @property
    def address(self) -> str:
        """The provider's address: the usual one unless another is given."""
        preset = PRESETS.get(self.provider)
        return (self.base_url or (preset.base_url if preset else "")).rstrip("/")

    @property
    def model_name(self) -> str:
        """The model: the provider's usual one unless another is given; empty for the built-in."""
        preset = PRESETS.get(self.provider)
        return self.model or (preset.embedding_model if preset else "")

    @property
    def is_unnamed(self) -> bool:
        """True if its space has no name yet because the length of its vectors is unknown."""
        return not self.is_builtin and self.dimensions is None

    @property
    def identity(self) -> tuple[str, str, str]:
        """Equal for choices whose vectors can be compared."""
        return (self.provider, self.address, self.model_name)

    def __str__(self) -> str:
        if self.is_builtin:
            return _BUILT_IN[self.provider]
        preset = PRESETS.get(self.provider)
        usual = preset is not None and self.address == preset.base_url.rstrip("/")
        return f"{self.model_name} ({preset.label if preset and usual else self.address})"
