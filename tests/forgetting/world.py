"""One person's memory for property tests, and the doors to it."""

import json
from typing import Any

from django.db.models import Q
from django.test import Client
from django.utils import timezone
from openai import OpenAI

from conversations.messages import NewMessage, append, append_new
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.api.v1.conversation_matching import TranscriptOwner, store_transcript
from memoryapp.api.v1.transcript import read_messages
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import Memory, Origin, Summary
from memoryapp.pipeline import Candidate, Writer, admit, remember
from memoryapp.pipeline.duplicate_merge import DuplicateGroup, join
from memoryapp.tools import ToolContext
from tests.api.conftest import key_of
from tests.api.mcp.conftest import Line
from tests.palace_factories import file_turn
from tests.scripted_provider import Request, ScriptedProvider

#: Things that the user keeps, in words that nothing else uses.
PETS = ["zorblat", "quimper", "fennock", "wumpling"]


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
            self.send_transcript(self.history)

    def echo(self, pet: str, door: int) -> None:
        """The assistant says it."""
        text = f"You keep a {pet} called {pet}ino at home. Nice!"
        if pet not in self.forgotten:
            self.history.append(("assistant", text))
        append(self.talk, [NewMessage("assistant", text)])

    def send_transcript(self, history: list[tuple[str, str]]) -> None:
        """A client of `/v1` sends the whole conversation, as `Proxied` does over HTTP."""
        messages = [{"role": role, "content": text} for role, text in history]
        store_transcript(TranscriptOwner(self.instance, None, ""), read_messages(messages))

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
            self.send_transcript(sent)

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
        self.screen.post("/memory/removed/bin/restore?instance=desk", {"all": "yes"})

    def tool(self, name: str, **arguments: Any) -> Any:
        scope = ToolContext(self.instance, Writer(Origin.API, Actor(via="mcp")), "")
        return tools.run(name, json.dumps(arguments), scope, allowed=tools.TOOLS)

    def answers(self) -> dict[str, str]:
        """What each door answers to questions that do not name a pet."""
        question = "What does the user keep at home? Is it called something?"
        get = {
            "list": "/memory?instance=desk",
            "search": "/memory?instance=desk&q=keeps+home+called",
            "what the assistant is shown": "/memory?instance=desk&list=ask&q=who+is+kept+at+home",
            "palace": "/conversations/palace?instance=desk",
            "palace search": "/conversations/palace?instance=desk&q=keep+called+home",
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


class ProxiedWorld(World):
    """The same, with the official OpenAI client as a further door. It needs committed rows."""

    def __init__(
        self, instance: Instance, screen: Client, address: str, provider: ScriptedProvider
    ) -> None:
        super().__init__(instance, screen)
        self.client = OpenAI(base_url=address, api_key=self.program.secret, max_retries=0)
        self.provider = provider

    def send_transcript(
        self, history: list[tuple[str, str]], reply: str = "Noted, thank you."
    ) -> None:
        """The client sends the whole conversation, and keeps the reply."""
        self.provider.reply_with(reply)
        messages: list[Any] = [{"role": role, "content": text} for role, text in history]
        answer = self.client.chat.completions.create(model="keepsake", messages=messages)
        assert answer.choices[0].message.content == reply
        if history is self.history:
            self.history.append(("assistant", reply))

    def echo(self, pet: str, door: int) -> None:
        """The model says it in its reply."""
        if door % 2:
            super().echo(pet, door)
            return
        history = [*self.history, ("user", "What do I keep at home?")]
        if pet not in self.forgotten:
            self.history = history
        self.send_transcript(history, f"You keep a {pet} called {pet}ino at home. Nice!")

    def answers(self) -> dict[str, str]:
        shown: list[Request] = []

        def reply(request: Request) -> str:
            shown.append(request)
            return "I cannot say."

        self.provider.reply_with(reply)
        question: Any = {"role": "user", "content": "What do I keep at home? What is it called?"}
        self.client.chat.completions.create(model="keepsake", messages=[question])
        return super().answers() | {"/v1: what the model is shown": json.dumps(shown)}
