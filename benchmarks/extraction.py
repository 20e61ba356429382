"""``python -m benchmarks.extraction --data PATH [--chats] [--json]``: what does the built-in reader
find?

Reads LoCoMo-format conversations as they are, without a database or a model, and compares the turns
of which facts come with those that the facts of the data set ("observations") cite.

- ``precision``: of the turns that were read as facts, the share that an observation cites;
- ``recall``: of the turns that an observation cites, the share that were read as facts;
- ``unresolved``: the share of the facts that do not stand on their own: that have a word of the
  first or second person, a date that counts from another ("yesterday", "last week", "ago"), "it",
  or "this" and "that" without a noun;
- ``cosine``: the cosine of a fact to the nearest observation that cites its turn, at the median,
  with the built-in embedder; ``cosine_of_turns`` is that of the whole turn;
- ``messages_per_second`` on one core.

``--chats`` reads messages to an assistant as well (`benchmarks.reader_chats`): the share of the
facts read that are expected, the share of the expected ones that are read, and of those the share
with the right first day, and the right last day, where these are known.
"""

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks import command, reader_chats
from benchmarks.gate_cases import Conversation
from benchmarks.gate_cases import read as read_conversations
from memoryapp.policy.gate import SaidLine, Source, refusal
from memoryapp.providers.builtin_embedder import BuiltinEmbedder
from memoryapp.reader import Fact, Spoken, read
from memoryapp.reader.languages import LANGUAGES


@dataclass
class Outcome:
    """What was found in some conversations."""

    turns: int = 0
    cited: int = 0
    #: Turns of which facts came, and those of them that are cited.
    found: int = 0
    right: int = 0
    facts: int = 0
    unresolved: int = 0
    refused: int = 0
    seconds: float = 0.0
    #: A fact, its turn, and the observations that cite the turn.
    pairs: list[tuple[str, str, list[str]]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def summary(self) -> dict[str, float]:
        """The figures."""
        facts, turns = _cosines(self.pairs)
        return {
            "precision": round(self.right / max(self.found, 1), 4),
            "recall": round(self.right / max(self.cited, 1), 4),
            "unresolved": round(self.unresolved / max(self.facts, 1), 4),
            "cosine": round(facts, 4),
            "cosine_of_turns": round(turns, 4),
            "refused_by_gate": round(self.refused / max(self.facts, 1), 4),
            "facts": self.facts,
            "messages_per_second": round(self.turns / max(self.seconds, 1e-9)),
        }


def measure(conversation: Conversation, outcome: Outcome) -> None:
    """Read *conversation*, and add what comes of it to *outcome*."""
    said = conversation.turns
    observations = defaultdict[str, list[str]](list)
    for fact in conversation.facts:
        for id in fact.cited:
            observations[id].append(fact.text)
    began = time.perf_counter()
    found = read(
        [Spoken(at, "user", _own(t.text), t.said_on, t.speaker) for at, t in enumerate(said)]
    )
    outcome.seconds += time.perf_counter() - began
    by_turn = defaultdict[int, list[Fact]](list)
    for each in found:
        by_turn[each.position].append(each)
    outcome.turns += len(said)
    outcome.cited += len(observations)
    outcome.found += len(by_turn)
    outcome.facts += len(found)
    unresolved = LANGUAGES["english"].unresolved
    outcome.unresolved += sum(bool(unresolved.search(each.text)) for each in found)
    for at, turn in enumerate(said):
        of_turn, cited = by_turn.get(at, []), observations.get(turn.id)
        if cited and not of_turn:
            outcome.missed.append(f"{turn.speaker}: {turn.text}")
        outcome.right += bool(of_turn and cited)
        for each in of_turn:
            window = said[max(0, at - 2) : at + 1]
            source = Source([SaidLine(t.text, t.speaker, said_on=t.said_on) for t in window])
            outcome.refused += refusal(each.text, source, said_in=[len(window) - 1]) is not None
            if cited:
                outcome.pairs.append((each.text, _own(turn.text), cited))
            else:
                outcome.wrong.append((turn.text, each.text))


def _own(text: str) -> str:
    """*text* without the caption of a picture, which the speaker did not say."""
    return text.partition(" [shared a picture:")[0]


def _cosines(pairs: Sequence[tuple[str, str, list[str]]]) -> tuple[float, float]:
    """The median cosine of facts, and of turns, to the nearest observation citing them."""
    texts = list(dict.fromkeys(t for fact, turn, cited in pairs for t in (fact, turn, *cited)))
    if not texts:
        return 0.0, 0.0
    vectors = dict(zip(texts, np.asarray(BuiltinEmbedder().embed(texts).vectors), strict=True))
    facts = [max(float(vectors[f] @ vectors[c]) for c in cited) for f, _, cited in pairs]
    turns = [max(float(vectors[t] @ vectors[c]) for c in cited) for _, t, cited in pairs]
    return median(facts), median(turns)


def chats(*, failures: bool) -> dict[str, object]:
    """Read the messages to an assistant, print the figures of both parts, and return them."""
    figures: dict[str, object] = {}
    for name, part in zip(("development", "held_out"), reader_chats.cases(), strict=True):
        scores = reader_chats.score(part)
        by_language = {language: one.summary() for language, one in scores.items()}
        kinds = reader_chats.score(part, attrgetter("kind"))
        by_kind = {kind: one.summary() for kind, one in kinds.items()}
        total = reader_chats.together(scores).summary()
        figures[name] = total | {"languages": by_language, "kinds": by_kind}
        for title, one in {f"chats, {name}": total, **by_language}.items():
            shown = ("precision", "recall", "first_days", "last_days")
            print(f"{title:20} " + "  ".join(f"{each} {one[each]:.3f}" for each in shown))
        if failures and name == "development":
            for one_language in scores.values():
                print_failures(one_language.wrong, one_language.missed)
    return figures


def print_failures(wrong: Sequence[tuple[str, str]], missed: Sequence[tuple[str, str]]) -> None:
    """List messages with what was wrongly read, or not read, of them."""
    for text, fact in wrong:
        print(f"wrong: {text}\n    {fact}")
    for text, fact in missed:
        print(f"missed: {text}\n    {fact}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.extraction",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, help="a LoCoMo-format JSON file")
    parser.add_argument(
        "--chats", action="store_true", help="read messages to an assistant as well"
    )
    command.add_json(parser)
    parser.add_argument("--failures", action="store_true", help="list what is wrong and missed")
    parser.add_argument("--no-cosine", action="store_true", help="embed nothing, which is faster")
    options = parser.parse_args(arguments)
    if not (options.data or options.chats):
        parser.error("give --data, --chats, or both")
    with command.running(parser):
        _measured(parser, options)
    return 0


def _measured(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    figures: dict[str, object] = {}
    if options.data:
        try:
            conversations = read_conversations(json.loads(options.data.read_bytes()))
        except (OSError, ValueError, KeyError, TypeError) as error:
            parser.error(f"{options.data} cannot be read: {error}")
        outcome = Outcome()
        for conversation in conversations:
            measure(conversation, outcome)
        if options.failures:
            print_failures(outcome.wrong, [(turn, "") for turn in outcome.missed])
        if options.no_cosine:
            outcome.pairs.clear()
        figures |= outcome.summary()
        for name, figure in figures.items():
            print(f"{name:20} {figure}")
    if options.chats:
        figures["chats"] = chats(failures=options.failures)
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    raise SystemExit(main())
