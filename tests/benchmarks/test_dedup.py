"""The dedup benchmark: its rules, and a complete run on invented facts."""

import json
from pathlib import Path

import pytest

from benchmarks import contradiction_rules, dedup, paraphrase_rules
from instances.models import Instance
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

FACTS = {
    "Ines": [
        "Ines carved a heron last year.",
        "Ines enjoys carving, sailing and music.",
        "Ines's favorite wood is lime.",
        "Ines does not own 3 boats.",
        "Ines is planning to move to Porto.",
    ],
    "Pavel": ["Pavel bought a lathe yesterday.", "Pavel loves old machines."],
}
DATA = [
    {
        "observation": {
            "session_1": {p: [[f, "D1:1"] for f in expected] for p, expected in FACTS.items()}
        }
    }
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.json"
    path.write_text(json.dumps(DATA))
    return path


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("one synonym", "Ines enjoys carving.", "Ines likes carving."),
        ("turn of phrase", "Ines enjoys carving.", "Ines takes pleasure in carving."),
        ("contraction", "Ines does not sail.", "Ines doesn't sail."),
        ("contraction", "Ines is sailing.", "Ines's sailing."),
        ("time moved", "Ines sailed last year.", "Last year, Ines sailed."),
        ("list turned", "Ines enjoys wood, wind and music.", "Ines enjoys music, wood and wind."),
        ("relative clause", "Ines enjoys carving.", "Ines is somebody who enjoys carving."),
        ("cleft", "Ines enjoys carving.", "It is Ines who enjoys carving."),
        ("possessive", "Ines's boat is old.", "The boat of Ines is old."),
        ("copula turned", "Ines's favorite wood is lime.", "Lime is Ines's favorite wood."),
        ("passive", "Ines carved a heron in May.", "A heron was carved by Ines in May."),
        ("number spelt", "Ines has 3 boats.", "Ines has three boats."),
    ],
)
def test_paraphrase_is_the_same_fact(kind: str, text: str, expected: str) -> None:
    assert paraphrase_rules.REWRITES[kind](text, "Ines") == expected


@pytest.mark.parametrize(
    ("rules", "kind", "text", "expected"),
    [
        (contradiction_rules.NUMBERS, "digits", "Ines has 3 boats.", "Ines has 4 boats."),
        (
            contradiction_rules.NUMBERS,
            "number word",
            "Ines has three boats.",
            "Ines has four boats.",
        ),
        (contradiction_rules.NEGATIONS, "not", "Ines is here.", "Ines is not here."),
        (contradiction_rules.NEGATIONS, "not", "Ines likes wood.", "Ines does not like wood."),
        (contradiction_rules.NEGATIONS, "not", "Ines carved wood.", "Ines never carved wood."),
        (contradiction_rules.NEGATIONS, "not, taken out", "Ines is not here.", "Ines is here."),
        (contradiction_rules.NEGATIONS, "opposite word", "Ines loves wood.", "Ines hates wood."),
        (contradiction_rules.PEOPLE, "the user", "Ines loves wood.", "The user loves wood."),
    ],
)
def test_changed_fact_is_different(
    rules: dict[str, contradiction_rules.Rule], kind: str, text: str, expected: str
) -> None:
    assert rules[kind](text, "Ines") == (text, expected)


def test_last_line_is_a_json_object(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dedup.main(["--data", str(data), "--json"]) == 0
    printed = capsys.readouterr().out
    report = json.loads(printed.splitlines()[-1])
    assert report["rewrites_merged"] >= 0.9
    assert report["changes_lost"] == 0.0
    assert all(report["pairs"][name] for name in ("rewrite", *dedup.CHANGES, "distinct"))
    assert "configured" not in report


def test_figures_follow_the_decision(
    instance: Instance, provider: ScriptedProvider, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    embed_with(provider, instance)
    Instance.objects.filter(pk=instance.pk).update(dedup_exact=1.0, dedup_update=1.0)
    assert dedup.main(["--data", str(data), "--json", "--instance", instance.slug]) == 0
    report = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert report["configured"]["rewrites_merged"] < report["rewrites_merged"]
    assert report["configured"]["pairs"] == report["pairs"]
    assert provider.count("embeddings"), "the model of the instance was not called"


def test_pairs_of_each_kind_are_taken_from_the_whole_file() -> None:
    pairs = [dedup.Pair("rewrite", "one", str(n), "") for n in range(10)]
    few = [dedup.Pair("rewrite", "two", "a", "")]
    assert [p.old for p in dedup.at_most(5, pairs + few)] == ["0", "2", "4", "6", "8", "a"]


@pytest.mark.parametrize("content", ["[]", "{", '[{"conversation": {}}]'])
def test_file_without_facts_is_reported(tmp_path: Path, content: str) -> None:
    path = tmp_path / "data.json"
    path.write_text(content)
    with pytest.raises(SystemExit):
        dedup.main(["--data", str(path)])
