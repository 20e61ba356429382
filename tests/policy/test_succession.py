"""The relation of a later statement to an earlier one."""

import pytest

from memoryapp.policy.succession import Succession, succession

CHANGE, ALIKE, NONE = Succession.CHANGE, Succession.ALIKE, Succession.NONE

#: Language, the earlier statement, the later one, and what that is to it.
CASES = [
    ("english", "Piano lessons are on Mondays.", "Piano moved to Thursday.", CHANGE),
    ("english", "I drive a red Polo.", "Sold the Polo, I cycle now.", CHANGE),
    ("english", "The user takes iron tablets.", "The user no longer takes iron.", CHANGE),
    ("english", "My running shoes are Sauconys.", "Bought running shoes today, blue.", ALIKE),
    ("english", "I drive a red Polo.", "Kim has a new job in Leeds.", NONE),
    # What has changed is not what the earlier statement is about.
    ("english", "Kim is vegan.", "I quit smoking. Kim came for tea.", NONE),
    # Both memories are about the user.
    ("english", "The user is vegan.", "The user has a new desk.", NONE),
    ("german", "Klavier ist montags.", "Klavier jetzt donnerstags, um vier.", CHANGE),
    ("german", "Der Umzug ist am 3. Mai.", "Umzug verschoben, erst im Juni.", CHANGE),
    ("german", "Ich trinke viel Kaffee.", "Kaffee trinke ich nicht mehr.", CHANGE),
    ("german", "Der Nutzer mag Kaffee.", "Der Nutzer wohnt jetzt in Ulm.", NONE),
    ("italian", "La cena è sabato.", "La cena è rinviata a domenica.", CHANGE),
    ("italian", "Mangio carne ogni giorno.", "Non mangio più carne.", CHANGE),
    ("italian", "La cena è sabato.", "Adesso nuoto il venerdì.", NONE),
    ("spanish", "El dentista es el 4.", "Han retrasado el dentista, ya no es el 4.", CHANGE),
    ("spanish", "Corro con Lalo.", "Ahora me entrena Francisca, ya no Lalo.", CHANGE),
    ("spanish", "El dentista es el 4.", "Ahora vivo en Cuenca.", NONE),
    ("french", "L'audience est le 12 mai.", "L'audience est repoussée au 9 juin.", CHANGE),
    ("french", "Je bois du café.", "Je ne bois plus de café.", CHANGE),
    ("french", "Je bois du café.", "Nouveau vélo, un Yuba bleu.", NONE),
    ("portuguese", "O treino é na segunda.", "O treino mudou para sexta.", CHANGE),
    ("portuguese", "O treino é na segunda.", "Agora moro em Braga.", NONE),
]


@pytest.mark.parametrize(("language", "earlier", "later", "expected"), CASES)
def test_succession(language: str, earlier: str, later: str, expected: Succession) -> None:
    assert succession(later, earlier, language) is expected


def test_unknown_language_knows_no_change() -> None:
    assert succession("練習は土曜日になった。", "練習は月曜日。", "japanese") is NONE
