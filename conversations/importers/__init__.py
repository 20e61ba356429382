"""Files of conversations, looked through first and then brought in, as they are read.

::

             ┌─ chatgpt ─┐
    file ────┼─ claude  ─┼─ Said, Said, … ─┬─ Comparing: what would come in
    (zip) ───┼─ locomo  ─┤                 └─ Filing ─ turns.append
             └─ jsonl   ─┘

A format module turns bytes into `Said` and knows no database; `formats` finds out which one it is,
by what the file holds. `Comparing` and `Filing` know no format. Whatever is read a second time is
recognised by its id and not added again, so a file can be imported again at any time: after a
crash, or because it has grown.
"""

from conversations.importers.import_run import (
    check_file,
    check_stream,
    import_file,
    import_stream,
)
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
