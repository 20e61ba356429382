"""Lists whose queries are counted, and their rows."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.db.models import BigIntegerField, Value
from django.utils import timezone
from pgvector import HalfVector

from conversations.models import Conversation, Import, Message, Role
from conversations.search import SearchVector
from instances.actor import Actor
from instances.models import Agent, AllowedAddress, Instance, Membership, User, Webhook
from instances.tiers import Tier
from memoryapp.graph.ingestion import NamedEntity, StatementIn, ingest
from memoryapp.models import (
    Activity,
    Answer,
    ArchivedMemory,
    AuditRecord,
    EmbeddingSpace,
    Erasure,
    KeyRequest,
    Likeness,
    Memory,
    MemoryEmbedding,
    MemoryRevision,
    MemorySource,
    ProposedDeletion,
    RecallLog,
    RefusedProposal,
    Run,
    StoredDocument,
    SuppressionRule,
    ToolRun,
    Usage,
    WebhookDelivery,
)
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from tests.palace_factories import file_note, file_turn, wing_of

FEW, MANY = 3, 35
#: Replaced by a key of the instance.
KEYED = {"Authorization": "Token {key}"}
WHOSE = {"user_id": "ana"}


@dataclass(frozen=True)
class Screen:
    """A list, its maximum number of queries, and a text that it shows once it has rows."""

    url: str
    most: int
    text: str
    headers: dict[str, str] = field(default_factory=dict)
    posts: bool = False
    superadmin: bool = False
    #: JSON posted by a client with a key.
    body: dict[str, Any] | None = None


SCREENS = {
    "end users": Screen("/memory/people?instance=desk", 12, "person"),
    "file of a person": Screen("/memory/people/file?instance=desk&end_user=ana", 58, "Memories"),
    "erasures": Screen("/memory/people/erasures?instance=desk", 12, "by somebody"),
    "people api": Screen("/api/people/erasures?instance_id=desk&limit=100", 12, "somebody"),
    "memories": Screen("/memory?instance=desk", 19, "The user has boat"),
    "memory search": Screen("/memory?instance=desk&q=which+boat", 29, "The user has"),
    "memory search, sorted": Screen("/memory?instance=desk&q=boat&sort=oldest", 30, "The user has"),
    "memory filters": Screen(
        "/memory?instance=desk&tag=sea&user=ana&origin=manual&state=changed&category=fact",
        20,
        "The user has boat",
    ),
    "memory search, filtered": Screen(
        "/memory?instance=desk&q=boat&state=current&tag=sea", 29, "The user has"
    ),
    "memory fragment": Screen(
        "/memory?instance=desk", 16, "The user has boat", headers={"HX-Request": "true"}
    ),
    "tags": Screen("/memory/tags?instance=desk", 12, "sea"),
    "memory page of a hundred": Screen(
        "/memory?instance=desk&per_page=100", 19, "The user has boat"
    ),
    "memory filters with counts": Screen("/memory/choices?instance=desk", 16, "sea ("),
    "panel": Screen("/memory/{memory}?instance=desk", 23, "Source</h2>"),
    "palette": Screen("/palette?instance=desk", 13, "Extra 3"),
    "palette search": Screen("/palette?instance=desk&q=boat", 22, "The user has boat"),
    "recall": Screen("/memory?instance=desk&list=ask&q=which+boat&user=ana", 40, "The user has"),
    "recall with a panel": Screen(
        "/memory/{memory}?list=ask&instance=desk&q=which+boat&user=ana", 48, "Source</h2>"
    ),
    "recall, compared and asked why": Screen(
        "/memory?instance=desk&list=ask&q=boat&user=ana&limit=20&against=rrf&why={memory}&find=boat",
        82,
        "The user has",
    ),
    "profile": Screen("/memory/profile?instance=desk&end_user=ana", 20, "boat"),
    "timeline of a person": Screen(
        "/memory/profile?instance=desk&end_user=ana&view=timeline", 20, "boat"
    ),
    "week of a person": Screen("/memory/profile?instance=desk&end_user=ana&view=week", 20, "boat"),
    "people": Screen("/memory/profile?instance=desk&q=person", 10, "person 3"),
    "documents": Screen("/memory/documents?instance=desk", 14, "document 1"),
    "documents of a namespace": Screen("/memory/documents?instance=desk&under=notes", 14, "boat"),
    "document search": Screen("/memory/documents?instance=desk&q=boat", 18, "boat"),
    "document": Screen("/memory/documents/{document}", 12, "A boat"),
    "API documents": Screen("/api/store/documents?instance_id=desk&limit=100", 7, "A boat"),
    "API namespaces": Screen("/api/store/namespaces?instance_id=desk&limit=100", 7, "notes"),
    "delete question": Screen("/memory/delete?instance=desk", 12, "memories?", posts=True),
    "not learned again": Screen("/memory/removed/blocked?instance=desk", 11, "Memory 1"),
    "rollback": Screen(
        "/memory/removed/rollback?instance=desk&since=2020-01-01T00:00", 35, "Rolled fact"
    ),
    "rollback, changed": Screen(
        "/memory/removed/rollback?instance=desk&since=2020-01-01T00:00&part=changed",
        35,
        "Earlier Changed",
    ),
    "rollback, answers": Screen(
        "/memory/removed/rollback?instance=desk&since=2020-01-01T00:00&part=answers",
        35,
        "Said aloud",
    ),
    "bin": Screen("/memory/removed/bin?instance=desk", 11, "Archived fact 1"),
    "refused": Screen("/memory/removed/refused?instance=desk", 11, "Refused fact 1"),
    "past": Screen("/memory/past?instance=desk&on={yesterday}", 13, "Sails"),
    "past search": Screen("/memory/past?instance=desk&q=boat&on={yesterday}", 19, "boat"),
    "choice": Screen("/memory", 5, "Extra 3"),
    "graph": Screen("/memory/graph?instance=desk", 16, "Skipper"),
    "graph search": Screen("/memory/graph?instance=desk&q=harbour&kind=place", 13, "Harbour 1"),
    "entity": Screen("/memory/graph/{entity}", 14, "Harbour 3"),
    "entity as of a day": Screen("/memory/graph/{entity}?as_of=2024-01-01", 14, "Harbour 3"),
    "merge": Screen("/memory/graph/{entity}/merge?q=harbour", 10, "Harbour 1"),
    "API entities": Screen("/api/graph/entities?instance_id=desk", 7, "Harbour 1"),
    "API entity": Screen("/api/graph/entities/{entity}", 7, "Harbour 3"),
    "API relations": Screen(
        "/api/graph/relations?instance_id=desk&as_of=2024-01-01", 7, "Harbour 3"
    ),
    "palace": Screen("/conversations/palace?instance=desk", 16, "boat."),
    "palace, a wing": Screen("/conversations/palace?instance=desk&wing={wing}", 18, "boat."),
    "palace, a closet": Screen("/conversations/palace?instance=desk&closet={closet}", 19, "boat."),
    "palace search": Screen("/conversations/palace?instance=desk&q=which+boat", 25, "boat."),
    "palace fragment": Screen(
        "/conversations/palace?instance=desk", 12, "boat.", headers={"HX-Request": "true"}
    ),
    "drawer": Screen("/conversations/palace/drawers/{drawer}", 26, "Learned from this message"),
    "API wings": Screen("/api/palace/wings?instance_id=desk&limit=100", 7, "Wing 3"),
    "API rooms": Screen("/api/palace/rooms?instance_id=desk&limit=100", 8, "Trip 3"),
    "API drawers": Screen("/api/palace/drawers?instance_id=desk&limit=100", 7, "Said aloud 3"),
    "conversations": Screen("/conversations?instance=desk", 13, "Trip"),
    "conversations in a state": Screen("/conversations?instance=desk&state=failed", 13, "Trip"),
    "conversation search": Screen("/conversations?instance=desk&q=boat", 15, "message 1"),
    "conversations, narrowed": Screen(
        "/conversations?instance=desk&origin=chat&state=unread", 13, "Trip"
    ),
    "conversation search, narrowed": Screen(
        "/conversations?instance=desk&q=boat&origin=chat", 15, "message 1"
    ),
    "transcript": Screen("/conversations/{conversation}", 16, "Said aloud 3"),
    "chats": Screen("/chat?instance=desk", 12, "Trip"),
    "chat": Screen("/chat/{conversation}", 27, "Said aloud 3"),
    "proposal": Screen("/memory/proposals/{answer}", 10, "Forget these"),
    "health": Screen("/status/health?instance=desk", 41, "Categories"),
    "health, what never was needed": Screen(
        "/status/health/unused?instance=desk", 13, "The user has boat"
    ),
    "health, what says the same": Screen(
        "/status/health/merge?instance=desk", 15, "The user has boat"
    ),
    "health, what could not be read": Screen("/status/health/runs?instance=desk", 13, "Trip"),
    "jobs": Screen("/status/jobs?instance=desk", 16, "Jobs"),
    "activity": Screen("/activity?instance=desk", 16, "The user has boat"),
    "activity, narrowed": Screen(
        "/activity?instance=desk&kind=changed&who=by:alice&since=2020-01-01", 16, "The user has"
    ),
    "usage": Screen("/status/usage?instance=desk", 15, "model-3"),
    "calls to providers": Screen("/status/usage/calls?instance=desk", 13, "<bdi>ana"),
    "usage of all": Screen("/status/usage", 10, "Extra 3"),
    "imports": Screen("/conversations/import?instance=desk", 10, ".jsonl"),
    "instances": Screen("/instances", 6, "Extra 3"),
    "audit log": Screen("/server/audit", 9, "Boat", superadmin=True),
    "audit log of an instance": Screen("/activity/audit?instance=desk", 13, "Boat"),
    "outgoing connections": Screen("/server/connections", 9, "10.0.0.3", superadmin=True),
    "settings": Screen("/instances/desk/settings", 10, "Time zone"),
    "settings, memory": Screen("/instances/desk/settings/memory", 10, "Built-in reader"),
    "settings, models": Screen("/instances/desk/settings/models", 19, "Embeddings"),
    "settings, assistant": Screen("/instances/desk/settings/assistant", 11, "Agent 3"),
    "settings, members": Screen("/instances/desk/settings/members", 12, "Viewer"),
    "settings, webhooks": Screen("/instances/desk/settings/webhooks", 11, "example.org/2"),
    "log of a webhook": Screen("/instances/desk/webhooks/{webhook}/log", 11, "status 204"),
    "settings, keys": Screen("/instances/desk/settings/keys", 11, "Create key"),
    "requests of a key": Screen("/instances/desk/keys/{api_key}", 11, "Latest requests"),
    "API list": Screen("/api/memories?instance_id=desk&limit=100", 8, "The user has boat"),
    "mem0 list": Screen("/v3/memories/", 8, "The user has boat", body={"filters": WHOSE}),
    "mem0 search": Screen(
        "/v3/memories/search/", 16, "The user has", body={"filters": WHOSE, "query": "boat"}
    ),
    "mem0 history": Screen("/v1/memories/{memory}/history/", 8, "The user had", headers=KEYED),
    "mem0 owners": Screen("/v1/entities/", 9, "ana", headers=KEYED),
    "API health": Screen("/api/health?instance_id=desk", 32, "recommendations"),
    "API search": Screen("/api/memories?instance_id=desk&q=boat&limit=100", 19, "The user has"),
}


def _written_by_a_program(
    instance: Instance, numbers: range, day: datetime, answers: list[Answer]
) -> None:
    """Memories that a program has stored, and others that it has changed."""
    for text in ("Rolled fact", "Changed fact"):
        rows = Memory.objects.bulk_create(
            Memory(
                instance=instance,
                content=f"{text} {n}.",
                end_user="program",
                created_at=day,
                batch=uuid4(),
            )
            for n in numbers
        )
        MemorySource.objects.bulk_create(
            MemorySource(instance=instance, memory=row, via="mcp ks_any", batches=[row.batch])
            for row in rows
        )
    found = [row.pk for row in rows]
    ToolRun.objects.bulk_create(
        ToolRun(
            instance_id=answer.instance_id, answer=answer, name="search_memory", memory_ids=found
        )
        for answer in answers
    )
    MemoryRevision.objects.bulk_create(
        MemoryRevision(
            instance_id=row.instance_id,
            memory=row,
            content=f"Earlier {row.content}",
            category="fact",
            importance=5,
            valid_from=day,
            reason="saved",
        )
        for row in rows
    )


def furnish(instance: Instance, user: User, first: int, last: int) -> None:
    """Create rows *first* to *last* of each kind that a list shows."""
    numbers = range(first, last + 1)
    day = timezone.now() - timedelta(days=1)
    conversations = Conversation.objects.bulk_create(
        Conversation(instance=instance, title=f"Trip {n}", origin="chat") for n in numbers
    )
    main = instance.conversations.order_by("pk")[0]
    AuditRecord.objects.record_all(
        AuditRecord.of(Actor(user), "settings", instance=instance, detail=f"Boat {n}")
        for n in numbers
    )
    Message.objects.bulk_create(
        Message(instance=instance, conversation=c, position=1, role="user", content="My boat.")
        for c in conversations
        if c != main
    )
    here = Message.objects.bulk_create(
        Message(
            instance=instance,
            conversation=main,
            position=n,
            role=Role.USER,
            content=f"Said aloud {n}: a boat.",
        )
        for n in numbers
    )
    memories = Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"The user has boat {n}.",
            # A search reads the user's own once more where a file takes most of the places.
            tier=Tier.USER,
            category="fact",
            tags=["sea"],
            end_user="ana",
            key=f"boat_{n}" if n % 2 else "",
            value=f"boat {n}" if n % 2 else "",
        )
        for n in numbers
    )
    space, _ = EmbeddingSpace.objects.get_or_create(instance=instance, name=BuiltinEmbedder().space)
    vectors = BuiltinEmbedder().embed([memory.content for memory in memories]).vectors
    embeddings = MemoryEmbedding.objects.bulk_create(
        MemoryEmbedding(memory=memory, instance=instance, space=space, embedding=HalfVector(vector))
        for memory, vector in zip(memories, vectors, strict=True)
    )
    pairs = zip(embeddings, [*embeddings[1:], embeddings[0]], strict=True)
    Likeness.objects.bulk_create(
        Likeness(
            instance=instance,
            space=space,
            embedding=one,
            other=other,
            similarity=0.95,
            nearest=True,
            same=number % 3 == 0,
        )
        for number, (one, other) in enumerate(pairs)
    )
    Erasure.objects.bulk_create(
        Erasure(instance=instance, state="done", asked_by="somebody", via="screen") for _ in numbers
    )
    # By other people, and on the last page of the list.
    Memory.objects.bulk_create(
        Memory(instance=instance, content="Sails.", end_user=f"person {n}", created_at=day)
        for n in numbers
    )
    long_ago = day - timedelta(days=100)
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"The user has boat {n} in a bottle.",
            tier=Tier.USER,
            importance=1,
            created_at=long_ago,
            updated_at=long_ago,
        )
        for n in numbers
    )
    oldest = instance.memories.order_by("pk")[0]
    answers = Answer.objects.bulk_create(
        Answer(instance=instance, conversation=main, message=message, state="done")
        for message in here
    )
    shown = [{"memory": memory.pk, "ranks": {"words": 1}, "similarity": 0.5} for memory in memories]
    RecallLog.objects.bulk_create(
        RecallLog(instance=instance, answer=answer, hits=shown) for answer in answers
    )
    ToolRun.objects.bulk_create(
        ToolRun(
            instance=instance,
            answer=answer,
            name="search_memory",
            memory_ids=[memory.pk for memory in memories],
        )
        for answer in [*answers, *answers]
    )
    for answer in answers:
        ProposedDeletion.objects.propose(answer, memories)
    MemorySource.objects.bulk_create(
        [
            MemorySource(instance=instance, memory=memory, conversation=c)
            for memory, c in zip(memories, conversations, strict=True)
        ]
        + [
            MemorySource(instance=instance, memory=oldest, conversation=main, message=message)
            for message in here
        ]
    )
    _written_by_a_program(instance, numbers, day, answers)
    MemoryRevision.objects.bulk_create(
        MemoryRevision(
            instance=instance,
            memory=memory,
            content="The user had a boat.",
            category="fact",
            importance=5,
            valid_from=day,
            reason="edited",
            by=user,
        )
        for memory in [*memories, *[oldest] * len(numbers)]
    )
    ArchivedMemory.objects.bulk_create(
        ArchivedMemory(
            instance=instance,
            memory_id=1_000_000 + n,
            content=f"Archived fact {n}",
            category="fact",
            rows=[],
        )
        for n in numbers
    )
    RefusedProposal.objects.bulk_create(
        RefusedProposal(
            instance=instance, conversation=main, message=message, content=f"Refused fact {n}"
        )
        for n, message in zip(numbers, here, strict=True)
    )
    StoredDocument.objects.bulk_create(
        StoredDocument(
            instance=instance,
            namespace=["notes", f"part {n}"],
            key=f"document {n}",
            body=f'{{"text": "A boat, {n}"}}',
            size=20,
            search=SearchVector(
                Value(instance.pk, output_field=BigIntegerField()), Value("english"), Value("boat")
            ),
        )
        for n in numbers
    )
    for n, message in zip(numbers, here, strict=True):
        file_turn(message, "Boats", f"topic {n}", people=["Ana"])
        wing_of(instance, f"Wing {n}")
        file_note(instance, f"Note {n}: a boat.", "Boats")
    for conversation in conversations:
        if conversation != main:
            file_turn(conversation.messages.get(), "Boats")
    Run.objects.bulk_create(
        Run(instance=instance, conversation=c, state=state)
        for c in conversations
        for state in ("succeeded", "failed")
    )
    Import.objects.bulk_create(
        Import(instance=instance, by=user, filename=f"trip-{n}.jsonl", state="failed")
        for n in numbers
    )
    Agent.objects.bulk_create(
        Agent(instance=instance, slug=f"agent-{n}", name=f"Agent {n}") for n in numbers
    )
    Webhook.objects.bulk_create(
        Webhook(
            instance=instance,
            url=f"https://example.org/{n}",
            events=["memory.learned"],
            enabled=False,
            created_by=user,
        )
        for n in numbers
    )
    webhook = instance.webhooks.earliest("pk")
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(
            instance=instance,
            webhook=webhook,
            event="memory.learned",
            ids=[memory.pk],
            state="delivered",
            attempts=2,
            tried_at=timezone.now(),
            status=204,
            duration_ms=12,
            error="It did not work.",
        )
        for memory in memories
    )
    key = instance.api_keys.earliest("pk")
    KeyRequest.objects.bulk_create(
        KeyRequest(instance=instance, key=key, door="v1", end_user=f"person-{n}", kept=2)
        for n in numbers
    )
    SuppressionRule.objects.bulk_create(
        SuppressionRule(instance=instance, memory_id=n, words=b"", by=user, via="screen")
        for n in numbers
    )
    members = User.objects.bulk_create(User(username=f"member-{n}") for n in numbers)
    AllowedAddress.objects.bulk_create(
        AllowedAddress(address=f"10.0.0.{n}", added_by=member)
        for n, member in zip(numbers, members, strict=True)
    )
    Membership.objects.bulk_create(Membership(instance=instance, user=m) for m in members)
    others = Instance.objects.bulk_create(
        Instance(slug=f"extra-{n}", name=f"Extra {n}") for n in numbers
    )
    Membership.objects.bulk_create(
        Membership(instance=other, user=user, role="manager") for other in others
    )
    Activity.objects.bulk_create(
        Activity(
            instance=instance,
            action=action,
            by=by,
            via="screen",
            memory_id=memory.pk,
            conversation=conversation,
        )
        for memory, conversation, by in zip(memories, conversations, members, strict=True)
        for action, by in (("created", by), ("updated", user))
    )
    ingest(
        instance,
        "",
        [
            StatementIn(
                NamedEntity("Skipper", "person"),
                "sails to",
                NamedEntity(f"Harbour {n}", "place"),
                timezone.now(),
                valid_from=date(2020, 1, 1) + timedelta(n),
                memory_id=memory.pk,
            )
            for n, memory in zip(numbers, memories, strict=True)
        ],
    )
    Usage.objects.bulk_create(
        Usage(
            instance=each,
            source="chat",
            model=f"model-{n}",
            host=f"models-{n}.example",
            end_user=None if kind else "ana",
            people=1,
            cost=n,
            error_kind=kind,
        )
        for n, other in zip(numbers, others, strict=True)
        for each in (instance, other)
        for kind in ("", "timeout")
    )
