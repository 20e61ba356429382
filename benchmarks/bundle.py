"""``python -m benchmarks.bundle [--memories N] [--json]``: how fast an instance moves.

Fills an instance with N memories, each with a vector, a source and the message that it is from,
writes it to a bundle, and reads that into a new instance. Prints the seconds of each, by how much
the memory of the process grew, and the size of the file.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.bulk import MemoryGrowth, rows

DATABASE = "keepsake_benchmark_bundle"
DIMENSIONS = 384
#: Rows that are created with each statement.
BATCH = 2_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bundle", description=__doc__)
    parser.add_argument("--memories", type=int, default=100_000, metavar="N")
    command.add_json(parser)
    command.add_database(parser, DATABASE)
    options = parser.parse_args(arguments)
    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        with tempfile.TemporaryDirectory() as folder, fresh_database(options.database):
            found = measure(options.memories, Path(folder))
    for name, figure in found.items():
        print(f"{name:<20}{figure:>12,}")
    if options.json:
        print(json.dumps(found))
    return 0


def measure(count: int, folder: Path) -> dict[str, Any]:
    """Write and read an instance with *count* memories in the database in use."""
    from instances.actor import Actor
    from instances.models import Instance
    from memoryapp.bundle.reading import import_bundle
    from memoryapp.bundle.writing import bundle_of
    from memoryapp.models import MemoryEmbedding

    instance = Instance.objects.create(slug="bundle", name="Bundle")
    fill(instance, count)
    path = folder / "bundle.zip"
    with MemoryGrowth() as written, path.open("wb") as file:
        begun = time.perf_counter()
        for part in bundle_of(instance):
            file.write(part)
        writing = time.perf_counter() - begun
    with MemoryGrowth() as read, path.open("rb") as file:
        begun = time.perf_counter()
        new = import_bundle(file, by=Actor(via="command")).instance
        reading = time.perf_counter() - begun
    return {
        "memories": new.memories.count(),
        "vectors": MemoryEmbedding.objects.filter(instance=new).count(),
        "file_mb": round(path.stat().st_size / 2**20, 1),
        "write_seconds": round(writing, 1),
        "write_growth_mb": round(written.megabytes, 1),
        "read_seconds": round(reading, 1),
        "read_growth_mb": round(read.megabytes, 1),
    }


def fill(instance: Any, count: int) -> None:
    """Create *count* memories of *instance*, with what belongs to each."""
    import numpy as np

    from conversations.models import Conversation, Message
    from memoryapp.models import EmbeddingSpace, Memory, MemoryEmbedding, MemorySource

    random = np.random.default_rng(7)
    space = EmbeddingSpace.objects.create(instance=instance, name="builtin")
    texts = list(rows(count))
    for start in range(0, count, BATCH):
        some = texts[start : start + BATCH]
        person = f"person {start // BATCH}"
        conversation = Conversation.objects.create(instance=instance, end_user=person)
        messages = Message.objects.bulk_create(
            Message(
                instance=instance,
                conversation=conversation,
                position=position,
                role="user",
                content=text,
            )
            for position, text in enumerate(some, 1)
        )
        memories = Memory.objects.bulk_create(
            Memory(instance=instance, end_user=person, content=text, category="fact")
            for text in some
        )
        MemorySource.objects.bulk_create(
            MemorySource(
                instance=instance,
                memory=memory,
                conversation=conversation,
                message=message,
            )
            for memory, message in zip(memories, messages, strict=True)
        )
        vectors = random.standard_normal((len(some), DIMENSIONS), dtype=np.float32)
        MemoryEmbedding.objects.bulk_create(
            MemoryEmbedding(instance=instance, space=space, memory=memory, embedding=vector)
            for memory, vector in zip(memories, vectors, strict=True)
        )


if __name__ == "__main__":
    sys.exit(main())
