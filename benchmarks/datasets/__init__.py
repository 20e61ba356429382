"""Data sets: conversations, questions about them, and the turns that hold the answers.

::

                  ┌─ speakers      LoCoMo, REALTALK: two named people, many dated sessions
    file, or ─────┼─ beam          a long chat with an assistant, and questions of ten abilities
    folder of     ├─ longmemeval   for each question a haystack of chats
    files         └─ languages     handwritten chats in seven languages, shipped with the benchmark
                        ↓
                     Sample: a file that the importer takes, and its questions

The readers know no database. Which one it is shows in the first object of a file.
"""

from benchmarks.datasets.files import open_data
from benchmarks.datasets.formats import FORMATS, Format
from benchmarks.datasets.sample import BrokenData, Sample

__all__ = ["FORMATS", "BrokenData", "Format", "Sample", "open_data"]
