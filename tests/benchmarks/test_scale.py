"""The scale benchmark from end to end with a few memories, and its assumptions."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.db import connection

from benchmarks import multi_tenant_dataset
from benchmarks.scale import WARM_UP, recall_at_10
from benchmarks.scale_figures import growth
from benchmarks.synthetic_text import SyntheticText
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp.models import Drawer, DrawerEmbedding, Memory, MemoryEmbedding, MemorySource, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import recall
from tests.benchmarks.commands import lines_of


@pytest.mark.soak
@pytest.mark.django_db
def test_everything_is_measured(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text('{"p95_ms_1k": 1.0}')
    page = tmp_path / "page.md"
    page.write_text("<!-- figures: scale -->\n<!-- end -->\n")
    measured = ("--json", "--questions", "3", "--database", "keepsake_benchmark_test")
    size = ("--memories", "60", "--largest", "30", "--instances", "5")
    # So that thirty vectors are worth an index.
    index = {"VECTOR_INDEX_FROM": "30"}
    lines_of("scale", *measured, *size, "--keep", **index)
    *lines, last = lines_of(
        "scale", *measured, "--reuse", "--compare", str(other), "--table", str(page), **index
    )
    figures = json.loads(last)
    measured_ = [
        *("p50_ms_largest", "p95_ms_largest", "p50_ms_person", "p95_ms_person"),
        *("list_p50_ms", "list_p95_ms"),
        *("filter_p50_ms", "filter_p95_ms", "store_p50_ms", "store_p95_ms", "floor_ratio"),
        *("p50_ratio_during_a_build", "p95_ratio_during_a_build", "build_s"),
        *("p50_ratio_in_groups", "p95_ratio_in_groups"),
        *("machine_loop_ms", "machine_statement_ms"),
    ]
    assert all(figures[name] > 0 for name in measured_)
    # The run before has stored facts there.
    largest = 30 + 3 + WARM_UP
    assert figures["largest"] == largest
    assert {figures[name] for name in figures if name.startswith("recall_at_10_")} == {1.0}
    absent = {f"{share}_ms_{size}" for share in ("p50", "p95") for size in ("1k", "10k")}
    assert {name for name in figures if figures[name] is None} == absent
    assert f"| {largest} |" in page.read_text()
    assert "The two runs have no instance of the same size." in lines
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        assert "untouched" not in {name for (name,) in cursor}
    lines_of("scale", *measured, *size)
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        assert "keepsake_benchmark_test" not in {name for (name,) in cursor}


@pytest.mark.parametrize(
    ("memories", "instances"), [(300_000, 300), (100_000, 300), (10_000, 300), (60, 5), (7, 7)]
)
def test_largest_instance_has_a_fifth_and_none_is_empty(memories: int, instances: int) -> None:
    sizes = multi_tenant_dataset.sizes_of(memories, instances)
    assert sum(sizes) == memories
    assert len(sizes) == instances
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == max(memories // 5, -(-memories // instances))
    assert sizes[-1] >= 1
    assert (1_000 in sizes) == (memories >= 10_000)
    assert (10_000 in sizes) == (memories >= 100_000)


def test_largest_instance_has_a_size_of_its_own() -> None:
    assert multi_tenant_dataset.sizes_of(60, 5, largest=40)[0] == 40
    for impossible in (11, 57):
        with pytest.raises(ValueError, match="between 12 and 56"):
            multi_tenant_dataset.sizes_of(60, 5, largest=impossible)


def test_more_instances_than_memories_are_rejected() -> None:
    with pytest.raises(ValueError, match="at least one memory"):
        multi_tenant_dataset.sizes_of(3, 4)


@pytest.mark.soak
def test_synthetic_vectors_are_distributed_like_real_ones() -> None:
    """Measured on 1,500 turns of LoCoMo with the built-in embedder: pairs 0.23 ± 0.13, the tenth
    nearest 0.40 / 0.55 / 0.67 (5%, half, 95%), an effective dimension of 62.
    """
    babble, dice = SyntheticText(), np.random.default_rng(1)
    topics = dice.integers(0, 400, 40)[dice.integers(0, 40, 1_500)].astype(np.int32)
    lengths = dice.integers(8, 24, 1_500).astype(np.int32)
    vectors = babble.vectors(dice, babble.texts(dice, topics, lengths))
    cosines = vectors @ vectors.T
    np.fill_diagonal(cosines, np.nan)
    assert np.nanmean(cosines) == pytest.approx(0.23, abs=0.05)
    assert np.nanstd(cosines) == pytest.approx(0.13, abs=0.03)
    tenth = np.sort(np.nan_to_num(cosines, nan=-1), axis=1)[:, -10]
    assert np.median(tenth) == pytest.approx(0.55, abs=0.08)
    spectrum = np.linalg.svd(vectors - vectors.mean(axis=0), compute_uv=False) ** 2
    assert 25 < spectrum.sum() ** 2 / (spectrum**2).sum() < 80


@pytest.mark.django_db(transaction=True)
def test_generated_instances_can_be_searched_and_extended() -> None:
    dataset = multi_tenant_dataset.fill(80, 5)
    largest = dataset.instances[0]
    assert Memory.objects.count() == Message.objects.count() == 80
    assert not Message.objects.filter(drawer=None).exists()
    assert DrawerEmbedding.objects.count() == Drawer.objects.exclude(search=None).count() == 80
    assert MemoryEmbedding.objects.filter(instance=largest).count() == 16
    for memory in Memory.objects.prefetch_related("sources__message"):
        for source in memory.sources.all():
            assert source.message is not None and source.conversation is not None
            assert source.message.instance_id == source.conversation.instance_id
            assert source.instance_id == memory.instance_id
    assert MemorySource.objects.count() > 30
    positions = Conversation.objects.values_list("messages__position", flat=True)
    assert min(positions) == 1

    questions = dataset.questions(largest, 5)
    with multi_tenant_dataset.ready_vectors(
        {question.text: question.vector for question in questions}
    ):
        assert all(recall(largest, question.text).hits for question in questions)
    assert recall_at_10(largest, questions, MemoryEmbedding) == 1.0
    assert recall_at_10(largest, questions, DrawerEmbedding) == 1.0
    facts = dataset.facts(largest, 3)
    with multi_tenant_dataset.ready_vectors(facts):
        writer = Writer(Origin.API, Actor(via="test"), tier=Tier.USER)
        remember(largest, [Candidate(fact) for fact in facts], writer)
    assert Instance.objects.get(pk=largest.pk).memories.count() == 19


def test_growth_is_reported_for_instances_of_the_same_size() -> None:
    before = {"p95_ms_1k": 4.0, "p95_ms_10k": None}
    assert growth(before, {"p95_ms_1k": 5.0, "p95_ms_10k": 20.0}) == (
        "p95_ms_1k: 1.25 times that of the other run"
    )
