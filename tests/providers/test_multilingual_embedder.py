"""The multilingual built-in embedder: how it is asked, and that thresholds suit it."""

import numpy as np
import pytest
from numpy.typing import NDArray

from memoryapp.policy.dedup import Action, Neighbour, decide
from memoryapp.providers.builtin_embedder import TRAITS, BuiltinEmbedder, traits_of
from memoryapp.providers.builtin_model.catalogue import BuiltinModel
from memoryapp.providers.builtin_model.client import EmbedderClient

pytestmark = pytest.mark.usefixtures("multilingual_home")

Vectors = NDArray[np.float32]
MODELS = list(BuiltinModel)

#: In five languages: a fact, what says the same in other words, and other facts about the person.
REWORDINGS = {
    "english": ("The user plays chess on Sundays.", "On Sundays the user plays chess."),
    "german": (
        "Der Nutzer ist gegen Nüsse allergisch.",
        "Der Nutzer ist allergisch gegen Nüsse.",
    ),
    "italian": (
        "L'utente gioca a scacchi la domenica.",
        "La domenica l'utente gioca a scacchi.",
    ),
    "spanish": (
        "El usuario juega al ajedrez los domingos.",
        "Los domingos el usuario juega al ajedrez.",
    ),
    "french": (
        "L'utilisateur joue aux échecs le dimanche.",
        "Le dimanche, l'utilisateur joue aux échecs.",
    ),
}
DIFFERENT = {
    "english": (
        "The user keeps a dog.",
        "The user keeps bees on the roof.",
        "The user works as a nurse at night.",
        "The user works for a bakery in the old town.",
        "The user prefers trains to planes.",
    ),
    "german": (
        "Der Nutzer hat einen Hund.",
        "Der Nutzer hält Bienen auf dem Dach.",
        "Der Nutzer arbeitet nachts als Krankenpfleger.",
        "Der Nutzer arbeitet in einer Bäckerei in der Altstadt.",
        "Der Nutzer fährt lieber Zug, als zu fliegen.",
    ),
    "italian": (
        "L'utente ha un cane.",
        "L'utente tiene le api sul tetto.",
        "L'utente lavora di notte come infermiere.",
        "L'utente lavora in un panificio del centro.",
        "L'utente preferisce il treno all'aereo.",
    ),
    "spanish": (
        "El usuario tiene un perro.",
        "El usuario cría abejas en el tejado.",
        "El usuario trabaja de noche como enfermero.",
        "El usuario trabaja en una panadería del centro.",
        "El usuario prefiere el tren al avión.",
    ),
    "french": (
        "L'utilisateur a un chien.",
        "L'utilisateur élève des abeilles sur le toit.",
        "L'utilisateur travaille la nuit comme infirmier.",
        "L'utilisateur travaille dans une boulangerie du centre.",
        "L'utilisateur préfère le train à l'avion.",
    ),
}


def vectors(model: BuiltinModel, texts: list[str], *, as_questions: bool = False) -> Vectors:
    return BuiltinEmbedder(model).embed(texts, as_questions=as_questions).vectors


def test_vectors_have_a_space_of_their_own() -> None:
    embedded = BuiltinEmbedder(BuiltinModel.MULTILINGUAL).embed(["Tee", "", "茶" * 20_000])
    assert embedded.vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(embedded.vectors, axis=1), 1.0, atol=1e-5)
    assert embedded.space == "builtin/multilingual-e5-small/384"
    assert {traits_of(traits.space) for traits in TRAITS.values()} == set(TRAITS.values())
    assert traits_of("openai/text-embedding-3-small/1536") is None


def test_questions_and_texts_begin_as_the_model_was_trained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    embed = EmbedderClient.embed

    def noted(self: EmbedderClient, texts: list[str], *, timeout: float) -> tuple[int, bytes]:
        asked.extend(texts)
        return embed(self, texts, timeout=timeout)

    monkeypatch.setattr(EmbedderClient, "embed", noted)
    for model in (BuiltinModel.MULTILINGUAL, BuiltinModel.SMALL):
        vectors(model, ["tea"])
        vectors(model, ["tea"], as_questions=True)
    assert asked == ["passage: tea", "query: tea", "tea", "tea"]


def test_questions_alone_are_moved_towards_what_answers_them() -> None:
    plain = BuiltinEmbedder(BuiltinModel.MULTILINGUAL, adapts_questions=False)
    texts = ["What should I not cook?", "I can't stand walnuts, I swell up like a balloon."]
    assert np.array_equal(vectors(BuiltinModel.MULTILINGUAL, texts), plain.embed(texts).vectors)
    moved = vectors(BuiltinModel.MULTILINGUAL, texts, as_questions=True)
    assert np.allclose(np.linalg.norm(moved, axis=1), 1.0, atol=1e-5)
    assert not np.allclose(moved, plain.embed(texts, as_questions=True).vectors, atol=0.01)
    small = vectors(BuiltinModel.SMALL, texts)
    assert np.array_equal(vectors(BuiltinModel.SMALL, texts, as_questions=True), small)


def test_question_is_nearest_to_its_answer_in_every_language() -> None:
    answers = {
        "Wo wohnt Ana?": "Ich bin im März nach Lyon umgezogen, sagt Ana.",
        "Che strumento suona Luca?": "Luca si esercita al violoncello ogni sera.",
        "¿Qué no puede comer el usuario?": "El usuario es alérgico a los cacahuetes.",
        "用户喜欢什么运动?": "周末用户常常去爬山。",
        "ユーザーは何時に起きますか。": "ユーザーは毎朝六時に目を覚ます。",
        "Where does the user work?": "Der Nutzer ist Krankenpfleger in Köln.",
    }
    questions = vectors(BuiltinModel.MULTILINGUAL, list(answers), as_questions=True)
    texts = vectors(BuiltinModel.MULTILINGUAL, list(answers.values()))
    assert (questions @ texts.T).argmax(axis=1).tolist() == list(range(len(answers)))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("language", REWORDINGS)
def test_rewordings_are_one_memory_and_different_facts_are_several(
    model: BuiltinModel, language: str
) -> None:
    fact, rewording = REWORDINGS[language]
    texts = [fact, *DIFFERENT[language], rewording]
    matrix = vectors(model, texts)
    scale = TRAITS[model].scale

    def action(old: int, new: int) -> Action:
        similarity = scale.similarity(float(matrix[old] @ matrix[new]))
        return decide(texts[new], [Neighbour(1, texts[old], similarity)]).action

    assert action(0, len(texts) - 1) in (Action.UPDATED, Action.DUPLICATE)
    for old in range(len(texts) - 1):
        for new in range(old):
            assert action(old, new) is Action.STORED, (texts[old], texts[new])


@pytest.mark.parametrize("language", ["english", "german", "italian", "spanish", "french"])
def test_similarities_are_spread_as_those_of_the_small_model(language: str) -> None:
    """Without the mean taken away, they would all be above 0.7."""
    texts = list(DIFFERENT[language])
    matrix = vectors(BuiltinModel.MULTILINGUAL, texts)
    pairs = (matrix @ matrix.T)[np.triu_indices(len(texts), k=1)]
    assert 0.1 < pairs.mean() < 0.65
    background = TRAITS[BuiltinModel.MULTILINGUAL].background
    (question,) = vectors(
        BuiltinModel.MULTILINGUAL, ["How do I centre a div with CSS?"], as_questions=True
    )
    # Unrelated: within what unrelated texts have.
    assert abs(background.distinction(float((matrix @ question).mean()))) < 2
