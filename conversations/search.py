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
from typing import Any, NamedTuple, TypeVar

from django.contrib.postgres.search import SearchQueryField, SearchVectorField
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import Model, QuerySet
from django.db.models.expressions import RawSQL

_PHRASE = re.compile(r'(-?)"([^"]+)"')
_EXCLUDED = re.compile(r"(?<!\S)-(?=\w)(\S+)")
#: Maximum number of phrases, and of words after a minus, in one question.
MAX_TERMS = 20
#: Characters of a question that are looked at. PostgreSQL gives up on some 50,000 words.
MAX_QUESTION_CHARACTERS = 8_000


#: Stands in a text where PostgreSQL's parser is to stop; from Unicode's private use area.
PARSER_BREAK = "\ue002"
#: Characters of a text that can be searched. A tsvector holds at most 1 MB.
MAX_SEARCHABLE_CHARACTERS = 100_000


class SearchVector(models.Func):
    """The `keepsake_tsvector` SQL function: (instance id, language, text) to tsvector."""

    function = "keepsake_tsvector"
    output_field = SearchVectorField()


class ParsableText(models.Func):
    """The `keepsake_parsable` SQL function: a text with `PARSER_BREAK` where parsing stops."""

    function = "keepsake_parsable"
    output_field = models.TextField()


#: What PostgreSQL's parser may take for letters, depending on the locale of the database: "move”"
#: must be the word "move", and "Mara’s" the same as "Mara's". Models write such marks all the time.
_APOSTROPHES = "’‘‛"
_QUOTES = "“”„‟«»"
_BREAKS = _QUOTES + "‹›…–—―•·¡¿、。，．！？；：（）「」『』【】《》〈〉・～؟،؛۔।"
#: For a question: the same, but that quotes of any kind enclose a phrase.
_SIMPLER = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_BREAKS, " ") | dict.fromkeys(_QUOTES, '"')
)

#: Signs of addresses, paths, numbers and tags.
_SIGNS = "@_/~.:=?&+<#;-"
#: From each word, PostgreSQL's parser looks ahead for the end of an address, a path, a number or a
#: comment, and begins again behind the word: in a run of signs it takes time with the square of the
#: length, or worse ("1@a1@a…" of 16,000 characters takes ten seconds). So it is stopped after each
#: twelfth sign between two spaces, which few addresses have, and comments are read as text.
CREATE_PARSABLE_FUNCTION = f"""
CREATE FUNCTION keepsake_parsable(content text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    regexp_replace(
        replace(content, '<!--', '<!{PARSER_BREAK}--'),
        '((?:[{_SIGNS}][^\\s{_SIGNS}]*){{12}})', '\\1{PARSER_BREAK}', 'g'
    );
"""
DROP_PARSABLE_FUNCTION = "DROP FUNCTION keepsake_parsable(text);"
#: PostgreSQL calls a cast from text to regconfig "stable", which a generated column must not be:
#: somebody could redefine a configuration. The function vouches that nobody does. (A regconfig
#: column would do without it, and would block pg_upgrade.) Only the first characters can be
#: searched: a longer text is stored whole all the same. Two regular expressions take a tenth of the
#: time of one translate(), which looks each character up in the whole list: it was half of what a
#: long message cost.
CREATE_TSVECTOR_FUNCTION = f"""
CREATE FUNCTION keepsake_tsvector(instance_id bigint, language text, content text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_tsvector(
        ('pg_catalog.' || language)::regconfig,
        keepsake_parsable(
            regexp_replace(
                regexp_replace(
                    left(content, {MAX_SEARCHABLE_CHARACTERS}), '[{_APOSTROPHES}]', '''', 'g'
                ),
                '[{_BREAKS}]', ' ', 'g'
            )
        )
    )
    || array_to_tsvector(ARRAY['keepsakeinstance' || instance_id]);
"""
DROP_TSVECTOR_FUNCTION = "DROP FUNCTION keepsake_tsvector(bigint, text, text);"


@dataclass(frozen=True)
class SearchTerms:
    """A question taken apart: what may match, what must, and what must not."""

    loose: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @classmethod
    def parse(cls, question: str) -> "SearchTerms":
        """Read quoted phrases and ``-words`` the way web search engines do, the first of each."""
        question = question[:MAX_QUESTION_CHARACTERS].translate(_SIMPLER)
        phrases: list[str] = []
        excluded: list[str] = []
        for minus, phrase in _PHRASE.findall(question):
            (excluded if minus else phrases).append(phrase)
        rest = _PHRASE.sub(" ", question)
        excluded += _EXCLUDED.findall(rest)
        return cls(
            _EXCLUDED.sub(" ", rest).strip(),
            tuple(phrases[:MAX_TERMS]),
            tuple(excluded[:MAX_TERMS]),
        )


class Sql(NamedTuple):
    """A piece of a statement, and what stands in its places."""

    text: str
    params: tuple[Any, ...] = ()


class TsQuery(NamedTuple):
    """What a question asks of a tsvector, as PostgreSQL writes it."""

    #: The tsquery of what matches.
    matching: str = ""
    #: The words by which it ranks, each a tsquery; without any, nothing is to be looked for.
    words: tuple[str, ...] = ()


#: plainto_tsquery ANDs, and the text form of a long AND takes time with the square of its length.
#: So the words are those of a tsvector, each once, quoted as a tsquery has them.
_ANY_WORD = r"""(
    SELECT coalesce(string_agg(
        '''' || replace(replace(word, '\', '\\'), '''', '''''') || '''', ' | '
    ), '')::tsquery
    FROM unnest(tsvector_to_array(to_tsvector(%s::regconfig, keepsake_parsable(%s)))) AS word
)"""
#: No function takes a tsquery apart, but its text form quotes each word.
_IN_WORDS = r"""
({match})::text, ARRAY(
    SELECT DISTINCT word[1]
    FROM regexp_matches(({rank})::text, '''(?:[^''\\]|''''|\\.)+''', 'g') AS word
)
"""


@dataclass(frozen=True)
class TextQuery:
    """What a question asks of a tsvector: which rows match, and by what they rank.

    Apart, because ``ts_rank`` would count the instance's lexeme as a word that was found.
    """

    match: Sql
    rank: Sql
    #: Whether it is words alone, as most are, without phrases and exclusions.
    is_plain: bool

    @classmethod
    def parse(cls, question: str, *, instance_id: int, language: str) -> "TextQuery | None":
        """Build the query, or return None when *question* holds no word to look for.

        A query that is empty after stop words ("who am I") matches nothing, which is right.
        """
        words = SearchTerms.parse(question)

        def phrase(text: str) -> Sql:
            return Sql("phraseto_tsquery(%s::regconfig, keepsake_parsable(%s))", (language, text))

        phrases = [phrase(text) for text in words.phrases]
        loose = [Sql(_ANY_WORD, (language, words.loose))] if words.loose else []
        if not (loose or phrases):
            return None
        # With phrases, they decide what matches, and the loose words only help to rank.
        required = [
            Sql("%s::tsquery", (instance_lexeme(instance_id),)),
            *(phrases or loose),
            *(Sql(f"!!{part.text}", part.params) for part in map(phrase, words.excluded)),
        ]
        is_plain = not (words.phrases or words.excluded)
        return cls(_joined(" && ", required), _joined(" || ", [*loose, *phrases]), is_plain)

    @property
    def ranked_by(self) -> RawSQL:
        """The query by which texts are ranked, and marked."""
        # The SQL is constant; user input is among its parameters.
        return RawSQL(*self.rank, output_field=SearchQueryField())  # noqa: S611 - See above.

    @property
    def tsquery_columns(self) -> Sql:
        """Two columns that say what it asks for: a `TsQuery`."""
        return Sql(
            _IN_WORDS.format(match=self.match.text, rank=self.rank.text),
            (*self.match.params, *self.rank.params),
        )

    def to_tsquery(self) -> TsQuery:
        """Have PostgreSQL say what it asks for."""
        sql = self.tsquery_columns
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {sql.text}", sql.params)
            matching, words = cursor.fetchone()
        return TsQuery(matching, tuple(words))


def _joined(operator: str, parts: Sequence[Sql]) -> Sql:
    return Sql(
        operator.join(part.text for part in parts),
        tuple(param for part in parts for param in part.params),
    )


def instance_lexeme(instance_id: int) -> str:
    """The word that every tsvector of an instance holds; see `CREATE_TSVECTOR_FUNCTION`."""
    return f"keepsakeinstance{instance_id}"


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
#: before is worth as much as the turn itself. A word that is not there has the rank 0: to ask
#: whether it is there before would take as long again.
_BY_RARITY = """
found (id, search) AS MATERIALIZED ({rows}),
word AS MATERIALIZED (
    SELECT word::tsquery, number FROM unnest(%s::text[]) WITH ORDINALITY AS w (word, number)
),
hit AS MATERIALIZED (
    SELECT id, number, rank FROM (
        SELECT id, number, ts_rank('{{1, 1, 1, 1}}', search, word) AS rank
        FROM found CROSS JOIN word OFFSET 0
    ) AS every WHERE rank > 0
),
rarity AS (
    SELECT number, ln(1 + (SELECT count(*) FROM found)::float / count(*)) AS weight
    FROM hit GROUP BY number
),
scored (id, share) AS MATERIALIZED (
    SELECT id, sum(rank * weight) / (SELECT %s * sum(weight) FROM rarity)
    FROM hit JOIN rarity USING (number) GROUP BY id
),
best (id, share) AS MATERIALIZED (
    SELECT id, share FROM scored ORDER BY share DESC, id DESC LIMIT %s
)
"""
#: The same where there is no word to look for.
_NOTHING = """
scored (id, share) AS (SELECT NULL::bigint, NULL::float WHERE false),
best (id, share) AS (SELECT id, share FROM scored)
"""
#: The words decide first, and whatever else narrows the rows comes after. The instance's lexeme is
#: among the words, which PostgreSQL cannot know: by itself it would also list all rows of the
#: instance from another index, which takes as long again for an instance of 60,000.
_MATCHING_FIRST = """FROM (
    SELECT {columns} FROM {table} WHERE search @@ %s::tsquery OFFSET 0
) AS {table}"""
_MATCHING_LAST = "SELECT * FROM ({rows} OFFSET 0) AS one WHERE search @@ %s::tsquery"
#: What ``ts_rank`` gives to a word that a text holds very often.
_MAX_TS_RANK = 1.0

Row = TypeVar("Row", bound=Model)


def word_search_sql(
    table: type[Model],
    said: TsQuery,
    *,
    limit: int,
    within: "int | QuerySet[Any]",
    few: bool = False,
) -> Sql:
    """Return what stands behind the WITH of a statement that looks for words in *table*, in the
    rows of the instance of an id, or *within* some of them: ``scored (id, share)``, all that the
    words find, with the share of the words that each holds, 0 to 1; and ``best``, the *limit* best.
    Where these rows are *few*, they are looked at one by one, and no index of words is.
    """
    # Without a word after stop words, only the instance's lexeme is left, which all rows hold.
    if not said.words:
        return Sql(_NOTHING)
    name = f'"{table._meta.db_table}"'
    if isinstance(within, int):
        # The lexeme alone is not enough: anybody may have written it.
        first = _MATCHING_FIRST.format(columns="id, instance_id, search", table=name)
        rows = f"SELECT id, search {first} WHERE instance_id = %s"
        params: tuple[Any, ...] = (said.matching, within)
    else:
        try:
            rows, params = within.order_by().values("pk", "search").query.sql_with_params()
        except EmptyResultSet:
            return Sql(_NOTHING)
        if few:
            rows = _MATCHING_LAST.format(rows=rows)
            params = (*params, said.matching)
        else:
            first = _MATCHING_FIRST.format(columns="*", table=name)
            rows = rows.replace(f"FROM {name}", first, 1)
            params = (said.matching, *params)
    return Sql(
        _BY_RARITY.format(rows=rows),
        (*params, list(said.words), _MAX_TS_RANK, limit),
    )


_BEST_FIRST = "WITH {words} SELECT id FROM best ORDER BY share DESC, id DESC"


def best_by_words(rows: QuerySet[Row], query: TextQuery | None, *, limit: int) -> list[int]:
    """Return the ids of the *rows* that the words find, best first, the newest first of equals."""
    if query is None:
        return []
    words = word_search_sql(rows.model, query.to_tsquery(), limit=limit, within=rows)
    with connection.cursor() as cursor:
        cursor.execute(_BEST_FIRST.format(words=words.text), words.params)
        return [pk for (pk,) in cursor]
