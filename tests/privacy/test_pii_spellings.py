"""Secrets in the spellings in which people write them, in all languages of the search."""

import pytest

from memoryapp.privacy.pii import DETECTORS, PIIKind, examine
from memoryapp.privacy.pii.masking import Masked
from tests.privacy.test_pii import SECRETS as PLAINLY

#: A sentence, its secret, and the kind of the secret.
SECRETS = [
    ("card 4111.1111.1111.1111 ok", "4111.1111.1111.1111", PIIKind.CARD),
    ("card 4111/1111/1111/1111 ok", "4111/1111/1111/1111", PIIKind.CARD),
    ("visa4111111111111111", "4111111111111111", PIIKind.CARD),
    ("4111&nbsp;1111&nbsp;1111&nbsp;1111", "4111&nbsp;1111&nbsp;1111&nbsp;1111", PIIKind.CARD),
    ("4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", PIIKind.CARD),
    ("My PIN is double four seven one.", "double four seven one", PIIKind.CODE),
    ("My PIN is four, seven, one, one.", "four, seven, one, one", PIIKind.CODE),
    ("**PIN:** 4711", "4711", PIIKind.CODE),
    ("The front door opens with 4-8-2-1-9", "4-8-2-1-9", PIIKind.CODE),
    ("Use 482913 to sign in", "482913", PIIKind.CODE),
    ("Gib 482913 ein, um dich anzumelden", "482913", PIIKind.CODE),
    ("PIN-koodini on 4711", "4711", PIIKind.CODE),
    ("my passwrod is hunter2", "hunter2", PIIKind.PASSWORD),
    ("my p@ssw0rd is hunter2", "hunter2", PIIKind.PASSWORD),
    ("my p\u0430ssword is hunter2", "hunter2", PIIKind.PASSWORD),
    ("my pass\xadword is hunter2", "hunter2", PIIKind.PASSWORD),
    ("my password is ｈｕｎｔｅｒ２", "ｈｕｎｔｅｒ２", PIIKind.PASSWORD),
    ("Password:\nhunter2", "hunter2", PIIKind.PASSWORD),
    ("login secret word: swordfish", "swordfish", PIIKind.PASSWORD),
    ("To get in, type Tr0ub4dor&3", "Tr0ub4dor&3", PIIKind.PASSWORD),
    ("for all sites I use Sunshine1987", "Sunshine1987", PIIKind.PASSWORD),
    ("My contrasen\u0303a es gato1234", "gato1234", PIIKind.PASSWORD),
    ("Salasana: kissa", "kissa", PIIKind.PASSWORD),
    ("密码是hunter2", "hunter2", PIIKind.PASSWORD),
    ("session: 9f8e7d6c5b4a39281706f1e2", "9f8e7d6c5b4a39281706f1e2", PIIKind.KEY),
    ("ana AT example DOT org", "ana AT example DOT org", PIIKind.EMAIL),
    ("It is 203 dot 0 dot 113 dot 77", "203 dot 0 dot 113 dot 77", PIIKind.IP),
    ("login?password%3Dhunter2", "hunter2", PIIKind.PASSWORD),
    ("my SSN is 536.22.1234", "536.22.1234", PIIKind.SSN),
]

KEPT = """\
The commit is 9fceb02d0ae598e95dc970b74767f19372d61af8.
The image is sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.
https://github.com/acme/rocket/blob/9fceb02d0ae598e95dc970b74767f19372d61af8/a.py
The user counts one, two, three and jumps.
The scores were 4 5 3 5 2 and 1.
It is 1.2.3.4.5 in the table of contents.
Use 500 grams to bake it.
The door opens with 300 guests waiting.
The user uses KeePass2 for all accounts.
The user uses OAuth2 to sign in.
The user logs in with ana92.
Type foo_bar(1) in the console.
Look at the dot com bubble.
Salasanani on pitkä.
Olen unohtanut salasanani jo 3 kertaa.
Мой пароль слишком длинный.
Şifremi unuttum.
Common passwords are refused.
Number 5158 0174 3248 3677 there.
La parola di oggi è COVID19.
The word p@ssw0rd is what everybody tries first.
Мама мыла раму 5 раз.
The user's name is Ana and she meets Ben at noon dot.
100% of 5%, and 20 % more.
AT&T and R&D; <b>bold</b> &copy; 2024.
""".splitlines()


@pytest.mark.parametrize(("sentence", "secret", "kind"), SECRETS)
def test_finds_a_secret_in_another_spelling(sentence: str, secret: str, kind: PIIKind) -> None:
    examined = examine(sentence)

    assert examined.text == sentence.replace(secret, kind.placeholder)
    assert examined.refusal == ""


@pytest.mark.parametrize("sentence", KEPT)
def test_keeps_what_looks_alike(sentence: str) -> None:
    assert (examine(sentence).text, examine(sentence).refusal) == (sentence, "")


@pytest.mark.parametrize("sentence", [sentence for sentence, _, _ in [*PLAINLY, *SECRETS]])
def test_no_hint_hides_a_secret(sentence: str) -> None:
    text = Masked(sentence, []).text

    for detector in DETECTORS:
        assert list(detector.found(text)) == list(detector.detect(text)), detector.kind
