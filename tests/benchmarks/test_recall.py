"""The recall benchmark from end to end, on invented files."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.databases import fresh_database
from benchmarks.dataset_runner import Plan, furnished, run
from benchmarks.datasets import open_data
from benchmarks.report import NothingMeasured, Report
from benchmarks.results import Outcomes
from conversations.models import Message
from instances.models import Instance
from memoryapp.models import Drawer, DrawerEmbedding
from tests.benchmarks import samples
from tests.benchmarks.commands import environment


def command(*arguments: str, configured: str = "untouched") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.recall", *arguments],
        cwd=settings.BASE_DIR,
        env=environment(configured) | {"PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        timeout=360,
        check=False,
    )


def run_benchmark(
    data: Path, outcomes: Outcomes, *, profiles: Sequence[str] = ("default",), **more: Any
) -> Report:
    """Run the benchmark in the database of the test."""
    format, opened = open_data(data)
    plan = Plan(format, profiles, **more)
    run(opened, plan, outcomes)
    return Report.of(plan, outcomes)


@pytest.mark.django_db
def test_last_line_is_a_json_object(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text(json.dumps([samples.LOCOMO]))
    result = command("--data", str(data), "--json", "--database", "keepsake_benchmark_test")
    assert result.returncode == 0, result.stderr
    *table, last = result.stdout.splitlines()
    assert table[0] == "LoCoMo, profile default"
    assert "turn R@10" in table[2]
    scores = json.loads(last)
    assert scores["questions"] == 3
    assert scores["turn_recall_at_10"] == pytest.approx(5 / 6, abs=0.2)
    assert 0 < scores["ndcg_at_10"] <= 1
    assert 0 < scores["session_recall_at_10"] <= 1
    assert scores["p95_ms"] > 0
    assert scores["categories"]["5"] == scores["categories"]["5"] | {
        "questions": 1,
        "turn_recall_at_10": 1.0,
    }
    assert scores["profiles"]["rrf"]["questions"] == 3
    assert scores["left_out"] == 1
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        assert not {"keepsake_benchmark_test", "untouched"} & {name for (name,) in cursor}


@pytest.mark.django_db
def test_interrupted_run_is_resumed(tmp_path: Path) -> None:
    data = tmp_path / "Chat_1_Noor_Tomas.json"
    data.write_text(json.dumps(samples.REALTALK))
    path, page = tmp_path / "outcomes.jsonl", tmp_path / "page.md"
    page.write_text("<!-- figures: recall -->\n<!-- end -->\n")
    with Outcomes(path, {}) as outcomes:
        first = run_benchmark(data, outcomes, profiles=["rrf"], questions=1).summary()
    assert (first["format"], first["questions"]) == ("REALTALK", 1)
    begun = path.read_bytes()
    with Outcomes(path, {}) as outcomes:
        whole = run_benchmark(data, outcomes, profiles=["default", "rrf"])
    assert path.read_bytes().startswith(begun), "a request was repeated"
    assert whole.summary()["profiles"]["rrf"]["questions"] == whole.summary()["questions"] == 3
    whole.write(page, "REALTALK")
    page_before, outcomes_before = page.read_text(), path.read_bytes()
    assert "| REALTALK, default | 3 |" in page_before
    with Outcomes(path, {}) as outcomes:
        again = run_benchmark(data, outcomes, profiles=["default", "rrf"])
    again.write(page, "REALTALK")
    assert (again, page.read_text(), path.read_bytes()) == (whole, page_before, outcomes_before)


@pytest.mark.django_db
def test_instance_of_a_sample_is_deleted_after_its_questions(tmp_path: Path) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL))
    run_benchmark(data, Outcomes(None, {}))
    assert not Instance.objects.exists()
    assert not Message.objects.exists()


@pytest.mark.django_db
def test_every_message_is_filed_with_its_vector(tmp_path: Path) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    _, opened = open_data(data)
    ((_, sample),) = opened
    with furnished(sample) as instance:
        turns = Message.objects.filter(instance=instance).count()
        assert turns == len(sample.sessions) == 5
        assert Drawer.objects.filter(instance=instance, search__isnull=False).count() == turns
        assert DrawerEmbedding.objects.filter(instance=instance).count() == turns


@pytest.mark.django_db
def test_chat_with_an_assistant(tmp_path: Path) -> None:
    data = tmp_path / "beam.json"
    data.write_text(json.dumps([samples.BEAM_ROW]))
    scores = run_benchmark(data, Outcomes(None, {})).summary()
    assert scores["questions"] == 3
    assert scores["categories"]["information_extraction"]["turn_recall_at_10"] == 1.0
    assert list(scores["profiles"]) == ["default"]


@pytest.mark.django_db
def test_haystacks(tmp_path: Path) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL))
    report = run_benchmark(data, Outcomes(None, {}))
    assert "s. all@5" in report.text()
    scores = report.summary()
    assert scores["questions"] == 2, "the unanswerable question is counted"
    assert scores["session_recall_any_at_5"] == scores["turn_recall_all_at_10"] == 1.0
    of_assistant = scores["categories"]["single-session-assistant"]
    assert of_assistant["turn_recall_any_at_50"] == 1.0
    assert of_assistant["user_turn_recall_any_at_50"] is None, (
        "the question is answered by a user turn"
    )


@pytest.mark.django_db
def test_missing_evidence_is_reported(tmp_path: Path) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[2:]))
    with pytest.raises(NothingMeasured, match="no question that counts"):
        run_benchmark(data, Outcomes(None, {}))


@pytest.mark.django_db
def test_unknown_files_are_rejected(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text('{"hello": 1}')
    result = command("--data", str(data), "--database", "keepsake_benchmark_test")
    assert result.returncode == 2
    assert "Accepted are" in result.stderr


@pytest.mark.django_db
def test_database_in_use_is_not_touched() -> None:
    name = connection.settings_dict["NAME"]
    with pytest.raises(ValueError, match="in use"), fresh_database(name):
        pass
