"""The palace: the turns again, word for word, by subject, conversation and topic.

::

    turns with their places ─ file ─ wing ─ room ─ closet ─ drawer ─┬─ words ─ tsvector
                                                                    └─ vectors

`file` puts turns away, in the caller's transaction; `mining` decides where. `words` makes what a
drawer is found by, and knows what may be made of a text that holds secrets. `ordering` is what
people do there: delete, rename, merge, and see first what would happen; `notes` are drawers that
people fill themselves.
"""

from memoryapp.palace.filing import GENERAL, Placed, file
from memoryapp.palace.vectors import embed_drawers
from memoryapp.palace.words import text_to_embed, write_missing_words, write_words

__all__ = [
    "GENERAL",
    "Placed",
    "embed_drawers",
    "file",
    "text_to_embed",
    "write_missing_words",
    "write_words",
]
