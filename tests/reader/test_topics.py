"""The patterns of the topics of facts take linear time."""

import pytest

from memoryapp.reader.languages import LANGUAGES
from tests.hostile import growth
from tests.hostile.attacks import attacks


@pytest.mark.parametrize("language", LANGUAGES)
def test_patterns_are_linear(language: str) -> None:
    for topic in LANGUAGES[language].topics:
        for attack in attacks(topic.pattern.pattern, topic.pattern.flags):
            grown = growth.growth(topic.pattern.search, attack.text, length=growth.SHORT)
            assert not grown, str(attack)
