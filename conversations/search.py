"""Full-text search in PostgreSQL: the generated column, the query for a question, and the ranking.

Four decisions, of which all but the second are measured:

- The column holds a lexeme that names the instance. AND-ed into every query, it makes the one GIN
  index answer "these words in this instance". From a thousand rows up, this is faster than to
  combine two indexes.
- Each text is stemmed in its own language, and a question in all that the instance has: of these,
  a word has one stem or several, and a text one of them.
- The words of a question are OR-ed and ranked. AND-ing them finds nothing for nearly every natural
  question. Quoted phrases are required, words after a minus are excluded.
- In a large instance, where the texts with each word are counted (`word_counts`), only the texts
  that the words make worth it are ranked (`word_selection`).
"""

import itertools
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar
from unicodedata import normalize

from django.contrib.postgres.search import SearchQueryField, SearchVectorField
from django.core.exceptions import EmptyResultSet
from django.db import connection, models
from django.db.models import F, Model, QuerySet
from django.db.models.expressions import RawSQL

from conversations.scripts import FUNCTION_CHARACTERS, HAN
from conversations.search_functions import (
    APOSTROPHES,
    BREAKS,
    CHARACTERS,
    HYPHEN,
    MAX_UNSPACED_ASKED,
    PREFIXES,
    QUOTES,
    RUN_CHARACTERS,
)
from conversations.word_counts import COUNTS_OF_STEMS, TableCounts
from conversations.word_selection import QueryTerm, Selection, select_texts
from instances.partitions import is_divided, partition_of

Row = TypeVar("Row", bound=Model)
Rows = TypeVar("Rows", bound=QuerySet[Any])

_PHRASE = re.compile(r'(-?)"([^"]+)"')
_WHOLE_WORD = re.compile(r"(?<![\w@_/~.:=?&+<#'-])\w+(?![\w@_/~:=&+<#'-]|\.\w)")
_UNSPACED = re.compile(f"[{RUN_CHARACTERS}]")
_HAN_CHARACTER = re.compile(f"[{HAN}]")
_EXCLUDED = re.compile(r"(?<!\S)-(?=\w)(\S+)")
_MINUS = re.compile(r"(?<!\S)-(?=\w)")
#: Maximum number of phrases, and of words after a minus, in one question.
MAX_TERMS = 20
#: Words around a quotation from which on a text with a question mark is a whole question.
MIN_QUESTION_WORDS = 3
#: Characters of what is looked for as it is typed.
MAX_LITERAL_CHARACTERS = 100
#: Characters of a question that are looked at. PostgreSQL gives up on some 50,000 words.
MAX_QUESTION_CHARACTERS = 8_000


class SearchVector(models.Func):
    """The `keepsake_tsvector` SQL function: (instance id, language, text) to tsvector."""

    function = "keepsake_tsvector"
    output_field = SearchVectorField()


class MarkableText(models.Func):
    """A text in which PostgreSQL can mark what `TextQuery.marked_by` finds: with `PARSER_BREAK`
    where parsing stops, and characters of scripts without spaces apart.
    """

    template = "keepsake_parsable(keepsake_characters(%(expressions)s))"
    output_field = models.TextField()


class _Matches(models.Func):
    """True if a text matches a query."""

    arg_joiner = " @@ "
    template = "(%(expressions)s)"
    output_field = models.BooleanField()


#: For a question: the same, except that quotes of any kind enclose a phrase.
_SIMPLER = str.maketrans(
    dict.fromkeys(APOSTROPHES, "'") | dict.fromkeys(BREAKS, " ") | dict.fromkeys(QUOTES, '"')
)


def without_operators(message: str) -> str:
    """Return *message* with spaces in place of its quotation marks, and of a minus before a word:
    what people write in a chat commands no search.
    """
    return _MINUS.sub(" ", message.translate(_SIMPLER).replace('"', " "))


@dataclass(frozen=True)
class SearchTerms:
    """The parts of a question: what may match, what must, and what must not."""

    loose: str
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """The question without what must not match."""
        return " ".join([self.loose, *self.phrases]).strip()

    @classmethod
    def parse(cls, question: str) -> "SearchTerms":
        """Read quoted phrases and ``-words`` the way web search engines do, the first of each. In a
        whole question, quotes stand around a title, which the answer need not name: "What did Ana
        think of “Little Women”?"
        """
        question = question[:MAX_QUESTION_CHARACTERS].translate(_SIMPLER)
        # As texts are indexed.
        question = normalize("NFKC", question)[:MAX_QUESTION_CHARACTERS].replace(HYPHEN, "-")
        phrases: list[str] = []
        excluded: list[str] = []
        for minus, phrase in _PHRASE.findall(question):
            (excluded if minus else phrases).append(phrase)
        rest = _PHRASE.sub(" ", question)
        if question.rstrip().endswith(("?", "？")) and len(rest.split()) >= MIN_QUESTION_WORDS:
            rest, phrases = " ".join([rest, *phrases]), []
        excluded += _EXCLUDED.findall(rest)
        return cls(
            _EXCLUDED.sub(" ", rest).strip(),
            tuple(phrases[:MAX_TERMS]),
            tuple(excluded[:MAX_TERMS]),
        )


class Sql(NamedTuple):
    """A piece of a statement, and its parameters."""

    text: str
    params: tuple[Any, ...] = ()


class TsQuery(NamedTuple):
    """The query of a question, in PostgreSQL's text format."""

    #: The tsquery that rows match.
    matching: str = ""
    #: The stems by which rows are ranked, each a tsquery; without any, nothing is found.
    stems: tuple[str, ...] = ()
    #: The number of the word that each is a stem of: of one word, each language has its own.
    numbers: tuple[int, ...] = ()
    #: In a large instance, how many texts hold the stems, by table.
    counts: Mapping[str, TableCounts] = {}
    instance_id: int = 0
    #: Without stems: what is found as it is typed.
    literal: str = ""

    def selection(self, table: type[Model], limit: int) -> Selection | None:
        """The texts of *table* among which the *limit* best are; None if all that have a word
        are to be ranked.
        """
        counts = self.counts.get(table._meta.db_table)
        if counts is None:
            return None
        words = [QueryTerm(stems, counts.texts_with(stems)) for stems in self.words]
        return select_texts(words, counts.texts, limit)

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The stems of each word."""
        words: dict[int, list[str]] = {}
        for stem, number in zip(self.stems, self.numbers, strict=True):
            words.setdefault(number, []).append(stem)
        return list(map(tuple, words.values()))


#: plainto_tsquery ANDs. Its lexemes are quoted in the text form, and none can hold " & ", so
#: turning the operator round in that form is safe. A compound stays a phrase: "guinea-pig" finds
#: the two words only next to each other.
_PARSABLE = "keepsake_parsable(keepsake_asked_bigrams(%s))"
_ANY_WORD = (
    f"replace({PREFIXES.format(query=f'plainto_tsquery(%s::regconfig, {_PARSABLE})')},"
    " ' & ', ' | ')::tsquery"
)
_PHRASE_QUERY = f"phraseto_tsquery(%s::regconfig, {_PARSABLE})"
#: A word in the text form of a tsquery.
_QUOTED_WORD = r"'''(?:[^''\\]|''''|\\.)+'''"
_SAID_ITSELF = (
    PREFIXES.format(query=f"regexp_replace(({{phrase}})::text, {_QUOTED_WORD}, '\\&:ABD', 'g')")
    + "::tsquery"
)
#: The same with the sign of a prefix.
_ASKED_WORD = r"'''(?:[^''\\]|''''|\\.)+''(?::\*)?'"
#: Stems of a question that are ranked by, the first ones: a pasted text has hundreds.
MAX_STEMS = 256
#: No function takes a tsquery apart, but its text form quotes each word.
_IN_WORDS = f"""
SELECT ({{match}})::text, array_agg(stem ORDER BY number), array_agg(number ORDER BY number)
FROM (
    SELECT word[1] AS stem, min(number) AS number
    FROM regexp_matches(({{rank}})::text, {_ASKED_WORD}, 'g') WITH ORDINALITY AS w (word, number)
    GROUP BY stem ORDER BY number LIMIT {MAX_STEMS}
) AS stems
"""  # noqa: S608 - a constant
#: The same in several languages: each stem has the number of its word. A stop word of the first
#: one, the question's own, is none of another. Of a compound, which is parsed as a whole and in
#: parts, the first stem is its own.
_IN_WORDS_OF_SEVERAL = f"""
SELECT ({{match}})::text, array_agg(stem ORDER BY number), array_agg(number ORDER BY number)
FROM (
    SELECT DISTINCT ON (stem) stem, number FROM (
        SELECT token, min(number) OVER (PARTITION BY lower(token)) AS number
        FROM ts_parse('default', {_PARSABLE}) WITH ORDINALITY AS t (kind, token, number)
    ) AS word
    CROSS JOIN unnest(%s::text[]) AS language
    CROSS JOIN LATERAL substring(
        {PREFIXES.format(query="plainto_tsquery(language::regconfig, token)")}
        FROM {_ASKED_WORD}
    ) AS stem
    WHERE stem <> '' AND numnode(plainto_tsquery(%s::regconfig, token)) > 0
    ORDER BY stem, number
) AS stems
"""  # noqa: S608 - a constant
#: With how many texts hold each stem. Without OFFSET 0, the stems are computed for each use.
_WITH_COUNTS = f"""
SELECT matching, coalesce(stems, '{{{{}}}}'), coalesce(numbers, '{{{{}}}}'), ({COUNTS_OF_STEMS})
FROM ({{words}} OFFSET 0) AS asked (matching, stems, numbers)
"""  # noqa: S608 - a constant


@dataclass(frozen=True)
class TextQuery:
    """The query of a question: which rows match, and by what they are ranked. These are apart
    because ``ts_rank`` would count the instance's lexeme as a word.
    """

    instance_id: int
    match: Sql
    rank: Sql
    #: All words, and the languages whose stems they may have in a row.
    words: str
    languages: tuple[str, ...]
    #: The phrases that a row must have, and those that it must not have, however it is found; None
    #: without any, as in most questions.
    required: Sql | None = None
    #: What is found as it is typed if all of its words are stop words: "IT", "The Who".
    literal: str = ""

    @classmethod
    def parse(
        cls,
        question: str,
        *,
        instance_id: int,
        languages: Sequence[str],
        ignored: Collection[str] = frozenset(),
        is_typed: bool = False,
    ) -> "TextQuery | None":
        """Build the query; None if *question* has no words. A query without words after stop words
        ("who am I") matches nothing. A row is found by the stems of any of *languages*, the first
        of which is the likeliest of the question. Outside phrases, the case-folded words *ignored*
        are left out, as the stop words of the language always are; where one that *is_typed* has no
        others, `TsQuery.literal` is looked for.
        """
        words = SearchTerms.parse(question)
        loose_words = _with_characters(without_words(words.loose, ignored))

        def phrase(text: str) -> list[Sql]:
            return [Sql(_PHRASE_QUERY, (language, _asked(text))) for language in languages]

        phrases = [phrase(text) for text in words.phrases]
        loose = [Sql(_ANY_WORD, (language, loose_words)) for language in languages if loose_words]
        if not (loose or phrases):
            return None
        excluded = [_any_of(map(_said_itself, phrase(text))) for text in words.excluded]
        required = [
            *(_any_of(map(_said_itself, each)) for each in phrases),
            *(Sql(f"!!{part.text}", part.params) for part in excluded),
        ]
        # With phrases, they decide what matches, and the loose words only help to rank.
        in_instance = Sql("%s::tsquery", (instance_lexeme(instance_id),))
        matching = [in_instance, *([] if phrases else [_any_of(loose)]), *required]
        return cls(
            instance_id,
            _joined(" && ", matching),
            _any_of([*loose, *(_with_prefixes(part) for each in phrases for part in each)]),
            " ".join([loose_words, *map(_asked, words.phrases)]),
            tuple(languages),
            _joined(" && ", required) if required else None,
            words.loose if is_typed and not required else "",
        )

    @property
    def is_plain(self) -> bool:
        """True if it has no phrases and no exclusions."""
        return self.required is None

    def of_required(self, rows: Rows) -> Rows:
        """Limit *rows* to those that have the phrases, and nothing that is excluded."""
        if self.required is None:
            return rows
        # The SQL is constant; user input is among its parameters.
        required = RawSQL(*self.required, output_field=SearchQueryField())  # noqa: S611 - See above.
        return rows.filter(_Matches(F("search"), required))

    @property
    def condition(self) -> models.Q:
        """The condition that a row with a column ``search`` has a word, and the phrases."""
        # The SQL is constant; user input is among its parameters.
        match = RawSQL(*self.match, output_field=SearchQueryField())  # noqa: S611 - See above.
        return models.Q(_Matches(F("search"), match))

    @property
    def marked_by(self) -> RawSQL:
        """The query by which words are marked in a `MarkableText`."""
        sql = f"{CHARACTERS.format(query=self.rank.text)}::tsquery"
        # The SQL is constant; user input is among its parameters.
        return RawSQL(sql, self.rank.params, output_field=SearchQueryField())  # noqa: S611

    @property
    def tsquery_columns(self) -> Sql:
        """A statement for the row that `tsquery` takes."""
        if len(self.languages) > 1:
            words = Sql(
                _IN_WORDS_OF_SEVERAL.format(match=self.match.text),
                (*self.match.params, self.words, list(self.languages), self.languages[0]),
            )
        else:
            words = Sql(
                _IN_WORDS.format(match=self.match.text, rank=self.rank.text),
                (*self.match.params, *self.rank.params),
            )
        return Sql(_WITH_COUNTS.format(words=words.text), (*[self.instance_id] * 2, *words.params))

    def tsquery(
        self,
        matching: str,
        stems: Sequence[str],
        numbers: Sequence[int],
        counts: str | None,
    ) -> TsQuery:
        """Read the `tsquery_columns`."""
        by_table = TableCounts.by_table(counts)
        literal = "" if stems else self.literal[:MAX_LITERAL_CHARACTERS]
        return TsQuery(matching, tuple(stems), tuple(numbers), by_table, self.instance_id, literal)

    def to_tsquery(self) -> TsQuery:
        """Let PostgreSQL build the query."""
        with connection.cursor() as cursor:
            cursor.execute(*self.tsquery_columns)
            return self.tsquery(*cursor.fetchone())


def _said_itself(phrase: Sql) -> Sql:
    """Let *phrase* be found only in what a text says itself, not in the message before it, whose
    words have the weight C.
    """
    return Sql(_SAID_ITSELF.format(phrase=phrase.text), phrase.params)


def _with_prefixes(phrase: Sql) -> Sql:
    return Sql(f"{PREFIXES.format(query=phrase.text)}::tsquery", phrase.params)


def _asked(question: str) -> str:
    """Leave out what is searched for by pairs of characters, from so many of them on."""
    found = list(itertools.islice(_UNSPACED.finditer(question), MAX_UNSPACED_ASKED + 1))
    return (
        question[: found[MAX_UNSPACED_ASKED].start()]
        if len(found) > MAX_UNSPACED_ASKED
        else question
    )


def _with_characters(question: str) -> str:
    """Add the Han characters of *question* one by one: many of them are words."""
    question = _asked(question)
    characters = dict.fromkeys(_HAN_CHARACTER.findall(question))
    return " ".join([question, *(each for each in characters if each not in FUNCTION_CHARACTERS)])


def without_words(text: str, ignored: Collection[str]) -> str:
    """Leave words out of *text*, but not parts of a compound such as "up-to-date"."""

    def kept(word: re.Match[str]) -> str:
        return " " if word[0].casefold() in ignored else word[0]

    return _WHOLE_WORD.sub(kept, text).strip() if ignored else text


def _joined(operator: str, parts: Sequence[Sql]) -> Sql:
    return Sql(
        operator.join(part.text for part in parts),
        tuple(param for part in parts for param in part.params),
    )


def _any_of(parts: Iterable[Sql]) -> Sql:
    one = _joined(" || ", list(parts))
    return Sql(f"({one.text})", one.params)


def instance_lexeme(instance_id: int) -> str:
    """The word in every tsvector of an instance; see `search_functions`."""
    return f"keepsakeinstance{instance_id}"


#: ``ts_rank`` of each word of the question by itself, times the rarity of the word among the rows
#: found: ``Σ ts_rank(word) · ln(1 + found / found with word)``, the inverse document frequency of
#: Spärck Jones (1972). In a plain ``ts_rank``, "Caroline" would count as much as "guinea pig". This
#: is divided by the score of a text with all the words that occur: so it is a share, 0 to 1, that
#: can be compared between lists.
#:
#: Measured on the questions of LoCoMo, turn recall@10: 0.592 without the rarity and 0.638 with it;
#: 0.560 and less with any of ts_rank's normalisations by length. It is also twice as fast for an
#: instance of 60,000 messages, because ``ts_rank`` of OR-ed words compares each with each.
#:
#: The second figure, ``covered``, is for absolute judgements: the share of all words of the
#: question by their rarity, however often a text has them. A word that no row has counts as the
#: rarest.
#:
#: Of a word that has several stems, the best counts: a text in which each language has its own has
#: the word once.
#:
#: Words count alike, whatever their weights: on LoCoMo, the turn before is worth as much as the
#: turn itself. A missing word has the rank 0: to test for it first would take as long again.
#:
#: Each word has a column. With a row for each text and word, the texts are read and written once
#: for each word, which takes twice as long.
#:
#: If only a selection of rows is ranked, how many there are and how many have each word is known
#: beforehand, so that the figures do not depend on what was left out; only rare words are counted.
_BY_RARITY = """
found AS MATERIALIZED (SELECT id, {ranks} FROM ({rows}) AS text (id, search)),
counted AS (SELECT greatest(count(*), %s::bigint) AS texts, {counts} FROM found),
rarity AS (SELECT ln(1 + texts::float) AS rarest, {weights} FROM counted),
total AS MATERIALIZED (
    SELECT *, {present} AS present, {present} + rarest * (%s - ({occurring})) AS every FROM rarity
),
scored (id, share, covered) AS MATERIALIZED (
    SELECT id, ({score}) / ({most} * present), ({held}) / every
    FROM found CROSS JOIN total WHERE ({score}) > 0
),
best (id, share, covered) AS MATERIALIZED (
    SELECT id, share, covered FROM scored ORDER BY share DESC, id DESC LIMIT %s
)
"""
#: The same for a query without words.
_NOTHING = """
scored (id, share, covered) AS (SELECT NULL::bigint, NULL::float, NULL::float WHERE false),
best (id, share, covered) AS (SELECT id, share, covered FROM scored)
"""
#: The same for a query without words, of the texts that hold what is typed.
_LITERALLY = """
scored (id, share, covered) AS MATERIALIZED (
    SELECT id, 1.0::float, 1.0::float FROM ({rows}) AS text (id, content)
    WHERE content {operator} %s ORDER BY id DESC LIMIT %s
),
best (id, share, covered) AS (SELECT id, share, covered FROM scored)
"""
#: The words come first, and all other conditions after them. PostgreSQL cannot know that the lexeme
#: of the instance is among the words: by itself it would also list all rows of the instance from
#: another index, which takes as long again in an instance of 60,000.
_MATCHING_FIRST = """FROM (
    SELECT {columns} FROM {place} WHERE {mine}search @@ %s::tsquery OFFSET 0
) AS {table}"""
_MATCHING_LAST = "SELECT * FROM ({rows} OFFSET 0) AS one WHERE search @@ %s::tsquery"
#: Beside a selection: those of the rows of another expression that have words of the question.
_ALSO_RANKED = """
UNION ALL SELECT id, search FROM {table} WHERE instance_id = %s
    AND id = ANY(ARRAY(SELECT id FROM {also}))
    AND search @@ %s::tsquery AND NOT search @@ %s::tsquery
"""
#: The ``ts_rank`` of a word that is very frequent in a text.
_MAX_TS_RANK = 1.0


def word_search_sql(
    table: type[Model],
    query: TsQuery,
    *,
    limit: int,
    within: "int | QuerySet[Any]",
    few: bool = False,
    selection: Selection | None = None,
    also: str = "",
) -> Sql:
    """Return the common table expressions of a statement that searches for words in *table*,
    *within* the instance of an id or some rows: ``scored (id, share, covered)``, all rows found,
    with the shares of the words that each has, 0 to 1; and ``best``, the *limit* best. If the rows
    are *few*, they are compared one by one, without the index of words.

    With a *selection*, only the rows that it holds are ranked, and those of the expression *also*,
    which are of the instance of an id.
    """
    # Without a word after stop words, only the instance's lexeme is left, which all rows hold.
    if not query.stems:
        return _literally(table, query, limit, within) if query.literal else Sql(_NOTHING)
    name = f'"{table._meta.db_table}"'
    matching = f"( {query.matching} ) & ( {selection.matching} )" if selection else query.matching
    # The condition on the instance comes later, so PostgreSQL does not know where the rows are. A
    # view has no partitions.
    place = name
    if table._meta.managed:
        place = partition_of(table._meta.db_table, query.instance_id)
    # Citus would ask all shards.
    mine = f"instance_id = {query.instance_id:d} AND " if is_divided() else ""
    if isinstance(within, int):
        # The lexeme alone is not enough: any message may contain it.
        first = _MATCHING_FIRST.format(
            columns="id, instance_id, search", place=place, mine=mine, table=name
        )
        rows = f"SELECT id, search {first} WHERE instance_id = %s"
        params: tuple[Any, ...] = (matching, within)
    else:
        try:
            rows, params = within.order_by().values("pk", "search").query.sql_with_params()
        except EmptyResultSet:
            return Sql(_NOTHING)
        if few:
            rows = _MATCHING_LAST.format(rows=rows)
            params = (*params, matching)
        else:
            first = _MATCHING_FIRST.format(columns="*", place=place, mine=mine, table=name)
            rows = rows.replace(f"FROM {name}", first, 1)
            params = (matching, *params)
    if selection and also:
        rows += _ALSO_RANKED.format(table=name, also=also)
        params = (*params, query.instance_id, query.matching, matching)
    words = selection.words if selection else [QueryTerm(stems, None) for stems in query.words]
    return _ranked_by_rarity(Sql(rows, params), words, limit, selection)


def _literally(
    table: type[Model], query: TsQuery, limit: int, within: "int | QuerySet[Any]"
) -> Sql:
    """The same for the texts of *table* that hold what is typed, in its case if it has capitals:
    the index has no stop words.
    """
    try:
        if isinstance(within, int):
            place = partition_of(table._meta.db_table, query.instance_id)
            rows = f"SELECT id, content FROM {place} WHERE instance_id = %s"  # noqa: S608
            params: tuple[Any, ...] = (within,)
        else:
            rows, params = within.order_by().values("pk", "content").query.sql_with_params()
    except EmptyResultSet:
        return Sql(_NOTHING)
    typed = query.literal.split()
    pattern = r"\s+".join(map(_escaped, typed))
    pattern = (r"\m" if typed[0][0].isalnum() else "") + pattern
    pattern += r"\M" if typed[-1][-1].isalnum() else ""
    operator = "~*" if query.literal.islower() else "~"
    return Sql(_LITERALLY.format(rows=rows, operator=operator), (*params, pattern, limit))


def _escaped(word: str) -> str:
    return re.sub(r"(\W)", r"\\\1", word)


def _ranked_by_rarity(
    rows: Sql, words: Sequence[QueryTerm], limit: int, selection: Selection | None
) -> Sql:
    """Fill in `_BY_RARITY`. The number of columns is rounded up, so that few statements differ."""
    each = _rounded_up(max(len(word.stems) for word in words))
    columns = range(_rounded_up(min(len(words), MAX_STEMS // each), least=4))
    words = words[: len(columns)]
    stems: list[str | None] = [None] * (len(columns) * each)
    for number, word in enumerate(words):
        stems[number * each : number * each + len(word.stems)] = word.stems
    rank = ", ".join(["ts_rank('{1, 1, 1, 1}', search, %s::tsquery)"] * each)
    rank = f"greatest({rank})" if each > 1 else rank
    known = [word.texts for word in words] + [None] * (len(columns) - len(words))
    text = _BY_RARITY.format(
        ranks=", ".join(f"{rank} AS r{n}" for n in columns),
        rows=rows.text,
        counts=", ".join(
            f"coalesce(%s::bigint, nullif(count(*) FILTER (WHERE r{n} > 0), 0)) AS n{n}"
            for n in columns
        ),
        weights=", ".join(f"ln(1 + texts::float / n{n}) AS w{n}" for n in columns),
        present=_sum(f"coalesce(w{n}, 0)" for n in columns),
        occurring=_sum(f"(w{n} IS NOT NULL)::int" for n in columns),
        score=_sum(f"coalesce(r{n} * w{n}, 0)" for n in columns),
        held=_sum(f"CASE WHEN r{n} > 0 THEN w{n} ELSE 0 END" for n in columns),
        most=_MAX_TS_RANK,
    )
    total = selection.texts if selection else 0
    return Sql(text, (*stems, *rows.params, total, *known, len(words), limit))


def _rounded_up(count: int, least: int = 1) -> int:
    """The next power of two, and *least* at least."""
    return max(least, 1 << (count - 1).bit_length())


def _sum(terms: Iterable[str]) -> str:
    return " + ".join(terms)


_BEST_FIRST = "WITH {words} SELECT id FROM best ORDER BY share DESC, id DESC"


def best_by_words(rows: QuerySet[Row], query: TextQuery | None, *, limit: int) -> list[int]:
    """Return the ids of the *rows* that the words find, best first, the newest first of equals."""
    if query is None:
        return []
    parsed = query.to_tsquery()
    selection = parsed.selection(rows.model, limit)
    found = _best(rows, parsed, limit, selection)
    if selection is not None and len(found) < limit:
        # The filters of *rows* have left too few of the selection.
        found = _best(rows, parsed, limit, None)
    return found


def _best(
    rows: QuerySet[Row], query: TsQuery, limit: int, selection: Selection | None
) -> list[int]:
    words = word_search_sql(rows.model, query, limit=limit, within=rows, selection=selection)
    with connection.cursor() as cursor:
        cursor.execute(_BEST_FIRST.format(words=words.text), words.params)
        return [pk for (pk,) in cursor]
