"""Search in a large instance: counts of words, and which texts are ranked."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from conversations import word_counting, word_selection
from conversations.models import CountedTexts, WordCount
from conversations.search import TextQuery, best_by_words, word_search_sql
from conversations.word_counting import count_words, forget_words
from instances.models import Instance
from memoryapp.models import Memory

#: Words, the most frequent one first.
WORDS = [
    f"{first}{second}" for first in ("ba", "do", "ki", "lu") for second in ("mor", "tan", "vel")
]
QUESTIONS = [
    "bamor dotan",
    "bamor bavel kitan luvel",
    "batan batan",
    "luvel",
    "bamor batan bavel domor dotan dovel kimor kitan",
]


@pytest.fixture(autouse=True)
def small_instances_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an instance of a hundred texts be a large one."""
    monkeypatch.setattr(word_counting, "MIN_COUNTED_TEXTS", 100)
    monkeypatch.setattr(word_counting, "MIN_TEXTS", 10)
    monkeypatch.setattr(word_selection, "UNCOUNTED_TEXTS", 5)
    monkeypatch.setattr(word_selection, "MAX_UNSELECTED", 20)
    monkeypatch.setattr(word_selection, "TEXTS", 15)


def store(instance: Instance, count: int, *, seed: int = 1, **fields: str) -> None:
    """Store texts of some words each; half of the texts have the first one."""
    dice = random.Random(seed)  # noqa: S311 - The same texts each time.
    weights = [1 / (rank + 1) for rank in range(len(WORDS))]
    Memory.objects.bulk_create(
        Memory(instance=instance, content=" ".join(dice.choices(WORDS, weights, k=3)), **fields)
        for _ in range(count)
    )


def asked(instance: Instance, question: str) -> TextQuery:
    query = TextQuery.parse(question, instance_id=instance.pk, languages=["english"])
    assert query is not None
    return query


def best(instance: Instance, question: str, limit: int = 5, **among: str) -> list[int]:
    rows = Memory.objects.in_instance(instance).filter(**among)
    return best_by_words(rows, asked(instance, question), limit=limit)


def ranked(instance: Instance, question: str, *, limit: int = 5) -> int:
    """The number of texts that are ranked."""
    query = asked(instance, question).to_tsquery()
    sql = word_search_sql(
        Memory,
        query,
        limit=limit,
        within=instance.pk,
        selection=query.selection(Memory, limit),
    )
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {sql.text} SELECT count(*) FROM scored", sql.params)  # noqa: S608
        return int(cursor.fetchone()[0])


def counts(instance: Instance) -> dict[str, int]:
    rows = WordCount.objects.filter(instance=instance).exclude(stem__contains="instance")
    return dict(rows.values_list("stem", "texts"))


def test_words_of_large_instances_are_counted(instance: Instance, private: Instance) -> None:
    store(instance, 120)
    store(private, 90)
    count_words(Memory)
    (counted,) = CountedTexts.objects.all()
    assert (counted.instance, counted.table, counted.texts) == (instance, "memoryapp_memory", 120)
    memories = Memory.objects.in_instance(instance)
    texts = memories.filter(content__contains="bamor").count()
    assert counts(instance)["'bamor'"] == texts
    assert counts(private) == {}


def test_rare_words_are_not_kept(instance: Instance) -> None:
    store(instance, 120)
    rare = Memory.objects.in_instance(instance).order_by("pk")[:9]
    Memory.objects.filter(pk__in=rare.values("pk")).update(content="secret bamor")
    count_words(Memory)
    assert "'bamor'" in counts(instance)
    assert not [stem for stem in counts(instance) if "secret" in stem]


@pytest.mark.parametrize("question", QUESTIONS)
def test_best_texts_are_those_of_a_ranking_of_all(instance: Instance, question: str) -> None:
    store(instance, 300)
    texts = dict(Memory.objects.values_list("pk", "content"))
    of_all = [texts[pk] for pk in best(instance, question)]
    count_words(Memory)
    selected = [texts[pk] for pk in best(instance, question)]
    words = set(question.split())

    def held(text: str) -> set[str]:
        return words & set(text.split())

    assert [held(text) for text in selected] == [held(text) for text in of_all]


def test_ranked_texts_do_not_grow_with_the_instance(instance: Instance) -> None:
    question = "bamor batan domor kimor"
    found = []
    for count in (150, 1_350):
        store(instance, count, seed=count)
        everything = ranked(instance, question)
        count_words(Memory)
        found.append((everything, ranked(instance, question)))
        forget_words(instance)
    (all_before, before), (all_after, after) = found
    assert all_after > 8 * all_before
    assert after < 3 * before


def test_rows_that_are_near_are_ranked_though_they_are_not_selected(instance: Instance) -> None:
    store(instance, 300)
    count_words(Memory)
    query = asked(instance, "bamor bavel kitan luvel").to_tsquery()
    selection = query.selection(Memory, 5)
    assert selection is not None
    near = Memory.objects.create(instance=instance, content="bamor")
    shares = {}
    for also in ("", "near"):
        sql = word_search_sql(
            Memory, query, limit=5, within=instance.pk, selection=selection, also=also
        )
        with connection.cursor() as cursor:
            cursor.execute(
                f"WITH near AS (SELECT %s AS id), {sql.text} SELECT id, share FROM scored",  # noqa: S608
                [near.pk, *sql.params],
            )
            shares[also] = dict(cursor.fetchall())
    assert near.pk not in shares[""]
    assert 0 < shares["near"].pop(near.pk) < 0.5
    assert shares["near"] == pytest.approx(shares[""], rel=0.05)


def test_word_that_was_stored_after_the_count_is_found(instance: Instance) -> None:
    store(instance, 200)
    count_words(Memory)
    new = Memory.objects.create(instance=instance, content="A quokka and bamor")
    assert best(instance, "bamor batan quokka")[0] == new.pk
    assert best(instance, "quokka") == [new.pk]


def test_few_texts_that_pass_a_filter_are_all_found(instance: Instance) -> None:
    store(instance, 300)
    store(instance, 4, seed=2, end_user="ana")
    question = "bamor batan bavel domor"
    before = best(instance, question, end_user="ana")
    count_words(Memory)
    assert best(instance, question, end_user="ana") == before
    assert len(before) >= 3


@pytest.mark.parametrize(
    "question", ['"bamor batan" domor', "bamor batan -bavel", '"luvel lutan lumor"']
)
def test_phrases_and_exclusions_hold(instance: Instance, question: str) -> None:
    store(instance, 300)
    every = asked(instance, question).of_required(Memory.objects.in_instance(instance))
    before = best(instance, question, limit=300)
    count_words(Memory)
    assert best(instance, question, limit=300) == before
    assert set(best(instance, question)) <= set(every.values_list("pk", flat=True))
    assert len(best(instance, question)) == min(5, len(before))


def test_counts_of_characters_are_those_of_the_words_that_begin_with_them(
    instance: Instance,
) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"我喜欢{thing}", language="simple")
        for thing in ["茶"] * 60 + ["咖啡"] * 60
    )
    count_words(Memory)
    assert counts(instance)["'喜欢'"] == 120
    assert counts(instance)["'喜':*"] == 120
    assert counts(instance)["'茶':*"] == 60
    query = asked(instance, "茶").to_tsquery()
    assert query.counts["memoryapp_memory"].texts_with(query.words[0]) == 60


def test_counted_anew_after_growth_deletions_and_a_day(instance: Instance) -> None:
    store(instance, 200)
    count_words(Memory)

    def texts() -> int:
        count_words(Memory)
        return CountedTexts.objects.get().texts

    store(instance, 10)
    assert texts() == 200
    CountedTexts.objects.update(counted_at=timezone.now() - timedelta(hours=25))
    assert texts() == 210
    Memory.objects.filter(content__contains="batan").delete()
    assert texts() == Memory.objects.count() < 180
    assert "'batan'" not in counts(instance)
    ids = list(Memory.objects.values_list("pk", flat=True)[:70])
    Memory.objects.exclude(pk__in=ids).delete()
    count_words(Memory)
    assert not CountedTexts.objects.exists()
    assert not WordCount.objects.exists()


def test_instance_that_is_gone_meanwhile_is_skipped(instance: Instance) -> None:
    word_counting._count(instance.pk + 1, Memory, 200)
    assert not CountedTexts.objects.exists()


def test_very_long_question_is_answered(instance: Instance) -> None:
    store(instance, 150)
    question = " ".join([*(f"word{n}" for n in range(900)), "bamor"])
    assert len(best(instance, f"bamor {question}")) == 5
    count_words(Memory)
    assert len(best(instance, f"bamor {question}")) == 5
