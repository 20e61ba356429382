"""The functions in the database for full-text search, and the pieces of SQL that go with them.

PostgreSQL's parser takes a whole sentence of Chinese for one word. So each run of characters of
scripts without spaces becomes its overlapping pairs, and its last character by itself: 我喜欢茶 is
searched as 我喜, 喜欢, 欢茶 and 茶. A question has the same pairs, and a single character finds the
pairs that begin with it. Pairs are what search engines use where there is no dictionary (Lucene's
CJK analyzer); they also find Korean words whatever their particles.
"""

from conversations.scripts import HAN_COMPATIBILITY, HANGUL, UNSPACED

#: Stands in a text where PostgreSQL's parser is to stop; from Unicode's private use area.
PARSER_BREAK = "\ue002"
#: Characters of a text that can be searched. A tsvector holds at most 1 MB.
MAX_SEARCHABLE_CHARACTERS = 100_000
#: Signs that PostgreSQL's parser may take for letters, depending on the database's locale: "move”"
#: must be the word "move", and "Mara’s" the same as "Mara's". Models write such signs all the time.
#: Those that NFKC would join to the word before them are among the breaks.
APOSTROPHES = "’‘‛"
QUOTES = "“”„‟«»"
BREAKS = QUOTES + "‹›…–—―•·¡¿、。，．！？；：（）「」『』【】《》〈〉・～؟،؛۔।™℠⁰¹²³⁴⁵⁶⁷⁸⁹"
#: What NFKC makes of a hyphen that breaks no line, which models write in compounds: "e‑bike".
HYPHEN = "‐"
RUN_CHARACTERS = UNSPACED + HAN_COMPATIBILITY + HANGUL
#: Characters of a text with such scripts that can be searched: each makes a word of its own, and a
#: tsvector holds at most 1 MB.
MAX_UNSPACED_CHARACTERS = 40_000
#: Such characters of a question that are searched for.
MAX_UNSPACED_ASKED = 300
#: Separates characters for marking; PostgreSQL's parser takes it for no letter in any locale.
CHARACTER_BREAK = "\x1f"
_ONE = f"[{RUN_CHARACTERS}]"

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

#: Doubles each character, drops the first of each run, and puts a space after each two.
CREATE_BIGRAMS_FUNCTION = f"""
CREATE FUNCTION keepsake_bigrams(content text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    CASE WHEN content ~ '{_ONE}' THEN
        regexp_replace(
            regexp_replace(
                regexp_replace(left(content, {MAX_UNSPACED_CHARACTERS}), '({_ONE})', '\\1\\1', 'g'),
                '(?<!{_ONE}){_ONE}', ' ', 'g'
            ),
            '({_ONE}{{1,2}})', '\\1 ', 'g'
        )
    ELSE content END;
"""
DROP_BIGRAMS_FUNCTION = "DROP FUNCTION keepsake_bigrams(text);"

#: The same for a question: the last character of a run is left out, because the text may go on.
CREATE_ASKED_BIGRAMS_FUNCTION = f"""
CREATE FUNCTION keepsake_asked_bigrams(question text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    regexp_replace(keepsake_bigrams(question), '({_ONE}{{2}} ){_ONE}(?!{_ONE})', '\\1', 'g');
"""
DROP_ASKED_BIGRAMS_FUNCTION = "DROP FUNCTION keepsake_asked_bigrams(text);"

#: A text whose characters can be marked one by one, and the query that marks them.
CREATE_CHARACTERS_FUNCTION = f"""
CREATE FUNCTION keepsake_characters(content text)
RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    regexp_replace(content, '({_ONE})', '\\1{CHARACTER_BREAK}', 'g');
"""
DROP_CHARACTERS_FUNCTION = "DROP FUNCTION keepsake_characters(text);"

#: PostgreSQL calls a cast from text to regconfig "stable", since a configuration can be redefined;
#: a generated column must be immutable, and the function declares it so. (A regconfig column would
#: not need it, but would block pg_upgrade.) Only the first characters of a long text can be
#: searched. Two regular expressions take a tenth of the time of one translate(), which looks each
#: character up in the whole list: it was half of the cost of a long message. NFKC makes ligatures,
#: full-width letters and half-width katakana the usual ones, and joins letters with their marks; it
#: may make a text longer.
CREATE_TSVECTOR_FUNCTION = f"""
CREATE FUNCTION keepsake_tsvector(instance_id bigint, language text, content text)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    to_tsvector(
        ('pg_catalog.' || language)::regconfig,
        keepsake_parsable(
            keepsake_bigrams(
                left(
                    replace(
                        normalize(
                            regexp_replace(
                                regexp_replace(
                                    left(content, {MAX_SEARCHABLE_CHARACTERS}),
                                    '[{APOSTROPHES}]', '''', 'g'
                                ),
                                '[{BREAKS}]', ' ', 'g'
                            ),
                            NFKC
                        ),
                        '{HYPHEN}', '-'
                    ),
                    {MAX_SEARCHABLE_CHARACTERS}
                )
            )
        )
    )
    || array_to_tsvector(ARRAY['keepsakeinstance' || instance_id]);
"""
DROP_TSVECTOR_FUNCTION = "DROP FUNCTION keepsake_tsvector(bigint, text, text);"

#: Turns single characters in the text form of a tsquery into prefixes. The braces take a query.
PREFIXES = f"regexp_replace(({{query}})::text, '''({_ONE})''(?::([A-D]+))?', '''\\1'':*\\2', 'g')"
#: Turns pairs into the phrases of their characters.
CHARACTERS = (
    f"regexp_replace(({{query}})::text, '''({_ONE})({_ONE})''', '(''\\1'' <-> ''\\2'')', 'g')"
)
#: Tells a single character apart, the last of a run.
IS_SINGLE = f"lexeme ~ '^{_ONE}$'"
