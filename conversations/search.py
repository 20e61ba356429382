"""Full text in PostgreSQL: the generated column, and the query that a natural question becomes.

Two decisions, both measured:

- The column holds a lexeme that names the instance. AND-ed into every query, it makes the one GIN
  index answer "these words in this instance", which beats combining two indexes from a thousand
  rows up.
- The words of a question are OR-ed and ranked. AND-ing them finds nothing for nearly every
  natural question. Quoted phrases are required, words behind a minus are excluded.
"""

import re
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

from django.contrib.postgres.search import (
    SearchQuery,
    SearchQueryCombinable,
    SearchVectorField,
)
from django.db import models

_PHRASE = re.compile(r'(-?)"([^"]+)"')
_EXCLUDED = re.compile(r"(?<!\S)-(?=\w)(\S+)")
#: Phrases, and words behind a minus, that one question may have; nobody types more of them.
MOST_TERMS = 20
#: Characters of a question that are looked at. PostgreSQL gives up on some 50,000 words.
MOST_CHARACTERS = 8_000


class SearchVector(models.Func):
    """The `keepsake_tsvector` SQL function: (instance id, language, text) to tsvector."""

    function = "keepsake_tsvector"
    output_field = SearchVectorField()


#: PostgreSQL calls a cast from text to regconfig "stable", which a generated column must not be:
#: somebody could redefine a configuration. The function vouches that nobody does. (A regconfig
#: column would do without it, and would block pg_upgrade.) A tsvector holds at most 1 MB, so only
#: the first 100,000 characters can be searched: a longer text is stored whole all the same.
CREATE_TSVECTOR_FUNCTION = """
CREATE FUNCTION keepsake_tsvector(instance_id bigint, language text, content text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_tsvector(('pg_catalog.' || language)::regconfig, left(content, 100000))
    || array_to_tsvector(ARRAY['keepsakeinstance' || instance_id]);
"""
DROP_TSVECTOR_FUNCTION = "DROP FUNCTION keepsake_tsvector(bigint, text, text);"


@dataclass(frozen=True)
class Words:
    """A question taken apart: what may match, what must, and what must not."""

    loose: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def parse(cls, question: str) -> "Words":
        """Read quoted phrases and ``-words`` the way web search engines do, the first of each."""
        question = question[:MOST_CHARACTERS]
        phrases: list[str] = []
        excluded: list[str] = []
        for minus, phrase in _PHRASE.findall(question):
            (excluded if minus else phrases).append(phrase)
        rest = _PHRASE.sub(" ", question)
        excluded += _EXCLUDED.findall(rest)
        return cls(
            _EXCLUDED.sub(" ", rest).strip(),
            tuple(phrases[:MOST_TERMS]),
            tuple(excluded[:MOST_TERMS]),
        )


class AnyWord(SearchQuery):
    """The words of a question, stemmed and without stop words, any of which may match."""

    def as_sql(self, *args: Any, **kwargs: Any) -> tuple[str, tuple[Any, ...]]:
        sql, params = super().as_sql(*args, **kwargs)
        # plainto_tsquery ANDs. Its lexemes are quoted in the text form, and none can hold " & ",
        # so turning the operator round in that form is safe.
        return f"replace({sql}::text, ' & ', ' | ')::tsquery", tuple(params)


@dataclass(frozen=True)
class TextQuery:
    """What a question asks of a tsvector: which rows match, and by what they rank.

    Apart, because ``ts_rank`` would count the instance's lexeme as a word that was found.
    """

    match: SearchQueryCombinable
    rank: SearchQueryCombinable

    @classmethod
    def parse(cls, question: str, *, instance_id: int, language: str) -> "TextQuery | None":
        """Build the query, or return None when *question* holds no word to look for.

        A query that is empty after stop words ("who am I") matches nothing, which is right.
        """
        words = Words.parse(question)

        def phrase(text: str) -> SearchQuery:
            return SearchQuery(text, config=language, search_type="phrase")

        phrases = [phrase(text) for text in words.phrases]
        loose = [AnyWord(words.loose, config=language)] if words.loose else []
        if not (loose or phrases):
            return None
        # With phrases, they decide what matches, and the loose words only help to rank.
        required: list[SearchQueryCombinable] = [
            SearchQuery(instance_lexeme(instance_id), config="simple"),
            *(phrases or loose),
            *(~phrase(text) for text in words.excluded),
        ]
        return cls(reduce(and_, required), reduce(or_, [*loose, *phrases]))


def instance_lexeme(instance_id: int) -> str:
    """The word that every tsvector of an instance holds; see `CREATE_TSVECTOR_FUNCTION`."""
    return f"keepsakeinstance{instance_id}"
