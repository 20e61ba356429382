"""Files of conversations, brought in as they are read.

::

    file ─ Reader ─ recognise ─┬─ locomo  ─┬─ Said, Said, … ─ Filing ─ turns.append
                               └─ jsonl  ──┘

A format module turns bytes into `Said` and knows no database. `Filing` stores them in chunks, and
knows no format. Whatever is read a second time is recognised by its id and not added again, so a
file can be imported again at any time: after a crash, or because it has grown.
"""

from conversations.importers.importing import import_file, import_stream
from conversations.importers.reading import BrokenFile, UnknownFormat
from conversations.importers.report import Report

__all__ = ["BrokenFile", "Report", "UnknownFormat", "import_file", "import_stream"]
