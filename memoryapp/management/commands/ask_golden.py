"""``manage.py ask_golden``: ask the golden questions of an instance, for CI."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from instances.models import Instance
from memoryapp.golden.rounds import MAX_SECONDS, carry_out, open_round
from memoryapp.models import GoldenRound


class Command(BaseCommand):
    help = (
        "Ask the golden questions of an instance, and print how many find their answer. Ends with "
        "1 if fewer do than --first or --shown say."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--instance", required=True, help="slug of the instance")
        parser.add_argument(
            "--first", type=float, default=0.0, help="least share whose answer stands first, 0 to 1"
        )
        parser.add_argument(
            "--shown", type=float, default=0.0, help="least share whose answer is shown, 0 to 1"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(
        self, *args: Any, instance: str, first: float, shown: float, json: bool, **options: Any
    ) -> None:
        found = Instance.objects.filter(slug=instance).first()
        if found is None:
            raise CommandError(f"There is no instance “{instance}”.")
        round_ = open_round(found, GoldenRound.Cause.BY_HAND)
        if round_ is None:
            raise CommandError("It has no golden questions.")
        if not round_.claim():
            raise CommandError("A worker asks them at this moment; try again in a minute.")
        with round_.kept(seconds=MAX_SECONDS):
            if not carry_out(round_):
                raise CommandError("The embedding model does not answer, so nothing was measured.")
        round_.refresh_from_db()
        self._print(round_, as_json=json)
        asked = round_.asked or 1
        if round_.first / asked < first or round_.shown / asked < shown:
            raise CommandError("Fewer than asked for.", returncode=1)

    def _print(self, round_: GoldenRound, *, as_json: bool) -> None:
        numbers = {"asked": round_.asked, "first": round_.first, "shown": round_.shown}
        if as_json:
            self.stdout.write(json.dumps(numbers | {"results": round_.results}))
            return
        self.stdout.write("  ".join(f"{name} {number}" for name, number in numbers.items()))
