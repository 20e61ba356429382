"""The palace: messages again, word for word, by subject, conversation and topic.

::

    placed messages ─ file_messages ─ wing ─ room ─ closet ─ drawer ─┬─ search_text ─ tsvector
                                                                     └─ vectors

``filing`` puts messages into drawers, in the caller's transaction; `memoryapp.mining` decides into
which. ``search_text`` writes the words by which a drawer is found. ``deletion`` deletes drawers so
that mining does not bring them back, ``reorganisation`` renames and merges places, with a preview,
and ``notes`` are drawers that people write.
"""

from memoryapp.palace.deletion import DeletedDrawers, delete_drawers
from memoryapp.palace.filing import GENERAL, PlacedMessage, file_messages
from memoryapp.palace.notes import NewNote, NoteRefused, add_note, change_note
from memoryapp.palace.reorganisation import (
    CannotMerge,
    PlaceNameTaken,
    merge_closets,
    merge_wings,
    preview_closets,
    preview_wings,
    rename,
)
from memoryapp.palace.search_text import write_missing_search_text, write_search_text

__all__ = [
    "GENERAL",
    "CannotMerge",
    "DeletedDrawers",
    "NewNote",
    "NoteRefused",
    "PlaceNameTaken",
    "PlacedMessage",
    "add_note",
    "change_note",
    "delete_drawers",
    "file_messages",
    "merge_closets",
    "merge_wings",
    "preview_closets",
    "preview_wings",
    "rename",
    "write_missing_search_text",
    "write_search_text",
]
