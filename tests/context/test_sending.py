"""Rules of which model may see what hold wherever a model is told something."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation, Message
from instances.actor import Actor
from instances.models import Instance, Provider
from instances.models.sensitivity_settings import AreaHandling
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.api.mcp.resources import PROFILE, Resources
from memoryapp.context.builder import Omission, build_context, context_for_message, omission
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Memory, Origin, Summary
from memoryapp.models.memory import MemorySource
from memoryapp.people.groups import GroupMembers, create_group
from memoryapp.pipeline import Writer
from memoryapp.pipeline.assessment import assess_waiting
from memoryapp.recall import recall
from memoryapp.summary.generation import _memories
from memoryapp.suppression.sending import (
    NOBODY,
    UNKNOWN,
    Recipient,
    SendingPolicy,
    SendingRule,
    model_of,
    policy_for_model,
)
from memoryapp.suppression.sending_rules import (
    MAX_RULES,
    SendingRuleRefused,
    add_rule,
    remove_rule,
    server_named,
    set_rules,
)
from tests.api.conftest import key_of

ME = Actor(via="test")
TRIP, TEA = "The user drinks tea in Lisbon in May.", "The user drinks tea with lemon."
QUESTION = "What tea do I drink?"
HERE, OPENAI = "http://127.0.0.1:11434/v1", "https://api.openai.com/v1"
NO_TRIPS = SendingRule(category="event")


@pytest.fixture(autouse=True)
def memories(instance: Instance, store_memory: Callable[..., Memory]) -> dict[str, Memory]:
    use(instance, OPENAI)
    return {
        TRIP: store_memory(TRIP, category="event", has_no_end=True),
        TEA: store_memory(TEA, category="preference"),
    }


def use(instance: Instance, address: str) -> None:
    instance.provider, instance.base_url = Provider.CUSTOM, address
    instance.save()


def told(instance: Instance, end_user: str = "") -> str:
    return context_for_message(instance, QUESTION, end_user=end_user, conversation=None).text


@pytest.mark.parametrize(
    ("server", "withheld_from"),
    [
        ("", {"elsewhere", "openai", "unknown"}),
        ("api.openai.com", {"openai", "unknown"}),
        ("127.0.0.1:11434", {"here", "unknown"}),
    ],
)
def test_rule_is_for_the_models_of_its_server(server: str, withheld_from: set[str]) -> None:
    recipients = {
        "here": Recipient("127.0.0.1:11434", is_own=True),
        "elsewhere": Recipient("models.example.org", is_own=False),
        "openai": Recipient("api.openai.com", is_own=False),
        "unknown": UNKNOWN,
    }
    rule = SendingRule(server=server)
    assert {name for name, each in recipients.items() if rule.is_for(each)} == withheld_from


def test_recipient_of_an_instance_is_where_its_model_runs(instance: Instance) -> None:
    assert model_of(instance) == Recipient("api.openai.com", is_own=False)
    use(instance, HERE)
    assert model_of(instance) == Recipient("127.0.0.1:11434", is_own=True)
    instance.provider = ""
    assert model_of(instance) == NOBODY


def test_person_who_asks_without_a_model_is_told_all(instance: Instance) -> None:
    for rule in (SendingRule(), SendingRule(server="api.openai.com"), NO_TRIPS):
        add_rule(instance, rule, by=ME)
    instance.health_handling = AreaHandling.LOCAL
    instance.save()
    assert TRIP not in told(instance) and TEA not in told(instance)
    instance.provider = ""
    assert TRIP in told(instance) and TEA in told(instance)
    assert policy_for_model(instance).allows_text("I have a kidney disease.")
    assert not SendingPolicy(instance, UNKNOWN).allows_text("I have a kidney disease.")


@pytest.mark.parametrize(
    ("rule", "withheld"),
    [
        (NO_TRIPS, {TRIP}),
        (SendingRule(tier=Tier.USER), {TRIP, TEA}),
        (SendingRule(tier=Tier.DOCUMENT), set()),
        (SendingRule(category="event", tier=Tier.DOCUMENT), set()),
        (SendingRule(scope="private"), {TRIP, TEA}),
        (SendingRule(area="Citrus"), {TEA}),
        (SendingRule(area="Citrus", category="event"), set()),
        (SendingRule(area="health"), set()),
        (SendingRule(scope="group"), set()),
        (SendingRule(), {TRIP, TEA}),
        (SendingRule(server="models.example.org"), set()),
    ],
)
def test_model_is_told_what_no_rule_covers(
    rule: SendingRule, withheld: set[str], instance: Instance
) -> None:
    instance.own_areas = [{"name": "Citrus", "words": ["lemons"], "handling": "keep"}]
    instance.save()
    assert TRIP in told(instance) and TEA in told(instance)
    add_rule(instance, rule, by=ME)
    assert {text for text in (TRIP, TEA) if text not in told(instance)} == withheld


@pytest.mark.parametrize(("everyone", "scope"), [(False, "group"), (True, "all")])
def test_scope_is_by_who_sees_it(
    everyone: bool, scope: str, instance: Instance, store_memory: Callable[..., Memory]
) -> None:
    members = GroupMembers(() if everyone else ["mara"], everyone=everyone)
    group = create_group(instance, "Crew", members, by=ME)
    shared = store_memory("We drink tea at four.", end_user=group.shared_id).content
    own = store_memory("I drink tea at six.", end_user="mara").content
    for withheld in ("private", "group", "all"):
        set_rules(instance, [SendingRule(scope=withheld)], by=ME)
        text = told(instance, "mara")
        assert (shared in text, own in text) == (withheld != scope, withheld != "private")


def test_screen_says_why(instance: Instance) -> None:
    add_rule(instance, NO_TRIPS, by=ME)
    hits = {hit.content: hit for hit in recall(instance, QUESTION).hits}
    assert omission(instance, QUESTION, hits[TRIP]) is Omission.ELSEWHERE
    shown = build_context(instance, QUESTION, end_user="").shown.values()
    assert [hit.content for hit in shown] == [TEA]


def test_turn_that_says_the_same_is_withheld(
    instance: Instance, memories: dict[str, Memory], store_message: Callable[..., Message]
) -> None:
    conversation = Conversation.objects.create(instance=instance)
    said = store_message(conversation, "We drink green tea in Lisbon every May.")
    other = store_message(conversation, "We drink green tea in Porto every June.")
    MemorySource.objects.create(
        instance=instance, memory=memories[TRIP], conversation=conversation, message=said
    )
    memories[TRIP].sources.exclude(message=said).delete()
    Memory.objects.exclude(pk=memories[TEA].pk).update(end_user="somebody else")
    question = "Where do we drink green tea?"

    def text() -> str:
        return context_for_message(instance, question, end_user="", conversation=None).text

    assert "Porto every June" in text() and "Lisbon every May" in text()
    add_rule(instance, NO_TRIPS, by=ME)
    assert "Porto every June" in text() and "Lisbon every May" not in text()
    for message, is_told in ((said, False), (other, True)):
        context = tools.ToolContext(instance, Writer(Origin.API, ME), end_user="")
        arguments = json.dumps({"id": f"s{message.pk}"})
        result = tools.run("fetch", arguments, context, allowed=["fetch"])
        assert result.ok is is_told


@pytest.mark.parametrize(
    ("scope", "is_told"), [("private", False), ("group", False), ("all", True)]
)
def test_conversation_that_is_shared_counts_as_both(
    scope: str, is_told: bool, instance: Instance, store_message: Callable[..., Message]
) -> None:
    group = create_group(instance, "Crew", GroupMembers(["jonas"]), by=ME)
    conversation = Conversation.objects.create(
        instance=instance, end_user="mara", shared_with=group.shared_id
    )
    said = store_message(conversation, "We drink green tea in Lisbon every May.")
    set_rules(instance, [SendingRule(scope=scope)], by=ME)
    context = tools.ToolContext(instance, Writer(Origin.API, ME), end_user="jonas")
    fetched = tools.run("fetch", json.dumps({"id": f"s{said.pk}"}), context, allowed=["fetch"])
    found = tools.run(
        tools.SEARCH, json.dumps({"query": "green tea"}), context, allowed=[tools.SEARCH]
    )
    assert (fetched.ok, "Lisbon every May" in found.text) == (is_told, is_told)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (tools.SEARCH, {"query": "tea"}),
        (tools.LIST, {}),
        ("search", {"query": "tea"}),
        ("fetch", {"id": "m{trip}"}),
        (tools.FORGET, {"content": "something about drinking tea"}),
    ],
)
@pytest.mark.parametrize("address", [HERE, OPENAI])
def test_programs_that_call_tools_are_told_by_every_rule(
    tool: str,
    arguments: dict[str, str],
    address: str,
    instance: Instance,
    memories: dict[str, Memory],
) -> None:
    use(instance, address)
    named = {name: text.format(trip=memories[TRIP].pk) for name, text in arguments.items()}

    def result() -> str:
        context = tools.ToolContext(instance, Writer(Origin.API, ME), end_user="")
        answer = tools.run(tool, json.dumps(named), context, allowed=[tool])
        return f"{answer.text} {answer.data and answer.data.model_dump_json()}"

    assert "Lisbon" in result()
    set_rules(instance, [SendingRule(server="models.example.org", category="event")], by=ME)
    assert "Lisbon" not in result()


def test_no_tool_is_left_out() -> None:
    tried = {tools.SEARCH, tools.LIST, tools.FORGET, "search", "fetch"}
    # To save tells what the model has just said.
    assert {*tools.TOOLS, *tools.DOCUMENT_TOOLS} == tried | {tools.SAVE}


@pytest.mark.parametrize("area", [True, False])
def test_resources_of_mcp(area: bool, instance: Instance, memories: dict[str, Memory]) -> None:
    use(instance, HERE)
    resources = Resources(instance, "")
    one = f"keepsake://memories/m{memories[TRIP].pk}"
    assert "Lisbon" in str(resources.read(PROFILE)) and "Lisbon" in str(resources.read(one))
    if area:
        instance.own_areas = [{"name": "Travel", "words": ["Lisbon"], "handling": "local"}]
        instance.save()
    else:
        add_rule(instance, NO_TRIPS, by=ME)
    assert "Lisbon" not in str(resources.read(PROFILE)) and resources.read(one) is None
    assert TEA in str(resources.read(PROFILE))


def test_relation_of_a_withheld_memory_is_withheld(
    instance: Instance, memories: dict[str, Memory]
) -> None:
    lives = StatementIn(
        NamedEntity("Nadia"),
        "lives_in",
        NamedEntity("Lisbon"),
        timezone.now(),
        memory_id=memories[TRIP].pk,
    )
    ingest(instance, "", [lives])
    question = "Where does Nadia live?"

    def facts() -> int:
        return len(build_context(instance, question, end_user="").facts)

    assert facts() == 1
    add_rule(instance, NO_TRIPS, by=ME)
    assert facts() == 0


def test_summary_has_nothing_that_any_rule_names(
    instance: Instance, memories: dict[str, Memory]
) -> None:
    instance.summary_enabled = True
    use(instance, HERE)
    summary, _ = Summary.objects.update_or_create(
        instance=instance, end_user="", defaults={"text": "Loves Lisbon."}
    )
    assert "Loves Lisbon." in told(instance)
    add_rule(instance, SendingRule(server="models.example.org", category="event"), by=ME)
    assert "Loves Lisbon." not in told(instance)
    summary.refresh_from_db()
    assert summary.due_at is not None
    assert [memory.content for memory in _memories(instance, "")] == [TEA]


def test_facts_are_assessed_by_a_model_that_may_see_them(
    instance: Instance, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        "memoryapp.pipeline.assessment.ask_if_possible",
        lambda *_, user, **__: asked.append(user),
    )
    Memory.objects.update(assessed=False)
    assess_waiting(instance, calls=1)
    add_rule(instance, NO_TRIPS, by=ME)
    assess_waiting(instance, calls=1)
    assert ["Lisbon" in text for text in asked] == [True, False]
    assert all("lemon" in text for text in asked)


@pytest.mark.parametrize(
    ("text", "server"),
    [
        ("", ""),
        ("api.openai.com", "api.openai.com"),
        (" API.OpenAI.com ", "api.openai.com"),
        ("https://me:secret@api.openai.com/v1", "api.openai.com"),
        ("http://192.168.7.5:8000/v1", "192.168.7.5:8000"),
        ("127.0.0.1:11434", "127.0.0.1:11434"),
        ("https://", None),
        ("two words", None),
        ("https://[", None),
        ("x" * 300, None),
    ],
)
def test_server_is_named_as_in_the_log_of_calls(text: str, server: str | None) -> None:
    if server is not None:
        assert server_named(text) == server
        return
    with pytest.raises(SendingRuleRefused):
        server_named(text)


def test_rules_are_set_once_and_removed(instance: Instance) -> None:
    for _ in range(2):
        add_rule(instance, NO_TRIPS, by=ME)
    other = SendingRule(tier=Tier.DOCUMENT)
    add_rule(instance, other, by=ME)
    assert instance.sending_rules == [NO_TRIPS.as_json(), other.as_json()]
    assert remove_rule(instance, NO_TRIPS, by=ME)
    assert not remove_rule(instance, NO_TRIPS, by=ME)
    assert instance.sending_rules == [other.as_json()]
    many = [SendingRule(server=f"s{n}.example.org") for n in range(MAX_RULES)]
    set_rules(instance, many, by=ME)
    with pytest.raises(SendingRuleRefused):
        add_rule(instance, NO_TRIPS, by=ME)


def test_screen_sets_and_removes_a_rule(as_alice: Client, instance: Instance) -> None:
    given = {"sending-category": "event", "sending-tier": "", "sending-scope": "private"}
    given["sending-server"] = "https://api.openai.com/v1"
    as_alice.post("/instances/desk/sending", given)
    instance.refresh_from_db()
    rule = {"server": "api.openai.com", "area": "", "category": "event", "tier": None}
    rule["scope"] = "private"
    assert instance.sending_rules == [rule]
    page = as_alice.get("/instances/desk/settings/sending").content.decode()
    assert "Event, private to a person" in page and "<bdi>api.openai.com</bdi>" in page
    for row in ("", "[]", '{"server": 1, "other": 2}', json.dumps(rule)):
        as_alice.post("/instances/desk/sending/remove", {"row": row})
    instance.refresh_from_db()
    assert instance.sending_rules == []


def test_screen_says_what_a_server_is(as_alice: Client, instance: Instance) -> None:
    answer = as_alice.post("/instances/desk/sending", {"sending-server": "two words"})
    assert answer.status_code == 422
    assert "such as api.openai.com" in answer.content.decode()


def test_rules_over_rest(instance: Instance) -> None:
    _, program = key_of(instance)
    named = {"area": "health", "category": "event", "tier": "document"}
    rule = {"server": "", "scope": "", **named}
    given = {"items": [named]}
    assert program.send("PUT", "sending-rules", given) == {"items": [rule]}
    assert program.send("GET", "sending-rules") == {"items": [rule]}
    for bad in ({"server": "two words"}, {"area": "weather"}):
        program.send("PUT", "sending-rules", {"items": [bad]}, status=422)
    assert program.send("GET", "sending-rules") == {"items": [rule]}
