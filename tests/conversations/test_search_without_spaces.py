"""Full-text search in scripts without spaces between words."""

import pytest

from conversations.highlight import START, STOP, with_marks
from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.search import TextQuery, best_by_words
from conversations.search_functions import MAX_UNSPACED_CHARACTERS
from instances.models import Instance
from memoryapp.models import Memory
from memoryapp.web.highlight import marked

TEA = "我妹妹喜欢喝绿茶，从不喝咖啡。"
CAT = "我们家养了一只叫米糕的猫"
TOWER = "東京タワーに行きました。iPhoneも買った"
RICE = "ผมชอบกินข้าวผัดกุ้ง"
DOG = "우리 강아지를 산책시켰다"
LAO = "ຂ້ອຍມັກກິນເຂົ້າໜຽວ"
ENGLISH = "The user drinks green tea."
EVERY = (TEA, CAT, TOWER, RICE, DOG, LAO, ENGLISH)


@pytest.fixture
def facts(instance: Instance) -> Instance:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=text, language="english") for text in EVERY
    )
    return instance


def found(instance: Instance, question: str) -> list[str]:
    query = TextQuery.parse(question, instance_id=instance.pk, languages=["english"])
    ids = best_by_words(Memory.objects.in_instance(instance), query, limit=20)
    texts = dict(Memory.objects.values_list("pk", "content"))
    return [texts[pk] for pk in ids]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("她妹妹喜欢喝什么？", TEA),
        ("绿茶", TEA),
        ("那只猫叫什么名字", CAT),
        ("いつ東京タワーに行った？", TOWER),
        ("買った iPhone", TOWER),
        ("iphone", TOWER),
        ("เขาชอบกินอะไร", RICE),
        ("강아지는 어디에 있어?", DOG),
        ("ມັກກິນ", LAO),
        ("green tea", ENGLISH),
    ],
)
def test_parts_of_a_sentence_are_found(facts: Instance, question: str, first: str) -> None:
    assert found(facts, question)[0] == first


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("猫", [CAT]),  # the end of a sentence
        ("绿", [TEA]),  # inside a word
        ("茶", [TEA]),
        ("狗", []),
        ("飞机", []),
        ('"喜欢喝绿"', [TEA]),
        ('"喝绿咖"', []),
        ('"猫"', [CAT]),
        ("喝 -咖啡", []),
        ("我 -猫", [TEA]),
    ],
)
def test_characters_phrases_and_exclusions(
    facts: Instance, question: str, expected: list[str]
) -> None:
    assert found(facts, question) == expected


def test_messages_are_found_with_what_was_said_before_and_after(conversation: Conversation) -> None:
    append(conversation, [NewMessage("user", "他搬到了上海。"), NewMessage("user", "他养狗。")])
    query = TextQuery.parse("上海", instance_id=conversation.instance_id, languages=["english"])
    (pk,) = best_by_words(Message.objects.all(), query, limit=5)
    assert Message.objects.get(pk=pk).content == "他搬到了上海。"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("绿茶", "我妹妹喜欢喝<mark>绿茶</mark>，从不喝咖啡。"),
        ("咖", "我妹妹喜欢喝绿茶，从不喝<mark>咖</mark>啡。"),
    ],
)
def test_found_characters_are_marked(facts: Instance, question: str, expected: str) -> None:
    rows = facts.memories.filter(content=TEA)
    assert list(marked(facts, question, rows, "content").values()) == [expected]


def test_neighbouring_marks_become_one() -> None:
    assert with_marks(f"{START}a{STOP}{START}b{STOP} c") == "<mark>ab</mark> c"


def test_long_text_is_stored_and_its_beginning_is_found(conversation: Conversation) -> None:
    # Each pair is another word: the worst case for the size of a tsvector.
    text = "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(3 * MAX_UNSPACED_CHARACTERS))
    (message,) = append(conversation, [NewMessage("user", text)]).added
    query = TextQuery.parse(text[:4], instance_id=conversation.instance_id, languages=["english"])
    assert best_by_words(Message.objects.all(), query, limit=5) == [message.pk]


def test_only_the_beginning_of_a_long_question_is_searched_for(facts: Instance) -> None:
    assert found(facts, "猫" + "字" * 100_000) == [CAT]
    assert found(facts, "字" * 100_000 + "猫") == []
