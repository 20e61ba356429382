"""Reads in how many texts of a large instance the words of a question are; `word_counting` counts
them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from json import loads
from typing import Self

#: The counts for ``asked.stems`` in an instance, given twice, by table; NULL where nothing is
#: counted.
COUNTS_OF_STEMS = """
SELECT jsonb_object_agg("table", jsonb_build_array(texts, (
    SELECT jsonb_object_agg(word.stem, word.texts) FROM conversations_wordcount AS word
    WHERE word.instance_id = %s AND word."table" = counted."table"
        AND word.stem = ANY(asked.stems)
))) FROM conversations_countedtexts AS counted WHERE instance_id = %s
"""


@dataclass(frozen=True)
class TableCounts:
    """The counts of one table: of its texts, and of those that hold each of some stems."""

    texts: int
    stems: Mapping[str, int]

    @classmethod
    def by_table(cls, counts: str | None) -> dict[str, Self]:
        """Read what `COUNTS_OF_STEMS` returns."""
        if counts is None:
            return {}
        return {table: cls(texts, stems or {}) for table, (texts, stems) in loads(counts).items()}

    def texts_with(self, stems: Iterable[str]) -> int | None:
        """How many texts hold any of *stems*, at most; None if all of them are rare."""
        known = [self.stems[stem] for stem in stems if stem in self.stems]
        return min(sum(known), self.texts) if known else None
