"""``python -m benchmarks.hostile [--only WORD] [--memories N] [--json]``: who notices an attack?

Starts Keepsake as ``manage.py run`` does, in a home of its own, and lets a stranger and a person
with an instance of their own try one attack after the other, while the health check and another
person's list are asked for in turn. Attacks that take workers and slots are measured by how long
another person's call, chat and reading take as well.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks import command
from benchmarks.hostile.attacks import ATTACKS, MAX_SECONDS, Attack, perform
from benchmarks.hostile.target import Server, Target, answer_from, furnish, running
from benchmarks.hostile.watch import Seen, watch

#: The median, in milliseconds, that other people should not wait longer than.
TARGET = 250
#: Seconds that another person's work may take longer than without the attack.
TARGET_DELAY_SECONDS = 2.0
#: Seconds after which another person's work is taken for lost.
LOST_SECONDS = 60.0

HEALTH, LIST = "health check", "another's list"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the attacks, print what was noticed, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--only", default="", metavar="WORD", help="attacks whose name has it")
    parser.add_argument(
        "--memories", type=int, default=2_000, metavar="N", help="in the list that is watched"
    )
    parser.add_argument("--json", action="store_true", help="end with one JSON object in a line")
    options = parser.parse_args(arguments)
    chosen = [attack for attack in ATTACKS if options.only in attack.name]
    if not chosen:
        parser.error(f"no attack has “{options.only}” in its name")
    figures: dict[str, dict[str, float]] = {}
    print(f"{'attack':<36}{'health p50':>12}{'worst':>10}{'list p50':>12}{'worst':>10}   ms")
    with command.reporting(parser), running() as (server, target):
        command.set_up()
        furnish(target, options.memories)
        for attack in chosen:
            figures[attack.name] = _measure(attack, server, target)
            print(_line(attack.name, figures[attack.name]), flush=True)
    if options.json:
        print(json.dumps(figures))
    return 0


def _measure(attack: Attack, server: Server, target: Target) -> dict[str, float]:
    """Watch while *attack* lasts; start *server* again if it no longer answers afterwards."""
    from django.db import connections

    from instances.models import Instance

    if not server.answers(5):
        connections.close_all()  # They end with the server.
        server.stop()
        server.start()
    answer_from(Instance.objects.get(slug="hostile"), target.provider(attack.provider))
    attacker = multiprocessing.get_context("spawn").Process(
        target=perform, args=(attack.name, target), daemon=True
    )
    attacker.start()
    try:
        time.sleep(2)  # Until it has begun.
        delays = _delays(target) if attack.starves else {}
        seen = watch(
            target.port,
            {HEALTH: ("/healthz", {}), LIST: ("/memory?instance=quiet", {"Cookie": target.cookie})},
            attacker.is_alive,
        )
        attacker.join(MAX_SECONDS)
    finally:
        attacker.kill()
    return _figures(seen) | delays


def _delays(target: Target) -> dict[str, float]:
    """How long another person's call, chat and reading take, in seconds."""
    from benchmarks.hostile.attacks import begin_chat, complete, converse
    from memoryapp.models import Answer, Run

    def call() -> bool:
        return complete(target.port, target.key)

    def chat() -> bool:
        begun = begin_chat(target.port, target.cookie, "quiet", "Hello.")
        done = Answer.objects.filter(conversation=begun, state="done")
        return begun != 0 and _eventually(done.exists)

    def reading() -> bool:
        number = converse(target.port, target.key, "I like trains.")
        done = Run.objects.extractions().filter(conversation=number, state="succeeded")
        return _eventually(done.exists)

    return {
        "call_seconds": _seconds(call),
        "chat_seconds": _seconds(chat),
        "reading_seconds": _seconds(reading),
    }


def _seconds(act: Callable[[], bool]) -> float:
    began = time.monotonic()
    return round(time.monotonic() - began, 2) if act() else LOST_SECONDS


def _eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + MAX_SECONDS
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.05)
    return False


def _figures(seen: Seen) -> dict[str, float]:
    return {
        "health_p50_ms": round(seen.at(HEALTH, 0.5), 1),
        "health_worst_ms": round(seen.at(HEALTH, 1.0), 1),
        "list_p50_ms": round(seen.at(LIST, 0.5), 1),
        "list_worst_ms": round(seen.at(LIST, 1.0), 1),
        "failed": seen.failed,
    }


def _line(name: str, figures: dict[str, Any]) -> str:
    text = f"{name:<36}{figures['health_p50_ms']:>12.1f}{figures['health_worst_ms']:>10.1f}"
    text += f"{figures['list_p50_ms']:>12.1f}{figures['list_worst_ms']:>10.1f}"
    if max(figures["health_p50_ms"], figures["list_p50_ms"]) > TARGET:
        text += f"   more than {TARGET}"
    if figures["failed"]:
        text += f"   {figures['failed']} unanswered"
    if "call_seconds" in figures:
        delays = ", ".join(
            f"{what} {figures[f'{what}_seconds']:.1f} s" for what in ("call", "chat", "reading")
        )
        text += f"   another's {delays}"
    return text


if __name__ == "__main__":
    sys.exit(main())
