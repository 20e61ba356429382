"""``python -m benchmarks.synthetic_chats FILE``: write chats with a long-winded assistant.

The same file each time, in the form of BEAM's rows, for ``python -m benchmarks.recall``. It is
made to be hard in the ways in which such chats are: what the user says of themselves stands in
passing between requests about something else; the assistant's answers are long and full of the
same words as the questions; and for each thing that is asked about, something alike was said too.

Do not tune anything with it: the sentences are few, and written by one person.
"""

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from benchmarks import command
from benchmarks.synthetic_chat_phrases import (
    ADVICE,
    CHANGES,
    DEEDS,
    OPENINGS,
    PICKS,
    PLACES,
    RELATIVES,
    THINGS,
    TOPICS,
    VISITS,
)

CHATS, BATCHES, EXCHANGES = 3, 10, 14
#: Sentences of one answer: the longest ones are about as long as BEAM's, some 3,000 characters.
SHORTEST, LONGEST = 8, 34
SEED = 20_240_315
BEGUN = date(2024, 1, 8)


@dataclass
class InventedQuestion:
    """A question, its kind, its answer, and the numbers of the exchanges that hold it."""

    kind: str
    text: str
    answer: str
    places: list[int] = field(default_factory=list)
    by_assistant: bool = False


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the file and say what is in it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.synthetic_chats", description=__doc__
    )
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--chats", type=int, default=CHATS, metavar="N")
    parser.add_argument("--exchanges", type=int, default=EXCHANGES, metavar="N", help="in a batch")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    options = parser.parse_args(arguments)
    if options.chats < 1 or options.exchanges < 10:
        parser.error("it takes a chat at least, and ten exchanges in each batch")
    with command.running(parser):
        rows = [invent(number, options.exchanges, options.seed) for number in range(options.chats)]
        options.file.write_text(json.dumps(rows, ensure_ascii=False))
    messages = sum(len(batch) for row in rows for batch in row["chat"])
    print(f"{len(rows)} chats with {messages:,} messages in {options.file}")
    return 0


def invent(number: int, exchanges: int = EXCHANGES, seed: int = SEED) -> dict[str, Any]:
    """Make one chat: a row as BEAM's are. Other numbers and seeds make other chats."""
    dice = random.Random(f"{seed}-{number}")  # noqa: S311  # the same chat each time
    remarks: dict[int, str] = {}
    advice: dict[int, str] = {}
    free = list(range(BATCHES * exchanges))
    dice.shuffle(free)
    asked = [
        *_in_passing(dice, free, remarks),
        *_in_other_words(free, remarks),
        *_changed(free, remarks),
        *_on_a_day(dice, exchanges, free, remarks),
        *_in_several_turns(dice, free, remarks),
        *_by_the_assistant(dice, free, advice),
    ]
    chat = []
    for batch in range(BATCHES):
        messages: list[dict[str, Any]] = []
        for exchange in range(batch * exchanges, (batch + 1) * exchanges):
            topic, nouns = dice.choice(TOPICS)
            request = f"{dice.choice(OPENINGS)} {topic}?"
            said = [request, remarks[exchange]] if exchange in remarks else [request]
            if dice.random() < 0.5:
                said.reverse()
            messages += [
                {"role": "user", "id": 2 * exchange, "content": " ".join(said)},
                {
                    "role": "assistant",
                    "id": 2 * exchange + 1,
                    "content": _answer(dice, nouns, advice.get(exchange, "")),
                },
            ]
        messages[0]["time_anchor"] = f"{_day(batch):%B-%d-%Y}"
        chat.append(messages)
    questions: dict[str, list[dict[str, Any]]] = {}
    for question in asked:
        ids = [2 * place + question.by_assistant for place in sorted(question.places)]
        questions.setdefault(question.kind, []).append(
            {"question": question.text, "answer": question.answer, "source_chat_ids": ids}
        )
    return {"conversation_id": f"invented-{number}", "chat": chat, "probing_questions": questions}


def _answer(dice: random.Random, nouns: Sequence[str], advice: str) -> str:
    """Go on at length about *nouns*, with *advice* somewhere in the middle."""
    lines = []
    for step in range(1, dice.randint(SHORTEST, LONGEST) + 1):
        sentence = dice.choice(ADVICE).format(noun=dice.choice(nouns), other=dice.choice(nouns))
        lines.append(f"### Step {step}\n{sentence}" if step % 4 == 1 else f"- {sentence}")
    if advice:
        lines.insert(len(lines) // 2, advice)
    return "\n".join(lines)


def _in_passing(
    dice: random.Random, free: list[int], remarks: dict[int, str]
) -> Sequence[InventedQuestion]:
    """What somebody near did, asked about in the words in which it was said."""
    asked = []
    names = dice.sample(sorted(PLACES), len(RELATIVES))
    for (relative, name, deed, question), place in zip(RELATIVES, names, strict=True):
        spot = free.pop()
        remarks[spot] = deed.format(relative=relative, name=name, place=place)
        text = question.format(relative=relative, name=name)
        asked.append(InventedQuestion("in passing", text, place, [spot]))
    return asked


def _in_other_words(free: list[int], remarks: dict[int, str]) -> Sequence[InventedQuestion]:
    """What somebody has, asked about in words that were not used."""
    asked = []
    for said, question, answer in THINGS:
        spot = free.pop()
        remarks[spot] = said
        asked.append(InventedQuestion("in other words", question, answer, [spot]))
    return asked


def _changed(free: list[int], remarks: dict[int, str]) -> Sequence[InventedQuestion]:
    """What held first, and what holds now."""
    asked = []
    for before, after, question, answer in CHANGES:
        first, second = sorted((free.pop(), free.pop()))
        remarks[first], remarks[second] = before, after
        asked.append(InventedQuestion("changed", question, answer, [first, second]))
    return asked


def _on_a_day(
    dice: random.Random, exchanges: int, free: list[int], remarks: dict[int, str]
) -> Sequence[InventedQuestion]:
    """The same thing done on many days, asked about by the day."""
    asked = []
    for deed, question in DEEDS:
        for batch, thing in enumerate(dice.sample(sorted(PLACES), BATCHES)):
            of_batch = [spot for spot in free if spot // exchanges == batch]
            if not of_batch:
                continue
            free.remove(of_batch[0])
            remarks[of_batch[0]] = deed.format(thing=thing)
            day = f"{_day(batch):%-d %B %Y}"
            asked.append(
                InventedQuestion("on a day", question.format(day=day), thing, [of_batch[0]])
            )
    return asked


def _in_several_turns(
    dice: random.Random, free: list[int], remarks: dict[int, str]
) -> Sequence[InventedQuestion]:
    """What makes an answer only together."""
    asked = []
    for said, question in VISITS:
        spots = [free.pop() for _ in range(3)]
        things = dice.sample(sorted(PLACES), 3)
        for spot, thing in zip(spots, things, strict=True):
            remarks[spot] = said.format(thing=thing)
        asked.append(InventedQuestion("in several turns", question, ", ".join(things), spots))
    return asked


def _by_the_assistant(
    dice: random.Random, free: list[int], advice: dict[int, str]
) -> Sequence[InventedQuestion]:
    """What the assistant said, in the middle of a long answer."""
    asked = []
    names = dice.sample(sorted(PLACES), len(PICKS))
    for (said, question), name in zip(PICKS, names, strict=True):
        spot = free.pop()
        advice[spot] = said.format(name=name)
        asked.append(
            InventedQuestion("by the assistant", question, name, [spot], by_assistant=True)
        )
    return asked


def _day(batch: int) -> date:
    return BEGUN + timedelta(days=17 * batch)


if __name__ == "__main__":
    sys.exit(main())
