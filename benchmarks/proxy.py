"""``python -m benchmarks.proxy [--json]``: what does memory add to the time to the first token?

Asks a language model directly, and through each API of a Keepsake's `/v1`, in turn, so that
whatever else the machine does meets all alike. Each question is new, so that each begins a
conversation, is recalled for, and stored. By default the model is one that answers at once, on this
machine, and Keepsake has an instance with 10,000 memories in a database of its own; then it is also
asked by 60 clients at once, and what was answered and stored is counted. With ``--upstream``,
``--keepsake`` and ``--key``, a model and a Keepsake that run already are measured.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import command
from benchmarks.metrics import percentile
from benchmarks.model_server import REPLY
from memoryapp.embedded import redis

if TYPE_CHECKING:
    from anthropic import Anthropic
    from openai import OpenAI

DATABASE = "keepsake_benchmark_proxy"
#: What memory may add to the first token, in milliseconds at the median.
TARGET = 60
#: How many clients ask at once.
AT_ONCE = 60
#: The way that the others are compared with.
DIRECT = "direct"

Figures = dict[str, dict[str, float]]
#: Asks a question, and returns the milliseconds until the first piece of the reply.
Ask = Callable[[], float]


@dataclass(frozen=True)
class Server:
    """A Keepsake whose instance asks the model that is asked directly."""

    #: The base URLs of the model and of Keepsake, each ending in ``/v1``.
    upstream: str
    keepsake: str
    key: str
    model: str


def compare(ways: Mapping[str, Ask], *, rounds: int) -> Figures:
    """Return milliseconds to the first token for each of *ways*, of which the first is the model
    itself, at the 50th and the 95th percentile; for the others also what they add.
    """
    times: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        for name, ask in ways.items():
            took = ask()
            if number:  # The first round only opens connections.
                times[name].append(took)
    figures = {
        name: {f"p{p}": round(percentile(taken, p / 100), 1) for p in (50, 95)}
        for name, taken in times.items()
    }
    direct = figures[DIRECT]
    for name, measured in figures.items():
        if name != DIRECT:
            measured |= {f"added_{p}": round(measured[p] - direct[p], 1) for p in direct}
    return figures


def ways_of(server: Server) -> dict[str, Ask]:
    """Return the ways to the model of *server*: itself, and each API of Keepsake."""
    from anthropic import Anthropic
    from openai import OpenAI

    direct = OpenAI(base_url=server.upstream, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    client = OpenAI(base_url=server.keepsake, api_key=server.key)
    claude = Anthropic(base_url=server.keepsake.removesuffix("/v1"), api_key=server.key)
    return {
        DIRECT: lambda: by_chat(direct, server.model),
        "chat completions": lambda: by_chat(client, server.model),
        "responses": lambda: by_responses(client, server.model),
        "messages": lambda: by_messages(claude, server.model),
    }


def by_chat(client: "OpenAI", model: str) -> float:
    """Ask by chat completions."""
    begin = time.perf_counter()
    took = 0.0
    with client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": question()}], stream=True
    ) as stream:
        for chunk in stream:
            if not took and chunk.choices and chunk.choices[0].delta.content:
                took = (time.perf_counter() - begin) * 1000
    return took


def by_responses(client: "OpenAI", model: str) -> float:
    """Ask by the Responses API."""
    begin = time.perf_counter()
    took = 0.0
    with client.responses.create(model=model, input=question(), stream=True) as stream:
        for event in stream:
            if not took and event.type == "response.output_text.delta":
                took = (time.perf_counter() - begin) * 1000
    return took


def by_messages(client: "Anthropic", model: str) -> float:
    """Ask by Anthropic's Messages API."""
    begin = time.perf_counter()
    took = 0.0
    with client.messages.create(
        model=model,
        max_tokens=100,
        messages=[{"role": "user", "content": question()}],
        stream=True,
    ) as stream:
        for event in stream:
            if not took and event.type == "content_block_delta":
                took = (time.perf_counter() - begin) * 1000
    return took


def question() -> str:
    """Return a question that has not been asked before."""
    return f"What should I not cook tonight? ({uuid.uuid4()})"


def answered_at_once(server: Server, clients: int) -> int:
    """Ask from so many *clients* at once; return how many got the whole reply."""
    from openai import AsyncOpenAI

    async def ask(client: AsyncOpenAI) -> str:
        stream = await client.chat.completions.create(
            model=server.model, messages=[{"role": "user", "content": question()}], stream=True
        )
        return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

    async def ask_all() -> list[str | BaseException]:
        async with AsyncOpenAI(
            base_url=server.keepsake, api_key=server.key, max_retries=0, timeout=120
        ) as client:
            asking = (ask(client) for _ in range(clients))
            return await asyncio.gather(*asking, return_exceptions=True)

    return asyncio.run(ask_all()).count("".join(REPLY))


@contextmanager
def running(memories: int, database: str) -> Iterator[Server]:
    """Serve a model that answers at once, and a Keepsake with so many *memories* that asks it."""
    # The model is on this machine.
    os.environ["OUTGOING_ALLOW"] = "127.0.0.0/8"
    os.environ["API_RATE_LIMIT"] = "100000"
    from benchmarks.databases import fresh_database
    from benchmarks.screens import prepared, served
    from benchmarks.single_tenant_dataset import Size
    from instances.models import ApiKey, Instance, Provider

    with fresh_database(database), served("benchmarks.model_server:application") as model:
        prepared(Size(memories=memories))
        instance = Instance.objects.get(slug="plenty")
        instance.provider = Provider.CUSTOM
        instance.base_url = upstream = f"http://127.0.0.1:{model}/v1"
        instance.chat_model = "quick"
        instance.save()
        key = ApiKey(instance=instance, name="Benchmark", scopes=["read", "write"])
        secret = key.make_secret()
        key.save()
        with served() as port:
            yield Server(upstream, f"http://127.0.0.1:{port}/v1", secret, "quick")


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the figures; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proxy", description=__doc__)
    parser.add_argument("--upstream", help="base URL of a language model")
    parser.add_argument("--keepsake", help="base URL of Keepsake, ending in /v1")
    parser.add_argument("--key", help="a key that may read and write")
    parser.add_argument("--model", default="quick", help="as the language model's server calls it")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--memories", type=int, default=10_000, metavar="N")
    parser.add_argument("--clients", type=int, default=AT_ONCE, metavar="N", help="ask at once")
    command.add_database(parser, DATABASE)
    parser.add_argument("--json", action="store_true", help="figures in the last line")
    options = parser.parse_args(arguments)
    given = (options.upstream, options.keepsake, options.key)
    if all(given):
        with command.running(parser):
            figures = compare(ways_of(Server(*given, options.model)), rounds=options.rounds)
        print(table(figures))
    elif any(given):
        parser.error("Give --upstream, --keepsake and --key together, or none of them.")
    else:
        with command.reporting(parser):
            figures = _measured_here(options)
    if options.json:
        print(json.dumps(figures))
    return 0


def _measured_here(options: argparse.Namespace) -> Figures:
    with tempfile.TemporaryDirectory(prefix="keepsake-proxy-") as folder:
        # Not the one that a running Keepsake and its worker use.
        os.environ["REDIS_URL"] = redis.url(Path(folder))
        command.set_up()
        with redis.RedisServer(Path(folder)):
            return _measured(options)


def _measured(options: argparse.Namespace) -> Figures:
    # Only now: it needs the set-up.
    from conversations.models import Message

    with running(options.memories, options.database) as server:
        figures = compare(ways_of(server), rounds=options.rounds)
        replies = Message.objects.filter(role="assistant", content="".join(REPLY))
        before = replies.count()
        answered = answered_at_once(server, options.clients)
        figures["at_once"] = {
            "asked": options.clients,
            "answered": answered,
            "stored": replies.count() - before,
        }
    print(table(figures))
    return figures


def table(figures: Figures) -> str:
    """Return the figures as text."""
    lines = [f"{'to the first token, ms':<24}" + f"{'p50':>10}{'p95':>10}{'added p50':>12}"]
    for name, measured in figures.items():
        if name == "at_once":
            counts = ", ".join(f"{what} {number}" for what, number in measured.items())
            lines.append(f"at once: {counts}")
            continue
        added = measured.get("added_p50")
        line = f"{name:<24}{measured['p50']:>10.1f}{measured['p95']:>10.1f}"
        if added is not None:
            line += f"{added:>12.1f}" + (f"   more than {TARGET} ms" if added > TARGET else "")
        lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
