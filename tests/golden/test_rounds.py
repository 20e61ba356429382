"""Golden questions: kept with their answers, asked again, and what got better or worse."""

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from json import loads
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from conversations.models import Conversation, Message
from instances.models import Instance
from memoryapp import tasks
from memoryapp.forgetting.archive import archive, unarchive
from memoryapp.golden import rounds
from memoryapp.golden.questions import LineProblem, UnusableQuestion, keep_question, read_file
from memoryapp.golden.rounds import Direction, carry_out, changes, open_due, open_round
from memoryapp.models import ArchivedMemory, GoldenQuestion, GoldenRound, Memory, Origin
from memoryapp.models.golden import MAX_CHARACTERS
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall.results import RecallResult
from tests.api.conftest import Program, key_of
from tests.forgetting.test_holds import ME

pytestmark = pytest.mark.django_db

Cause = GoldenRound.Cause
Store = Callable[..., Memory]
COOK = "What should I not cook?"


@pytest.fixture
def allergy(store_memory: Store) -> Memory:
    store_memory("The user lives in Bremen.", category="fact")
    return store_memory("The user is allergic to walnuts.")


def asked(instance: Instance, cause: str = Cause.BY_HAND, **tried: Any) -> GoldenRound:
    """Carry out a round."""
    round_ = open_round(instance, cause, tried=tried)
    assert round_ is not None and round_.claim()
    assert carry_out(round_)
    round_.refresh_from_db()
    return round_


def test_a_round_tells_where_the_answer_stands(instance: Instance, allergy: Memory) -> None:
    right = keep_question(instance, COOK, memories=[allergy.pk])
    wrong = keep_question(
        instance, "Where do I live?", memories=[allergy.pk]
    )  # Something else answers it.
    round_ = asked(instance)
    assert (round_.asked, round_.first) == (2, 1)
    assert round_.place_of(right) == 1
    assert round_.results[str(right.pk)]["top"] == ["memory", allergy.pk]
    assert round_.place_of(wrong) != 1
    assert round_.results[str(wrong.pk)]["top"] != ["memory", allergy.pk]
    # It changes nothing of what it asks about.
    allergy.refresh_from_db()
    assert allergy.recall_count == 0


def test_the_message_of_a_memory_answers_like_the_memory(
    instance: Instance, conversation: Conversation
) -> None:
    message = Message.objects.filter(conversation=conversation, role="user").get()
    candidate = Candidate(
        "The user is allergic to peanuts.",
        conversation_id=conversation.pk,
        message_id=message.pk,
    )
    (outcome,) = remember(instance, [candidate], Writer(Origin.CONVERSATION, ME))
    by_message = keep_question(instance, COOK, messages=[message.pk])
    by_memory = keep_question(instance, f"{COOK} Today?", memories=[outcome.memory.pk])
    found = rounds.answers_of(instance, [by_message, by_memory])
    assert found[by_message.pk] == found[by_memory.pk]
    assert found[by_memory.pk] == {("memory", outcome.memory.pk), ("message", message.pk)}


def test_an_answer_in_the_bin_is_not_asked_for_until_it_is_restored(
    instance: Instance, allergy: Memory
) -> None:
    question = keep_question(instance, COOK, memories=[allergy.pk])
    archive(instance, Memory.objects.filter(pk=allergy.pk), by=ME)
    assert not asked(instance).has_asked(question)
    unarchive(instance, ArchivedMemory.objects.filter(instance=instance), by=ME)
    assert asked(instance).place_of(question) == 1


def test_questions_of_a_person_find_what_is_about_them(
    instance: Instance, store_memory: Store
) -> None:
    ana = store_memory("The user is allergic to walnuts.", end_user="ana")
    store_memory("The user is allergic to fish.", end_user="ben")
    question = keep_question(instance, "What am I allergic to?", end_user="ana", memories=[ana.pk])
    assert asked(instance).place_of(question) == 1


def test_a_trial_asks_with_other_settings_and_stays_out_of_the_history(
    instance: Instance, allergy: Memory
) -> None:
    keep_question(instance, COOK, memories=[allergy.pk])
    trial = asked(instance, Cause.TRIAL, limit=1, weights={"importance": 3.0})
    assert trial.settings["weights"] == {"importance": 3.0}
    assert not GoldenRound.objects.finished().filter(instance=instance).exists()
    # And does not stand in the way of a round.
    assert open_round(instance, Cause.TRIAL) and open_round(instance, Cause.BY_HAND)


def test_one_round_is_under_way_at_a_time(instance: Instance, allergy: Memory) -> None:
    assert open_round(instance, Cause.BY_HAND) is None
    keep_question(instance, COOK, memories=[allergy.pk])
    first = open_round(instance, Cause.BY_HAND)
    assert first is not None and open_round(instance, Cause.NIGHTLY) == first


def test_a_round_is_due_at_night_and_after_a_change_of_settings(
    instance: Instance, allergy: Memory
) -> None:
    open_due()
    assert not GoldenRound.objects.exists()
    keep_question(instance, COOK, memories=[allergy.pk])
    open_due()  # The first one is not waited for.
    tasks.ask_golden_questions()
    tasks.ask_round(round_id=GoldenRound.objects.get().pk)
    open_due()
    assert GoldenRound.objects.count() == 1
    instance.recall_weights = {"importance": 1.0}
    instance.save()
    open_due()
    changed = GoldenRound.objects.first()
    assert changed is not None and changed.cause == Cause.SETTINGS
    tasks.ask_round(round_id=changed.pk)
    yesterday = timezone.now() - timedelta(days=1)
    GoldenRound.objects.update(created_at=yesterday)
    at_night = instance.midnight() + timedelta(hours=rounds.NIGHT_HOUR)
    too_early = at_night - timedelta(minutes=1)
    changed.refresh_from_db()
    assert not rounds._is_night_due(instance, changed, too_early)
    assert rounds._is_night_due(instance, changed, at_night)


def test_a_round_waits_while_nothing_is_found_by_meaning(
    instance: Instance, allergy: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_question(instance, COOK, memories=[allergy.pk])
    round_ = open_round(instance, Cause.NIGHTLY)
    assert round_ is not None and round_.claim()
    with monkeypatch.context() as patched:
        patched.setattr(rounds, "recall", lambda *_: RecallResult(problem="It does not answer."))
        assert not carry_out(round_)
    assert list(GoldenRound.objects.waiting()) == [round_]
    tasks.ask_round(round_id=round_.pk)
    assert GoldenRound.objects.finished().get().first == 1


def test_a_worker_that_was_taken_over_leaves_no_result(instance: Instance, allergy: Memory) -> None:
    keep_question(instance, COOK, memories=[allergy.pk])
    slow = open_round(instance, Cause.NIGHTLY)
    assert slow is not None and slow.claim()
    GoldenRound.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    other = GoldenRound.objects.get()
    assert other.claim()
    assert not carry_out(slow)
    assert carry_out(other)
    assert GoldenRound.objects.get().asked == 1


def test_old_rounds_and_trials_are_deleted(instance: Instance, allergy: Memory) -> None:
    keep_question(instance, COOK, memories=[allergy.pk])
    kept, old, trial = asked(instance), asked(instance), asked(instance, Cause.TRIAL)
    now = timezone.now()
    for round_, days in ((kept, 364), (old, 366), (trial, 2)):
        round_.row().update(created_at=now - timedelta(days=days))
    GoldenRound.objects.delete_old()
    assert list(GoldenRound.objects.all()) == [kept]


PLACES = st.one_of(st.none(), st.integers(1, 20))


@given(before=PLACES, after=PLACES)
def test_a_change_is_better_if_the_answer_stands_higher(
    before: int | None, after: int | None
) -> None:
    question = GoldenQuestion(pk=7)
    earlier, later = (GoldenRound(results={"7": {"place": each}}) for each in (before, after))
    (change,) = changes([question], earlier, later)
    height = [-(each or 1_000) for each in (before, after)]
    expected = {0: Direction.SAME, 1: Direction.BETTER, -1: Direction.WORSE}
    assert change.direction == expected[(height[1] > height[0]) - (height[1] < height[0])]
    (opposite,) = changes([question], later, earlier)
    assert (opposite.direction == Direction.BETTER) == (change.direction == Direction.WORSE)


def test_a_question_is_kept_once_with_all_its_answers(
    instance: Instance, allergy: Memory, store_memory: Store
) -> None:
    fish = store_memory("The user does not eat fish.")
    first = keep_question(instance, COOK, memories=[allergy.pk])
    again = keep_question(instance, f"  {COOK} ", memories=[fish.pk])
    assert again == first
    assert again.memories == sorted([allergy.pk, fish.pk])


def test_what_cannot_be_kept_is_refused(
    instance: Instance, private: Instance, allergy: Memory, store_memory: Store
) -> None:
    elsewhere = store_memory("The user likes figs.", into=private)
    for text, memories in (
        ("", [allergy.pk]),
        ("x" * (MAX_CHARACTERS + 1), [allergy.pk]),
        (COOK, []),
        (COOK, [elsewhere.pk]),
    ):
        with pytest.raises(UnusableQuestion):
            keep_question(instance, text, memories=memories)
    assert not GoldenQuestion.objects.exists()


def test_a_file_is_read_line_by_line(instance: Instance, allergy: Memory) -> None:
    lines = [
        f'{{"question": "{COOK}", "answer": "The user is allergic to walnuts."}}',
        "",
        "no JSON",
        '{"question": "Who?", "answer": "Nobody said this."}',
        f'{{"question": "And walnuts?", "memory_ids": [{allergy.pk}], "user_id": ""}}',
        "[1]",
    ]
    results = list(read_file(instance, "\n".join(lines)))
    kept = [each.text for each in results if isinstance(each, GoldenQuestion)]
    assert kept == [COOK, "And walnuts?"]
    assert [each.line for each in results if isinstance(each, LineProblem)] == [3, 4, 6]


def test_the_command_measures_and_ends_with_1_below_a_threshold(
    instance: Instance, allergy: Memory
) -> None:
    def ask(*options: str) -> str:
        out = StringIO()
        call_command("ask_golden", "--instance", instance.slug, *options, stdout=out)
        return out.getvalue()

    with pytest.raises(CommandError, match="no golden questions"):
        ask()
    keep_question(instance, COOK, memories=[allergy.pk])
    assert ask("--first", "1") == "asked 1  first 1  shown 1\n"
    keep_question(instance, "Where do I live?", memories=[allergy.pk])
    with pytest.raises(CommandError) as failed:
        ask("--first", "0.9")
    assert failed.value.returncode == 1
    numbers = loads(ask("--json"))
    assert (numbers["asked"], numbers["first"]) == (2, 1)
    with pytest.raises(CommandError, match="no instance"):
        call_command("ask_golden", "--instance", "nowhere")


@pytest.mark.usefixtures("idle_broker")
def test_programs_keep_ask_and_remove(instance: Instance, allergy: Memory) -> None:
    program: Program = key_of(instance)[1]
    program.send("POST", "golden-rounds", {}, status=409)
    body = {"question": COOK, "memory_ids": [allergy.pk]}
    kept = program.send("POST", "golden-questions", body, status=201)
    assert kept["memory_ids"] == [allergy.pk]
    assert program.send("GET", f"golden-questions/{kept['id']}") == kept
    assert program.send("GET", "golden-questions")["items"] == [kept]
    program.send("POST", "golden-questions", {"question": "Who?"}, status=422)

    opened = program.send("POST", "golden-rounds", {}, status=202)
    assert opened["finished_at"] is None
    tasks.ask_round(round_id=opened["id"])
    round_ = program.send("GET", f"golden-rounds/{opened['id']}")
    assert (round_["asked"], round_["first"], round_["shown"]) == (1, 1, 1)
    assert round_["results"] == {str(kept["id"]): {"place": 1, "top": ["memory", allergy.pk]}}
    assert program.send("GET", "golden-rounds")["items"][0]["id"] == round_["id"]

    program.send("DELETE", f"golden-questions/{kept['id']}", status=204)
    program.send("GET", f"golden-questions/{kept['id']}", status=404)
