"""What somebody types into a search is searched for: words that a chat would pass over, and other
ways to write the same letters.
"""

from collections.abc import Callable
from unicodedata import normalize

import pytest

from conversations.models import Conversation, Message
from conversations.search import TextQuery, best_by_words
from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, recall

REMEMBERED = [
    "The user's parrot is called Buongiorno.",
    "The user's boat is named Danke.",
    "The user works with C++ at the mill.",
    "The user learns C# in the evening.",
    "The user plots rain in R.",
    "The user prints hinges in 3D.",
    "The user builds services on .NET.",
    "The user reads a newspaper called Merci.",
    "The user's band is called Hi.",
    "The user sells \ufb02ags at the harbour.",
    "The user's café is closed on Mondays.",
    "ユーザーはｶﾞﾗｽを集めています。",
    "The user's licence plate says ＫＯＰ.",
    "The user plays a Wurlitzer™ organ.",
    "The user's brother is Jean-Luc O'Hara.",
    "The user rides an e\u2011bike to the quarry.",
    "The user works in IT since May.",
    "The user saw The Who in Leeds.",
    "The user once had a job at AT&T.",
    "The user's blood group is A-.",
    "The user's mule is called Why.",
]

#: What is typed, and a word of the memory that it finds.
TYPED = {
    "Buongiorno": "parrot",
    "danke": "boat",
    "C++": "mill",
    "C#": "evening",
    "R": "rain",
    "3D": "hinges",
    ".NET": "services",
    "Merci": "newspaper",
    "hi": "band",
    "flags": "harbour",
    normalize("NFD", "café"): "Mondays",
    "ガラス": "集め",
    "ｶﾞﾗｽ": "集め",
    "kop": "licence",
    "ＫＯＰ": "licence",
    "Wurlitzer": "organ",
    "Jean-Luc": "brother",
    "O’Hara": "brother",
    "Hara": "brother",
    "e-bike": "quarry",
    "e\u2010bike": "quarry",
    "IT": "since May",
    "The Who": "Leeds",
    "the  who": "Leeds",
    "AT&T": "job",
    "A-": "blood",
    "why": "mule",
}

Remember = Callable[..., Memory]


@pytest.fixture(autouse=True)
def _memories(store_memory: Remember) -> None:
    for text in REMEMBERED:
        store_memory(text)


@pytest.mark.parametrize(("typed", "word"), TYPED.items())
def test_words_that_are_typed_are_found(typed: str, word: str, instance: Instance) -> None:
    found = [hit.content for hit in recall(instance, typed).hits]
    assert any(word in text for text in found)


def test_what_is_typed_is_found_among_others(instance: Instance) -> None:
    among = Memory.objects.filter(content__contains="user")
    options = RecallOptions(memories=among.exclude(content__contains="Leeds"))
    assert ["since May" in hit.content for hit in recall(instance, "IT", options).hits] == [True]
    assert not recall(instance, "The Who", options).hits


@pytest.mark.parametrize("message", ["Danke", "hi", "Merci", "Buongiorno!"])
def test_a_chat_passes_them_over(message: str, instance: Instance) -> None:
    assert not recall(instance, message, RecallOptions(is_message=True)).hits


@pytest.mark.parametrize("typed", ["thanks", "good morning", "it is", "We", "("])
def test_nothing_merely_resembles_a_greeting(typed: str, instance: Instance) -> None:
    assert not recall(instance, typed).hits


def test_messages_are_found_in_any_form(
    instance: Instance, store_message: Callable[..., Message]
) -> None:
    conversation = Conversation.objects.create(instance=instance)
    said = store_message(conversation, "My o\ufb03ce has a \ufb01replace, an e\u2011bike and ｺｰﾋｰ.")
    for typed in ("e-bike", "e\u2010bike", "office", "FIREPLACE", "ｆｉｒｅｐｌａｃｅ", "コーヒー"):
        query = TextQuery.parse(typed, instance_id=instance.pk, languages=["english"])
        assert best_by_words(Message.objects.all(), query, limit=5) == [said.pk]
