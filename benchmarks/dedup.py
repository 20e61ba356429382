"""``python -m benchmarks.dedup --data PATH [--json]``: does the memory know what it knows already?

Takes the facts that come with LoCoMo-format conversations and derives two sentences from each: a
paraphrase, and one that differs in a single detail. Who does it to whom is exchanged in sentences
of five languages about the same people. All are made by fixed rules (`benchmarks.paraphrase_rules`
and `benchmarks.contradiction_rules`), so that every run has the same pairs. The decision of the
write path is asked about each pair.

A rewrite is merged when the two become one memory. A change is lost when the new sentence is left
out as known already, or when it takes the place of a fact about somebody else; a changed number or
negation that becomes the new version, with the old one in its history, is not lost.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import command
from benchmarks.contradiction_rules import NEGATIONS, NUMBERS, ORDERS, PEOPLE, swapped
from benchmarks.metrics import percentile
from benchmarks.paraphrase_rules import ADDITIONS, REWRITES

if TYPE_CHECKING:
    from instances.models import Instance
    from memoryapp.policy.dedup import Action
    from memoryapp.providers.embeddings import Embedder

#: Pairs of each kind, from all over the file.
MAX_PAIRS = 100
CHANGES = {
    "changed number": NUMBERS,
    "changed negation": NEGATIONS,
    "changed person": PEOPLE,
    "changed order": ORDERS,
}
#: Changes after which the known fact holds as well.
ABOUT_ANOTHER = ("changed person", "changed order")


@dataclass(frozen=True)
class Fact:
    """A sentence, whom it is about, and who else speaks in that conversation."""

    text: str
    person: str
    other: str


@dataclass(frozen=True)
class Pair:
    """What is remembered, what is said then, and how the two differ."""

    of_class: str
    kind: str
    old: str
    new: str


@dataclass(frozen=True)
class Judged:
    """A pair, its cosine similarity, and what is done with the new sentence."""

    pair: Pair
    similarity: float
    action: "Action"

    @property
    def merged(self) -> bool:
        return self.action != "stored_new"

    @property
    def lost(self) -> bool:
        """True if a change is lost by it."""
        if self.pair.of_class in ABOUT_ANOTHER:
            return self.merged
        return self.pair.of_class in CHANGES and self.action == "duplicate_exact"


class NoFacts(ValueError):
    """The file holds no facts to make pairs of."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.dedup",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--data", type=Path, required=True, help="a LoCoMo-format JSON file")
    command.add_embedder(parser)
    command.add_json(parser)
    parser.add_argument(
        "--most",
        type=int,
        metavar="N",
        default=MAX_PAIRS,
        help="pairs of each kind (default: %(default)s)",
    )
    parser.add_argument(
        "--instance",
        metavar="SLUG",
        help="measure that instance’s embedding model and thresholds, too",
    )
    options = parser.parse_args(arguments)

    with command.running(parser):
        # Only now: these need the set-up.
        from benchmarks.databases import installation
        from instances.models import Instance
        from memoryapp.providers.builtin_embedder import BuiltinEmbedder
        from memoryapp.providers.builtin_model.catalogue import BuiltinModel
        from memoryapp.providers.configured import embedder_for

        facts = facts_in(options.data)
        embedder = BuiltinEmbedder(BuiltinModel(command.use_embedder(options.embedder)))
        judged = judge(facts, options.most, embedder, Instance())
        print(f"{embedder.space}\n\n{table(judged)}")
        report = summary(judged)
        if options.instance:
            with installation():
                instance = Instance.objects.filter(slug=options.instance).first()
                if instance is None:
                    parser.error(f"there is no instance “{options.instance}”")
                own = embedder_for(instance)
                if own is None:
                    parser.error(f"{instance} has no embedding provider set up")
                configured = judge(facts, options.most, own, instance)
            print(f"\n{own.space}, with the thresholds of {instance}\n\n{table(configured)}")
            report["configured"] = summary(configured)
    if options.json:
        print(json.dumps(report))
    return 0


def facts_in(data: Path) -> list[Fact]:
    """Read the facts ("observations") that come with the conversations in *data*; raises `OSError`
    and `ValueError`.
    """
    content = json.loads(data.read_bytes())
    facts: dict[Fact, None] = {}
    for sample in content if isinstance(content, list) else [content]:
        observations = sample.get("observation") if isinstance(sample, dict) else None
        if not isinstance(observations, dict):
            continue
        of_people = [(p, said) for by in observations.values() for p, said in by.items()]
        people = sorted({person for person, _ in of_people})
        for person, said in of_people:
            other = next((p for p in people if p != person), "Priya")
            facts |= {Fact(" ".join(text.split()), person, other): None for text, *_ in said}
    if not facts:
        raise NoFacts(f"{data} holds no observations to make pairs of")
    return list(facts)


def pairs_of(facts: Iterable[Fact]) -> Iterator[Pair]:
    """Make every pair that the rules make of *facts*; those of distinct facts take vectors."""
    for fact in facts:
        for kind, rewrite in REWRITES.items():
            if said := rewrite(fact.text, fact.person):
                yield Pair("rewrite", kind, fact.text, said)
        for kind, addition in ADDITIONS.items():
            yield Pair("rewrite", kind, *addition(fact.text, fact.person))
        for of_class, rules in CHANGES.items():
            for kind, change in rules.items():
                if changed := change(fact.text, fact.person):
                    yield Pair(of_class, kind, *changed)
        of_the_other = swapped(fact.text, fact.person, fact.other)
        if of_the_other and fact.other not in fact.text:
            yield Pair("changed person", "the other speaker", *of_the_other)


def at_most(most: int, pairs: Iterable[Pair]) -> Iterator[Pair]:
    """Narrow *pairs* to *most* of each kind, evenly from among all of that kind."""
    kinds: dict[tuple[str, str], list[Pair]] = {}
    for pair in pairs:
        kinds.setdefault((pair.of_class, pair.kind), []).append(pair)
    for of_kind in kinds.values():
        step = max(1.0, len(of_kind) / most)
        yield from (of_kind[int(number * step)] for number in range(min(most, len(of_kind))))


def judge(
    facts: Sequence[Fact], most: int, embedder: "Embedder", instance: "Instance"
) -> list[Judged]:
    """Decide about *most* pairs of each kind that can be made of *facts*, with the vectors of
    *embedder* and the thresholds of *instance*. Raises `ProviderError`.
    """
    from memoryapp.embeddings.background import scale_of_facts
    from memoryapp.policy.dedup import Neighbour, decide

    pairs = list(at_most(most, dict.fromkeys(pairs_of(facts))))
    texts = list(
        dict.fromkeys(
            [text for pair in pairs for text in (pair.old, pair.new)] + [f.text for f in facts]
        )
    )
    vectors = dict(zip(texts, embedder.embed(texts).vectors, strict=True))
    distinct = at_most(most, nearest_others(facts, vectors))
    scale = scale_of_facts(instance, embedder.space)
    judged = []
    for pair in (*pairs, *distinct):
        similarity = scale.similarity(float(vectors[pair.old] @ vectors[pair.new]))
        decision = decide(
            pair.new,
            [Neighbour(1, pair.old, similarity)],
            exact=instance.dedup_exact,
            update=instance.dedup_update,
        )
        judged.append(Judged(pair, similarity, decision.action))
    return judged


def nearest_others(
    facts: Sequence[Fact], vectors: Mapping[str, NDArray[np.float32]]
) -> Iterator[Pair]:
    """Pair each fact with the nearest other one about the same person."""
    of_person: dict[tuple[str, str], list[str]] = {}
    for fact in facts:
        of_person.setdefault((fact.person, fact.other), []).append(fact.text)
    for of_one in of_person.values():
        if len(of_one) < 2:
            continue
        matrix = np.stack([vectors[text] for text in of_one])
        similarities = matrix @ matrix.T
        np.fill_diagonal(similarities, -1.0)
        for text, nearest in zip(of_one, similarities.argmax(axis=1), strict=True):
            yield Pair("distinct", "nearest fact", text, of_one[nearest])


def summary(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the shares, 0 to 1, and how many pairs of each class they are of."""

    def of_class(*names: str) -> list[Judged]:
        return [found for found in judged if found.pair.of_class in names]

    return {
        "rewrites_merged": _share([found.merged for found in of_class("rewrite")]),
        "changes_lost": _share([found.lost for found in of_class(*CHANGES)]),
        "distinct_merged": _share([found.merged for found in of_class("distinct")]),
        "pairs": Counter(found.pair.of_class for found in judged),
    }


def table(judged: Sequence[Judged]) -> str:
    """Return what is done with each kind of pair as text, with quantiles of the similarity."""
    lines = [
        f"{'':<36}{'pairs':>6}{'new':>8}{'version':>9}{'known':>7}{'lost':>6}"
        f"{'cos 5%':>9}{'50%':>7}{'95%':>7}"
    ]
    for of_class in ("rewrite", *CHANGES, "distinct"):
        of_this = [found for found in judged if found.pair.of_class == of_class]
        for kind in dict.fromkeys(found.pair.kind for found in of_this):
            of_kind = [found for found in of_this if found.pair.kind == kind]
            lines.append(_row(f"  {kind}", of_kind))
        if of_this:
            lines.append(_row(of_class, of_this))
    return "\n".join(lines)


def _row(label: str, found: Sequence[Judged]) -> str:
    from memoryapp.policy.dedup import Action

    actions = Counter(one.action for one in found)
    new, version, known = (
        actions[action] / len(found) for action in (Action.STORED, Action.UPDATED, Action.DUPLICATE)
    )
    lost = sum(one.lost for one in found) if found[0].pair.of_class in CHANGES else ""
    cosines = [percentile([one.similarity for one in found], q) for q in (0.05, 0.5, 0.95)]
    return (
        f"{label:<36}{len(found):>6}{new:>8.1%}{version:>9.1%}{known:>7.1%}{lost:>6}"
        f"{cosines[0]:>9.3f}{cosines[1]:>7.3f}{cosines[2]:>7.3f}"
    )


def _share(held: Sequence[bool]) -> float:
    return round(sum(held) / len(held), 4) if held else 0.0


if __name__ == "__main__":
    sys.exit(main())
