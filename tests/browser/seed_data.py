"""Data for all screens in all states."""

import json
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from tests.browser.app_client import (
    THINGS,
    Keepsake,
    Person,
    wait_until,
)
from tests.browser.chat_seed import UNREACHABLE_URL, SeedChats, create_seed_chats
from tests.embeddings.texts import JAPANESE as JAPANESE_FACTS
from tests.scripted_provider import ScriptedProvider

ARABIC = "تعيش سلمى في بيروت، وتعمل طبيبة أطفال، ولا تأكل اللحم منذ عام ٢٠١٩."
JAPANESE = "由紀子は京都に住んでいて、毎年春に姉を訪ね、桜の下で抹茶を飲むのが好きです。"
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger" * 3
LONG_TITLE = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz" * 3
SUPPRESSED = "The user keeps two Angora rabbits."
TEXT_OF_4000_CHARACTERS = ("The user keeps a diary of the weather at the lake. " * 80)[:4000]

#: A mem0 memory with long metadata.
MEM0_MEMORY = {
    "id": "892db2ae-06d9-49e5-8b3e-585ef9b85b80",
    "memory": "The user came with another memory.",
    "metadata": {LONG_WORD[:60]: LONG_WORD, "seat": {"row": [3, 4]}, "説明": ARABIC},
}


@dataclass(frozen=True)
class SeedData:
    """Slugs and ids of the seeded data."""

    #: Slugs: full of memories, without any, with memory on but nothing set up.
    full: str
    empty: str
    unready: str
    #: Slug of an instance for repeated imports and invitations.
    arrivals: str
    #: Slugs: re-embedding with a model that does not answer; re-embedding completed.
    moving: str
    moved: str
    #: Slug of an instance with memories in Japanese.
    japanese: str
    #: Slug of an instance with duplicate memories.
    twins: str
    extracted: int
    long: int
    changed: int
    transcript: int
    failed_transcript: int
    done_import: str
    failed_import: str
    memories_import: str
    attached: int
    #: An entity of the graph with ended relations.
    entity: int
    #: Notes of the palace: of 4,000 characters, and in a wing with a Japanese name.
    long_note: int
    japanese_note: int
    chats: SeedChats
    #: A webhook of the full instance, whose server does not answer.
    webhook: int


def create_seed_data(
    admin: Person, app: Keepsake, provider: ScriptedProvider, model: ScriptedProvider
) -> SeedData:
    """Create data for all screens through the user interface and the API."""
    full, empty = admin.new_instance("house"), admin.new_instance("empty", remembers=True)
    unready = admin.new_instance("unready")
    arrivals = admin.new_instance("arrivals")
    admin.save(full, "cost", prompt_price="0.25", completion_price="2", monthly_cap="100")
    # A cap of zero is reached from the start.
    admin.save(arrivals, "cost", prompt_price="1", monthly_cap="0")
    ids = _create_memories(admin, full)
    suppressed = admin.remember(full, SUPPRESSED)
    admin.api("memories/delete", {"instance_id": full, "ids": [suppressed], "never_again": True})
    transcript, failed = _create_conversations(admin, app, full, provider)
    extracted = next(m["id"] for m in admin.memories(full) if m["origin"] == "conversation")
    imported = _import_file(
        admin, app, full, "mem0.json", json.dumps([MEM0_MEMORY, {"memory": ""}])
    )
    attached = next(m["id"] for m in admin.memories(full) if m["content"] == MEM0_MEMORY["memory"])
    admin.save(unready, "memory", memory_enabled="on", extract_when="after_response")
    # An embedding provider without a key, as after its removal.
    admin.save(unready, "embeddings", embedding_provider="openai")
    return SeedData(
        full=full,
        empty=empty,
        unready=unready,
        arrivals=arrivals,
        moving=_create_reembedding(admin, app, "moving", UNREACHABLE_URL, "Try now"),
        japanese=_create_japanese(admin),
        moved=_create_reembedding(admin, app, "moved", model.base_url, "Go back"),
        twins=_create_duplicates(admin, app),
        extracted=extracted,
        long=ids["long"],
        changed=ids["changed"],
        transcript=transcript,
        failed_transcript=failed,
        done_import=_import_file(
            admin, app, full, "notes.jsonl", '{"content": "The kettle sings."}\nno message\n'
        ),
        memories_import=imported,
        attached=attached,
        entity=_create_relations(admin, full),
        long_note=_create_note(admin, full, TEXT_OF_4000_CHARACTERS, "سلمى والحديقة"),
        japanese_note=_create_note(admin, full, JAPANESE, "由紀子と京都の春"),
        failed_import=_import_file(admin, app, empty, "picture.jsonl", "no conversation at all"),
        chats=create_seed_chats(admin, app, model),
        webhook=_create_webhook(admin, full),
    )


def _create_webhook(admin: Person, instance: str) -> int:
    """Create a webhook with an event in its log; return its id."""
    url = f"{UNREACHABLE_URL}/{LONG_WORD}"
    # The address is allowed by now, since an embedding provider has it.
    events = {"webhook-url": url, "webhook-events": "memory.learned"}
    page = admin.post(f"/instances/{instance}/webhooks", events).text()
    pk = int(re.search(rf"/instances/{instance}/webhooks/(\d+)/log", page)[1])  # type: ignore[index]
    admin.remember(instance, "The user owns a telescope.")
    admin.post(f"/instances/{instance}/webhooks/{pk}/test")
    return pk


def _create_note(admin: Person, instance: str, text: str, wing: str) -> int:
    """File a note in the palace."""
    note = {"instance_id": instance, "text": text, "wing": wing, "topic": LONG_WORD[:150]}
    filed: int = admin.api("palace/notes", note)["id"]
    return filed


def _create_memories(admin: Person, instance: str) -> dict[str, int]:
    for number, thing in enumerate(THINGS):
        admin.remember(
            instance,
            f"The user keeps a {thing} in a box.",
            importance=str(number % 10 + 1),
            category=("general", "preference", "event", "relationship", "decision")[number % 5],
        )
    long = admin.remember(
        instance, TEXT_OF_4000_CHARACTERS, importance="10", tags="weather, lake, diary"
    )
    admin.remember(instance, f"The user’s longest word is {LONG_WORD}.", tags=LONG_WORD[:50])
    admin.remember(instance, ARABIC, end_user="سلمى", category="relationship")
    admin.remember(instance, JAPANESE, end_user="由紀子", tags="京都, 桜")
    city = {"key": "home_city", "end_user": "由紀子"}
    admin.remember(instance, "由紀子 lives in Kyoto.", value="Kyoto", **city)
    admin.remember(instance, f"由紀子 moved to {LONG_TITLE}.", value=LONG_TITLE[:180], **city)
    yesterday = date.today() - timedelta(days=1)
    changed = admin.remember(
        instance,
        "The user avoids peanuts.",
        importance="10",
        tags="health, food",
        valid_until=yesterday.isoformat(),
    )
    admin.post(
        f"/memory/{changed}/edit?instance={instance}",
        {
            "content": "The user is allergic to peanuts and carries an adrenaline pen.",
            "category": "fact",
            "importance": "10",
            "tags": "health, food",
            "valid_until": yesterday.isoformat(),
        },
    )
    return {"long": long, "changed": changed}


def _create_relations(admin: Person, instance: str) -> int:
    """Create an entity with current and ended relations; return its id."""
    somebody = {"subject": "سلمى", "subject_kind": "person"}
    for predicate, name, kind, since, until in (
        ("lives in", "بيروت", "place", "2010-01-01", ""),
        ("lives in", LONG_TITLE, "place", "2018-05-01", ""),
        ("works at", LONG_WORD[:190], "organisation", "2012-01-01", "2016-01-01"),
        ("knows", "由紀子", "person", "", ""),
        ("born on", "12 May 1990", "value", "", ""),
    ):
        relation = {"predicate": predicate, "object": name, "object_kind": kind}
        page = admin.post(
            f"/memory/graph/new?instance={instance}",
            somebody | relation | {"since": since, "until": until},
        )
    return int(page.url.rpartition("/")[2])


def _create_duplicates(admin: Person, app: Keepsake) -> str:
    """Create two pairs of duplicates by correcting one memory of each pair."""
    instance = admin.new_instance("twins")
    for text, before in ((ARABIC, "The user keeps bees."), (LONG_WORD, "The user rows.")):
        admin.remember(instance, f"{text}")
        pk = admin.remember(instance, before)
        fact = {"category": "fact", "importance": "5"}
        admin.post(f"/memory/{pk}/edit?instance={instance}", fact | {"content": f"{text}!"})
    _wait_for(admin, app, f"/status/health?instance={instance}", "can be merged into 2")
    return instance


def _create_conversations(
    admin: Person, app: Keepsake, instance: str, provider: ScriptedProvider
) -> tuple[int, int]:
    """Create a conversation with an extracted fact, and one whose extraction failed."""
    admin.save(instance, "memory", memory_enabled="on", extract_when="after_response")
    model = {"provider": "custom", "base_url": provider.base_url, "fast_model": "scripted"}
    admin.save(instance, "language-model", key="sk-house-0000-1234", **model)
    provider.reply_with(_extract_coat)
    read = admin.converse(
        instance,
        LONG_TITLE[:180],
        [
            {"role": "user", "content": f"My coat is {LONG_WORD}", "author": "سلمى"},
            {"role": "assistant", "content": "Noted. 承知しました。"},
            {"role": "user", "content": ARABIC, "created_at": "2024-02-29T23:59:00Z"},
            {"role": "tool", "content": "17 °C", "tool_name": "weather"},
            {"role": "system", "content": "Be kind."},
        ],
    )
    _wait_for(admin, app, f"/conversations/{read}", "Nothing to remember")
    provider.fail_next("401", times=None)
    failed = admin.converse(
        instance,
        "Cannot be read",
        [
            {"role": "user", "content": "My bicycle is green."},
            {"role": "assistant", "content": "A fine colour."},
        ],
    )
    _wait_for(admin, app, f"/conversations/{failed}", "could not be read")
    provider.reset()
    admin.save(instance, "memory", extract_when="after_response")
    return read, failed


def _extract_coat(request: dict[str, Any]) -> dict[str, Any]:
    """Extract the fact about the coat from the first numbered line."""
    number = re.search(r"^\[(\d+) · ", request["messages"][-1]["content"], re.MULTILINE)
    assert number
    return {
        "memories": [
            {
                "message": int(number[1]),
                "content": "The user has a coat with a very long name.",
                "category": "fact",
                "importance": 4,
                "tags": ["clothes"],
                "valid_until": None,
                "confidence": 90,
            }
        ]
    }


def _create_reembedding(admin: Person, app: Keepsake, name: str, address: str, until: str) -> str:
    """Create an instance with a memory, and re-embed it with the provider at *address*."""
    instance = admin.new_instance(name)
    admin.remember(instance, "The user keeps a kettle in a box.")
    model = {"embedding_provider": "custom", "embedding_base_url": address}
    admin.save(instance, "embeddings", embedding_model=LONG_TITLE[:70], reembed="on", **model)
    _wait_for(admin, app, f"/instances/{instance}/settings/models", until)
    return instance


def _create_japanese(admin: Person) -> str:
    """Create an instance in a language that the built-in embedder does not read."""
    instance = admin.new_instance("japanese")
    for text in JAPANESE_FACTS:
        admin.remember(instance, text)
    return instance


def _import_file(admin: Person, app: Keepsake, instance: str, name: str, text: str) -> str:
    """Import a file, and return the address of the result."""
    file = {"name": name, "mimeType": "application/json", "buffer": text.encode()}
    address = admin.post(f"/conversations/import?instance={instance}", file=file).url
    _wait_for(admin, app, address, "/confirm", "Import failed")
    admin.post(f"{address.partition('?')[0]}/confirm")
    _wait_for(admin, app, address, "Import another file")
    return address


def _wait_for(admin: Person, app: Keepsake, address: str, *texts: str) -> None:
    def is_present() -> bool:
        page = admin.request.get(address).text()
        return any(text in page for text in texts)

    wait_until(is_present, app.output)
