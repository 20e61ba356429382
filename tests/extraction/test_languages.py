"""Memories stay in the language that was spoken."""

import pytest

from instances.actor import Actor
from instances.models import Instance
from memoryapp.extraction.prompt import SHORT, SYSTEM
from memoryapp.models import Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember


@pytest.mark.parametrize("prompt", [SYSTEM, SHORT])
def test_model_is_asked_for_the_language_of_the_conversation(prompt: str) -> None:
    assert "in the language of the conversation" in " ".join(prompt.split())


@pytest.mark.parametrize(
    ("said", "language"),
    [
        ("Der Nutzer wohnt mit seiner Schwester in Bern.", "german"),
        ("L'utente vive a Berna con sua sorella.", "italian"),
        ("El usuario vive en Berna con su hermana.", "spanish"),
        ("L'utilisateur habite à Berne avec sa sœur.", "french"),
        ("The user lives in Bern with a sister.", "english"),
    ],
)
def test_memory_is_stored_as_written_with_its_language(
    instance: Instance, said: str, language: str
) -> None:
    remember(instance, [Candidate(said)], Writer(Origin.CONVERSATION, Actor(via="extraction")))
    memory = Memory.objects.get()
    assert (memory.content, memory.language) == (said, language)
