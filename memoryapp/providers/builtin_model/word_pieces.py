"""The tokenizer of all-MiniLM-L6-v2: texts to word pieces, by the library ``tokenizers``."""

from tokenizers import Tokenizer


class WordPieces:
    """A loaded tokenizer. Safe to use from several threads."""

    def __init__(self, content: bytes, *, most: int) -> None:
        """Load it. *most* is the number of pieces at which a text is cut."""
        self._tokenizer = Tokenizer.from_buffer(content)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(most)

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, with those that mark begin and end."""
        # One by one: encode_batch would start threads of its own, with the priority of a question.
        ids: list[int] = self._tokenizer.encode(text).ids
        return ids
