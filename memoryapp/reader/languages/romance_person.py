"""Italian, Spanish, French: from what a person says of themselves to a sentence about them. Pure.

The verb tells the person, so that the subject may be missing: it is put before the first verb in
the first person, with the pronouns and the negation that belong to the verb.
"""

import re
from collections.abc import Callable

from memoryapp.policy.word_lists import KIN
from memoryapp.reader.languages.appositions import set_off_name
from memoryapp.reader.languages.language import Narrated
from memoryapp.reader.languages.romance_grammar import Grammar
from memoryapp.reader.languages.romance_objects import is_infinitive, next_word
from memoryapp.reader.languages.romance_possessives import what_is_owned

#: An elided word is one of its own: "j'", "l'". Words with a hyphen are one.
TOKEN = re.compile(r"[^\W\d_]{1,7}'(?=\w)|[^\W_]+(?:-[^\W\d_]+)*|\s+|[^\w\s]|_")
_VOWELS = "aeiouyhàâéèêëîïôûœ"


def narrator(grammar: Grammar, feminine: Grammar) -> Callable[[str, Narrated], str | None]:
    """The function that tells sentences by *grammar*, and those about a woman by *feminine*."""

    def narrate(text: str, person: Narrated) -> str | None:
        return _Narration(feminine if person.is_feminine else grammar, text, person).told()

    return narrate


class _Narration:
    """Goes through a sentence once."""

    def __init__(self, grammar: Grammar, text: str, person: Narrated) -> None:
        self.grammar, self.person = grammar, person
        self.tokens = TOKEN.findall(text)
        self.parts: list[str] = []
        self.named = self.is_subject = self.is_pleased = False
        #: True if others are subjects with the person, and if they are named: "con mia moglie".
        self.together = self.in_company = False
        #: True if what follows is said of several.
        self.of_several = False
        self.sure = True
        #: Behind which of the parts the last verb of the person stands.
        self.told_at: int | None = None

    def told(self) -> str | None:
        at = 0
        while self.sure and at < len(self.tokens):
            at = self._step(at)
        text = "".join(self.parts)
        return text if self.sure and self.named and not self._has_first_person(text) else None

    def _has_first_person(self, text: str) -> bool:
        """True if *text* has a verb of the person that was not told."""
        first, *others = TOKEN.findall(text)
        # A name may be spelled like a verb: "mi hijo Leo".
        said = [first, *(word for word in others if not word[0].isupper())]
        return not self.grammar.needs_pronoun and any(
            word in self.grammar.unmistakable or self.grammar.is_of_we(word)
            for word in map(str.lower, said)
        )

    def _company(self, at: int) -> int:
        """Tell of the person and those with whom they do what the verb of "we" behind these says:
        "con mia moglie andiamo" is "l'utente e sua moglie vanno". The place behind it; 0 if the
        tokens from *at* on say nothing of the kind.
        """
        found = self.grammar.company.match("".join(self.tokens[at:]))
        if found is None:
            return 0
        verb = at + len(TOKEN.findall(found[0]))
        told = len(self.parts)
        self.parts += [self._name(), f" {self.grammar.joined_by} "]
        self.in_company = self.named = True
        place, end = self._next(at + 1), at + len(TOKEN.findall(found[0][: found.end("who")]))
        while place < end:
            place = self._step(place)
        self.parts.append(" ")
        if self.sure and (end := self._verb_group(verb)) and self.together:
            return end
        del self.parts[told:]
        self.in_company = self.named = self.is_subject = False
        self.sure, self.told_at = True, None
        return 0

    def _step(self, at: int) -> int:
        word = self.tokens[at].lower()
        grammar = self.grammar
        if not self.named and (end := self._company(at)):
            return end
        if self._is_stressed(at, word):
            return self._stressed(at, word)
        if word in grammar.pronouns or word in grammar.we or word in grammar.before_verb:
            end = self._verb_group(at)
            if end:
                return end
        if word in grammar.pronouns and word not in grammar.others:
            self.sure = False
            return at + 1
        if word in grammar.objects.pronouns:
            return self._object(at)
        if word in grammar.owners:
            return self._possessive(at, word)
        if self._is_verb(at):
            return self._verb(at, [])
        if (self.is_subject or self.is_pleased) and (attached := grammar.attached.search(word)):
            self.parts.append(self.tokens[at][: attached.start(1)] + grammar.itself)
            return at + 1
        if self.of_several and word in grammar.objects.prepositions | {grammar.of, grammar.to}:
            # "Siamo di Bari"; but "siamo in due" counts more than the person.
            self.of_several = False
            self.sure = not any(one.isdigit() for one in self.tokens[at + 1 : at + 3])
        if self.of_several and word[0].isalnum() and word not in grammar.adverbs:
            return self._one(at)
        self.parts.append(self.tokens[at])
        return at + 1

    def _is_stressed(self, at: int, word: str) -> bool:
        """True if *word*, which stands at *at*, is the person behind a preposition."""
        grammar = self.grammar
        if word in grammar.with_me:
            return True
        if word not in grammar.stressed or self._before(at) not in grammar.objects.prepositions:
            return False
        # "Pour nous marier": the object of a verb.
        return not self._is_before_infinitive(at)

    def _is_before_infinitive(self, at: int) -> bool:
        following = self._next(at + 1)
        return following < len(self.tokens) and is_infinitive(self.tokens[following])

    def _stressed(self, at: int, word: str) -> int:
        """Tell of the person behind a preposition: "con nosotros", "chez moi"."""
        grammar = self.grammar
        if word in grammar.with_me:
            self.parts += [grammar.objects.together, " "]
        told = (self.is_subject and grammar.himself) or self._name()
        article, apostrophe, noun = told.partition("'")
        if not apostrophe:
            article, _, noun = told.partition(" ")
        if joined := grammar.contracted.get(f"{self._last_word()} {article}{apostrophe}"):
            del self.parts[-2:]
            told = f"{joined}{'' if apostrophe else ' '}{noun}"
        self.parts.append(told)
        self.named = True
        return at + 1

    def _one(self, at: int) -> int:
        """Tell in the singular what is said of several."""
        self.of_several = False
        told = self.grammar.singular(self.tokens[at].lower())
        self.sure = told is not None and not self.tokens[at].isdigit()
        is_same = told == self.tokens[at].lower()
        self.parts.append(self.tokens[at] if is_same else told or "")
        return at + 1

    def _object(self, at: int) -> int:
        """Tell what somebody does to the person, where the tokens from *at* on say it."""
        objects = self.grammar.objects
        if self.is_subject and self._is_before_infinitive(at):
            # "Nous voulons nous marier".
            reflexive = {**self.grammar.reflexive, **self.grammar.we_reflexive}
            pronoun, following = reflexive[self.tokens[at].lower()], self._next(at + 1)
            if pronoun in self.grammar.elided and self.tokens[following][0] in _VOWELS:
                self.parts.append(f"{pronoun[:-1]}'")
                return following
            self.parts.append(pronoun)
            return at + 1
        before = [one for one in self._clause_before(at) if not one.isdigit()]
        clause = [one for one in before if one != objects.itself]
        begins = self.grammar.adverbs.union(self.grammar.no, objects.adverbs).issuperset(clause)
        told = objects.told(
            self.tokens,
            at,
            begins=begins,
            is_named=self.named,
            happens=clause != before,
            name=self.person.name,
        )
        if told is None or not (begins or self.named or objects.people.search(" ".join(clause))):
            self.sure = False
            return at + 1
        text, end = told
        if clause != before:
            del self.parts[-2:]
        if begins and self._last_word() in self.grammar.no and text.startswith(objects.to_user):
            # "A la usuaria no le …": the denial stands by its verb.
            text = f"{objects.to_user} {self._last_word()}{text[len(objects.to_user) :]}"
            del self.parts[-2:]
        if self._last_word() == "ne" and text[0] in _VOWELS:
            self.parts[-2:] = ["n'"]
        self.parts.append(text[0].upper() + text[1:] if not "".join(self.parts).strip() else text)
        self.named = True
        return end

    def _next(self, at: int) -> int:
        return next_word(self.tokens, at)

    def _before(self, at: int) -> str:
        at -= 1
        while at >= 0 and self.tokens[at].isspace():
            at -= 1
        return self.tokens[at].lower() if at >= 0 else ""

    def _is_verb(self, at: int) -> bool:
        """True if the word here is a verb in the first person, and no noun."""
        word, grammar = self.tokens[at].lower(), self.grammar
        if grammar.needs_pronoun:
            return self._is_coordinated(word)
        before = self._before(at)
        if self.tokens[at][0].isupper() and (before == "," or self._clause_before(at)):
            return False  # A name: "mi hijo Leo", "los niños, Leo y Ana".
        # "Faccio nuoto": behind a verb, it is a noun.
        is_behind_verb = grammar.third(before) is not None and before not in grammar.adverbs
        if grammar.third(word) is None or before in grammar.determiners or is_behind_verb:
            return False
        if word in grammar.unmistakable:
            return True
        if self.is_subject and word not in grammar.homographs:
            return True
        if grammar.third(word) == word and any(part.strip(" ,;:") for part in self.parts[:1]):
            # It may be the verb of another subject: "mi padre tiene un taller y trabajaba aquí".
            told = TOKEN.findall("".join(self.parts).lower())
            return all(one in grammar.adverbs or not one[0].isalpha() for one in told)
        return grammar.is_of_we(word) or all(
            one in grammar.adverbs | grammar.before_verb or one.isdigit()
            for one in self._clause_before(at)
        )

    def _is_coordinated(self, word: str) -> bool:
        """True if the verb follows another of the same subject, without a pronoun."""
        is_own = self.is_subject and self._last_word() in self.grammar.links
        return is_own and word in self.grammar.coordinated

    def _clause_before(self, at: int) -> list[str]:
        """The words of the clause before this place."""
        words: list[str] = []
        for before in reversed(self.tokens[:at]):
            if before in ",;:" or before.lower() in self.grammar.conjunctions:
                break
            if before[0].isalnum():
                words.append(before.lower())
        return words

    def _verb_group(self, at: int) -> int:
        """Tell a verb with the pronouns and negations before it; 0 if no such verb follows."""
        grammar = self.grammar
        place, group, has_pronoun = self._before_verb(at)
        if place >= len(self.tokens):
            return 0
        verb = self.tokens[place].lower()
        whom = grammar.reflexive.keys() | grammar.we_reflexive.keys()
        if verb in grammar.pleasing and not whom.isdisjoint(group):
            return self._pleased(place, group)
        of_we = grammar.is_of_we(verb)
        others = (grammar.reflexive if of_we else grammar.we_reflexive).keys()
        if grammar.third(verb) is None or any(one in others - grammar.there for one in group):
            return 0
        first = self.tokens[at].lower()
        if not of_we and first in grammar.we:
            return 0
        if first in grammar.others and not grammar.objects.pronouns.isdisjoint(group):
            return 0
        if has_pronoun and self._continues() and self._last_word() not in grammar.links:
            # Said in one breath: a sentence has one subject.
            self.sure = False
        if self.in_company and (of_we or first in grammar.others):
            self.together = True
        elif has_pronoun:
            # The pronoun is singular: the verb has a further subject before it.
            self.together = of_we and not any(
                one.lower() in grammar.we for one in self.tokens[at:place]
            )
            if self.together and (self.is_subject or self._last_word() not in grammar.links):
                self.sure = False
        is_own = has_pronoun or (
            self._is_coordinated(verb)
            if grammar.needs_pronoun
            else any(one in grammar.reflexive or one in grammar.we_reflexive for one in group)
            or (grammar.third(verb) != verb and not grammar.no.isdisjoint(group))
            or self._is_verb(place)
        )
        return self._verb(place, group, is_of_several=first in grammar.others) if is_own else 0

    def _before_verb(self, at: int) -> tuple[int, list[str], bool]:
        """Return the place behind the subject pronouns and the small words before a verb, the small
        words, and whether there are pronouns.
        """
        grammar, group, place = self.grammar, list[str](), at
        has_pronoun = False
        while place < len(self.tokens):
            word = self.tokens[place].lower()
            if word in grammar.pronouns or (word in grammar.we and not has_pronoun):
                has_pronoun = True
            elif word in grammar.before_verb:
                group.append(word)
            else:
                break
            place = self._next(place + 1)
        return place, group, has_pronoun

    def _pleased(self, at: int, group: list[str]) -> int:
        no = next((f"{one} " for one in group if one in self.grammar.no), "")
        begins = not "".join(self.parts).strip()
        whom = f"{self.grammar.to} {self.person.name}" if self.person.name else ""
        text = self.grammar.pleased.format(no=no, verb=self.tokens[at].lower())
        if whom:
            text = text.replace(self.grammar.pleased.partition(" {no}")[0], whom)
        self.parts.append(text[0].upper() + text[1:] if begins else text)
        self.named = self.is_pleased = True
        return at + 1

    def _verb(self, at: int, group: list[str], *, is_of_several: bool = False) -> int:
        grammar = self.grammar
        verb = self.tokens[at].lower()
        of_we = grammar.is_of_we(verb)
        reflexive = grammar.we_reflexive if of_we else grammar.reflexive
        third = grammar.third(verb) or ""
        if self.person.is_past and verb in grammar.past:
            third = grammar.past[verb][self.together]
        elif self.together:
            third = grammar.plural(verb) or third
        is_of_several = is_of_several or of_we
        self.of_several = is_of_several and not self.together and third in grammar.being
        told = [reflexive.get(one, one) for one in group] + [third]
        text = ""
        for one, following in zip(told, [*told[1:], ""], strict=True):
            if one.endswith("'") and following and following[0] not in _VOWELS:
                one = {"n'": "ne", "s'": "se", "m'": "me"}.get(one, one)
            elif one in grammar.elided and following[:1] in tuple(_VOWELS):
                one = one[0] + "'"
            text += one if one.endswith("'") or not following else f"{one} "
        is_first = self.in_company and not self.is_subject
        if is_first or self._is_joined() or self._continues() or self._goes_on():
            if self._last_word() == "e" and "ed" in grammar.links and text[0] in "eè":
                self.parts[-2:] = ["ed", " "]
        else:
            if self._last_word() == "ed":
                self.parts[-2:] = ["e", " "]
            text = f"{self._subject()} {text}".lstrip()
        self.parts.append(text)
        self.told_at = len(self.parts)
        self.named = self.is_subject = True
        return at + 1

    def _subject(self) -> str:
        """The person, or what stands for them where the clause before is theirs."""
        if not self._is_only_subject():
            return self._name()
        again = self.grammar.again[self.together]
        if again and self._last_word().endswith("que"):
            self.parts[-2:] = [f"{self.parts[-2][:-1]}'"]
        return again

    def _is_only_subject(self) -> bool:
        """True if nobody else who may be the next subject was named since their last verb."""
        if self.told_at is None or (self.grammar.again[0] and self.person.name):
            return False
        since = TOKEN.findall("".join(self.parts[self.told_at :]))
        return not any(
            word.lower() in KIN or self.grammar.agrees(self.grammar.user, word) for word in since
        )

    def _is_joined(self) -> bool:
        """True if a link to a verb of the person stands before, and adverbs: "pero siempre"."""
        words = "".join(self.parts).lower().split()
        while words and words[-1] in self.grammar.adverbs - self.grammar.conjunctions:
            words.pop()
        return self.is_subject and bool(words) and words[-1] in self.grammar.links

    def _continues(self) -> bool:
        """True if the person is the subject of this clause already."""
        return self.is_subject and not self._marks()

    def _goes_on(self) -> bool:
        """True if a comma ends a clause of the person, and nothing else stands between, so that the
        verb needs no subject.
        """
        if self.grammar.needs_pronoun or self.told_at is None:
            return False
        return self._marks() == [","] and "".join(self.parts).rstrip().endswith(",")

    def _marks(self) -> list[str]:
        """Marks that end a clause, since the last verb of the person."""
        since = TOKEN.findall("".join(self.parts[self.told_at :]).lower())
        return [word for word in since if word in ",;:" or word in self.grammar.conjunctions]

    def _last_word(self) -> str:
        words = "".join(self.parts).split()
        return words[-1].lower() if words else ""

    def _name(self) -> str:
        if self.person.name:
            return self.person.name
        user = self.grammar.user
        begins = not "".join(self.parts).strip()
        return user if begins else user[0].lower() + user[1:]

    def _possessive(self, at: int, word: str) -> int:
        grammar = self.grammar
        if not self.person.name and (self.named or self._is_before_own_verb(at)):
            following = self._next(at + 1)
            self.parts.append(grammar.own(word, "".join(self.tokens[following : following + 1])))
            return at + 1
        owned = what_is_owned(self.tokens, at, grammar)
        if owned is None:
            self.sure = False
            return at + 1
        nouns, noun, end = owned
        nouns = [each.lower() if each.lower() in KIN else each for each in nouns]
        article = grammar.article(word, nouns[0], noun)
        if self._last_word() in grammar.articles:
            article = self._instead(article)
        begins = not "".join(self.parts).strip()
        if article and (joined := grammar.contracted.get(f"{self._last_word()} {article}")):
            del self.parts[-2:]
            article = joined
        phrase = article + ("" if article.endswith("'") or not article else " ") + " ".join(nouns)
        self.parts.append(phrase[0].upper() + phrase[1:] if begins else phrase)
        self.named = True
        if self.person.name:
            self.parts.append(f" {grammar.of} {self.person.name}")
            return end + 1
        name, after = set_off_name(self.tokens, end, grammar.kin)
        self.parts.append(f" {grammar.of_user}{name}")
        return after

    def _is_before_own_verb(self, at: int) -> bool:
        """True if the possessive at *at*, behind a preposition that begins a clause, stands before
        a verb of the person: "con mi hijo hablo".
        """
        grammar, before = self.grammar, self._clause_before(at)
        if not before or not (grammar.objects.prepositions | grammar.articles).issuperset(before):
            return False
        subjects = grammar.pronouns | grammar.unmistakable
        for word in map(str.lower, self.tokens[at:]):
            if word in ",;:" or word in grammar.conjunctions:
                return False
            if word in subjects or grammar.is_of_we(word):
                return True
        return False

    def _instead(self, article: str) -> str:
        """The *article* in place of the one before, which the possessive kept from its noun: "il
        mio amico" is "l'amico". Empty where that one stays.
        """
        before = self._last_word()
        for separate, joined in self.grammar.contracted.items():
            preposition, plain = separate.split()
            if before in (joined, plain):
                del self.parts[-2:]
                whole = self.grammar.contracted[f"{preposition} {article}"]
                return whole if before == joined else article
        return ""
