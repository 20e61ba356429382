"""Names behind a word for a relative, where "my" becomes "of the user". Pure."""

from collections.abc import Container, Sequence

from memoryapp.policy.word_lists import KIN

#: Tokens of an age in brackets, with the space before it: " (8 Jahre)".
_MAX_AGE = 6


def set_off_name(tokens: Sequence[str], noun: int, kin: Container[str] = ()) -> tuple[str, int]:
    """Return the name that follows the relative at *noun*, maybe one of *kin*, between commas, and
    where it ends: "mein Bruder Tom" is "der Bruder des Nutzers, Tom," since "des Nutzers Tom" would
    be the user's own name. Without a name, an empty string and the position after *noun*.
    """
    end = noun + 1
    if tokens[noun].lower() not in KIN and tokens[noun].lower() not in kin:
        return "", end
    while end + 1 < len(tokens) and tokens[end].isspace() and tokens[end + 1][0].isupper():
        end += 2
    if end == noun + 1:
        return "", end
    if tokens[end : end + 2] == [" ", "("] and ")" in tokens[end : end + _MAX_AGE]:
        # "Emilia (8)".
        end = tokens.index(")", end) + 1
    name = "".join(tokens[noun + 1 : end]).strip()
    goes_on = end < len(tokens) and tokens[end].isspace()
    return f", {name}" + ("," if goes_on else ""), end
