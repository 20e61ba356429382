"""Puts a question about a person into that person's mouth. Pure."""

import re
from collections.abc import Collection, Iterable

from memoryapp.language.vocabularies import VOCABULARIES


def in_first_person(question: str, forms: Collection[str], languages: Iterable[str]) -> str:
    """*question* as the person would ask it whom it names in one of these *forms*, by the rules of
    the first of *languages* that has one for it; else unchanged.
    """
    longest_first = sorted(forms, key=len, reverse=True)
    name = rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})"
    for language in languages:
        changed = question
        known = VOCABULARIES.get(language)
        for pattern, replacement in known.questions.rephrasing if known else ():
            # The name is a whole word, unless the pattern goes on with what is joined to it.
            whole = rf"{pattern}(?!\w)" if pattern.endswith("NAME") else pattern
            changed = re.sub(whole.replace("NAME", name), replacement, changed, flags=re.IGNORECASE)
        if changed != question:
            return changed
    return question
