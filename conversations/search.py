"""Full text in PostgreSQL: the generated column, the query that a natural question becomes, and the
ranking of what it finds.

Two decisions, both measured:

- The column holds a lexeme that names the instance. AND-ed into every query, it makes the one GIN
  index answer "these words in this instance", which beats combining two indexes from a thousand
  rows up.
- The words of a question are OR-ed and ranked. AND-ing them finds nothing for nearly every
  natural question. Quoted phrases are required, words behind a minus are excluded.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_, or_
from typing import Any, TypeVar, cast

from django.contrib.postgres.search import (
    SearchQuery,
    SearchQueryCombinable,
    SearchVectorField,
)
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import Model, QuerySet
from django.db.models.sql import Query

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


#: What PostgreSQL's parser may take for letters, depending on the locale of the database: "move”"
#: must be the word "move", and "Mara’s" the same as "Mara's". Models write such marks all the time.
_APOSTROPHES = "’‘‛"
_QUOTES = "“”„‟«»"
_BREAKS = _QUOTES + "‹›…–—―•·¡¿、。，．！？；：（）「」『』【】《》〈〉・～؟،؛۔।"
#: For a question: the same, but that quotes of any kind enclose a phrase.
_SIMPLER = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_BREAKS, " ") | dict.fromkeys(_QUOTES, '"')
)

#: PostgreSQL calls a cast from text to regconfig "stable", which a generated column must not be:
#: somebody could redefine a configuration. The function vouches that nobody does. (A regconfig
#: column would do without it, and would block pg_upgrade.) A tsvector holds at most 1 MB, so only
#: the first 100,000 characters can be searched: a longer text is stored whole all the same. Two
#: regular expressions take a tenth of the time of one translate(), which looks each character up in
#: the whole list: it was half of what a long message cost.
CREATE_TSVECTOR_FUNCTION = f"""
CREATE FUNCTION keepsake_tsvector(instance_id bigint, language text, content text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_tsvector(
        ('pg_catalog.' || language)::regconfig,
        regexp_replace(
            regexp_replace(left(content, 100000), '[{_APOSTROPHES}]', '''', 'g'),
            '[{_BREAKS}]', ' ', 'g'
        )
    )
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
        question = question[:MOST_CHARACTERS].translate(_SIMPLER)
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

    @cached_property
    def said(self) -> tuple[str, list[str]]:
        """What matches, and the words by which it ranks, as PostgreSQL writes them. It is asked
        once, however many lists look for the words.
        """
        query = Query(None)
        compiler = query.get_compiler(connection=connection)
        (match, match_params), (rank, rank_params) = (
            compiler.compile(cast(SearchQuery, part).resolve_expression(query))
            for part in (self.match, self.rank)
        )
        with connection.cursor() as cursor:
            cursor.execute(_IN_WORDS.format(match=match, rank=rank), [*match_params, *rank_params])
            matching, words = cursor.fetchone()
        return matching, words


#: No function takes a tsquery apart, but its text form quotes each word.
_IN_WORDS = r"""
SELECT ({match})::text, ARRAY(
    SELECT DISTINCT word[1]
    FROM regexp_matches(({rank})::text, '''(?:[^''\\]|''''|\\.)+''', 'g') AS word
)
"""


def instance_lexeme(instance_id: int) -> str:
    """The word that every tsvector of an instance holds; see `CREATE_TSVECTOR_FUNCTION`."""
    return f"keepsakeinstance{instance_id}"


Row = TypeVar("Row", bound=Model)

#: ``ts_rank`` of each word of the question by itself, times how rare the word is among all that
#: was found: ``Σ ts_rank(word) · ln(1 + found / found with word)``, the inverse document frequency
#: of Spärck Jones (1972). A plain ``ts_rank`` takes "Caroline" for as telling as "guinea pig".
#: Divided by what a text would have that holds all words that any text holds, as often as counts:
#: so it is a share, 0 to 1, that can be compared between one list and another.
#:
#: Measured on the questions of LoCoMo, turn recall@10: 0.592 without the rarity and 0.638 with it;
#: 0.560 and less with any of ts_rank's normalisations by length. It is also twice as fast for an
#: instance of 60,000 messages, because ``ts_rank`` of OR-ed words compares each with each.
#:
#: All that a tsvector holds counts alike, whatever weights its words have: on LoCoMo, the turn
#: before is worth as much as the turn itself.
#:
#: The best rows, and those that were asked about beside them.
_BY_RARITY = """
WITH found (id, search) AS MATERIALIZED (
    SELECT one.pk, one.search FROM ({rows}) AS one
),
word AS (SELECT unnest(%s::text[])::tsquery AS word),
hit AS (
    SELECT id, word, ts_rank('{{1, 1, 1, 1}}', search, word) AS rank
    FROM found JOIN word ON search @@ word
),
rarity AS (
    SELECT word, ln(1 + (SELECT count(*) FROM found)::float / count(*)) AS weight
    FROM hit GROUP BY word
),
scored AS MATERIALIZED (
    SELECT id, sum(rank * weight) / (SELECT %s * sum(weight) FROM rarity) AS share
    FROM hit JOIN rarity USING (word) GROUP BY id
),
best AS (SELECT id, share FROM scored ORDER BY share DESC, id DESC LIMIT %s)
SELECT id, share, true AS listed FROM best
UNION ALL
SELECT id, share, false FROM scored WHERE id = ANY(%s) AND id NOT IN (SELECT id FROM best)
ORDER BY listed DESC, share DESC, id DESC
"""
#: The words decide first, and whatever else narrows the rows comes after. The instance's lexeme is
#: among the words, which PostgreSQL cannot know: by itself it would also list all rows of the
#: instance from another index, which takes as long again for an instance of 60,000.
_MATCHING_FIRST = """FROM (
    SELECT * FROM {table} WHERE search @@ %s::tsquery OFFSET 0
) AS {table}"""
#: What ``ts_rank`` gives to a word that a text holds very often.
_MOST_OF_A_WORD = 1.0


@dataclass(frozen=True)
class FoundByWords:
    """What the words of a question find."""

    #: Ids, best first, the newest first of equals.
    ids: list[int]
    #: Id to the share of the question's words, 0 to 1, each by its rarity; also of what was asked
    #: about beside the best.
    shares: dict[int, float]


def found_by_words(
    rows: QuerySet[Row], query: TextQuery | None, *, limit: int, also: Sequence[int] = ()
) -> FoundByWords:
    """Return the best *limit* of the *rows* that the words find, and the shares of those *also*
    asked about.
    """
    matching, words = query.said if query else ("", [])
    # Without a word after stop words, only the instance's lexeme is left, which all rows hold.
    if not words:
        return FoundByWords([], {})
    try:
        sql, params = rows.order_by().values("pk", "search").query.sql_with_params()
        table = f'FROM "{rows.model._meta.db_table}"'
        sql = sql.replace(table, _MATCHING_FIRST.format(table=table.removeprefix("FROM ")), 1)
    except EmptyResultSet:
        return FoundByWords([], {})
    with connection.cursor() as cursor:
        cursor.execute(
            _BY_RARITY.format(rows=sql),
            [matching, *params, words, _MOST_OF_A_WORD, limit, list(also)],
        )
        listed = cursor.fetchall()
    return FoundByWords(
        [pk for pk, _, is_best in listed if is_best], {pk: share for pk, share, _ in listed}
    )


def best_by_words(rows: QuerySet[Row], query: TextQuery | None, *, limit: int) -> list[int]:
    """Return the ids of the *rows* that the words find, best first, the newest first of equals."""
    return found_by_words(rows, query, limit=limit).ids
