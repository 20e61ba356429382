"""Gender of the user in Spanish and French: a woman by her own words is "la usuaria"."""

import pytest

from memoryapp.reader.languages import LANGUAGES
from tests.reader.test_languages import texts

#: Of each language, what a woman says of herself, and what tells of no woman.
WOMEN = {
    "spanish": [
        "estoy embarazada de 5 meses", "soy enfermera en Lugo", "soy celiaca asi q nada de pan",
        "me han ascendido a jefa de equipo", "trabajo de camarera", "estoy harta de todo",
        "soy la mayor de tres", "soy madre de dos", "somos vegetarianas",
        "de pequeña vivía en Vigo",
        "me he quedado sola", "acabo de ser operada", "llevo 10 años casada", "vivo sola",
        "soy una apasionada de la ópera", "he estado ingresada", "trabajo como profesora",
    ],
    "french": [
        "je suis enceinte", "je suis infirmière", "j'ai été opérée", "je viens d'être promue",
        "j'apprends le japonais toute seule", "je suis née à Metz", "je me suis séparée",
        "je suis une ancienne fumeuse", "je suis vegetarienne", "je suis étudiante", "je vis seule",
        "je travaille comme caissière", "on est mariées", "je suis la seule fille", "jsuis mariee",
    ],
    "italian": [
        "sono incinta", "faccio l'infermiera", "mi sono appena separata", "sono celiaca",
        "sono nata a Bari", "sono una maestra", "sto imparando il giapponese da sola",
    ],
}  # fmt: skip
OTHERS = {
    "spanish": [
        "soy dentista", "soy de Málaga", "estoy en casa", "soy una persona tranquila",
        "llevo gafas",
        "sigo una dieta", "mi madre era enfermera", "trabajo de oficina", "soy belga",
        "soy policía",
        "estoy fuera", "soy vegetariano", "mi hermana está casada", "llevo una semana comida",
        "vivo con mi madre, que está sola", "estoy hasta las narices", "mi tía trabajaba de cajera",
    ],
    "french": [
        "je suis une thérapie", "je suis derrière", "je suis célibataire", "je suis végétarien",
        "je suis en vie", "je suis une formation", "ma mère est née à Metz", "je suis psychologue",
        "je suis athée", "je vis avec ma mère qui est seule", "je me suis cassé la jambe",
        "je suis le seul", "je suis une personne", "on est trente", "je suis pâtissier",
    ],
    "italian": [
        "ci sono una borsa e un cane", "sono a casa", "sono geometra", "sono dentista",
        "sono vegetariano", "faccio la spesa", "sono una persona", "sono ancora qui",
        "mia sorella vive da sola",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "said"), [(name, said) for name, lines in WOMEN.items() for said in lines]
)
def test_word_tells_that_a_woman_speaks(language: str, said: str) -> None:
    assert LANGUAGES[language].feminine.search(said)


@pytest.mark.parametrize(
    ("language", "said"), [(name, said) for name, lines in OTHERS.items() for said in lines]
)
def test_no_word_tells_that_a_woman_speaks(language: str, said: str) -> None:
    assert not LANGUAGES[language].feminine.search(said)


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        ("spanish", "Estoy embarazada y a mi hijo le encanta el fútbol. Me gusta el té. Mi jefe me "
         "ha subido el sueldo.",
         ["La usuaria está embarazada.", "Al hijo de la usuaria le encanta el fútbol.",
          "A la usuaria le gusta el té.", "El jefe de la usuaria le ha subido el sueldo."]),
        ("spanish", "Soy celíaca. Mi hija vive conmigo en Lugo.",
         ["La usuaria es celíaca.", "La hija de la usuaria vive con la usuaria en Lugo."]),
        ("spanish", "Estamos casadas desde 2019", ["La usuaria está casada desde 2019."]),
        ("spanish", "Mi mujer está embarazada", ["La mujer del usuario está embarazada."]),
        ("french", "Je suis infirmière à Metz. Mon fils a 7 ans.",
         ["L'utilisatrice est infirmière à Metz.", "Le fils de l'utilisatrice a 7 ans."]),
        ("french", "je suis née à Metz mais depuis 2012 je vis à Lyon",
         ["L'utilisatrice est née à Metz mais depuis 2012 elle vit à Lyon."]),
        ("french", "Nous sommes retraitées. Avec mon mari on est partis en Corse "
         "en 2019, on a une maison là-bas.",
         ["L'utilisatrice est retraitée.",
          "L'utilisatrice et son mari sont partis en Corse en 2019, ils ont une maison là-bas."]),
        ("italian", "Sono stata operata al ginocchio. Mio padre mi ha regalato una bici.",
         ["L'utente è stata operata al ginocchio.",
          "Il padre dell'utente le ha regalato una bici."]),
        ("italian", "Sono vegano. Mio padre mi ha regalato una bici.",
         ["L'utente è vegano.", "Il padre dell'utente gli ha regalato una bici."]),
    ],
)  # fmt: skip
def test_sentences_agree_with_the_woman_who_speaks(
    language: str, said: str, facts: list[str]
) -> None:
    assert texts(said, language) == facts
