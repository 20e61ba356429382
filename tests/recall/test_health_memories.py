"""Memories of health come with every question about food, drink or medicine."""

from datetime import date

import pytest

from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.health_memories import MAX_TAKEN
from memoryapp.recall.query_analysis import analyse
from memoryapp.recall.scoring import Scale, Traits, Weights, weigh

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("english", "What should I not cook tonight?"),
        ("english", "what can i take for it"),
        ("english", "Anything to avoid on the menu?"),
        ("german", "Was darf ich heute nicht essen?"),
        ("german", "Welches Schmerzmittel vertrage ich?"),
        ("italian", "Cosa preparo stasera per cena?"),
        ("spanish", "¿Puedo tomar ibuprofeno?"),
        ("french", "On me sert un guacamole, je peux en manger ?"),
        ("portuguese", "O que não posso comer hoje?"),
    ],
)
def test_questions_about_food_and_medicine(language: str, question: str) -> None:
    assert analyse(question, languages=[language], today=TODAY).about_intake


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("english", "Where do I live now?"),
        ("english", "Who is taking the train on Monday?"),
        ("german", "Treffen wir uns heute Abend?"),
        ("german", "Wie viel kostet der Vertrag?"),
        ("italian", "Dove abito adesso?"),
        ("spanish", "¿Cuándo es la boda?"),
        ("french", "Où est ma voiture ?"),
        ("portuguese", "Quando chega o meu irmão?"),
    ],
)
def test_other_questions(language: str, question: str) -> None:
    assert not analyse(question, languages=[language], today=TODAY).about_intake


def test_its_part_of_the_score_is_its_weight() -> None:
    query = analyse("What shall I cook?", today=TODAY)
    (found,) = weigh(
        query,
        {"allergy": Traits(is_health=True)},
        {},
        scale=Scale(),
        today=TODAY,
        turns_compete=False,
        weights=Weights(health=2.5),
    )
    assert found.parts == {"health": 2.5}


@pytest.mark.django_db
class TestAmongMany:
    """An allergy among hundreds of memories from a file that are nearer to the question."""

    @pytest.fixture
    def crowded(self, instance: Instance) -> Instance:
        rows = [
            Candidate(f"Priya cooks dish {number} for dinner and eats it tonight.", importance=9)
            for number in range(60)
        ]
        by_file = Writer(Origin.IMPORT, Actor(via="test"), tier=Tier.DOCUMENT)
        remember(instance, rows, by_file)
        return instance

    def allergy(self, instance: Instance, text: str = "I am allergic to walnuts.") -> Memory:
        writer = Writer(Origin.MANUAL, Actor(via="test"), tier=Tier.PERSON)
        (outcome,) = remember(instance, [Candidate(text)], writer)
        return outcome.memory

    @pytest.mark.parametrize(
        "question",
        ["What should I not eat tonight?", "What shall I cook for dinner?", "Is the menu fine?"],
    )
    def test_is_among_the_five(self, crowded: Instance, question: str) -> None:
        allergy = self.allergy(crowded)
        hits = recall(crowded, question, RecallOptions(limit=5, is_message=True)).hits
        assert allergy in [hit.memory for hit in hits if hit.parts.get("health")]

    def test_is_not_told_where_nothing_is_eaten(self, crowded: Instance) -> None:
        allergy = self.allergy(crowded)
        hits = recall(crowded, "Where do I live?", RecallOptions(is_message=True)).hits
        assert allergy not in [hit.memory for hit in hits]

    def test_is_not_told_for_a_task(self, crowded: Instance) -> None:
        allergy = self.allergy(crowded)
        question = "Translate into Danish: the soup tastes good"
        hits = recall(crowded, question, RecallOptions(is_message=True)).hits
        assert allergy not in [hit.memory for hit in hits]

    @pytest.mark.parametrize("words", ["dinner", "Priya -walnuts dinner", '"for dinner"'])
    def test_is_not_told_where_words_are_searched_for(self, crowded: Instance, words: str) -> None:
        allergy = self.allergy(crowded)
        assert allergy not in [hit.memory for hit in recall(crowded, words).hits]

    def test_a_file_cannot_make_itself_vital(self, instance: Instance) -> None:
        """An importance that a file gives does not lift what it says."""
        by_file = Writer(Origin.IMPORT, Actor(via="test"), tier=Tier.DOCUMENT)
        remember(instance, [Candidate("Ana is allergic to flattery.", importance=10)], by_file)
        (hit,) = recall(instance, "What may Ana eat? Is she allergic?").hits
        assert "health" not in hit.parts

    def test_of_many_so_many_are_taken(self, crowded: Instance) -> None:
        for number in range(MAX_TAKEN + 5):
            self.allergy(crowded, f"My cousin number {number} is allergic to fruit {number}.")
        question = "What shall I cook for dinner?"
        hits = recall(crowded, question, RecallOptions(limit=100)).hits
        assert sum("health" in hit.parts for hit in hits) == MAX_TAKEN
