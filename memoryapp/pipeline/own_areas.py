"""Checks names and words of the managers' own areas before they are stored. Raises `Rejected`."""

from collections.abc import Iterable

from conversations.sanitizer import sanitize
from instances.models import Instance
from instances.translatable import translatable
from memoryapp.language.shortening import one_line
from memoryapp.pipeline.candidates import Rejected
from memoryapp.pipeline.validation import admitted_text
from memoryapp.policy.sensitivity.own_areas import is_recognisable
from memoryapp.suppression.own_areas import MAX_CHARACTERS, MAX_WORDS


def area_name(instance: Instance, text: str) -> str:
    """Return *text* as the name of an area."""
    name = _without_secrets(instance, text)
    if not name:
        raise Rejected(translatable("Enter a text."))
    return name


def area_words(instance: Instance, given: Iterable[str]) -> list[str]:
    """Return the words and phrases that are *given*, each once."""
    lines = (_without_secrets(instance, text) for text in given)
    words = list(dict.fromkeys(filter(None, lines)))
    if len(words) > MAX_WORDS:
        raise Rejected(translatable("At most %(most)s words and phrases.", most=MAX_WORDS))
    for word in words:
        if len(word) > MAX_CHARACTERS:
            raise Rejected(
                translatable(
                    "“%(word)s…” is longer than %(most)s characters.",
                    word=word[:20],
                    most=MAX_CHARACTERS,
                )
            )
    if not words or not all(map(is_recognisable, words)):
        raise Rejected(translatable("Enter at least one letter or digit."))
    return words


def _without_secrets(instance: Instance, text: str) -> str:
    """*text* in one line; raises `Rejected` if the instance stores none like it."""
    plain = one_line(sanitize(text))
    if admitted_text(instance, plain) != plain:
        raise Rejected(
            translatable("This looks like a secret or an identifier, which may not be stored here.")
        )
    return plain
