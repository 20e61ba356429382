"""The recall benchmark from end to end, on two sessions that are made up here."""

import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection

from benchmarks.databases import fresh_database

SAMPLE = {
    "sample_id": "workshop",
    "qa": [
        {
            "question": "What did Ines carve?",
            "answer": "A heron",
            "evidence": ["D1:1"],
            "category": 4,
        },
        {"question": "When did Pavel buy the lathe?", "evidence": ["D:2:01"], "category": 2},
        {"question": "What do both own?", "evidence": ["D1:1; D2:1"], "category": 1},
        {"question": "Who painted the harbour?", "evidence": ["D1:2"], "category": 5},
        {"question": "What is without evidence?", "evidence": ["D9:9"], "category": 4},
    ],
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Pavel",
        "session_1_date_time": "9:00 am on 3 April, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I carved a heron out of lime wood."},
            {
                "speaker": "Pavel",
                "dia_id": "D1:2",
                "text": "",
                "blip_caption": "a harbour, painted",
            },
        ],
        "session_2_date_time": "7:30 pm on 9 April, 2023",
        "session_2": [
            {"speaker": "Pavel", "dia_id": "D2:1", "text": "Yesterday I bought a lathe."},
            {"speaker": "Ines", "dia_id": "D2:2", "text": "Lovely weather today."},
        ],
    },
}


def server_address() -> str:
    where = connection.settings_dict
    return f"postgresql://{where['USER']}:{where['PASSWORD']}@/{quote(where['HOST'], safe='')}"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "benchmarks.recall", *arguments],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {"DATABASE_URL": f"{server_address()}/untouched", "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.django_db
def test_the_last_line_is_one_json_object(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text(json.dumps([SAMPLE]))
    done = run("--data", str(data), "--json", "--database", "keepsake_benchmark_test")
    assert done.returncode == 0, done.stderr
    *table, last = done.stdout.splitlines()
    assert "turn R@10" in table[0]
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
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database")
        assert not {"keepsake_benchmark_test", "untouched"} & {name for (name,) in cursor}


@pytest.mark.django_db
def test_other_files_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "data.json"
    data.write_text('{"hello": 1}')
    done = run("--data", str(data), "--database", "keepsake_benchmark_test")
    assert done.returncode == 2
    assert "Accepted are" in done.stderr


@pytest.mark.django_db
def test_the_database_in_use_is_left_alone() -> None:
    name = connection.settings_dict["NAME"]
    with pytest.raises(ValueError, match="in use"), fresh_database(name):
        pass
