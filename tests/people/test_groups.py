"""Groups: each person is told what is about them and what their groups share, and nothing else, by
each way in which something is told.
"""

import json
from collections.abc import Callable, Mapping

import pytest
from django.test import Client

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Agent, Group, GroupMember, Instance, Reach
from instances.models.groups import seen_by
from memoryapp import tools
from memoryapp.api.mcp.resources import Resources
from memoryapp.context.builder import build_context
from memoryapp.mining.run import mine_here
from memoryapp.models import Memory, Origin
from memoryapp.people.erasure import ask_for_erasure, work_on
from memoryapp.people.groups import (
    GroupMembers,
    GroupRefused,
    change_group,
    create_group,
    remove_group,
)
from memoryapp.people.joining import CannotJoin, join
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.recall import RecallOptions, recall
from tests.api.conftest import key_of

ME = Actor(via="test")
#: By the id under which each is kept: one thing, which a question about boats asks for.
COLOURS = {
    "mara": "red",
    "jonas": "green",
    "family": "blue",
    "crew": "white",
    "all": "black",
    "": "grey",
}
QUESTION = "Which colour has the boat?"


@pytest.fixture
def nora(instance: Instance) -> Agent:
    return Agent.objects.create(instance=instance, slug="nora", name="Nora")


@pytest.fixture
def shared(instance: Instance, nora: Agent) -> Instance:
    """An instance in which each person and group has a boat of a colour of its own."""
    create_group(instance, "Family", GroupMembers(["mara"]), by=ME)
    create_group(instance, "Crew", GroupMembers(["jonas"], [nora]), by=ME)
    create_group(instance, "All", GroupMembers(everyone=True), by=ME)
    for owner, colour in COLOURS.items():
        fact = Candidate(f"The boat has the colour {colour}.", end_user=owner)
        remember(instance, [fact], Writer(Origin.MANUAL, ME))
        talk = Conversation.objects.create(instance=instance, title="Boats", end_user=owner)
        append(talk, [NewMessage("user", f"I painted the old boat {colour} in the yard.")])
        mine_here(talk, with_model=False)
    return instance


def call(name: str, arguments: dict[str, object], context: tools.ToolContext) -> tools.ToolResult:
    """Call a tool as a model does."""
    return tools.run(name, json.dumps(arguments), context, allowed=tools.TOOLS)


def seen_in(text: str) -> set[str]:
    """The owners whose boats *text* tells of."""
    return {owner for owner, colour in COLOURS.items() if f" {colour}" in text}


#: The owners whose boats each person is told of: with no agent, and by Nora.
TOLD: Mapping[tuple[str, bool], set[str]] = {
    ("mara", False): {"mara", "family", "all"},
    ("jonas", False): {"jonas", "crew", "all"},
    ("peer", False): {"all"},
    ("", False): {"", "all"},
    # What a group keeps is told to itself, and nothing of its members.
    ("family", False): {"family", "all"},
    ("mara", True): {"mara", "family", "all", "crew"},
    ("jonas", True): {"jonas", "crew", "all"},
    ("peer", True): {"all", "crew"},
}


def by_context(instance: Instance, person: str, agent: Agent | None) -> str:
    instance.top_k = 20
    return build_context(instance, QUESTION, end_user=person, agent=agent).text


def by_recall(instance: Instance, person: str, agent: Agent | None) -> str:
    options = RecallOptions(limit=40, end_user=person, agent=agent, only_relevant=False)
    return "\n".join(hit.content for hit in recall(instance, QUESTION, options).hits)


def by_search_tool(instance: Instance, person: str, agent: Agent | None) -> str:
    context = tools.ToolContext(instance, Writer(Origin.API, ME), person, agent=agent)
    return call("search_memory", {"query": QUESTION, "limit": 20}, context).text


def by_list_tool(instance: Instance, person: str, agent: Agent | None) -> str:
    context = tools.ToolContext(instance, Writer(Origin.API, ME), person, agent=agent)
    return call("list_memories", {}, context).text


@pytest.mark.parametrize("told", [by_context, by_recall, by_search_tool, by_list_tool])
@pytest.mark.parametrize(("person", "with_nora"), TOLD)
def test_each_person_is_told_their_own_and_what_their_groups_share(
    shared: Instance,
    nora: Agent,
    person: str,
    with_nora: bool,
    told: Callable[[Instance, str, Agent | None], str],
) -> None:
    text = told(shared, person, nora if with_nora else None)
    assert seen_in(text) == TOLD[person, with_nora]


@pytest.mark.parametrize(
    ("reach", "expected"),
    [
        (Reach.ALL, {"mara", "family", "crew", "all"}),
        (Reach.OWN, {"mara"}),
        (Reach.SHARED, {"family", "crew", "all"}),
    ],
)
def test_agent_tells_what_is_within_its_reach(
    shared: Instance, nora: Agent, reach: Reach, expected: set[str]
) -> None:
    nora.reach = reach
    nora.save()
    for told in (by_context, by_recall, by_search_tool, by_list_tool):
        assert seen_in(told(shared, "mara", nora)) == expected


def program_of(instance: Instance, person: str) -> Client:
    """A client with a key of this person alone; empty: of all."""
    key, program = key_of(instance)
    key.end_user = person
    key.save()
    return Client(headers={"Authorization": f"Bearer {program.secret}"})


@pytest.mark.parametrize("person", ["mara", "jonas", "peer"])
def test_programs_are_told_the_same(shared: Instance, person: str) -> None:
    expected = TOLD[person, False]
    for key_person in (person, ""):
        program = program_of(shared, key_person)
        asked = {"q": QUESTION, "user_id": person, "limit": 40, "weaker": True}
        found = program.post("/api/search", asked, content_type="application/json")
        assert seen_in(found.content.decode()) == expected
        asked = {"query": QUESTION, "filters": {"user_id": person, "category": "general"}}
        found = program.post("/api/memory/retrieve", asked, content_type="application/json")
        assert found.status_code == 200
        assert seen_in(found.content.decode()) <= expected
        found = program.get("/api/memories", {"q": QUESTION, "user_id": person, "size": "40"})
        assert seen_in(found.content.decode()) <= expected
        # A list by id is of that id alone.
        found = program.get("/api/memories", {"user_id": person})
        assert seen_in(found.content.decode()) == expected & {person}


def test_resources_of_apps_have_what_is_shared(shared: Instance) -> None:
    text = Resources(shared, "mara").read("keepsake://profile") or ""
    assert seen_in(text) == TOLD["mara", False]


def test_key_of_a_person_reads_what_is_shared_and_changes_only_their_own(
    shared: Instance,
) -> None:
    program = program_of(shared, "mara")
    of = {memory.end_user: memory for memory in Memory.objects.all()}
    for owner, memory in of.items():
        url = f"/api/memories/{memory.pk}"
        may_see = owner in TOLD["mara", False]
        assert program.get(url).status_code == (200 if may_see else 404)
        change = {"importance": 9}
        changed = program.patch(url, change, content_type="application/json").status_code
        assert changed == (200 if owner == "mara" else 404)
        assert program.delete(url).status_code == (204 if owner == "mara" else 404)
    # What is stored with it is its person's, whatever it asks for.
    stored = program.post(
        "/api/memories",
        {"content": "The oars are short.", "user_id": "family"},
        content_type="application/json",
    )
    assert stored.status_code == 403


def test_model_forgets_nothing_that_is_shared(shared: Instance) -> None:
    context = tools.ToolContext(shared, Writer(Origin.API, ME), "mara")
    blue = Memory.objects.get(end_user="family")
    assert not call("forget_memory", {"id": f"m{blue.pk}"}, context).ok
    assert " blue" not in call("forget_memory", {"content": blue.content}, context).text
    assert Memory.objects.filter(pk=blue.pk).exists()


def test_model_is_told_who_shares_something(shared: Instance) -> None:
    lines = by_context(shared, "mara", None).splitlines()
    blue = [line for line in lines if " blue" in line]
    assert blue
    assert all("shared by Family" in line for line in blue)
    assert not any("shared by" in line for line in lines if " red" in line)


def test_facts_of_a_group_and_of_a_member_do_not_change_each_other(shared: Instance) -> None:
    said = [
        Candidate("Mara lives in Ulm.", key="home_city", value="Ulm", end_user="mara"),
        Candidate("We live in Bonn.", key="home_city", value="Bonn", end_user="family"),
    ]
    for fact in said:
        remember(shared, [fact], Writer(Origin.MANUAL, ME))
    kept = Memory.objects.filter(key="home_city").order_by("end_user")
    assert [(row.end_user, row.value) for row in kept] == [("family", "Bonn"), ("mara", "Ulm")]


def test_membership_ends_with_the_group(shared: Instance) -> None:
    family = Group.objects.get(name="Family")
    change_group(family, "Kin", GroupMembers(["jonas", " ", "jonas"]), by=ME)
    assert seen_by(shared, "jonas") == ["jonas", "family", "crew", "all"]
    assert seen_by(shared, "mara") == ["mara", "all"]
    for group in Group.objects.all():
        remove_group(group, by=ME)
    shared.refresh_from_db()
    assert not shared.has_groups
    assert seen_by(shared, "jonas") == ["jonas"]
    assert Memory.objects.filter(end_user="family").exists()


def test_new_group_shares_nothing_that_was_there(instance: Instance) -> None:
    remember(instance, [Candidate("A.", end_user="family")], Writer(Origin.MANUAL, ME))
    assert create_group(instance, "Family", GroupMembers(), by=ME).shared_id == "family-2"
    assert create_group(instance, "日本", GroupMembers(), by=ME).shared_id == "group"
    # Unless a manager asks for it.
    named = create_group(instance, "Home", GroupMembers(["mara"]), end_user="family", by=ME)
    assert named.shared_id == "family"
    assert seen_by(instance, "mara") == ["mara", "family"]


def test_bad_groups_are_refused(shared: Instance) -> None:
    for name, members, end_user in [
        ("Family", GroupMembers(), ""),
        (" ", GroupMembers(), ""),
        ("New", GroupMembers(["crew"]), ""),
        ("New", GroupMembers(["own"]), "own"),
        ("New", GroupMembers(), "crew"),
        ("New", GroupMembers([f"p{number}" for number in range(1_001)]), ""),
    ]:
        with pytest.raises(GroupRefused):
            create_group(shared, name, members, end_user=end_user, by=ME)
    assert Group.objects.count() == 3
    with pytest.raises(CannotJoin):
        join(shared, "mara", "family", by=ME, typed="family")


def test_joined_and_erased_people_leave_no_membership(shared: Instance) -> None:
    family = Group.objects.get(name="Family")
    change_group(family, "Family", GroupMembers(["mara", "jonas"]), by=ME)
    join(shared, "jonas", "mara", by=ME, typed="mara")
    assert seen_by(shared, "jonas") == ["jonas", "family", "crew", "all"]
    assert [member.end_user for member in family.members.all()] == ["jonas"]
    erasure = ask_for_erasure(shared, "jonas", by=ME, typed="jonas", with_rules=False)
    work_on(erasure)
    assert not GroupMember.objects.exists()
    assert Memory.objects.filter(end_user="family").exists()


def test_managers_make_change_and_remove_groups(as_alice: Client, instance: Instance) -> None:
    Agent.objects.create(instance=instance, slug="nora", name="Nora")
    page = "/instances/desk/settings/groups"
    assert "Groups" in as_alice.get(page).content.decode()
    made = as_alice.post("/instances/desk/groups", {"group-name": "Family"})
    group = Group.objects.get()
    assert made["Location"] == f"/instances/desk/groups/{group.pk}"
    again = as_alice.post("/instances/desk/groups", {"group-name": "family"})
    assert again.status_code == 422
    assert "There is a group with this name already." in again.content.decode()
    nora = Agent.objects.get()
    fields = {"name": "Home", "people": "mara\r\njonas\r\n", "agents": [nora.pk]}
    saved = as_alice.post(made["Location"], fields, follow=True)
    assert "2 people and 1 agent" in " ".join(saved.content.decode().split())
    wrong = as_alice.post(made["Location"], fields | {"people": "family"})
    assert wrong.status_code == 422
    assert "which cannot be a member" in wrong.content.decode()
    shown = as_alice.get(made["Location"]).content.decode()
    assert "jonas\nmara" in shown
    removed = as_alice.post(f"/instances/desk/groups/{group.pk}/remove", follow=True)
    assert "Its memories stay under the id “family”." in removed.content.decode()
    assert not Group.objects.exists()
