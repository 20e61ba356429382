"""Full-text search with natural questions: optional, required and excluded words."""

from collections.abc import Callable

import pytest

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from conversations.sanitizer import sanitize
from conversations.search import SearchTerms, TextQuery, best_by_words
from instances.models import Instance
from memoryapp.models import Memory

Search = Callable[[str], list[str]]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("when did Alice move?", SearchTerms("when did Alice move?")),
        ("", SearchTerms("")),
        ('her "green tea" habit', SearchTerms("her   habit", ("green tea",))),
        ("tea -coffee", SearchTerms("tea", (), ("coffee",))),
        ('tea -"green tea"', SearchTerms("tea", (), ("green tea",))),
        ("-coffee tea -milk", SearchTerms("tea", (), ("coffee", "milk"))),
        ("well-known facts", SearchTerms("well-known facts")),
        ("a - b", SearchTerms("a - b")),
        ('an "unclosed phrase', SearchTerms('an "unclosed phrase')),
        ('"one two" "three"', SearchTerms("", ("one two", "three"))),
        ('""', SearchTerms('""')),
    ],
)
def test_question_is_parsed(question: str, words: SearchTerms) -> None:
    assert SearchTerms.parse(question) == words


@pytest.fixture
def search(instance: Instance) -> Search:
    """Return a search function for memories, best first."""

    def find(question: str) -> list[str]:
        query = TextQuery.parse(
            sanitize(question), instance_id=instance.pk, languages=instance.search_languages
        )
        ids = best_by_words(Memory.objects.in_instance(instance), query, limit=20)
        texts = dict(Memory.objects.values_list("pk", "content"))
        return [texts[pk] for pk in ids]

    return find


def store(instance: Instance, *contents: str) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=content, language=instance.language)
        for content in contents
    )


MOVED = "Alice moved to Lyon in May 2021."
TEA = "Bob drinks green tea, never coffee."
PIG = "Alice owns a guinea pig called Nibbles."


@pytest.fixture
def facts(instance: Instance) -> None:
    store(instance, MOVED, TEA, PIG)


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did Alice move?", [MOVED, PIG]),
        ("when was the moving to lyon", [MOVED]),
        ("What kind of tea does Bob like to drink in the evening?", [TEA]),
        ("Which pet does Alice have, a guinea pig?", [PIG, MOVED]),
        ("nibbles", [PIG]),
        ("MAY 2021", [MOVED]),
        # phrases are required
        ('"green tea"', [TEA]),
        ('"tea green"', []),
        ('Alice "guinea pig"', [PIG]),
        ('"guinea pig" "green tea"', []),
        # minus excludes
        ("Alice -pig", [MOVED]),
        ("Alice -pigs", [MOVED]),
        ('Alice -"guinea pig"', [MOVED]),
        ("Alice -Alice", []),
        ("-Alice", []),
        # nothing to look for
        ("who is the", []),
        ("?!", []),
        ("", []),
        ('"the"', []),
        ("xylophone", []),
        # the lexeme of the instance cannot be searched
        ("keepsakeinstance", []),
    ],
)
def test_search_results(search: Search, question: str, expected: list[str]) -> None:
    assert search(question) == expected


def test_minus_before_a_stop_word_excludes_nothing(search: Search, facts: None) -> None:
    assert search("lyon -the") == [MOVED]


def test_rare_words_rank_higher_than_frequent_ones(instance: Instance, search: Search) -> None:
    store(instance, *(f"Caroline met Caroline on day {n}" for n in range(30)), "A guinea pig.")
    assert search("Did Caroline have a guinea pig?")[0] == "A guinea pig."


def test_newest_of_equal_results_is_first(instance: Instance, search: Search) -> None:
    store(instance, "Tea at noon", "Tea at midnight")
    assert search("tea") == ["Tea at midnight", "Tea at noon"]


@pytest.mark.parametrize(
    ("language", "content", "question"),
    [
        ("german", "Die Nutzerin ist nach München gezogen.", "Wohin ist sie gezogen? nach München"),
        ("german", "Sie mag Katzen.", "Welche Katze mag sie?"),
        ("french", "Elle a déménagé à Lyon.", "Quand a-t-elle déménagé ?"),
        ("russian", "Она любит кошек.", "Кого она любит? Кошки"),
        ("simple", "用户 住在 北京", "北京"),
        ("simple", "To be or not to be", "to be"),
    ],
)
def test_stemming_uses_the_language_of_the_instance(
    instance: Instance, search: Search, language: str, content: str, question: str
) -> None:
    instance.language = language
    store(instance, content)
    assert search(question) == [content]


def test_author_and_caption_of_a_message_are_searched(
    instance: Instance, conversation: Conversation
) -> None:
    append(
        conversation, [NewMessage("user", "Look!", author="Melanie", caption="a lake at sunrise")]
    )
    for question in ("what did Melanie say?", "sunrises"):
        query = TextQuery.parse(question, instance_id=instance.pk, languages=["english"])
        ids = best_by_words(Message.objects.filter(instance=instance), query, limit=5)
        assert [Message.objects.get(pk=pk).content for pk in ids] == ["Look!"]


HOSTILE = [
    "' OR 1=1; DROP TABLE memoryapp_memory; --",
    "lyon' & 'x",
    "\\' | lyon",
    "lyon:*",
    "lyon & | ! ( ) <-> <2> :A",
    "!!lyon",
    "'",
    '"',
    '"""',
    '-"',
    "-",
    "--lyon",
    "-- ",
    "-'",
    '-"\'"',
    "\\",
    "%s %(x)s {found} $1",
    "\x00",
    "\ud800 lyon",
    "🙂 👩‍👩‍👧 🇫🇷",
    "﷽ ‮lyon",
    "https://example.org/a&b?c=d&e=%20 a@b.example /usr/bin 1.2.3.4",
    "x" * 3_000,
    "'" * 3_000,
    "-a " * 5_000,
    '"a b" ' * 5_000,
    '-"a b" ' * 5_000,
]


@pytest.mark.usefixtures("facts")
@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_input_is_treated_as_words(search: Search, question: str) -> None:
    assert set(search(question)) <= {MOVED}


@pytest.mark.usefixtures("facts")
def test_very_long_question_is_answered(search: Search) -> None:
    page = " ".join(f"word{n}" for n in range(500_000))
    assert search(f"lyon {page}") == [MOVED]


@pytest.mark.parametrize(
    ("content", "question"),
    [
        ("She said “move it” … and left", "move"),
        ("Mara’s daughter moved", "Mara's daughter"),
        ("Mara's daughter moved", "“Mara’s daughter”"),
        ("no—really—honestly", "honestly"),
        ("東京に、猫がいる。", "猫がいる"),
    ],
)
def test_typographic_marks_are_not_part_of_a_word(
    content: str, question: str, conversation: Conversation
) -> None:
    """Models often write such marks, which some database locales classify as letters."""
    (message,) = append(conversation, [NewMessage("user", content)]).added
    query = TextQuery.parse(question, instance_id=conversation.instance_id, languages=["english"])
    assert message.pk in best_by_words(Message.objects.all(), query, limit=5)
