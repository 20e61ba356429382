"""Imports files of conversations: checks them first, then stores their messages.

::

             ┌─ chatgpt ─┐
    file ────┼─ claude  ─┼─ ParsedMessage, … ─┬─ MessageComparison: what would be imported
    (zip) ───┼─ …       ─┤                    └─ MessageWriter ─ messages.append
             └─ jsonl   ─┘

A format module turns bytes into `ParsedMessage` and does not use the database; `formats` chooses
it by the file's content. `MessageComparison` and `MessageWriter` know no format. Messages are
recognised by their ids and added once, so a file can be imported again at any time: after a crash,
or because it has grown.
"""

from conversations.importers.import_run import check_file, check_stream, import_file, import_stream
from conversations.importers.reader import BrokenFile, UnknownFormat
from conversations.importers.report import Report

__all__ = [
    "BrokenFile",
    "Report",
    "UnknownFormat",
    "check_file",
    "check_stream",
    "import_file",
    "import_stream",
]
