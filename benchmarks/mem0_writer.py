"""Adds memories with mem0, one for each line of its input; run by `benchmarks.write`.

It runs in an environment of its own, which has ``mem0ai`` and none of Keepsake, so it imports
nothing of it. The first line of the input is a JSON object with the address of the database; each
further line is a JSON object with a text and its vector. The answer to each is a line with the
seconds that ``add`` took.
"""

import json
import os
import sys
import tempfile
import time
from typing import Any

os.environ["MEM0_TELEMETRY"] = "False"
os.environ.setdefault("OPENAI_API_KEY", "not used")


class ReadyVectors:
    """An embedder that knows the vectors already: it is not measured."""

    def __init__(self, dimensions: int) -> None:
        self.vector: list[float] = [0.0] * dimensions

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.vector

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.vector for _ in texts]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MEM0_DIR"] = folder
        from mem0 import Memory  # Only in its own environment.

        options: dict[str, Any] = json.loads(sys.stdin.readline())
        memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": options},
                "history_db_path": os.path.join(folder, "history.db"),
            }
        )
        embedder = ReadyVectors(options["embedding_model_dims"])
        memory.embedding_model = embedder
        print("ready", flush=True)
        for line in sys.stdin:
            said = json.loads(line)
            embedder.vector = said["vector"]
            message = [{"role": "user", "content": said["text"]}]
            begun = time.perf_counter()
            memory.add(message, user_id="ana", infer=False)
            print(time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    main()
