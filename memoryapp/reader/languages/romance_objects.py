"""Objects: what somebody does to the person who speaks, in the Romance languages: "me robaron".
Pure.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_VOWELS = "aeiouyhàâéèêëîïôûœ"


@dataclass(frozen=True)
class Objects:
    """The words of a language."""

    #: "Me" and "us" before a verb.
    pronouns: frozenset[str]
    #: Verbs before a participle, and those before an infinitive.
    auxiliaries: frozenset[str]
    modals: frozenset[str]
    #: What may stand within the verbs: "pas", "già".
    adverbs: frozenset[str]
    #: What is no verb of a third person: a verb of the second, or another pronoun.
    refused: re.Pattern[str]
    #: Who does something to a person: a program that "gives me an error" does not.
    people: re.Pattern[str]
    #: Begins what has people as its subject who are not named, or none: "robaron", "da miedo".
    unnamed: re.Pattern[str]
    #: Begins what somebody gives or tells the person; verbs that always do something "to" somebody,
    #: and that never do.
    given: re.Pattern[str]
    dative: re.Pattern[str]
    direct: re.Pattern[str]
    #: The person to whom something is done, and as the object of a verb.
    to_user: str
    user: str
    #: A verb, in a group of that name, and the ending with which it agrees with an object before.
    agreeing: re.Pattern[str]
    #: The ending that it has otherwise.
    unchanged: str
    #: How a verb says that it is done to the person, beside their name and where they are named.
    repeats: str
    named: tuple[str, str]
    #: Stands before "me" where something happens to the person: "se me murió".
    itself: str
    #: Words before the person; the one that "with me" has within.
    prepositions: frozenset[str]
    together: str

    def told(
        self,
        tokens: Sequence[str],
        at: int,
        *,
        begins: bool,
        is_named: bool,
        happens: bool,
        name: str,
    ) -> tuple[str, int] | None:
        """The words for those of *tokens* from the pronoun at *at* to the last verb, and where that
        ends; *begins* if no subject stands before, *happens* if what happens does. None if it is
        not sure.
        """
        place = next_word(tokens, at + 1)
        if place >= len(tokens) or not tokens[place].islower() or name:
            return None
        verbs, end = self._verbs(tokens, place)
        if self.refused.search(verbs[0]):
            return None
        given = next_word(tokens, end)
        while given < len(tokens) and tokens[given] in self.adverbs:
            given = next_word(tokens, given + 1)
        following, told = "".join(tokens[end:]).lstrip(), " ".join(verbs)
        is_unnamed = happens or self.unnamed.search(f"{told} {following}")
        if begins and not is_named and not is_unnamed:
            return None
        is_given = not self.direct.search(told) and bool(
            self.given.match("".join(tokens[given:])) or self.dative.search(told)
        )
        if self.repeats:
            told = f"{self.repeats} {told}"
        elif not is_named:
            # "Mi hanno promossa": it agrees with an object before the verb only.
            told = self.agreeing.sub(rf"\g<verb>{self.unchanged}", told)
        if happens:
            told = f"{self.itself} {told}"
        if is_named:
            if self.repeats:
                return told, end
            indirect, direct = self.named
            return (f"{indirect} {told}" if is_given else _joined(direct, told)), end
        if begins and (is_given or self.repeats):
            return f"{self.to_user} {told}", end
        return f"{told} {self.to_user if is_given or self.repeats else self.user}", end

    def _verbs(self, tokens: Sequence[str], place: int) -> tuple[list[str], int]:
        """The verbs that begin at *place*, with the adverbs between them, and where they end."""
        verbs, end = [tokens[place]], place + 1
        for follows in self._followers(tokens[place]):
            after, between = next_word(tokens, end), list[str]()
            while after < len(tokens) and tokens[after] in self.adverbs:
                between.append(tokens[after])
                after = next_word(tokens, after + 1)
            if after < len(tokens) and follows.fullmatch(tokens[after]):
                verbs += [*between, tokens[after]]
                end = after + 1
        return verbs, end

    def _followers(self, verb: str) -> Iterator[re.Pattern[str]]:
        if verb in self.auxiliaries:
            yield _PARTICIPLE
        if verb in self.modals:
            yield _INFINITIVE


_PARTICIPLE = re.compile(r"[^\W\d_]{2,20}")
_INFINITIVE = re.compile(r"[^\W\d_]{1,20}(?:[aei]r|[aei]re|oir|(?:tt|[ln]d|rd|aît|v|mp|nc)re)")


def is_infinitive(word: str) -> bool:
    """True if *word* looks like one."""
    return bool(_INFINITIVE.fullmatch(word))


def _joined(pronoun: str, told: str) -> str:
    if pronoun[-1] in "aeo" and told[0] in _VOWELS:
        return f"{pronoun[:-1]}'{told}"
    return f"{pronoun} {told}"


def next_word(tokens: Sequence[str], at: int) -> int:
    """The place of the first of *tokens* from *at* on that is no space."""
    while at < len(tokens) and tokens[at].isspace():
        at += 1
    return at
