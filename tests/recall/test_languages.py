"""Search in instances whose conversations are in several languages."""

from collections.abc import Callable

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.search import TextQuery, best_by_words
from instances.actor import Actor
from instances.models import Instance, User
from instances.signals import language_changed
from memoryapp.forgetting.deletion import forget
from memoryapp.mining.run import mine_here
from memoryapp.models import Drawer, Memory, Origin
from memoryapp.pipeline import Candidate, Changes, Writer, remember, restore, revise
from memoryapp.recall import RecallOptions, recall
from memoryapp.recall.query import RecallQuery
from memoryapp.recall.retrieval import searchable_in
from memoryapp.web.highlight import marked

#: One for each language, and another in English, which is the usual one.
SAID = {
    "english": "My brothers were painting the old kitchen with us.",
    "german": "Wir haben gestern mit den Nachbarn drei große Bäume gepflanzt.",
    "italian": "Abbiamo mangiato con i nostri amici nella casa vicino al mare.",
    "spanish": "Nosotros compramos unas manzanas rojas en el mercado con mi abuela.",
    "french": "Nous avons acheté des chaussures pour les enfants de ma voisine.",
    "portuguese": "Nós comemos umas laranjas muito doces na varanda com os meus avós.",
}
#: A question to each, with other endings.
ASKED = {
    "english": "Who paints kitchens?",
    "german": "Wo wurde der Baum gepflanzt?",
    "italian": "Chi è l'amico che mangia la pizza?",
    "spanish": "¿Quién compró la manzana?",
    "french": "Qui achète une chaussure ?",
    "portuguese": "Quem comeu a laranja?",
}


@pytest.fixture
def talk(instance: Instance) -> Conversation:
    """A conversation of six languages, filed."""
    talk = Conversation.objects.create(instance=instance, title="Six languages")
    append(talk, [NewMessage("user", text) for text in SAID.values()], finished=False)
    mine_here(talk, with_model=False)
    return talk


def asked(instance: Instance, question: str) -> TextQuery:
    instance.refresh_from_db()
    query = RecallQuery.prepare(instance, question, "rrf")
    assert query is not None and query.words is not None
    return query.words


def test_each_text_is_stored_in_its_own_language(talk: Conversation) -> None:
    stored = talk.messages.order_by("position").values_list("language", flat=True)
    assert list(stored) == list(SAID)
    talk.instance.refresh_from_db()
    assert talk.instance.search_languages == sorted(SAID)


@pytest.mark.parametrize("language", SAID)
def test_question_finds_other_forms_of_its_words(talk: Conversation, language: str) -> None:
    query = asked(talk.instance, ASKED[language])
    said = talk.messages.get(language=language)
    assert best_by_words(Message.objects.all(), query, limit=1) == [said.pk]
    # The drawer after it has the words of the message before, too.
    drawer = Drawer.objects.get(message=said)
    assert drawer.pk in best_by_words(Drawer.objects.all(), query, limit=2)


def test_short_message_has_the_language_of_the_one_before(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    append(talk, [NewMessage("user", SAID["german"])], finished=False)
    append(talk, [NewMessage("user", "Schöne Bäume!")], finished=False)
    assert [message.language for message in talk.messages.order_by("position")] == ["german"] * 2


@pytest.mark.parametrize(
    ("usual", "text", "language"),
    [
        ("portuguese", "Eu moro em Lisboa com a minha irmã e o meu gato.", "portuguese"),
        ("dutch", "Ik woon in Utrecht met mijn zus en de kat.", "dutch"),
        ("simple", "Moja siostra mieszka w Krakowie.", "simple"),
        ("portuguese", SAID["english"], "english"),
        ("dutch", SAID["german"], "german"),
        ("german", "Fahrrad", "german"),
        ("english", "私は犬が好きです", "english"),
    ],
)
def test_usual_language_is_that_of_what_tells_none(
    instance: Instance, usual: str, text: str, language: str
) -> None:
    Instance.objects.update(language=usual)
    instance.refresh_from_db()
    talk = Conversation.objects.create(instance=instance)
    (message,) = append(talk, [NewMessage("user", text)], finished=False).added
    assert message.language == language


def test_word_with_several_stems_counts_once(instance: Instance) -> None:
    """A word such as "running" has one stem in English and another in German."""
    Memory.objects.bulk_create(
        Memory(instance=instance, content=text, language=language)
        for text, language in [
            ("Running is fun.", "english"),
            ("Running macht Laune.", "german"),
            ("Tea is fun.", "english"),
        ]
    )
    one = TextQuery.parse("running tea", instance_id=instance.pk, languages=["english"])
    both = TextQuery.parse("running tea", instance_id=instance.pk, languages=["english", "german"])
    assert one is not None and both is not None
    stems = dict(zip(both.to_tsquery().stems, both.to_tsquery().numbers, strict=True))
    assert stems["'run'"] == stems["'running'"] != stems["'tea'"]
    rows = Memory.objects.in_instance(instance)
    assert len(best_by_words(rows, one, limit=5)) == 2
    assert len(best_by_words(rows, both, limit=5)) == 3


def test_words_in_one_language_are_what_they_were(instance: Instance) -> None:
    """The second language changes nothing for texts that have none of its stems."""
    instance.note_languages(["german"])
    texts = ["The user paints kitchens.", "The user has a kitchen.", "The user paints, and paints."]
    Memory.objects.bulk_create(Memory(instance=instance, content=text) for text in texts)
    rows = Memory.objects.in_instance(instance)
    found = []
    for languages in (["english"], ["english", "german"]):
        query = TextQuery.parse("who paints kitchens", instance_id=instance.pk, languages=languages)
        found.append(best_by_words(rows, query, limit=5))
    assert found[0] == found[1]


def test_stop_word_of_the_question_is_no_word_of_another_language(talk: Conversation) -> None:
    words = TextQuery.parse(
        "because of trees", instance_id=talk.instance_id, languages=["english", "german"]
    )
    assert words is not None
    assert not [stem for stem in words.to_tsquery().stems if "becaus" in stem]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ('"drei große Bäume"', ["german"]),
        ('"drei große Baum"', ["german"]),
        ('"große drei Bäume"', []),
        ("Bäume -gepflanzt", []),
        ("Bäume -gepflanzten", []),
        ("Baum -manzana", ["german"]),
        ("manzana -Baum", ["spanish"]),
    ],
)
def test_phrases_and_exclusions_hold_in_any_language(
    talk: Conversation, question: str, found: list[str]
) -> None:
    ids = best_by_words(Message.objects.all(), asked(talk.instance, question), limit=5)
    assert [Message.objects.get(pk=pk).language for pk in ids] == found


def test_memory_is_found_by_other_forms_and_marked(instance: Instance) -> None:
    contents = ["Der Nutzer hat mit seinen Nachbarn drei Bäume gepflanzt.", "The user has a dog."]
    remember(instance, [Candidate(text) for text in contents], Writer(Origin.MANUAL, Actor()))
    trees = Memory.objects.get(language="german")
    hits = recall(instance, "Wer hat den Baum gepflanzt?", RecallOptions()).hits
    assert hits[0].memory == trees
    (text,) = marked(instance, "Baum", Memory.objects.filter(pk=trees.pk), "content").values()
    assert "<mark>Bäume</mark>" in text


def test_reworded_memory_changes_its_language(
    instance: Instance, alice: User, store_memory: Callable[..., Memory]
) -> None:
    memory = store_memory("The user has a dog named Rex.", category="fact")
    reworded = Changes("Der Nutzer hat einen Hund mit dem Namen Rex.", "fact", 5)
    revise(memory, reworded, by=Actor(alice))
    memory = Memory.objects.get()
    assert memory.language == "german"
    instance.refresh_from_db()
    assert instance.search_languages == ["english", "german"]
    restore(memory.revisions.get(), by=Actor(alice))
    assert Memory.objects.get().language == "english"


def test_forgetting_reaches_messages_in_other_languages(instance: Instance) -> None:
    talk = Conversation.objects.create(instance=instance)
    said = ["Ich wohne mit meiner Schwester in Montevideo.", "I wash the dishes with my sister."]
    first, _ = append(talk, [NewMessage("user", text) for text in said], finished=False).added
    again = Conversation.objects.create(instance=instance)
    append(again, [NewMessage("user", said[0])], finished=False)
    candidate = Candidate(
        "Der Nutzer hat Schwestern in Montevideo.",
        conversation_id=talk.pk,
        message_id=first.pk,
    )
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"))
    (outcome,) = remember(instance, [candidate], writer)
    forget(instance, Memory.objects.filter(pk=outcome.memory.pk), by=Actor())
    assert [message.content for message in again.messages.all()] == [""]
    assert [message.content for message in talk.messages.order_by("position")] == ["", said[1]]


def test_another_usual_language_changes_only_what_tells_none(talk: Conversation) -> None:
    (short,) = append(talk, [NewMessage("user", "Pizza!")], finished=False).added
    Message.objects.filter(pk=short.pk).update(language="english")
    Instance.objects.update(language="swedish")
    instance = Instance.objects.get(pk=talk.instance_id)
    language_changed.send(sender=Instance, instance=instance)
    stored = talk.messages.order_by("position").values_list("language", flat=True)
    assert list(stored) == [*SAID, "swedish"]
    assert set(Instance.objects.get(pk=instance.pk).search_languages) == {"swedish", *SAID}


def test_one_language_needs_no_further_statement(instance: Instance) -> None:
    """An instance in one language has the statements that it had."""
    query = TextQuery.parse("green tea", instance_id=instance.pk, languages=["english"])
    assert query is not None
    assert "ts_parse" not in query.tsquery_columns.text
    assert searchable_in(instance, query).words.stems


def test_messages_are_found_on_the_screen(as_alice: Client, talk: Conversation) -> None:
    page = as_alice.get("/conversations", {"instance": talk.instance.slug, "q": "Baum"})
    assert "<mark>Bäume</mark>" in page.content.decode()
