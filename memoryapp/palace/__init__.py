"""The palace: the turns again, word for word, by subject, conversation and topic.

::

    turns with their places ─ file ─ wing ─ room ─ closet ─ drawer ─┬─ words ─ tsvector
                                                                    └─ vectors

`file` puts turns away, in the caller's transaction; `mining` decides where. `words` makes what a
drawer is found by, and knows what may be made of a text that holds secrets. What people do there:
`pruning` deletes drawers so that mining does not bring them back, `moving` renames and merges
places and says before what would move where; `notes` are drawers that people fill themselves.
"""

from memoryapp.palace.deletion import Pruned, delete_drawers
from memoryapp.palace.filing import GENERAL, PlacedMessage, file
from memoryapp.palace.notes import NoteRefused, add_note, change_note
from memoryapp.palace.reorganisation import (
    NameTaken,
    NotTogether,
    merge_closets,
    merge_wings,
    preview_closets,
    preview_wings,
    rename,
)
from memoryapp.palace.search_text import write_missing_words, write_words

__all__ = [
    "GENERAL",
    "NameTaken",
    "NotTogether",
    "NoteRefused",
    "PlacedMessage",
    "Pruned",
    "add_note",
    "change_note",
    "delete_drawers",
    "file",
    "merge_closets",
    "merge_wings",
    "preview_closets",
    "preview_wings",
    "rename",
    "write_missing_words",
    "write_words",
]
