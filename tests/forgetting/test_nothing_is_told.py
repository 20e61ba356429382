"""Property test: whatever happened before, no table, cache or door tells what was forgotten."""

import json
from typing import Any

import pytest
import redis
from django.db import transaction
from django.db.models import Q
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from pytest_django import Settings

from conversations.messages import NewMessage, append, append_new
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Memory, Origin, Summary
from memoryapp.openai_proxy.conversation_matching import TranscriptOwner, store_transcript
from memoryapp.openai_proxy.transcript import read_messages
from memoryapp.pipeline import Candidate, Writer, admit, remember
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.tools import ToolContext
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Line
from tests.leak_scanner import tables, values
from tests.palace_factories import file_turn

#: Things that the user keeps, in words that nothing else uses.
PETS = ["zorblat", "quimper", "fennock", "wumpling"]
#: The tables that may hold what is forgotten: for people alone, and for a while.
FOR_PEOPLE = {"memoryapp_mutedmessage", "memoryapp_archivedmemory", "memoryapp_mutednote"}

which = st.integers(0, len(PETS) - 1)
doors = st.integers(0, 6)
steps = st.tuples(
    st.sampled_from(
        "tell tell echo learn learn write correct merge file sum_up send_again forget forget "
        "restore note save_filter".split()
    ),
    which,
    doors,
)

LONG_WAY: list[tuple[str, int, int]] = [
    *(("tell", 0, 0), ("echo", 0, 0), ("learn", 0, 0), ("file", 0, 0), ("sum_up", 0, 0)),
    *(("tell", 1, 3), ("learn", 1, 0), ("merge", 0, 1), ("correct", 1, 1)),
    *(("note", 0, 1), ("note", 1, 0), ("save_filter", 0, 0)),
    *(("forget", 0, 3), ("send_again", 0, 0), ("echo", 0, 0), ("send_again", 0, 2)),
]


class World:
    """One person's memory, and the doors to it."""

    def __init__(self, instance: Instance, screen: Client) -> None:
        self.instance = instance
        self.screen = screen
        self.people = key_of(instance, ("read", "write", "delete", "forget"))[1]
        self.program = key_of(instance)[1]
        self.agent = Line(Authorization=f"Bearer {key_of(instance)[1].secret}")
        self.talk = Conversation.objects.create(instance=instance, title="Pets")
        self.forgotten: set[str] = set()
        #: What a client would send again: roles and texts.
        self.history: list[tuple[str, str]] = []

    def said(self, pet: str) -> str:
        return f"I keep a {pet} called {pet}ino at home."

    def fact(self, pet: str) -> str:
        return f"The user keeps a {pet} called {pet}ino at home."

    def memories(self, pet: str) -> list[Memory]:
        rows = Memory.objects.filter(
            Q(content__icontains=pet)
            | Q(revisions__content__icontains=pet)
            | Q(revisions__statement__icontains=pet)
        )
        return list(rows.distinct().order_by("pk"))

    def tell(self, pet: str, door: int) -> None:
        """The user says it anew."""
        text = self.said(pet)
        self.forgotten.discard(pet)
        self.history.append(("user", text))
        if door == 0:
            append(self.talk, [NewMessage("user", text)])
        elif door == 1:
            self.program.send(
                "POST",
                f"conversations/{self.talk.pk}/messages",
                {"messages": [{"role": "user", "content": text}]},
            )
        elif door == 2:
            append_new(self.talk, [NewMessage("user", text)])
        else:
            sent = [{"role": role, "content": said} for role, said in self.history]
            store_transcript(TranscriptOwner(self.instance, None, ""), read_messages(sent))

    def echo(self, pet: str, door: int) -> None:
        """The assistant says it."""
        text = f"You keep a {pet} called {pet}ino at home. Nice!"
        if pet not in self.forgotten:
            self.history.append(("assistant", text))
        append(self.talk, [NewMessage("assistant", text)])

    def note(self, pet: str, door: int) -> None:
        """A person writes it into a note, anew."""
        self.forgotten.discard(pet)
        text = f"About animals. {self.said(pet) if door % 2 else self.fact(pet)} They eat a lot."
        if door % 3 == 0:
            text = self.fact(pet)
        self.program.send("POST", "palace/notes", {"text": text, "wing": "Animals"})

    def save_filter(self, pet: str, door: int) -> None:
        """A person saves a search that states it."""
        self.forgotten.discard(pet)
        words = f"keep {pet} called {pet}ino home"
        self.screen.post(
            f"/memory/filters?instance=desk&q={words}", {"name": f"{PETS.index(pet)} {door}"}
        )

    def learn(self, pet: str, door: int) -> None:
        """Extraction reads a message that states it."""
        for conversation in self.instance.conversations.all():
            message = conversation.messages.filter(role="user", content=self.said(pet)).first()
            if message is None:
                continue
            candidate = Candidate(
                self.fact(pet), conversation_id=conversation.pk, message_id=message.pk
            )
            fit, _ = admit(self.instance, [candidate])
            writer = Writer(Origin.CONVERSATION, Actor(via="extraction"))
            remember(self.instance, fit, writer)
            Conversation.objects.filter(pk=conversation.pk).update(watermark=message.position)

    def write(self, pet: str, door: int) -> None:
        """A person or a program stores it."""
        self.forgotten.discard(pet)
        if door % 3 == 0:
            self.screen.post(
                "/memory/new?instance=desk",
                {"content": self.fact(pet), "category": "fact", "importance": "5"},
            )
        elif door % 3 == 1:
            self.program.send("POST", "memories", {"content": self.fact(pet)})
        elif door % 2:
            self.tool("save_memory", content=self.fact(pet))
        else:
            assert not self.agent.call("save_memory", content=self.fact(pet)).get("isError")

    def correct(self, pet: str, door: int) -> None:
        for memory in self.memories(pet)[:1]:
            body = {"content": f"The user keeps a {pet} in the garden."}
            # A program does not change what a person has typed.
            if memory.tier <= Tier.USER:
                self.program.send("PATCH", f"memories/{memory.pk}", body)

    def merge(self, pet: str, door: int) -> None:
        rows = list(Memory.objects.order_by("pk"))[:2]
        if len(rows) == 2:
            seen = {row.pk: row.updated_at for row in rows}
            join(self.instance, [DuplicateGroup(rows[0].pk, [rows[1].pk])], seen, by=Actor())

    def file(self, pet: str, door: int) -> None:
        """The palace and the graph get a message that states it."""
        for conversation in self.instance.conversations.all():
            message = conversation.messages.filter(
                content__icontains=pet, drawer=None, unfiled__stays_out=False
            ).first()
            if message is None:
                continue
            drawer = file_turn(message, "Pets", items=[pet] if message.content else [])
            statement = StatementIn(
                NamedEntity("User", "person"),
                "keeps",
                NamedEntity(pet, "item"),
                timezone.now(),
                drawer_id=drawer.pk,
            )
            ingest(self.instance, "", [statement])

    def sum_up(self, pet: str, door: int) -> None:
        text = " ".join(Memory.objects.values_list("content", flat=True))
        if text:
            Summary.objects.update_or_create(
                instance=self.instance,
                end_user="",
                defaults={"text": text, "written_at": timezone.now()},
            )

    def send_again(self, pet: str, door: int) -> None:
        """A client sends what was said before, with a new question behind it."""
        sent = [*self.history, ("user", "What is the time?")]
        if door % 3 == 0:
            conversation = Conversation.objects.create(instance=self.instance)
            append(conversation, [NewMessage(role, text) for role, text in sent])
        elif door % 3 == 1:
            append_new(self.talk, [NewMessage(role, text) for role, text in sent])
        else:
            messages = [{"role": role, "content": text} for role, text in sent]
            store_transcript(TranscriptOwner(self.instance, None, ""), read_messages(messages))

    def forget(self, pet: str, door: int) -> None:
        memories = self.memories(pet)
        for memory in memories:
            texts = [memory.content]
            for revision in memory.revisions.all():
                texts += [revision.content, revision.statement]
            self.forgotten |= {other for other in PETS if any(other in text for text in texts)}
            if door == 0:
                self.screen.post(
                    "/memory/delete?instance=desk", {"id": memory.pk, "confirmed": "yes"}
                )
            elif door == 1:
                self.people.send("DELETE", f"memories/{memory.pk}")
            elif door == 2:
                self.program.send("DELETE", f"memories/{memory.pk}")
            elif door == 3:
                assert self.tool("forget_memory", id=f"m{memory.pk}").ok
            elif door == 4:
                self.program.send("DELETE", f"/v1/memories/{memory.pk}/")
            elif door == 5:
                archived = self.agent.call("forget_memory", id=f"m{memory.pk}")
                assert not archived.get("isError"), archived
            else:
                self.people.send("POST", "memories/delete", {"ids": [memory.pk]})
        assert not self.memories(pet)
        # Another memory may state what was merged with the forgotten one.
        self.forgotten -= {other for other in PETS if self.memories(other)}

    def restore(self, pet: str, door: int) -> None:
        """A person takes everything out of the bin."""
        for archived in self.instance.archived.all():
            text = json.dumps(archived.rows)
            self.forgotten -= {other for other in PETS if other in text}
        self.screen.post("/memory/bin/restore?instance=desk", {"all": "yes"})

    def tool(self, name: str, **arguments: Any) -> Any:
        scope = ToolContext(self.instance, Writer(Origin.API, Actor(via="mcp")), "")
        return tools.run(name, json.dumps(arguments), scope, allowed=tools.TOOLS)

    def answers(self) -> dict[str, str]:
        """What each door answers to questions that do not name a pet."""
        question = "What does the user keep at home? Is it called something?"
        get = {
            "list": "/memory?instance=desk",
            "search": "/memory?instance=desk&q=keeps+home+called",
            "what the assistant is shown": "/memory/recall?instance=desk&q=who+is+kept+at+home",
            "palace": "/memory/palace?instance=desk",
            "palace search": "/memory/palace?instance=desk&q=keep+called+home",
            "graph": "/memory/graph?instance=desk",
            "profile": "/memory/profile?instance=desk&end_user=",
            "export": "/memory/export?instance=desk&format=jsonl",
            "filters": "/memory/filters?instance=desk",
            "conversations": "/conversations?instance=desk",
            "conversation search": "/conversations?instance=desk&q=keep+called+home",
            "activity": "/activity?instance=desk",
        }
        told = {name: self._screen_text(path) for name, path in get.items()}
        for path in ("memories", "search", "mem0"):
            told[f"program: {path}"] = json.dumps(self._program(path, question))
        for talk in self.instance.conversations.all():
            path = f"conversations/{talk.pk}/messages"
            told[f"program: {path}"] = json.dumps(self.program.send("GET", path))
        told["tool: search"] = self.tool("search_memory", query=question).text
        told["tool: list"] = self.tool("list_memories").text
        told["MCP: search"] = json.dumps(self.agent.call("search_memory", query=question))
        told["MCP: list"] = json.dumps(self.agent.call("list_memories"))
        return told

    def _screen_text(self, path: str) -> str:
        response = self.screen.get(path)
        assert response.status_code == 200, path
        content = response.getvalue() if response.streaming else response.content
        return bytes(content).decode()

    def _program(self, path: str, question: str) -> Any:
        if path == "memories":
            return self.program.send("GET", "memories")
        if path == "search":
            return self.program.send("POST", "search", {"q": question, "weaker": True})
        return self.program.send("POST", "/v3/memories/", {"filters": {"user_id": "*"}})


def check(world: World, server: "redis.Redis") -> None:
    rows = {
        name: text.decode(errors="replace").casefold()
        for name, text in (tables() | values(server)).items()
        if name not in FOR_PEOPLE
    }
    for pet in world.forgotten:
        assert not {name for name, text in rows.items() if pet in text}, pet
    if world.forgotten:
        for door, answer in world.answers().items():
            for pet in world.forgotten:
                assert pet not in answer.casefold(), (door, pet)


def run(
    instance: Instance, client: Client, server: "redis.Redis", todo: list[tuple[str, int, int]]
) -> None:
    class _Over(Exception):
        pass

    with pytest.raises(_Over), transaction.atomic():
        world = World(Instance.objects.get(pk=instance.pk), client)
        for verb, number, door in todo:
            getattr(world, verb)(PETS[number], door)
        check(world, server)
        raise _Over


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(todo=LONG_WAY)
@given(todo=st.lists(steps, min_size=5, max_size=20))
def test_what_is_forgotten_is_told_nowhere(
    as_alice: Client,
    instance: Instance,
    settings: Settings,
    todo: list[tuple[str, int, int]],
) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        run(instance, as_alice, server, todo)


@pytest.mark.soak
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(todo=st.lists(steps, min_size=10, max_size=50))
def test_what_is_forgotten_is_told_nowhere_for_long(
    as_alice: Client,
    instance: Instance,
    settings: Settings,
    todo: list[tuple[str, int, int]],
) -> None:
    with redis.Redis.from_url(settings.REDIS_URL) as server:
        server.flushdb()
        run(instance, as_alice, server, todo)
