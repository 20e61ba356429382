"""Dates of Chinese and Japanese questions, which have no spaces around them. Pure.

"去年五月", "2023年5月8日", "昨天", "先週", "上个月", "来年".
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from memoryapp.language.relative_dates import Moment

_DIGITS = "一二三四五六七八九"
_NUMERAL = re.compile(rf"(?:[二三]?十[{_DIGITS}]?|[{_DIGITS}])(?=[月日号號])")
_DAY = r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号號])?"
#: As in a text that has gone through `with_digits`.
DATES = (rf"{{year}}年(?:{_DAY})?", _DAY)

_WEEK = "[个個]?(?:周|週|星期|礼拜|禮拜)"
_MONTH = "[个個]?月"
_YEARS = ((2, "前年|一昨年|おととし"), (1, "去年|昨年"), (0, "今年"), (-1, "明年|来年"))
#: What a word is about, how many of them ago, and the words. The first that fits a place counts.
_RELATIVE = [
    (kind, ago, re.compile(words))
    for kind, ago, words in (
        ("day", 2, "前天|一昨日|おととい"),
        ("day", 1, "昨天|昨日"),
        ("day", 0, "今天|今日"),
        ("week", 2, rf"上上{_WEEK}|先々週"),
        # "早上周三" is Wednesday in the morning.
        ("week", 1, rf"(?<![早晚上])上{_WEEK}|先週"),
        ("week", 0, rf"[这這本]{_WEEK}|今週"),
        ("week", -1, rf"(?<!下)下{_WEEK}|来週"),
        ("month", 2, rf"上上{_MONTH}|先々月"),
        ("month", 1, rf"(?<!上)上{_MONTH}|先月"),
        ("month", 0, rf"[这這本]{_MONTH}|今月"),
        ("month", -1, rf"(?<!下)下{_MONTH}|来月"),
        *(("year", ago, words) for ago, words in _YEARS),
    )
]


def with_digits(text: str, today: date) -> str:
    """Write months, days, and the year before a month in digits: "去年十一月三日" becomes
    "2024年11月3日" when asked in 2025.
    """
    text = _NUMERAL.sub(lambda numeral: str(_number(numeral[0])), text)
    for ago, words in _YEARS:
        text = re.sub(rf"(?:{words})[的の]?(?=\d{{1,2}}月)", f"{today.year - ago}年", text)
    return text


def moments(text: str, today: date) -> Iterator[Moment]:
    """Yield what the words of *text* say in relation to *today*."""
    for kind, ago, words in _RELATIVE:
        if words.search(text):
            # What is read is not read again: "昨日" in "一昨日".
            text = words.sub("\0", text)
            yield Moment(kind, _begin(kind, ago, today))


def _number(numeral: str) -> int:
    before, ten, after = numeral.rpartition("十")
    tens = _DIGITS.find(before) + 1 if before else 1
    return (tens * 10 if ten else 0) + (_DIGITS.find(after) + 1 if after else 0)


def _begin(kind: str, ago: int, today: date) -> date:
    match kind:
        case "day":
            return today - timedelta(days=ago)
        case "week":
            return today - timedelta(days=today.weekday(), weeks=ago)
        case "month":
            months = today.year * 12 + today.month - 1 - ago
            return date(months // 12, months % 12 + 1, 1)
        case _:
            return date(today.year - ago, 1, 1)
