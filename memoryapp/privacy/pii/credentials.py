"""Detects keys and tokens by the forms that their issuers gave them.

detect-secrets knows such forms as well, but is made for source code: it returns secrets without
their places, and depends on `requests` and PyYAML.
"""

import re
from collections.abc import Iterable

from memoryapp.privacy.pii.normalisation import MARK, Span

#: The first and the last line of a key, and the mark of what was masked in it before.
_ARMOUR = re.compile(
    rf"-----(?P<edge>BEGIN|END) [A-Z0-9 ]{{0,40}}PRIVATE KEY(?: BLOCK)?-----|{MARK}"
)

#: ``scheme://user:secret@host``: the secret may itself have an @ in it, but no slash.
_IN_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@\ue000]{0,100}:([^\s/\ue000]{1,200})"
    r"@"
)

#: Prefixes that issuers chose so that their keys are recognised.
_ISSUED = "|".join(
    [
        r"(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}(?![A-Z0-9])",  # Amazon
        r"sk-(?=[\w-]{0,200}\d)[\w-]{16,300}",  # OpenAI, Anthropic, OpenRouter
        r"sk-(?=[A-Za-z]{0,40}\d)(?=\d{0,40}[A-Za-z])[A-Za-z0-9]{8,15}(?![\w-])",
        r"gh[pousr]_[A-Za-z0-9]{16,255}|github_pat_\w{20,255}",
        r"gl(?:pat|dt|rt|cbt|ptt|soat)-[\w-]{16,100}",  # GitLab
        r"xox[abeoprs]-[\w-]{10,250}|xapp-[\w-]{10,250}",  # Slack
        r"AIza[\w-]{30,45}|ya29\.[\w-]{20,300}|GOCSPX-[\w-]{20,40}",  # Google
        r"[rsp]k_(?:live|test)_\w{10,250}|whsec_[A-Za-z0-9+/=]{16,100}",  # Stripe
        r"SG\.[\w-]{16,64}\.[\w-]{16,64}|key-[0-9a-f]{32}",  # SendGrid, Mailgun
        r"hf_[A-Za-z0-9]{20,60}|gsk_[A-Za-z0-9]{20,80}|xai-[A-Za-z0-9]{20,120}",
        r"pplx-[A-Za-z0-9]{20,80}|r8_[A-Za-z0-9]{20,60}|nvapi-[\w-]{20,100}",
        r"npm_[A-Za-z0-9]{30,60}|pypi-[\w-]{40,300}|dckr_pat_[\w-]{20,60}",
        r"do[opr]_v1_[0-9a-f]{32,80}|hv[sbr]\.[\w-]{20,300}|tskey-[\w-]{16,100}",
        r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|lin_api_\w{30,60}|ntn_\w{30,60}"
        r"|secret_[A-Za-z0-9]{40,50}",
        r"ks_[\w-]{20,100}|sntrys_[\w+/=-]{20,300}|PMAK-[0-9a-f-]{40,80}",
        r"AGE-SECRET-KEY-1[A-Z0-9]{50,64}",
        r"\d{8,10}:AA[\w-]{32,36}",  # Telegram
        r"[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,45}",  # Discord
        r"eyJ[\w-]{8,2000}\.[\w-]{8,4000}\.[\w-]{0,1000}",  # JSON web token
    ]
)
_TOKEN = re.compile(rf"(?<![A-Za-z0-9_])(?:{_ISSUED})(?![A-Za-z0-9_])")
#: What follows in a header that says who calls.
_BEARER = re.compile(
    r"\b(?i:bearer|authorization:\s?(?:basic|token|bearer))\s{1,3}"
    r"(?=[\w.~+/=-]{0,200}\d)([\w.~+/=-]{12,2000})"
)
_WEBHOOK = re.compile(
    r"https://(?:hooks\.slack\.com/(?:services|workflows)|discord(?:app)?\.com/api/webhooks)"
    r"/([\w/-]{20,200})"
)
#: As many hexadecimal digits as a key has, or a hash, of which the words before it speak.
_LONG_HEX = re.compile(r"(?<![\w/.+-])(?:0x)?(?P<hex>[0-9a-fA-F]{40,200})(?![\w-])")
_SAYS_HASH = re.compile(
    r"(?:commit|revision|rev|sha-?\d{0,3}|hash|checksum|digest|fingerprint|md5|etag|tree|blob|image"
    r"|build|tag|version|git|transaction|tx|txid|block|address|contract|merge[sd]?|cherry-pick"
    r"|revert|bisect|docker|prüfsumme|somme de contrôle|suma|somma)\b[^.!?\n\ue000]{0,24}$",
    re.IGNORECASE,
)
#: session token: 9f8e7d6c5b4a39281706
_NAMED_HEX = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Za-z]{0,10}[_-]?sess(?:ion)?(?:[_-]?id)?|sid|cookie|csrf|token|key|secret"
    r"|signature|sitzung|schlüssel|jeton|clave|chiave|chave)(?:[ _-](?:id|cookie|token|key|value))?"
    r"(?:['\"` :=]| is| ist| est| es| è){1,5}(?P<hex>[0-9a-fA-F]{16,200})(?![\w-])",
    re.IGNORECASE,
)


def private_keys(text: str) -> Iterable[Span]:
    """Key blocks in armour, to their end or, cut off, to the next one or the end of the text."""
    edges = list(_ARMOUR.finditer(text))
    last_end = max((edge.start() for edge in edges if edge["edge"] == "END"), default=-1)
    begin: int | None = None
    for edge in edges:
        if edge["edge"] == "BEGIN":
            if begin is not None and edge.start() > last_end:
                yield begin, edge.start()
                begin = None
            begin = edge.start() if begin is None else begin
        elif begin is not None:
            yield begin, edge.end() if edge["edge"] else edge.start()
            begin = None
    if begin is not None:
        yield begin, len(text)


def credentials_in_addresses(text: str) -> Iterable[Span]:
    """The secret in ``scheme://user:secret@host``."""
    for match in _IN_ADDRESS.finditer(text):
        yield match.span(1)


def tokens(text: str) -> Iterable[Span]:
    """Tokens in the form of a known issuer, those after ``Bearer``, and long hexadecimal ones."""
    for match in _TOKEN.finditer(text):
        yield match.span()
    for pattern in (_BEARER, _WEBHOOK):
        for match in pattern.finditer(text):
            yield match.start(1), match.start(1) + len(match[1].rstrip("."))
    for match in _LONG_HEX.finditer(text):
        if not _SAYS_HASH.search(text[max(0, match.start() - 60) : match.start()]):
            yield match.span()
    for match in _NAMED_HEX.finditer(text):
        if any(map(str.isdigit, match["hex"])):
            yield match.span("hex")
