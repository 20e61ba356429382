"""The answer-quality benchmark: prompts, parsing of verdicts, and no repeated requests."""

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
from instances.models import AllowedAddress, Instance
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.errors import ProviderError
from tests.benchmarks import samples
from tests.benchmarks.test_recall import command, run_benchmark
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
def test_verdict_is_exactly_yes_or_no(text: str, verdict: bool | None) -> None:
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
def test_wrapped_answer_is_parsed(text: str, answer: str) -> None:
    assert answer_quality.answer_in(text) == answer


def test_unanswerable_questions_have_their_own_rule() -> None:
    question = Question("How many hives?", "knowledge-update", [])
    assert answer_quality.rule_for(question) == answer_quality.UPDATE
    unanswerable = Question("How many hives?", "knowledge-update", [], unanswerable=True)
    assert answer_quality.rule_for(unanswerable) == answer_quality.UNKNOWN
    assert answer_quality.rule_for(Question("Who?", "4", [])) == answer_quality.PLAIN


def test_reader_prompt_has_the_date_and_mentions_empty_results() -> None:
    question = Question("Who?", "4", [], asked_at=datetime(2023, 5, 30, 23, 40))
    assert answer_quality.reader_prompt(question, "<notes>") == (
        "<notes>\n\nToday is Tuesday, 30 May 2023.\nQuestion: Who?"
    )
    assert "no notes" in answer_quality.reader_prompt(Question("Who?", "4", []), "")


def marking(request: Request) -> bool:
    return "mark" in json.dumps(request["response_format"])


def run_answering(
    data: Path, outcomes: Outcomes, provider: ScriptedProvider, profile: str = "default"
) -> Report:
    reader = Endpoint("custom", provider.base_url, "sk-of-the-reader", "small")
    answer_quality = Answering(reader, replace(reader, model="large"), outcomes)
    return run_benchmark(data, outcomes, profiles=[profile], answering=answer_quality)


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
        prompt = request["messages"][-1]["content"]
        if not marking(request):
            return {"answer": "A whippet." if "What breed" in prompt else "I do not know."}
        if "hives" in prompt:
            return next(hesitant)
        return {"right": "yes" if "A whippet." in prompt else "no"}

    provider.reply_with(reply)
    provider.fail_next("429", retry_after=0)
    path = tmp_path / "outcomes.jsonl"
    with Outcomes(path, {}) as outcomes:
        report = run_answering(data, outcomes, provider)
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
    prompt_of_dog = of_dog.body["messages"][-1]["content"]
    assert "<memory_context id=" in prompt_of_dog
    assert "my whippet" in prompt_of_dog
    assert "Today is Tuesday, 30 May 2023." in prompt_of_dog
    # One refusal, three answers, three verdicts, and one invalid verdict.
    assert len(requests) == 8

    with Outcomes(path, {}) as outcomes:
        assert run_answering(data, outcomes, provider) == report
    assert len(provider.requests) == 8, "a request was repeated"


@pytest.mark.django_db
def test_undecided_judge_counts_as_no(tmp_path: Path, provider: ScriptedProvider) -> None:
    data = tmp_path / "longmemeval_s.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    provider.reply_with("yes and no")
    verdicts = run_answering(data, Outcomes(None, {}), provider).summary()["answers"]["default"]
    assert (verdicts["right"], verdicts["no_verdict"]) == (0.0, 1)


@pytest.mark.django_db
def test_refusing_provider_ends_the_run_without_losses(
    tmp_path: Path, provider: ScriptedProvider
) -> None:
    data, path = tmp_path / "data.json", tmp_path / "outcomes.jsonl"
    data.write_text(json.dumps(samples.LONGMEMEVAL))
    provider.fail_next("401", times=None)
    with Outcomes(path, {}) as outcomes, pytest.raises(ProviderError, match="key"):
        run_answering(data, outcomes, provider)
    assert '"what": "found"' in path.read_text()
    assert not Instance.objects.exists()


@pytest.mark.soak
@pytest.mark.django_db(transaction=True)
def test_model_of_an_instance_is_used(
    tmp_path: Path, provider: ScriptedProvider, instance: Instance
) -> None:
    read_with(provider, instance)
    AllowedAddress.objects.create(address="127.0.0.1")
    data = tmp_path / "data.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    configured = str(connection.settings_dict["NAME"])
    options = ("--data", str(data), "--profiles", "rrf", "--database", "keepsake_benchmark_test")
    result = command(*options, "--instance", instance.slug, "--json", configured=configured)
    assert result.returncode == 0, result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["answers"]["rrf"]["reader"] == "reader"
    assert provider.count("chat/completions") >= 2
    assert list(Instance.objects.values_list("slug", flat=True)) == [instance.slug]

    result = command(*options, "--instance", "nobody", configured=configured)
    assert result.returncode == 2
    assert "no instance “nobody” with a language model" in result.stderr

    AllowedAddress.objects.all().delete()
    result = command(*options, "--instance", instance.slug, configured=configured)
    assert result.returncode == 2
    assert "does not call 127.0.0.1" in result.stderr


@pytest.mark.soak
@pytest.mark.django_db
def test_server_named_on_the_command_line_is_called(
    tmp_path: Path, provider: ScriptedProvider
) -> None:
    data = tmp_path / "data.json"
    data.write_text(json.dumps(samples.LONGMEMEVAL[:1]))
    provider.reply_with({"right": "yes"})
    options = ("--data", str(data), "--profiles", "rrf", "--database", "keepsake_benchmark_test")
    result = command(*options, "--reader", "small", "--provider-url", provider.base_url)
    assert result.returncode == 0, result.stderr
    assert "Answers, profile rrf" in result.stdout
    assert provider.count("chat/completions") >= 2
