"""Secrets in the disguises in which people write them, generated from a seed.

Each value is random, so that a rule is tested and not a string. A variant is found when a finding
of its kind covers the whole secret. The same disguises are put on numbers that are no secrets and
must be left alone.
"""

import base64
import hashlib
import random
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from mnemonic import Mnemonic
from stdnum import iban, luhn

#: Samples of each variant.
SAMPLES = 20

Writer = Callable[[random.Random], str]
Disguise = Callable[[str], str]


@dataclass(frozen=True)
class Variant:
    """A kind of secret in a disguise; without a kind, what looks like one and is none."""

    kind: str
    disguise: str
    value: Writer
    sentence: str
    disguised: Disguise

    def __str__(self) -> str:
        return f"{self.kind} {self.disguise}"

    def is_right(self, rng: random.Random) -> bool:
        """True if a sample is found as a whole and by its kind, or left alone if it is none."""
        from memoryapp.privacy.pii import examine

        before, after = self.sentence.split("{}")
        secret = self.disguised(self.value(rng))
        examined = examine(f"{before}{secret}{after}")
        if not self.kind:
            return not examined.findings and not examined.refusal
        end = len(before) + len(secret)
        return any(
            finding.kind == self.kind and finding.start <= len(before) and end <= finding.end
            for finding in examined.findings
        )


# -- Values


def card(rng: random.Random) -> str:
    prefix = rng.choice(["4", "51", "53", "55", "2720", "6011", "4"])
    digits = prefix + "".join(rng.choices(string.digits, k=15 - len(prefix)))
    return digits + luhn.calc_check_digit(digits)


def no_card(rng: random.Random) -> str:
    digits = card(rng)
    return digits[:-1] + str((int(digits[-1]) + rng.randint(1, 9)) % 10)


def ssn(rng: random.Random) -> str:
    return f"{rng.randint(100, 600)}-{rng.randint(10, 99)}-{rng.randint(1000, 9998)}"


def german_iban(rng: random.Random) -> str:
    number = "".join(rng.choices(string.digits, k=18))
    return f"DE{iban.calc_check_digits('DE00' + number)}{number}"


def phone(rng: random.Random) -> str:
    return f"{rng.randint(212, 989)}-555-{rng.randint(1000, 9999)}"


def email(rng: random.Random) -> str:
    host = rng.choice(["example", "post", "uni-mail"])
    return f"{word(rng)}.{word(rng)}@{host}.{rng.choice(['org', 'com', 'de', 'fr'])}"


def ip_address(rng: random.Random) -> str:
    return ".".join(str(rng.randint(11, 199)) for _ in range(4))


def word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(3))


def password(rng: random.Random) -> str:
    return f"{word(rng).capitalize()}{rng.randint(100, 9999)}{rng.choice(['', '!', '#', '&x'])}"


def pin(rng: random.Random) -> str:
    return "".join(rng.choices(string.digits, k=rng.choice([4, 5, 6])))


def code(rng: random.Random) -> str:
    return str(rng.randint(100_000, 999_999))


def hexadecimal(rng: random.Random, length: int = 40) -> str:
    return f"{rng.getrandbits(4 * length):0{length}x}"


def wallet_key(rng: random.Random) -> str:
    raw = b"\x80" + rng.randbytes(32) + b"\x01"
    raw += hashlib.sha256(hashlib.sha256(raw).digest()).digest()[:4]
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number, written = int.from_bytes(raw, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        written = alphabet[digit] + written
    return written


def phrase(rng: random.Random, language: str = "english") -> str:
    size = rng.choice([16, 20, 24, 28, 32])
    return Mnemonic(language).to_mnemonic(rng.randbytes(size))


# -- Disguises


def grouped(separator: str, size: int) -> Disguise:
    return lambda digits: separator.join(
        digits[start : start + size] for start in range(0, len(digits), size)
    )


def moved(to: int) -> Disguise:
    """Digits, and for full-width forms all of ASCII, at another place of Unicode."""
    return lambda text: "".join(
        chr(ord(each) - ord("0") + to) if each.isdigit() else each for each in text
    )


def in_words(language: str) -> Disguise:
    words = {
        "English": "zero one two three four five six seven eight nine",
        "German": "null eins zwei drei vier fünf sechs sieben acht neun",
        "Italian": "zero uno due tre quattro cinque sei sette otto nove",
        "Spanish": "cero uno dos tres cuatro cinco seis siete ocho nueve",
        "French": "zéro un deux trois quatre cinq six sept huit neuf",
    }[language].split()
    return lambda text: " ".join(words[int(each)] for each in text if each.isdigit())


def between(sign: str) -> Disguise:
    return lambda text: sign.join(text)


def in_base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def full_width(text: str) -> str:
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def as_entities(text: str) -> str:
    return "".join(each if each.isalpha() else f"&#{ord(each)};" for each in text)


def numbered(text: str) -> str:
    lines = (f"{number}. {each}" for number, each in enumerate(text.split(), start=1))
    return "\n".join(lines).removeprefix("1. ")


def replaced(old: str, new: str) -> Disguise:
    return lambda text: text.replace(old, new)


def digits_of(write: Writer) -> Writer:
    return lambda rng: "".join(each for each in write(rng) if each.isdigit())


LANGUAGES = ("English", "German", "Italian", "Spanish", "French")
FOURS = grouped(" ", 4)
OF_DIGITS: Mapping[str, Disguise] = {
    "as it is": str,
    "single digits": between(" "),
    "single digits, dashes": between("-"),
    "full-width": full_width,
    "Arabic digits": moved(0x0660),
    "keycap emoji": lambda text: "".join(
        f"{each}\ufe0f\u20e3" if each.isdigit() else each for each in text
    ),
    "zero-width spaces": between("\u200b"),
    **{f"in words, {language}": in_words(language) for language in LANGUAGES},
}
OF_CARDS: Mapping[str, Disguise] = {
    **OF_DIGITS,
    **{
        name: grouped(sign, 4)
        for name, sign in {
            "spaces": " ",
            "two spaces": "  ",
            "dots": ".",
            "slashes": "/",
            "underscores": "_",
            "dashes": "-",
            "dashes with spaces": " - ",
            "no-break spaces": "\xa0",
            "HTML spaces": "&nbsp;",
            "percent-encoded spaces": "%20",
        }.items()
    },
    "pairs": grouped(" ", 2),
    "halves": grouped(" ", 8),
    "HTML entities": as_entities,
    "Base64": in_base64,
}

OF_IBANS: Mapping[str, Disguise] = {
    "as it is": str,
    "lower case": str.lower,
    "spaces": FOURS,
    "dots": grouped(".", 4),
    "full-width": full_width,
}
OF_EMAILS: Mapping[str, Disguise] = {
    "as it is": str,
    "brackets": replaced("@", " (at) "),
    "AT and DOT": lambda text: text.replace("@", " AT ")[::-1].replace(".", " TOD ", 1)[::-1],
    "full-width": full_width,
    "HTML entity": replaced("@", "&#64;"),
    "percent-encoded": replaced("@", "%40"),
}

# -- Sentences

PASSWORDS = {
    "as it is": "My password is {}.",
    "login secret word": "The login secret word: {}",
    "misspelled": "my passwrod is {}",
    "misspelled again": "the pasword is {} by the way",
    "leet": "my p@ssw0rd is {}",
    "Cyrillic letters": "my p\u0430ssw\u043erd is {}",
    "Greek letter": "my passw\u03bfrd is {}",
    "zero-width space": "my pass\u200bword is {}",
    "soft hyphen": "my pass\xadword is {}",
    "full-width word": "my ｐａｓｓｗｏｒｄ is {}",
    "emphasis": "**Password:** {}",
    "next line": "Password:\n{}\nThanks",
    "type it": "At the prompt, type {} and wait.",
    "for all sites": "For all sites I use {}.",
    "to log in": "He uses {} to log in.",
    "HTML entity": "password&#58; {}",
    "percent-encoded": "note?text=my%20password%20is%20{}",
}
#: In the languages of the search, and some more.
IN_LANGUAGES = {
    "Arabic": "كلمة المرور الخاصة بي هي {}",
    "Armenian": "Իմ գաղտնաբառը {} է",
    "Basque": "Nire pasahitza {} da",
    "Catalan": "La meva contrasenya és {}",
    "Danish": "Min adgangskode er {}",
    "Dutch": "Mijn wachtwoord is {}",
    "Estonian": "Minu parool on {}",
    "Finnish": "Salasanani on {}",
    "French": "Mon mot de passe est {}",
    "German": "Mein Passwort ist {}",
    "Greek": "Ο κωδικός μου είναι {}",
    "Hindi": "मेरा पासवर्ड {} है",
    "Hungarian": "A jelszavam {}",
    "Indonesian": "Kata sandi saya adalah {}",
    "Irish": "Is é {} mo phasfhocal",
    "Italian": "La mia password è {}",
    "Lithuanian": "Mano slaptažodis yra {}",
    "Nepali": "मेरो पासवर्ड {} हो",
    "Norwegian": "Passordet mitt er {}",
    "Portuguese": "A minha senha é {}",
    "Romanian": "Parola mea este {}",
    "Russian": "Мой пароль {}",
    "Serbian": "Моја лозинка је {}",
    "Spanish": "Mi contraseña es {}",
    "Swedish": "Mitt lösenord är {}",
    "Tamil": "என் கடவுச்சொல் {}",
    "Turkish": "Şifrem {}",
    "Yiddish": "מײַן פּאַסוואָרט איז {}",
    "Chinese": "我的密码是{}",
    "Czech": "Moje heslo je {}",
    "Hebrew": "הסיסמה שלי היא {}",
    "Japanese": "パスワードは{}です",
    "Korean": "비밀번호는 {}입니다",
    "Polish": "Moje hasło to {}",
    "Thai": "รหัสผ่านคือ {}",
    "Ukrainian": "Мій пароль: {}",
    "Vietnamese": "Mật khẩu của tôi là {}",
}
CODES = {
    "sign in": "Use {} to sign in.",
    "German": "Gib {} ein, um dich anzumelden.",
    "French": "Utilisez {} pour vous connecter.",
    "Spanish": "Usa {} para iniciar sesión.",
    "Italian": "Usa {} per accedere.",
    "verification": "Your verification code is {}",
}
#: Numbers and words that look alike, and must stay.
KEPT: Mapping[str, Writer] = {
    "a year": lambda rng: f"She moved there in {rng.randint(1950, 2030)}.",
    "an order number": lambda rng: f"Order {rng.randint(10**8, 10**9)} came late.",
    "a version": lambda rng: f"It runs version {rng.randint(1, 9)}.{rng.randint(0, 99)}.1.2.",
    "a commit": lambda rng: f"The bug came with commit {hexadecimal(rng)}.",
    "a checksum": lambda rng: f"Its SHA-256 checksum is {hexadecimal(rng, 64)}.",
    "a date": lambda rng: f"It was on {rng.randint(1, 28)}.{rng.randint(1, 12)}.2021.",
    "scores": lambda rng: "The scores were " + " ".join(rng.choices("12345", k=6)) + ".",
    "counting": lambda rng: f"She counts one two three {rng.choice(['four', 'and jumps'])}.",
    "a forgotten password": lambda rng: f"{word(rng).capitalize()} forgot the password again.",
    "a price": lambda rng: f"It cost {rng.randint(1, 9)},{rng.randint(100, 999)}.50 euros.",
    "ten words of the list": lambda rng: " ".join(phrase(rng).split()[:10]) + ".",
    "a code of an error": lambda rng: f"The error code was {rng.randint(1000, 99999)}.",
}


#: Kind, writer of the value, sentence, disguises.
SECRETS: Sequence[tuple[str, Writer, str, Mapping[str, Disguise]]] = [
    ("CARD", card, "I paid with {} there.", OF_CARDS),
    ("SSN", ssn, "My SSN is {}.", {"dashes": str, "dots": replaced("-", ".")}),
    ("SSN", digits_of(ssn), "My SSN is {}.", OF_DIGITS),
    ("PHONE", phone, "Call me at {}.", {"dashes": str, "dots": replaced("-", ".")}),
    ("PHONE", digits_of(phone), "Call me at {}.", OF_DIGITS),
    ("CODE", pin, "My PIN is {}.", OF_DIGITS),
    ("CODE", pin, "The door opens with {}.", {"a door": str, "a door, dashes": between("-")}),
    *(("CODE", code, sentence, {name: str}) for name, sentence in CODES.items()),
    ("IBAN", german_iban, "It goes to {}.", OF_IBANS),
    ("EMAIL", email, "Write to {} then.", OF_EMAILS),
    ("IP", ip_address, "The server is {} now.", {"as it is": str, "words": replaced(".", " dot ")}),
    *(
        ("PASSWORD", password, sentence, {name: str})
        for name, sentence in (PASSWORDS | IN_LANGUAGES).items()
    ),
    ("PASSWORD", password, "My password is {}.", {"full-width": full_width}),
    ("KEY", hexadecimal, "Here it is: {}", {"forty hex digits": str}),
    ("KEY", partial(hexadecimal, length=24), "session token: {}", {"session token": str}),
    ("PRIVATE_KEY", wallet_key, "My coins are in {}", {"of a wallet": str}),
    *(
        ("KEY", partial(phrase, language=language), "Keep this: {}", {f"{language} phrase": str})
        for language in ("english", "spanish", "french", "italian")
    ),
    ("KEY", phrase, "My wallet:\n{}", {"phrase in a numbered list": numbered}),
]


def variants() -> Iterator[Variant]:
    """All kinds of secrets in all their disguises, and what looks alike."""
    for kind, value, sentence, disguises in SECRETS:
        for name, disguise in disguises.items():
            yield Variant(kind, name, value, sentence, disguise)
    for name, disguise in OF_CARDS.items():
        yield Variant("", f"no card: {name}", no_card, "Number {} there.", disguise)
    for name, write in KEPT.items():
        yield Variant("", name, write, "{}", str)


def measured(seed: int = 1) -> dict[str, dict[str, float]]:
    """The share of the samples that is found, by kind and disguise; under "kept", the share of
    those that are no secrets and are left alone.
    """
    shares: dict[str, dict[str, float]] = {}
    for variant in variants():
        rng = random.Random(f"{seed} {variant}")  # noqa: S311 - invented, and the same each time.
        right = sum(variant.is_right(rng) for _ in range(SAMPLES))
        shares.setdefault(variant.kind or "kept", {})[variant.disguise] = right / SAMPLES
    return shares
