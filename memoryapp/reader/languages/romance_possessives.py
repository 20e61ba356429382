"""The noun behind a possessive, with its adjectives, in the Romance languages. Pure."""

from collections.abc import Sequence

from memoryapp.language.words import is_function_word
from memoryapp.policy.word_lists import KIN
from memoryapp.reader.languages.romance_grammar import Grammar
from memoryapp.reader.languages.romance_objects import next_word

#: Words from the possessive to its noun.
_MAX_WORDS = 6


def what_is_owned(
    tokens: Sequence[str], at: int, grammar: Grammar
) -> tuple[list[str], str, int] | None:
    """Return the words behind the possessive at *at* that belong to its noun, the noun, and the
    place of the last of the words; None if no noun follows.
    """
    end, nouns = at, list[str]()
    noun = ""
    while len(nouns) < _MAX_WORDS:
        end = next_word(tokens, end + 1)
        if end >= len(tokens) or not tokens[end][0].isalpha():
            break
        nouns.append(tokens[end])
        if tokens[end].lower() not in grammar.adjectives or _is_before_verb(tokens, end, grammar):
            noun = tokens[end]
            break
    if not noun:
        return None
    after = next_word(tokens, end + 1)
    while after < len(tokens) and tokens[after].lower() in grammar.adjectives:
        nouns.append(tokens[after])
        end, after = after, next_word(tokens, after + 1)
    if _is_described(tokens, after, noun.lower(), grammar):
        nouns.append(tokens[after])
        end = after
    if noun.lower() not in KIN:
        kind = _kind(tokens, end, grammar)
        nouns += kind
        # A space stands before each of them.
        end += 2 * len(kind)
    return nouns, noun, end


def _is_before_verb(tokens: Sequence[str], at: int, grammar: Grammar) -> bool:
    """True if a verb follows the word at *at*, which is a noun then: "mi ex vive"."""
    following = "".join(tokens[next_word(tokens, at + 1) :][:1])
    return grammar.agrees(tokens[at].lower(), following) or following in grammar.no


def _is_described(tokens: Sequence[str], at: int, noun: str, grammar: Grammar) -> bool:
    """True if the word at *at* tells more of the *noun*: "mi cuñada polaca vive"."""
    near, agrees = tokens[at : at + 3], grammar.agrees
    if len(near) < 3 or not (near[0].isalpha() and near[0].islower()):
        return False
    is_little = is_function_word(near[0]) or near[0] in grammar.adverbs
    is_other = is_little or agrees(noun, near[0])
    return not is_other and agrees(noun, near[2])


def _kind(tokens: Sequence[str], end: int, grammar: Grammar) -> list[str]:
    """The words behind a noun that ends at *end* that tell what kind of thing it is: "chiavi di
    scorta", "machine à laver".
    """
    link = next_word(tokens, end + 1)
    kind = next_word(tokens, link + 1)
    if kind >= len(tokens) or tokens[link].lower() not in (grammar.of, "à"):
        return []
    word = tokens[kind]
    if not word.islower() or word in grammar.owners or is_function_word(word):
        return []
    return [tokens[link], word]
