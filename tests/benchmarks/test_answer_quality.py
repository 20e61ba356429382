"""Answers and verdicts: who is told what, what counts as a verdict, and nothing asked twice."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from benchmarks import answer_quality
from benchmarks.answer_quality import Answering
from benchmarks.query_runner import Question
from benchmarks.report import Report
from benchmarks.results import Outcomes
from instances.models import Instance
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from tests.benchmarks import samples
from tests.benchmarks.test_recall import command, measured
from tests.provider_fixtures import read_with
from tests.scripted_provider import Request, ScriptedProvider


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"right": "yes"}', True),
        ('{"right": "no"}', False),
        ('{"right": "No."}', False),
        ("yes", True),
        (" No.\n", False),
        ('"yes"', True),
        ("YES", True),
        ("yes, because it names the dog", None),
        ("The answer is not right: yes was expected", None),
        ('{"right": "yes", "why": "it says so"}', None),
        ('{"right": true}', None),
        ('{"right": "partly"}', None),
        ('["yes"]', None),
        ("", None),
        ("{", None),
    ],
)
def test_a_verdict_is_yes_or_no_and_nothing_besides(text: str, verdict: bool | None) -> None:
    assert answer_quality.verdict_in(text) is verdict


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ('{"answer": " Kiel "}', "Kiel"),
        ("Kiel", "Kiel"),
        ('{"answer": 3}', '{"answer": 3}'),
        ("[1]", "[1]"),
    ],
)
def test_an_answer_is_taken_however_it_is_wrapped(text: str, answer: str) -> None:
    assert answer_quality.answer_in(text) == answer


def test_what_cannot_be_answered_is_marked_by_a_rule_of_its_own() -> None:
    question = Question("How many hives?", "knowledge-update", [])
    assert answer_quality.rule_for(question) == answer_quality.UPDATE
    unanswerable = Question("How many hives?", "knowledge-update", [], unanswerable=True)
    assert answer_quality.rule_for(unanswerable) == answer_quality.UNKNOWN
    assert answer_quality.rule_for(Question("Who?", "4", [])) == answer_quality.PLAIN


def test_the_reader_knows_the_day_and_that_there_is_nothing() -> None:
    question = Question("Who?", "4", [], asked_at=datetime(2023, 5, 30, 23, 40))
    assert answer_quality.reader_prompt(question, "<notes>") == (
        "<notes>\n\nToday is Tuesday, 30 May 2023.\nQuestion: Who?"
    )
    assert "no notes" in answer_quality.reader_prompt(Question("Who?", "4", []), "")


def marking(request: Request) -> bool:
    return "mark" in json.dumps(request["response_format"])


def answered(
    data: Path, outcomes: Outcomes, provider: ScriptedProvider, profile: str = "default"
) -> Report:
    reader = Endpoint("custom", provider.base_url, "sk-of-the-reader", "small")
    answer_quality = Answering(reader, replace(reader, model="large"), outcomes)
    return measured(data, outcomes, profiles=[profile], answering=answer_quality)


@pytest.mark.django_db
def test_questions_are_answered_and_the_answers_judged(
    tmp_path: Path, provider: ScriptedProvider
) -> None:
    data, page = tmp_path / "longmemeval_s.json", tmp_path / "page.md"
    data.write_text(json.dumps(samples.LONGMEMEVAL))
    page.write_text(
        "<!-- figures: longmemeval -->\n<!-- end -->\n<!-- figures: answers -->\n<!-- end -->\n"
    )
    hesitant = iter(["It seems so.", "yes"])

    def reply(request: Request) -> object:
        asked = request["messages"][-1]["content"]
        if not marking(request):
            return {"answer": "A whippet." if "What breed" in asked else "I do not know."}
        if "hives" in asked:
            return next(hesitant)
        return {"right": "yes" if "A whippet." in asked else "no"}

    provider.reply_with(reply)
    provider.fail_next("429", retry_after=0)
    path = tmp_path / "outcomes.jsonl"
    with Outcomes(path, {}) as outcomes:
        report = answered(data, outcomes, provider)
    verdicts: dict[str, Any] = report.summary()["answers"]["default"]
    assert (verdicts["reader"], verdicts["judge"]) == ("small", "large")
    assert (verdicts["questions"], verdicts["no_verdict"]) == (3, 0)
    assert verdicts["right"] == pytest.approx(2 / 3, abs=1e-4)
    of_hives = verdicts["categories"]["knowledge-update, unanswerable"]
    assert of_hives == {"questions": 1, "right": 1.0}
    report.write(page, "LongMemEval")
    assert "| LongMemEval, default | 3 | 0.667 | 0 |" in page.read_text()
    assert "1.000" in report.text().split("Answers, profile default")[1]

    requests = provider.requests
    of_dog = next(r for r in requests if "What breed" in r.body["messages"][-1]["content"])
    told = of_dog.body["messages"][-1]["content"]
    assert "<memory_context>" in told
    assert "my whippet" in told
    assert "Today is Tuesday, 30 May 2023." in told
    # One refused, three answers, three verdicts, and one that was none.
    assert len(requests) == 8

    with Outcomes(path, {}) as outcomes:
        assert answered(data, outcomes, provider) == report
    assert len(provider.requests) == 8, "nothing is asked twice"


@pytest.mark.django_db
def test_a_judge_who_never_decides_is_no_yes(tmp_path: Path, provider: ScriptedProvider) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    provider.reply_with("yes and no")
    verdicts = answered(data, Outcomes(None, {}), provider).summary()["answers"]["default"]
    assert (verdicts["right"], verdicts["no_verdict"]) == (0.0, 1)


@pytest.mark.django_db
def test_a_provider_that_refuses_ends_the_run_and_nothing_is_lost(
    tmp_path: Path, provider: ScriptedProvider
) -> None:
    data, path = tmp_path / "data.json", tmp_path / "outcomes.jsonl"
    data.write_text(json.dumps(samples.LONGMEMEVAL))
    provider.fail_next("401", times=None)
    with Outcomes(path, {}) as outcomes, pytest.raises(ProviderError, match="key"):
        answered(data, outcomes, provider)
    assert '"what": "found"' in path.read_text()
    assert not Instance.objects.exists()


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_an_instance_lends_its_model(
    tmp_path: Path, provider: ScriptedProvider, instance: Instance
) -> None:
    read_with(provider, instance)
    data = tmp_path / "data.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    configured = str(connection.settings_dict["NAME"])
    options = ("--data", str(data), "--profiles", "rrf", "--database", "keepsake_benchmark_test")
    done = command(*options, "--instance", instance.slug, "--json", configured=configured)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["answers"]["rrf"]["reader"] == "reader"
    assert provider.count("chat/completions") >= 2
    assert list(Instance.objects.values_list("slug", flat=True)) == [instance.slug]

    done = command(*options, "--instance", "nobody", configured=configured)
    assert done.returncode == 2
    assert "no instance “nobody” with a language model" in done.stderr
