"""``python -m benchmarks.everyday [--json]``: does the right fact come first in everyday use?

Stores months of several people's use in the order of time, in an instance for each: conversations,
which the built-in reader reads and the palace files, memories typed on a screen or stored by a
program, imported files. Then it asks each person's questions, each at its own moment, and looks at
the five places of a recall.

- ``hit_at_1``, ``hit_at_5``: the share of questions for which what should stand first does, or is
  among the five;
- ``right_at_5``: the share of the places shown that help to answer;
- ``noise_at_5``: the share of the five places taken by greetings, questions, requests,
  acknowledgements and empty replies, by what is about somebody else, or was true once;
- ``current_first``: of questions about what has changed, the share where the current value stands
  above every outdated one;
- ``memory_first``: of questions that a memory answers, the share where one stands first;
- ``silent``: of messages that need no memory, the share for which nothing comes.
"""

import argparse
import contextlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

from benchmarks import command
from benchmarks.datasets import everyday_people as dataset
from benchmarks.datasets.everyday_people import Conversation, Person, Question, Written
from benchmarks.everyday_scoring import Place, Shown, figures

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.recall import Hit

DATABASE = "keepsake_benchmark_everyday"
PLACES = 5


class Story:
    """An instance that holds what a person's assistant was told."""

    def __init__(self, instance: "Instance", person: Person) -> None:
        self.instance, self.person = instance, person
        #: Memory id to the ids of what it states.
        self.stated: dict[int, set[str]] = defaultdict(set)

    def tell(self) -> None:
        """Store everything, in the order of time."""
        told: list[tuple[datetime, Conversation | Written]] = [
            *((each.began, each) for each in self.person.conversations),
            *((each.on, each) for each in self.person.written),
        ]
        for _, each in sorted(told, key=lambda pair: pair[0]):
            if isinstance(each, Conversation):
                self._hold(each)
            else:
                self._write(each)
        self._name_sources()

    def ask(self, question: Question) -> "list[Hit]":
        """The hits of *question*, as for a message of the chat."""
        from memoryapp.recall import RecallOptions, recall

        with at(question.on, self.instance):
            options = RecallOptions(limit=PLACES, is_message=True)
            return recall(self.instance, question.text, options).hits

    def ids(self, hit: "Hit") -> frozenset[str]:
        """The ids of what *hit* states."""
        if hit.memory:
            return frozenset(self.stated[hit.memory.pk])
        return frozenset({hit.message.external_id} if hit.message else ())

    def memories_of(self, ids: frozenset[str]) -> bool:
        """True if a memory states one of *ids*."""
        return any(stated & ids for stated in self.stated.values())

    def _hold(self, talk: Conversation) -> None:
        from django.db import transaction

        from conversations.messages import NewMessage, append
        from conversations.models import Conversation as Row
        from memoryapp.extraction.run import queue_by_hand, read
        from memoryapp.mining.run import mine_here

        began = talk.began.replace(tzinfo=ZoneInfo(self.instance.time_zone))
        row = Row.objects.create(
            instance=self.instance, external_id=f"{talk.began}", created_at=began
        )
        append(
            row,
            [
                NewMessage(turn.role, turn.text, external_id=turn.id, sent_at=began)
                for turn in talk.turns
            ],
            finished=False,
        )
        last = self._last_memory()
        with transaction.atomic():
            run = queue_by_hand(row)
        if run.claim():
            read(run)
        mine_here(row, with_model=False)
        self._date(last, began)

    def _write(self, fact: Written) -> None:
        from instances.actor import Actor
        from instances.tiers import Tier
        from memoryapp.models import Origin
        from memoryapp.pipeline import Candidate, Rejected, Writer, remember

        origin, tier = {
            "person": (Origin.MANUAL, Tier.PERSON),
            "program": (Origin.API, Tier.USER),
        }.get(fact.by, (Origin.IMPORT, Tier.DOCUMENT))
        moment = fact.on.replace(tzinfo=ZoneInfo(self.instance.time_zone))
        candidate = Candidate(
            fact.content,
            category=fact.category or None,
            importance=fact.importance,
            valid_until=fact.until,
            said_at=moment,
        )
        last = self._last_memory()
        writer = Writer(origin, Actor(via="benchmark"), tier=tier)
        try:
            (outcome,) = remember(self.instance, [candidate], writer)
        except Rejected:
            return  # As from a file, a row that may not be stored is left out.
        if outcome.memory.pk:
            self.stated[outcome.memory.pk].add(fact.id)
        self._date(last, moment)

    def _last_memory(self) -> int:
        return self.instance.memories.order_by("-pk").values_list("pk", flat=True).first() or 0

    def _date(self, last: int, moment: datetime) -> None:
        # The columns' defaults read the real clock.
        self.instance.memories.filter(pk__gt=last).update(
            said_at=moment, created_at=moment, updated_at=moment, stored_at=moment
        )

    def _name_sources(self) -> None:
        from memoryapp.models import MemorySource

        sources = MemorySource.objects.filter(memory__instance=self.instance, message__isnull=False)
        for memory, id in sources.exclude(action=MemorySource.Action.UNDONE).values_list(
            "memory", "message__external_id"
        ):
            self.stated[memory].add(id)


def shown(story: Story, question: Question) -> Shown:
    """What was shown for *question*, in the words of the scoring."""
    places = [
        Place(story.ids(hit), is_memory=hit.memory is not None, text=hit.content)
        for hit in story.ask(question)
    ]
    answers = question.first | question.right
    return Shown(question, places, answered_by_memory=story.memories_of(answers))


@contextlib.contextmanager
def at(moment: datetime, instance: "Instance") -> Iterator[None]:
    """Set the clock of *instance* to *moment*."""
    moment = moment.replace(tzinfo=ZoneInfo(instance.time_zone))
    with patch("django.utils.timezone.now", return_value=moment):
        yield


@contextlib.contextmanager
def told(person: Person) -> Iterator[Story]:
    """Make an instance that was told all of *person*, and delete it afterwards."""
    from instances.models import Instance

    instance = Instance.objects.create(slug="everyday", name=person.name, language=person.language)
    try:
        story = Story(instance, person)
        story.tell()
        yield story
    finally:
        instance.delete()


def run(people: Sequence[Person]) -> dict[str, list[Shown]]:
    """Ask all questions of *people*; return what was shown, by person."""
    asked = {}
    for person in people:
        with told(person) as story:
            asked[person.name] = [shown(story, question) for question in person.questions]
        print(f"{person.name}: {len(person.questions)} questions", file=sys.stderr, flush=True)
    return asked


def report(asked: Mapping[str, Sequence[Shown]], people: Sequence[Person]) -> dict[str, Any]:
    """The figures: of all, by language, by kind of question."""
    natures = {person.name: person.natures for person in people}
    languages = {person.name: person.language for person in people}
    each = [(name, one) for name, shown in asked.items() for one in shown]

    def of(chosen: Sequence[tuple[str, Shown]]) -> dict[str, float]:
        return figures([(one, natures[name]) for name, one in chosen])

    return of(each) | {
        "languages": {
            language: of([pair for pair in each if languages[pair[0]] == language])
            for language in sorted(set(languages.values()))
        },
        "kinds": {
            kind: of([pair for pair in each if pair[1].question.kind == kind])
            for kind in sorted({one.question.kind for _, one in each})
        },
    }


def failures(asked: Mapping[str, Sequence[Shown]]) -> Iterator[str]:
    """Lines about the questions for which the right thing is not first, with what is."""
    for name, each in asked.items():
        for one in each:
            question = one.question
            if one.places and question.first & one.places[0].ids:
                continue
            if question.kind == dataset.SILENT and not one.places:
                continue
            yield f"{name} {question.id} ({question.kind}): {question.text}"
            for place in one.places:
                marks = [
                    mark
                    for mark, ids in (
                        ("first", question.first),
                        ("right", question.right),
                        ("outdated", question.outdated),
                        ("wrong", question.wrong),
                    )
                    if ids & place.ids
                ]
                kind = "memory" if place.is_memory else "turn"
                yield f"    {kind} {','.join(sorted(place.ids))} {marks}: {place.text[:120]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    with command.running(parser):
        command.use_embedder(options.embedder)
        # Only now: these need the set-up.
        from benchmarks.databases import fresh_database

        people = list(dataset.people(options.folder))[: options.people]
        with fresh_database(options.database):
            asked = run(people)
    if options.failures:
        print("\n".join(failures(asked)))
    found = report(asked, people)
    for title, line in _lines(found):
        print(f"{title:14} {line}")
    if options.json:
        print(json.dumps(found))
    return 0


def _lines(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    def line(row: Mapping[str, object]) -> str:
        return "  ".join(
            f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}"
            for name, value in row.items()
            if not isinstance(value, dict) and value is not None
        )

    yield "all", line(found)
    for group in ("languages", "kinds"):
        yield from ((name, line(row)) for name, row in found[group].items())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.everyday",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--held-out",
        dest="folder",
        action="store_const",
        const=dataset.HELD_OUT,
        default=dataset.FOLDER,
        help="ask the people with whom nothing was developed",
    )
    parser.add_argument("--people", type=int, metavar="N", help="take only the first N people")
    command.add_embedder(parser)
    parser.add_argument("--failures", action="store_true", help="list what did not stand first")
    command.add_json(parser)
    command.add_database(parser, DATABASE)
    return parser


if __name__ == "__main__":
    sys.exit(main())
