"""Retention: what its rules say goes in the night, and nothing that a hold keeps."""

from contextlib import suppress
from datetime import timedelta
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conversations.messages import NewMessage, append
from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, Webhook
from memoryapp import tasks
from memoryapp.checks import settings_fit
from memoryapp.forgetting import retention
from memoryapp.forgetting.archive import archive, unarchive
from memoryapp.forgetting.deletion import forget
from memoryapp.forgetting.holds import OnHold, lift, set_hold
from memoryapp.models import (
    Activity,
    Drawer,
    Kept,
    LegalHold,
    Memory,
    Origin,
    RetentionRule,
    StoredDocument,
    Summary,
    WebhookDelivery,
)
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.tasks import apply_rule
from tests.api.conftest import key_of

pytestmark = pytest.mark.django_db

ME = Actor(via="test")


def rule(instance: Instance, kept: str, days: int = 30, **narrowed: Any) -> RetentionRule:
    """Add a rule."""
    return retention.set_rule(retention.new_rule(instance, kept, days, **narrowed), by=ME)


def night(instance: Instance) -> None:
    """Apply the rules, as a worker does in a night."""
    for each in instance.retention_rules.all():
        apply_rule(rule_id=each.pk)


def learned(
    instance: Instance, text: str, *, days: float, person: str = "ana", **columns: Any
) -> Memory:
    """A memory that was said some *days* ago."""
    (outcome,) = remember(instance, [Candidate(text, end_user=person)], Writer(Origin.MANUAL, ME))
    then = timezone.now() - timedelta(days=days)
    columns |= dict.fromkeys(("said_at", "created_at", "updated_at"), then)
    Memory.objects.filter(pk=outcome.memory.pk).update(**columns)
    outcome.memory.refresh_from_db()
    return outcome.memory


def talk_of(instance: Instance, *days: float, person: str = "ana") -> Conversation:
    """A conversation whose messages were sent some *days* ago, one for each."""
    talk = Conversation.objects.create(instance=instance, end_user=person)
    now = timezone.now()
    append(
        talk,
        [
            NewMessage("user", f"I row, number {n}.", sent_at=now - timedelta(days=each))
            for n, each in enumerate(days)
        ],
    )
    Conversation.objects.filter(pk=talk.pk).update(created_at=now - timedelta(days=max(days)))
    return talk


def dated(instance: Instance, kept: str, days: float) -> Any:
    """A row of this kind that was last said, changed or written some *days* ago."""
    then = timezone.now() - timedelta(days=days)
    match Kept(kept):
        case Kept.MEMORIES:
            return learned(instance, "Rows.", days=days, person=f"person {days}")
        case Kept.MESSAGES:
            return talk_of(instance, days).messages.get()
        case Kept.DOCUMENTS:
            return StoredDocument.objects.create(
                instance=instance,
                namespace=["boats"],
                key=f"{days}",
                body="{}",
                size=2,
                created_at=then,
                updated_at=then,
            )
        case Kept.ACTIVITY:
            return instance.activity.create(action="created", via="test", at=then)
        case _:
            return instance.usage.create(source="chat", model="m", at=then)


def exists(row: Any) -> bool:
    return bool(type(row).objects.filter(pk=row.pk).exists())


@pytest.mark.parametrize("kept", Kept)
def test_rows_go_when_their_days_are_over(kept: Kept, instance: Instance) -> None:
    mine = rule(instance, kept, 200)
    old, young = dated(instance, kept, 200.1), dated(instance, kept, 199.9)
    seen = retention.preview(mine)
    assert seen.due == 1
    assert seen.oldest is not None
    assert timezone.now() - seen.oldest > timedelta(days=200)
    assert seen.next_at is not None
    assert timedelta(0) < seen.next_at - timezone.now() < timedelta(days=1)
    night(instance)
    assert not exists(old)
    assert exists(young)
    line = instance.activity.get(action=Activity.Action.EXPIRED)
    assert (line.count, line.about, line.via, line.by) == (1, kept, "retention", None)
    assert retention.preview(mine).due == 0


@pytest.mark.parametrize("kept", Kept)
@pytest.mark.parametrize("scope", ["period", "instance"])
def test_rows_on_hold_stay_until_it_is_lifted(kept: Kept, scope: str, instance: Instance) -> None:
    mine = rule(instance, kept, 200)
    old, free = dated(instance, kept, 210), dated(instance, kept, 300)
    day = (timezone.now() - timedelta(days=210)).date()
    around = (day - timedelta(days=1), day + timedelta(days=1))
    hold = set_hold(instance, "Case 17", by=ME, period=around if scope == "period" else None)
    assert retention.preview(mine).due == (1 if scope == "period" else 0)
    night(instance)
    assert exists(old)
    assert exists(free) == (scope == "instance")
    lift(hold, by=ME)
    night(instance)
    assert not exists(old)
    assert not exists(free)


def test_hold_on_a_person_or_a_conversation_is_passed_over(instance: Instance) -> None:
    for kept in ("memories", "messages"):
        rule(instance, kept)
    held, free = talk_of(instance, 40, 41), talk_of(instance, 40, 41)
    memory = learned(instance, "Ana rows.", days=40)
    memory.sources.create(instance=instance, conversation=held, via="test")
    bo, cy = (learned(instance, f"{name} sails.", days=40, person=name) for name in ("bo", "cy"))
    set_hold(instance, "A", by=ME, conversation=held)
    set_hold(instance, "B", by=ME, end_user="bo")
    night(instance)
    assert [exists(row) for row in (held, free, memory, bo, cy)] == [True, False, True, True, False]
    assert held.messages.count() == 2


@pytest.mark.parametrize(
    ("narrowed", "columns"),
    [
        ({"category": "event"}, {"category": "event"}),
        ({"tier": 2}, {"tier": 2}),
        ({"origin": "api"}, {"origin": "api"}),
        ({"tag": " Trip "}, {"tags": ["trip", "sea"]}),
        ({"category": "event", "tag": "trip"}, {"category": "event", "tags": ["trip"]}),
    ],
)
def test_rule_is_for_memories_of_its_class(
    narrowed: dict[str, Any], columns: dict[str, Any], instance: Instance
) -> None:
    rule(instance, "memories", **narrowed)
    meant = learned(instance, "Ana rows.", days=40, **columns)
    other = learned(instance, "Ana sails on Sundays.", days=40, category="fact", tags=["sea"])
    night(instance)
    assert not exists(meant)
    assert exists(other)


def test_shortest_rule_applies(instance: Instance) -> None:
    rule(instance, "memories", 300)
    rule(instance, "memories", 30, category="event")
    event = learned(instance, "Ana rows.", days=40, category="event")
    fact = learned(instance, "Ana sails on Sundays.", days=40, category="fact")
    night(instance)
    assert (exists(event), exists(fact)) == (False, True)


def test_what_is_confirmed_or_changed_begins_anew_and_pins_count_for_nothing(
    instance: Instance,
) -> None:
    rule(instance, "memories")
    confirmed = learned(instance, "Ana rows.", days=40, verified_at=timezone.now())
    pinned = learned(instance, "Ana sails on Sundays.", days=40, pinned_at=timezone.now())
    night(instance)
    assert (exists(confirmed), exists(pinned)) == (True, False)


def test_memory_takes_its_summary_along_and_webhooks_are_told(instance: Instance) -> None:
    hook = Webhook.objects.create(
        instance=instance, url="http://127.0.0.1:9/", events=["memory.forgotten"]
    )
    rule(instance, "memories")
    gone = learned(instance, "Ana rows.", days=40)
    kept = learned(instance, "Bo sails.", days=1, person="bo")
    for person in ("ana", "bo"):
        Summary.objects.update_or_create(
            instance=instance, end_user=person, defaults={"text": "Is at sea."}
        )
    night(instance)
    assert exists(kept)
    assert list(Summary.objects.values_list("end_user", "text")) == [("bo", "Is at sea.")]
    (event,) = WebhookDelivery.objects.filter(webhook=hook, event="memory.forgotten")
    assert event.ids == [gone.pk]


def test_memory_in_the_bin_has_the_days_of_the_bin(instance: Instance) -> None:
    rule(instance, "memories")
    old = learned(instance, "Ana rows.", days=40)
    archive(instance, Memory.objects.filter(pk=old.pk), by=ME)
    night(instance)
    assert instance.archived.count() == 1
    unarchive(instance, instance.archived.all(), by=ME)
    night(instance)
    assert not exists(old)


def test_conversation_goes_with_its_last_message(instance: Instance) -> None:
    rule(instance, "messages")
    over, going_on = talk_of(instance, 40, 31), talk_of(instance, 40, 1)
    memory = learned(instance, "Ana rows.", days=1)
    memory.sources.create(
        instance=instance, conversation=over, message=over.messages.first(), via="test"
    )
    night(instance)
    assert not exists(over)
    assert going_on.messages.count() == 1
    assert not Drawer.objects.filter(message__conversation=over).exists()
    # What was learned from it has rules of its own.
    assert exists(memory)
    assert not memory.sources.filter(conversation=over.pk).exists()


def test_next_message_in_an_emptied_conversation_is_read(instance: Instance) -> None:
    rule(instance, "messages")
    talk = talk_of(instance, 40)
    Conversation.objects.filter(pk=talk.pk).update(watermark=1, created_at=timezone.now())
    today = timezone.now().date()
    set_hold(instance, "Case 17", by=ME, period=(today, today))
    night(instance)
    assert not talk.messages.exists()
    append(talk, [NewMessage("user", "I sail.")])
    assert talk.messages.unread().count() == 1


def test_other_instances_are_left_alone(instance: Instance) -> None:
    other = Instance.objects.create(name="Other", slug="other")
    rule(instance, "memories")
    mine, theirs = (learned(each, "Ana rows.", days=40) for each in (instance, other))
    night(instance)
    assert (exists(mine), exists(theirs)) == (False, True)


def test_night_goes_in_small_transactions(instance: Instance) -> None:
    mine = rule(instance, "activity", 183)
    then = timezone.now() - timedelta(days=200)
    Activity.objects.bulk_create(
        Activity(instance=instance, action="created", via="test", at=then) for _ in range(1_000)
    )
    with CaptureQueriesContext(connection) as queries:
        night(instance)
    deletions = [q["sql"] for q in queries if q["sql"].startswith("DELETE")]
    assert len(deletions) == 5
    assert instance.activity.get(action="expired").count == 1_000
    assert retention.preview(mine).due == 0


def test_slice_ends_in_time_and_the_next_goes_on(instance: Instance) -> None:
    mine = rule(instance, "usage", 40)
    dated(instance, "usage", 50)
    assert retention.apply_rule(mine, seconds=0) == 0
    assert instance.usage.exists()
    assert retention.apply_rule(mine, seconds=10) is None
    assert not instance.usage.exists()


def test_slices_get_past_what_is_on_hold(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each begins where the one before has ended, however many rows it passed over."""
    mine = rule(instance, "usage", 40)
    held = [dated(instance, "usage", 50) for _ in range(3)]
    free = dated(instance, "usage", 60)
    day = (timezone.now() - timedelta(days=50)).date()
    set_hold(instance, "A", by=ME, period=(day, day))
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    sent: list[dict[str, int]] = []
    monkeypatch.setattr(tasks, "send", lambda task, kwargs, after: sent.append(kwargs))
    monkeypatch.setattr(tasks, "SLICE_SECONDS", 0.000_001)
    clock = iter(range(1_000))
    timer = SimpleNamespace(monotonic=lambda: next(clock) * 0.000_000_6)
    monkeypatch.setattr("memoryapp.forgetting.retention.time", timer)
    apply_rule(rule_id=mine.pk)
    assert sent == [{"rule_id": mine.pk, "after": held[1].pk}]
    for slices in range(1, 5):
        if len(sent) == slices:
            apply_rule(**sent[-1])
    assert len(sent) < 5
    assert not exists(free)
    assert all(map(exists, held))


def test_crash_loses_nothing_and_the_night_goes_on(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    rule(instance, "memories")
    for n in range(6):
        learned(instance, f"Ana owns boat number {n}.", days=40)
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    real, calls = Activity.objects.add_to_day, []

    def crash(*args: Any, **options: Any) -> None:
        calls.append(options)
        if len(calls) == 2:
            raise OSError("The power is out.")
        real(*args, **options)

    monkeypatch.setattr(type(Activity.objects), "add_to_day", lambda _, *a, **o: crash(*a, **o))
    with pytest.raises(OSError, match="power"):
        night(instance)
    # What is gone is in the log, and what is not in the log is there.
    assert Memory.objects.count() == 4
    assert instance.activity.get(action="expired").count == 2
    night(instance)
    assert not Memory.objects.exists()
    assert instance.activity.get(action="expired").count == 6


@pytest.mark.parametrize(("kept", "floor"), [("activity", 183), ("usage", 32), ("memories", 1)])
def test_no_rule_is_below_the_floor(kept: str, floor: int, instance: Instance) -> None:
    with pytest.raises(retention.RuleRefused, match=f"{floor} days"):
        rule(instance, kept, floor - 1)
    assert rule(instance, kept, floor).days == floor


def test_floor_that_is_raised_later_applies(instance: Instance) -> None:
    rule(instance, "memories", 30)
    old = learned(instance, "Ana rows.", days=40)
    with override_settings(RETENTION_FLOORS=["memories=50"]):
        night(instance)
        assert exists(old)
    night(instance)
    assert not exists(old)


@pytest.mark.parametrize("floors", [["activity"], ["activity=many"], ["boats=3"]])
def test_floors_that_cannot_be_read_stop_the_start(floors: list[str]) -> None:
    with override_settings(RETENTION_FLOORS=floors):
        assert "keepsake.E021" in [error.id for error in settings_fit(None)]


def test_same_rows_have_one_rule(instance: Instance) -> None:
    first, second = rule(instance, "memories", 30), rule(instance, "memories", 60)
    assert (first.pk, second.days) == (second.pk, 60)
    assert instance.retention_rules.count() == 1
    retention.remove_rule(second, by=ME)
    retention.remove_rule(second, by=ME)
    lines = instance.activity.filter(action__startswith="retention").order_by("pk")
    assert list(lines.values_list("action", "about")) == [
        ("retention_set", "memories: 30 days"),
        ("retention_set", "memories: 60 days"),
        ("retention_removed", "memories: 60 days"),
    ]


def test_only_memories_have_classes(instance: Instance) -> None:
    with pytest.raises(retention.RuleRefused, match="Only memories"):
        rule(instance, "usage", 90, tag="trip")
    with pytest.raises(IntegrityError), transaction.atomic():
        RetentionRule.objects.create(instance=instance, kept="usage", days=90, tag="trip")


class Row:
    """A memory or a message as it is now: what a rule and a hold look at, in plain Python."""

    def __init__(self, row: Memory | Message) -> None:
        self.key = (type(row).__name__, row.pk)
        if isinstance(row, Memory):
            self.kept, self.person = Kept.MEMORIES, row.end_user
            self.since = max(row.said_at, row.updated_at)
            self.moments = [row.said_at, row.created_at]
            self.talks = {source.conversation_id for source in row.sources.all()}
        else:
            self.kept, self.person = Kept.MESSAGES, row.conversation.end_user
            self.since, self.moments = row.sent_at, [row.sent_at]
            self.talks = {row.conversation_id}

    def is_held(self, hold: LegalHold) -> bool:
        match hold.scope:
            case "person":
                return hold.end_user == self.person
            case "conversation":
                return hold.conversation_id in self.talks
            case "period":
                begin, end = hold.begins_at, hold.ends_at
                assert begin is not None
                assert end is not None
                return any(begin <= moment < end for moment in self.moments)
            case _:
                return True


class World:
    """An instance with two people who talk, and what is done there."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance

    def rows(self) -> list[Row]:
        messages = Message.objects.filter(instance=self.instance).select_related("conversation")
        memories = Memory.objects.filter(instance=self.instance).prefetch_related("sources")
        return [Row(row) for row in (*messages, *memories)]

    def held(self, rows: list[Row]) -> set[Any]:
        holds = list(LegalHold.objects.active().filter(instance=self.instance))
        return {row.key for row in rows if any(map(row.is_held, holds))}

    def due(self, rows: list[Row]) -> set[Any]:
        rules = self.instance.retention_rules.all()
        now = timezone.now()
        return {
            row.key
            for row in rows
            for each in rules
            if each.kept == row.kept and now - row.since >= timedelta(days=each.days)
        }

    def say(self, person: str) -> None:
        talk, _ = Conversation.objects.get_or_create(instance=self.instance, end_user=person)
        append(talk, [NewMessage("user", "I row.")])
        memory = Memory.objects.create(instance=self.instance, end_user=person, content="Rows.")
        memory.sources.create(instance=self.instance, conversation=talk, via="test")

    def edit(self, person: str) -> None:
        Memory.objects.filter(end_user=person).update(updated_at=timezone.now())

    def hold(self, scope: str) -> None:
        day = (timezone.now() - timedelta(days=2)).date()
        talk = Conversation.objects.filter(end_user="ana").first()
        on: dict[str, dict[str, Any]] = {
            "person": {"end_user": "bo"},
            "period": {"period": (day, day)},
            "instance": {},
        }
        if talk is not None:
            on["conversation"] = {"conversation": talk}
        if scope in on:
            set_hold(self.instance, "Case 17", by=ME, **on[scope])

    def lift(self, _: Any) -> None:
        for hold in LegalHold.objects.active():
            lift(hold, by=ME)

    def rule(self, given: tuple[Kept, int]) -> None:
        rule(self.instance, *given)

    def pass_time(self, days: int) -> None:
        """Make everything older."""
        for model, *columns in (
            (Memory, "said_at", "created_at", "updated_at"),
            (Message, "sent_at"),
            (LegalHold, "begins_at", "ends_at"),
        ):
            model._base_manager.update(
                **{column: F(column) - timedelta(days=days) for column in columns}
            )

    def forget(self, _: Any) -> None:
        with suppress(OnHold), transaction.atomic():
            forget(self.instance, Memory.objects.all(), by=ME)

    def night(self, _: Any) -> None:
        night(self.instance)


PEOPLE = st.sampled_from(["ana", "bo"])
STEPS: dict[str, st.SearchStrategy[Any]] = {
    "say": PEOPLE,
    "edit": PEOPLE,
    "hold": st.sampled_from(["person", "conversation", "period", "instance"]),
    "lift": st.none(),
    "rule": st.tuples(st.sampled_from([Kept.MEMORIES, Kept.MESSAGES]), st.integers(1, 4)),
    "pass_time": st.integers(1, 3),
    "forget": st.none(),
    "night": st.none(),
}


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(
        st.one_of(*(st.tuples(st.just(name), given) for name, given in STEPS.items())),
        max_size=14,
    )
)
def test_nothing_on_hold_goes_and_nothing_outlives_its_rule(
    instance: Instance, steps: list[tuple[str, Any]]
) -> None:
    with transaction.atomic():
        world = World(instance)
        for step, given in [("say", "ana"), ("say", "bo"), *steps, ("night", None)]:
            before = world.rows()
            there, held, due = {row.key for row in before}, world.held(before), world.due(before)
            getattr(world, step)(given)
            after = {row.key for row in world.rows()}
            assert held <= after
            if step == "night":
                assert after == there - (due - held)
            elif step != "forget":
                assert there <= after
        transaction.set_rollback(True)


def test_rest_previews_sets_lists_and_removes(instance: Instance) -> None:
    program = key_of(instance, ("people",))[1]
    learned(instance, "Ana rows.", days=40, category="event")
    given = {"kept": "memories", "days": 30, "category": "event", "tier": "person"}
    Memory.objects.update(tier=5)
    seen = program.send("GET", "retention/preview?kept=memories&days=30&category=event&tier=person")
    assert (seen["due"], seen["next_at"]) == (1, None)
    assert not instance.retention_rules.exists()
    made = program.send("POST", "retention", given, status=201)
    assert given.items() <= made.items()
    assert program.send("GET", "retention")["items"] == [made]
    night(instance)
    assert not Memory.objects.exists()
    program.send("DELETE", f"retention/{made['id']}", status=204)
    assert program.send("GET", "retention")["items"] == []
    for wrong, why in (
        ({"kept": "activity", "days": 182}, "183 days"),
        ({"kept": "usage", "days": 90, "tag": "trip"}, "Only memories"),
        ({"kept": "boats", "days": 90}, "kept"),
        ({"kept": "memories", "days": 0}, "days"),
    ):
        assert why in program.send("POST", "retention", wrong, status=422)["detail"]
    assert not instance.retention_rules.exists()
    key_of(instance, ("read", "write", "delete"))[1].send("POST", "retention", given, status=403)


def test_screen_shows_what_a_rule_would_delete_before_it_is_set(
    instance: Instance, as_alice: Client
) -> None:
    learned(instance, "Ana rows.", days=40, category="event")
    address = f"/instances/{instance.slug}/retention"
    given = {"rule-kept": "memories", "rule-days": "30", "rule-category": "event"}
    page = as_alice.post(address, given).content.decode()
    assert "Would delete 1 row tonight" in page
    assert not instance.retention_rules.exists()
    seen = unescape(page.partition('name="seen" value="')[2].partition('"')[0])
    # Of another rule than the one that was seen, the effect is shown first.
    page = as_alice.post(address, given | {"seen": seen, "rule-days": "50"}).content.decode()
    assert "Would delete nothing tonight" in page
    assert not instance.retention_rules.exists()
    page = as_alice.post(address, given | {"seen": seen}, follow=True).content.decode()
    assert "Memories: event" in page
    assert "<td>30</td>" in page
    night(instance)
    line = as_alice.get(f"/activity?instance={instance.slug}&kind=retention").content.decode()
    assert "deleted what was due: Memories (1)" in line
    (mine,) = instance.retention_rules.all()
    page = as_alice.post(f"{address}/{mine.pk}/remove", follow=True).content.decode()
    assert "The rule is removed." in page
    assert not instance.retention_rules.exists()


def test_screen_says_why_a_rule_cannot_be(instance: Instance, as_alice: Client) -> None:
    address = f"/instances/{instance.slug}/retention"
    for data, why in (
        ({"rule-kept": "activity", "rule-days": "182"}, "for 183 days at least"),
        ({"rule-kept": "memories", "rule-days": "0"}, "greater than or equal to 1"),
    ):
        page = as_alice.post(address, data | {"seen": "activity: 182 days"})
        assert page.status_code == 422
        assert why in page.content.decode()
    # Classes are for memories only: what is left in hidden fields is passed over.
    hidden = {"rule-kept": "usage", "rule-days": "90", "rule-tag": "trip"}
    as_alice.post(address, hidden | {"seen": "usage: 90 days"})
    assert str(instance.retention_rules.get()) == "usage: 90 days"


def test_page_takes_few_queries_whatever_the_number_of_rules(
    instance: Instance, as_alice: Client
) -> None:
    address = f"/instances/{instance.slug}/settings/retention"
    as_alice.get(address)
    counts = []
    for days in (40, 50, 60):
        rule(instance, "memories", days, tag=f"tag{days}")
        with CaptureQueriesContext(connection) as queries:
            as_alice.get(address)
        counts.append(len(queries))
    assert counts[0] == counts[-1]
