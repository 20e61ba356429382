"""The built-in models, by name."""

from enum import StrEnum


class BuiltinModel(StrEnum):
    """A built-in embedding model."""

    #: all-MiniLM-L6-v2: small and quick, made for English. Its files come with Keepsake.
    SMALL = "small"
    #: multilingual-e5-small: a hundred languages. Its files are made when it is first used.
    MULTILINGUAL = "multilingual"
