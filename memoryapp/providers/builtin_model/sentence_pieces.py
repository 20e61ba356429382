"""The tokenizer of multilingual-e5-small: texts to pieces, by the library ``sentencepiece``. The
library ``tokenizers`` reads the same vocabulary, and takes 240 MB more.
"""

from sentencepiece import SentencePieceProcessor


class SentencePieces:
    """A loaded tokenizer. Safe to use from several threads."""

    def __init__(self, content: bytes, *, most: int) -> None:
        """Load it. *most* is the number of pieces at which a text is cut."""
        self._processor = SentencePieceProcessor(model_proto=content)
        self._most = most

    def ids(self, text: str) -> list[int]:
        """Return the ids of a text's pieces, with those that mark begin and end."""
        ids: list[int] = self._processor.encode(text)
        return [self._processor.bos_id(), *ids[: self._most - 2], self._processor.eos_id()]
