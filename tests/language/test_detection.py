"""Which language a text is told to be in."""

import json
from collections import Counter
from pathlib import Path

import pytest

from memoryapp.language.detection import UNKNOWN, detected_language

_CHATS = json.loads(Path("benchmarks/datasets/languages.json").read_text())
#: Messages by language.
CHATS = {
    chat["language"]: [turn["text"] for turn in chat["turns"]]
    for chat in _CHATS
    if chat["language"] != "mixed"
}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The user lives in Cardiff with her sister and a dog.", "english"),
        ("Der Nutzer wohnt mit seiner Schwester in einem Haus am See.", "german"),
        ("札幌に引っ越しました。", "japanese"),
        ("我去年搬到了成都。", "chinese"),
        ("저는 작년부터 부산에 살고 있습니다.", "korean"),
        ("Μένω στην Πάτρα.", "greek"),
        ("Я живу в Казани и работаю учителем.", UNKNOWN),
        ("أعيش في عمّان مع أختي.", UNKNOWN),
        ("Saya tinggal di Bandung dan bekerja sebagai guru.", UNKNOWN),
        ("Ik woon sinds vorig jaar in Utrecht en werk als leraar.", UNKNOWN),
        ("Mieszkam w Krakowie i pracuję jako nauczycielka.", UNKNOWN),
        ("The word 食べる means to eat.", "english"),
        ("In ihrem Garten steht ein Schild mit der Aufschrift 東京.", "german"),
        ("Pizza!", None),
        ("👍 12:30", None),
        ("1 2 3 4 5 6 7", None),
        ("", None),
    ],
)
def test_language_is_told_by_script_or_function_words(text: str, language: str | None) -> None:
    assert detected_language(text) == language


@pytest.mark.parametrize("language", CHATS)
def test_most_of_a_chat_tells_its_language(language: str) -> None:
    told = Counter(map(detected_language, CHATS[language]))
    assert told[language] >= 0.6 * len(CHATS[language])
    if language == "english":
        assert set(told) <= {"english", None}
    else:
        assert told["english"] <= 0.1 * len(CHATS[language])


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    english = "The user lives in Cardiff with her sister and a dog. "
    assert detected_language(english * 20 + "札幌に引っ越しました。" * 10_000) == "english"
