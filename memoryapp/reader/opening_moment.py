"""The moment at the beginning of a sentence, before its subject: "last week my father …". Pure."""

from functools import lru_cache

from memoryapp.language.time_words import TimeWords

#: Words of the longest one: "on the evening of the day before yesterday".
_MAX_WORDS = 9


def without_moment(text: str, words: TimeWords) -> str:
    """*text* without the moment that it begins with."""
    naming, ending, known = _time_words(words)
    end, is_named = 0, False
    for number, found in enumerate(words.word.finditer(text)):
        word = found[0].lower().replace("’", "'")
        is_number = word[0].isdigit()
        if number >= _MAX_WORDS or not (is_number or word in known):
            break
        is_named = is_named or word in naming
        # A preposition at the end belongs to what follows: "il mese scorso a mio padre".
        if is_named and (is_number or word in ending):
            end = found.end()
    return text[end:].lstrip(" .,:–-") if end else text


@lru_cache
def _time_words(words: TimeWords) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words that name a moment, those with which one may end, and all that one may have."""
    days = [words.word.findall(day) for day in words.days]
    phrases = (*words.ago_before, *words.ahead_before, *words.vague, words.date_links)
    naming = {day[-1] for day in days}.union(
        words.units, words.seasons, words.weekdays, words.months, words.abbreviations
    )
    # "Jeudi en huit": what stands between is known as a preposition.
    closing = (*words.ago_after, *(phrase.split()[-1] for phrase in words.weeks_on))
    ending = {word for phrase in closing for word in words.word.findall(phrase)}.union(
        naming, words.last, words.last_of_several, words.this, words.next
    )
    known = {word for phrase in phrases for word in words.word.findall(phrase)}.union(
        (word for day in days for word in day[:-1]),
        ending, words.numbers, words.habits, words.kept, words.dropped, words.before_hour,
        words.after_hour,
    )  # fmt: skip
    return frozenset(naming), frozenset(ending), frozenset(known)
