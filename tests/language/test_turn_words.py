"""The patterns for the turns of each language take linear time."""

from dataclasses import fields

import pytest

from memoryapp.language.turn_words import TurnWords
from memoryapp.language.vocabularies import VOCABULARIES
from tests.hostile import growth
from tests.hostile.attacks import attacks

#: Those that are looked for anywhere in a clause.
SEARCHED = frozenset({"asks_within", "verbs", "beside", "changes"})


@pytest.mark.parametrize("name", [each.name for each in fields(TurnWords)])
@pytest.mark.parametrize("language", VOCABULARIES)
def test_pattern_is_linear(language: str, name: str) -> None:
    pattern = getattr(VOCABULARIES[language].turns, name)
    operation = pattern.search if name in SEARCHED else pattern.match
    for attack in attacks(pattern.pattern, pattern.flags):
        assert not growth.growth(operation, attack.text, length=growth.SHORT), str(attack)
