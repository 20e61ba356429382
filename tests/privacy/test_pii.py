"""Redaction of secrets: what is removed, what is kept, and disjoint findings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp.privacy.pii import PIIKind, PIIMode, examine, in_words, secrets_in

# Assembled here, so that secret scanners do not flag this file.
AWS = "AKIA" + "IOSFODNN7EXAMPLE"
OPENAI = "sk-" + "proj-9fK2mQ7xT4vB1nZ8cW3eR6yU"
GITHUB = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
SLACK = "xoxb-" + "2847593021-8473625109-aBcDeFgHiJkLmNoPqRsT"
JWT = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
GOOGLE = "AIza" + "SyA-1234567890abcdefghijklmnopqrstu"
PEM = "-----BEGIN RSA PRIVATE KEY----- MIIEowIBAAKCAQEA7 Zx1 -----END RSA PRIVATE KEY-----"

#: A sentence, its secret, and the kind of the secret.
SECRETS = [
    # Passwords in natural language
    ("My password is hunter2", "hunter2", PIIKind.PASSWORD),
    ("The user's password is Tr0ub4dor&3.", "Tr0ub4dor&3", PIIKind.PASSWORD),
    ("my password is swordfish", "swordfish", PIIKind.PASSWORD),
    ("my password is 123456", "123456", PIIKind.PASSWORD),
    ("my password is now correct-horse-7", "correct-horse-7", PIIKind.PASSWORD),
    ("The password for the NAS is blueBird!9, keep it safe.", "blueBird!9", PIIKind.PASSWORD),
    ('My Netflix password is "open sesame now".', "open sesame now", PIIKind.PASSWORD),
    ("pwd: s3cr3t", "s3cr3t", PIIKind.PASSWORD),
    ("pw=letmein99 for the box", "letmein99", PIIKind.PASSWORD),
    ("password=swordfish user=bob", "swordfish", PIIKind.PASSWORD),
    ("Password: swordfish", "swordfish", PIIKind.PASSWORD),
    ("use the password hunter2 for that", "hunter2", PIIKind.PASSWORD),
    ("hunter2 is my password", "hunter2", PIIKind.PASSWORD),
    ('My passphrase\'s "a horse that counts"', "a horse that counts", PIIKind.PASSWORD),
    ("My password is something like Tr0ub4dor&3", "Tr0ub4dor&3", PIIKind.PASSWORD),
    ("The wifi password is Kaffee2024!", "Kaffee2024!", PIIKind.PASSWORD),
    ("psw: Qwert_77", "Qwert_77", PIIKind.PASSWORD),
    ("the login is bob and the passcode is X7-99b", "X7-99b", PIIKind.PASSWORD),
    ("My password has been changed to n3wPass!", "n3wPass!", PIIKind.PASSWORD),
    ("my pass is hunter2", "hunter2", PIIKind.PASSWORD),
    ("DB_PASSWORD=swordfish", "swordfish", PIIKind.PASSWORD),
    # … in other languages
    ("Mein Passwort ist Sommer2024!", "Sommer2024!", PIIKind.PASSWORD),
    ("Das Kennwort lautet geheim77", "geheim77", PIIKind.PASSWORD),
    ("Das Passwort für das WLAN ist Kaffeetasse9", "Kaffeetasse9", PIIKind.PASSWORD),
    ("Mon mot de passe est soleil123", "soleil123", PIIKind.PASSWORD),
    ("mdp : soleil123", "soleil123", PIIKind.PASSWORD),
    ("Le mot de passe du wifi est baguette42", "baguette42", PIIKind.PASSWORD),
    ("Mi contraseña es gato1234", "gato1234", PIIKind.PASSWORD),
    ("La mia password è gatto1234", "gatto1234", PIIKind.PASSWORD),
    ("A minha senha é gato1234", "gato1234", PIIKind.PASSWORD),
    ("A palavra-passe é gato1234", "gato1234", PIIKind.PASSWORD),
    ("Mijn wachtwoord is fiets123", "fiets123", PIIKind.PASSWORD),
    # Connection strings
    ("Connect to postgres://app:s3cr3t@db.local/x", "s3cr3t", PIIKind.PASSWORD),
    ("redis://:p%40ss@cache:6379/0 is the cache", "p%40ss", PIIKind.PASSWORD),
    ("https://bob:hunter2@example.com/path", "hunter2", PIIKind.PASSWORD),
    ("mysql://root:p@ss@10.example/db", "p@ss", PIIKind.PASSWORD),
    ("Server=db;User Id=sa;Password=Adm1n!;", "Adm1n!", PIIKind.PASSWORD),
    # Keys and tokens
    (f"The key is {AWS}.", AWS, PIIKind.KEY),
    (f"Use {OPENAI} for the tests", OPENAI, PIIKind.KEY),
    ("my key is sk-" + "abc123def4", "sk-" + "abc123def4", PIIKind.KEY),
    (f"token {GITHUB}", GITHUB, PIIKind.KEY),
    (f"Slack: {SLACK}", SLACK, PIIKind.KEY),
    (f"Stripe gave me {STRIPE}", STRIPE, PIIKind.KEY),
    (f"maps key {GOOGLE}", GOOGLE, PIIKind.KEY),
    (f"The session is {JWT}", JWT, PIIKind.KEY),
    ("Authorization: Bearer 9f8e7d6c5b4a39281706", "9f8e7d6c5b4a39281706", PIIKind.KEY),
    ("My API key is 7f3a9c2e1b4d", "7f3a9c2e1b4d", PIIKind.KEY),
    ("api_key=7f3a9c2e1b4d", "7f3a9c2e1b4d", PIIKind.KEY),
    ("AccountKey=abC123+/xyz==;EndpointSuffix=core", "abC123+/xyz==", PIIKind.KEY),
    ("AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7M", "wJalrXUtnFEMI/K7M", PIIKind.KEY),
    ("aws secret access key wJalrXUtnFEMI/K7MDENG", "wJalrXUtnFEMI/K7MDENG", PIIKind.KEY),
    ("creds: bob:hunter2", "bob:hunter2", PIIKind.KEY),
    ("client secret: q8W-e7R_t6Y", "q8W-e7R_t6Y", PIIKind.KEY),
    ("The token is a1b2c3d4e5f6", "a1b2c3d4e5f6", PIIKind.KEY),
    (
        "My seed phrase is apple river stone cloud train bread window yellow garden music lion",
        "apple river stone cloud train bread window yellow garden music lion",
        PIIKind.KEY,
    ),
    (f"Here is it: {PEM} thanks", PEM, PIIKind.PRIVATE_KEY),
    # PINs and codes
    ("Your verification code is 482913", "482913", PIIKind.CODE),
    ("your code is 482913", "482913", PIIKind.CODE),
    ("482913 is your login code", "482913", PIIKind.CODE),
    ("G-482913 is your Google verification code.", "G-482913", PIIKind.CODE),
    ("OTP: 482 913", "482 913", PIIKind.CODE),
    ("Use code 482913 to log in", "482913", PIIKind.CODE),
    ("The access code is A1B2C3.", "A1B2C3", PIIKind.CODE),
    ("My PIN is 4711", "4711", PIIKind.CODE),
    ("The PIN for the card is 4711.", "4711", PIIKind.CODE),
    ("pin 4711", "4711", PIIKind.CODE),
    ("The door code is 4711", "4711", PIIKind.CODE),
    ("CVV 123", "123", PIIKind.CODE),
    ("Meine Geheimzahl ist 4711", "4711", PIIKind.CODE),
    ("Der Bestätigungscode lautet 482913", "482913", PIIKind.CODE),
    ("Le code de la porte est 4711", "4711", PIIKind.CODE),
    ("El código de verificación es 482913", "482913", PIIKind.CODE),
    # Numbers
    ("The user pays with 4111 1111 1111 1111.", "4111 1111 1111 1111", PIIKind.CARD),
    ("card 4111111111111111, expires 12/27", "4111111111111111", PIIKind.CARD),
    ("Amex 3782 822463 10005", "3782 822463 10005", PIIKind.CARD),
    ("mastercard 5555-5555-5555-4444", "5555-5555-5555-4444", PIIKind.CARD),
    ("4111 1111 1111 1111 123 is on the back", "4111 1111 1111 1111", PIIKind.CARD),
    (
        "Karte ４１１１ １１１１ １１１１ １１１１",
        "４１１１ １１１１ １１１１ １１１１",
        PIIKind.CARD,
    ),
    ("card 4111\u200b1111\u200b1111\u200b1111", "4111\u200b1111\u200b1111\u200b1111", PIIKind.CARD),
    ("My SSN is 536-22-1234", "536-22-1234", PIIKind.SSN),
    ("social security number 536 22 1234", "536 22 1234", PIIKind.SSN),
    ("IBAN DE89 3704 0044 0532 0130 00 please", "DE89 3704 0044 0532 0130 00", PIIKind.IBAN),
    ("gb82west12345698765432", "gb82west12345698765432", PIIKind.IBAN),
    ("Write to ann.lee+news@example.co.uk.", "ann.lee+news@example.co.uk", PIIKind.EMAIL),
    ("mail jürgen@bücher.de", "jürgen@bücher.de", PIIKind.EMAIL),
    ("ann (at) example (dot) org", "ann (at) example (dot) org", PIIKind.EMAIL),
    ("The server is 203.0.113.7.", "203.0.113.7", PIIKind.IP),
    ("NAS at 192.168.1.20:8080", "192.168.1.20", PIIKind.IP),
    ("It has 2001:db8::8a2e:370:7334 now", "2001:db8::8a2e:370:7334", PIIKind.IP),
    ("Ana's number: +49 30 901820", "+49 30 901820", PIIKind.PHONE),
    ("+46 (0)8 928 571 38 fax", "+46 (0)8 928 571 38", PIIKind.PHONE),
    ("541-714-1388", "541-714-1388", PIIKind.PHONE),
    ("(579)888-3058", "(579)888-3058", PIIKind.PHONE),
    ("259.735.7502x459", "259.735.7502x459", PIIKind.PHONE),
    ("Call me at 555-0199", "555-0199", PIIKind.PHONE),
    ("Her number is 467 3395.", "467 3395", PIIKind.PHONE),
    ("0490 75 40 81", "0490 75 40 81", PIIKind.PHONE),
    ("Ruf mich unter 030/901820 an", "030/901820", PIIKind.PHONE),
    ("Mon portable : 06.12.34.56.78", "06.12.34.56.78", PIIKind.PHONE),
]

#: Texts without secrets.
KEPT = """\
The user was born in 1985 and moved to Lisbon in 2019.
Ana's birthday is 1990-05-17, Ben's is 17.05.1992 and Cem's 5/17/1994.
The user worked at Acme from 2012-2016 and again in 2018 2019.
The rent is 1,250.00 € a month; the deposit was $3,750.
The house cost 1 250 000 euros.
The user's order number is 302-5543219-8834561.
The order 655 437 108 has been delayed.
Invoice no. 2023-004417 is paid.
Order number 4539148803436460 came late.
The ticket 5403926876 is open.
The user runs version 10.4.12.1 of the firmware.
Python 3.11.7 and PostgreSQL 16.4 are installed.
The novel's ISBN is 978-3-16-148410-0.
The other edition has ISBN 0-306-40615-2.
The user lives at 6750 Koskikatu 25 Apt. 864, 64677 Artilleros.
The office is at 1600 Pennsylvania Avenue NW, Washington, DC 20500.
The user's post code is 75534-030.
The user is 183 cm tall and weighs 82.5 kg.
The flight LH1234 leaves at 10:20:30.
The flight is UA 4111 on 2024-03-09 at 06:45.
The number plate of the car is M-AB 1234.
The cabin is at 48.137154, 11.576124.
The trip was 12,000 km long and took 5403926 seconds.
The user has 12345678 points in the game.
The marathon record is 2:00:35.
The user uses a password manager called 1Password.
The user keeps all passwords in Bitwarden.
The user's password manager is 1Password.
The password is too short, says the site.
The password policy was changed in 2023.
The password was leaked in 2019.
The user has a pass for the ski lift, and the boarding pass is on the phone.
The user forgot the password again.
The user's password expires every 90 days.
The user's password is 12 characters long.
The user changed the password on 2024-05-01.
The password is stored in the vault.
The API key ceremony is on Friday.
The user thinks that the key to happiness is patience.
The key signature is D minor.
The secret is out: Ana is pregnant.
The token is worthless.
La clave es la paciencia.
The user's favourite pin is a 1950s badge.
The dress code is black tie.
The area code is 415.
The country code is 49.
The postal code is 482913.
The promo code is SAVE20.
The error code was 500123.
The commit is 9fceb02d0ae598e95dc970b74767f19372d61af8.
The id is 123e4567-e89b-12d3-a456-426614174000.
The user contributes to git@github.com:acme/rocket.git.
The user follows @ann@mastodon.social.
The package is lodash@4.17.21.
The dev server listens on 127.0.0.1 and the mask is 255.255.255.0.
The user writes std::vector and dead::beef in C++.
The meeting is in room 4.3.2, building 12.
See section 4.3.2.1 of the manual.
The card number 4111 1111 1111 1112 has a typing error.
The timestamp was 1718035200000.
The EAN of the tea is 4006381333931.
The blood pressure is 120/80, the pulse 64.
The population of Munich is 1 512 491.
Call of Duty sold 30000000 copies.
The user called the 2019 2020 season the best.
The user calls order 655 437 108 the last one.
Ana Müller met José Ñandú and 王小明 in Zürich on 3 March 2021.
The user paid 40 per cent, 20% and then 7,5 %.
The wifi name is FRITZ!Box 7590.
The user scored 99.5 of 100 on 12/05/2023.
A serial number such as SN-0049-1123-77 is on the lid.
The user likes the band 10,000 Maniacs and the album 1989.
Passport control took 45 minutes.
The user's house number is 4711.
""".splitlines()

#: Texts that announce a secret whose position is unclear.
UNCLEAR = [
    "My password is somewhere in here",
    "my password is hidden in this sentence",
    "The password is correct horse battery staple",
    "Password: see the text above",
    "Mein Passwort ist irgendwo hier",
    "Mi contraseña es la palabra que sigue en esta frase",
    "My API key is somewhere in here",
    "my recovery phrase is in this message",
]


@pytest.mark.parametrize(("sentence", "secret", "kind"), SECRETS)
def test_redacts_a_secret_and_keeps_the_sentence(sentence: str, secret: str, kind: PIIKind) -> None:
    examined = examine(sentence)

    assert examined.refusal == ""
    assert examined.text == sentence.replace(secret, kind.placeholder)
    assert examined.redactions == {kind: 1}
    (finding,) = examined.findings
    assert sentence[finding.start : finding.end] == secret


@pytest.mark.parametrize("sentence", KEPT)
def test_keeps_useful_facts(sentence: str) -> None:
    examined = examine(sentence)

    assert (examined.text, examined.findings, examined.refusal) == (sentence, (), "")
    assert examine(sentence, PIIMode.REJECT).refusal == ""


@pytest.mark.parametrize("sentence", UNCLEAR)
def test_rejects_an_announced_secret_that_cannot_be_located(sentence: str) -> None:
    refusal = examine(sentence).refusal

    assert "Remove it" in refusal


def test_quoted_secret_is_located() -> None:
    examined = examine('The password is "correct horse battery staple"')

    assert examined.text == 'The password is "[REDACTED:PASSWORD]"'
    assert examined.refusal == ""


def test_redacts_several_secrets() -> None:
    examined = examine(
        "Ana (ann@example.org, +49 30 901820) pays with 4111 1111 1111 1111 and 5555555555554444, "
        "and her passwords are hunter2 and Tr0ub4dor&3."
    )

    assert examined.text == (
        "Ana ([REDACTED:EMAIL], [REDACTED:PHONE]) pays with [REDACTED:CARD] and [REDACTED:CARD], "
        "and her passwords are [REDACTED:PASSWORD] and [REDACTED:PASSWORD]."
    )
    assert in_words(examined.redactions) == (
        "2 passwords, an e-mail address, 2 card numbers and a phone number"
    )


def test_reject_policy_rejects_the_whole_text() -> None:
    examined = examine("Ana pays with 4111 1111 1111 1111", PIIMode.REJECT)

    assert examined.refusal == (
        "It contains a card number, which this instance does not store. Remove that."
    )


def test_policy_may_disable_detection() -> None:
    for sentence in ("My password is hunter2", UNCLEAR[0]):
        assert examine(sentence, PIIMode.OFF).text == sentence
        assert examine(sentence, PIIMode.OFF).refusal == ""


def test_known_secret_formats_need_no_context() -> None:
    known = secrets_in("My password is Swordfish-9 and the PIN is 4711.")

    examined = examine(
        "The user logs in with swordfish-9, on 4711 days, not Swordfish-95.", known=known
    )

    assert examined.text == (
        "The user logs in with [REDACTED:PASSWORD], on 4711 days, not Swordfish-95."
    )


def test_only_own_placeholders_are_accepted() -> None:
    assert examine("My password is [REDACTED:PASSWORD]").findings == ()
    assert examine("My password is [REDACTED:hunter2]").text != "My password is [REDACTED:hunter2]"


#: Fragments for generated texts that resemble secrets.
PIECES = st.sampled_from(
    [secret for _, secret, _ in SECRETS]
    + [sentence for sentence, _, _ in SECRETS]
    + [kind.placeholder for kind in PIIKind]
    + KEPT[:40]
    + list(" .,:;-/()'\"=@+\n1479ab\ue000\u200b")
    + ["password is ", "pwd:", "PIN ", "call ", "sk-", "eyJ", "-----BEGIN PRIVATE KEY-----"]
)


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.lists(PIECES, max_size=8).map("".join), st.text(max_size=80)))
def test_redaction_is_idempotent(text: str) -> None:
    once = examine(text)
    if once.refusal:
        return

    twice = examine(once.text)

    assert twice.text == once.text
    assert twice.findings == ()
    assert twice.refusal == ""


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=8).map("".join))
def test_findings_are_disjoint_and_ordered(text: str) -> None:
    end = 0
    for finding in examine(text).findings:
        assert end <= finding.start < finding.end <= len(text)
        end = finding.end


BEGIN, END = "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (f"a {BEGIN} b {END} c", "a # c"),
        (f"a {BEGIN} b", "a #"),
        (f"a {END} b", f"a {END} b"),
        (f"a {BEGIN} b {BEGIN} c {END} d", "a # d"),
        (f"{BEGIN} b {BEGIN} c", "##"),
        (f"{BEGIN} b {END} {BEGIN} c", "# #"),
        (f"{BEGIN} b [REDACTED:KEY] c {END}", f"#[REDACTED:KEY] c {END}"),
    ],
)
def test_private_key_is_redacted_completely(text: str, left: str) -> None:
    assert examine(text).text == left.replace("#", PIIKind.PRIVATE_KEY.placeholder)
