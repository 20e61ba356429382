"""``python -m benchmarks.pii --data PATH [--json]``: are secrets and identifiers found?

Prints precision and recall for each type. The data is a list of texts with their ``spans``
(``type``, ``start``, ``end``). A finding is right when it overlaps a labelled span of its type and
adds no other text than separators.

Then prints the share found of each kind of secret in each disguise (`pii_variants`), and of what
looks like a secret and is none, the share that is left alone.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import command, pii_variants

if TYPE_CHECKING:
    from memoryapp.privacy.pii import PIIFinding

#: The kinds that are measured, and what the data calls them.
TYPES = {
    "CARD": "CREDIT_CARD",
    "PHONE": "PHONE_NUMBER",
    "EMAIL": "EMAIL_ADDRESS",
    "SSN": "US_SSN",
    "IBAN": "IBAN_CODE",
    "IP": "IP_ADDRESS",
}


@dataclass
class Score:
    """What was found of one type: how many findings were right, how many labels were found."""

    findings: int = 0
    right: int = 0
    labels: int = 0
    found: int = 0
    #: Wrong findings and missed labels, as they stand in the text.
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.findings if self.findings else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.labels if self.labels else 1.0


def score(samples: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Score], Counter[str]]:
    """Examine each of *samples*; return the score of each type, and how often something was found
    that the data has no label for.
    """
    from memoryapp.privacy.pii import examine

    scores = {name: Score() for name in TYPES.values()}
    others: Counter[str] = Counter()
    for sample in samples:
        text = sample["text"]
        findings = examine(text).findings
        for finding in findings:
            if finding.kind not in TYPES:
                others[finding.kind] += 1
                continue
            name = TYPES[finding.kind]
            right = any(_is_right(text, finding, label) for label in _labels(sample, name))
            scores[name].findings += 1
            scores[name].right += right
            if not right:
                scores[name].wrong.append(text[finding.start : finding.end])
        for label in sample["spans"]:
            if label["type"] not in scores:
                continue
            found = any(
                TYPES.get(finding.kind) == label["type"] and _is_right(text, finding, label)
                for finding in findings
            )
            scores[label["type"]].labels += 1
            scores[label["type"]].found += found
            if not found:
                scores[label["type"]].missed.append(text[label["start"] : label["end"]])
    return scores, others


def _labels(sample: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    return [label for label in sample["spans"] if label["type"] == name]


def _is_right(text: str, finding: "PIIFinding", label: Mapping[str, Any]) -> bool:
    if finding.end <= label["start"] or label["end"] <= finding.start:
        return False
    more = text[finding.start : max(finding.start, label["start"])]
    more += text[min(finding.end, label["end"]) : finding.end]
    return not any(character.isalnum() for character in more)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print it; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pii", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a JSON file of labelled texts")
    command.add_json(parser)
    parser.add_argument("--seed", type=int, default=1, help="of the disguised secrets")
    parser.add_argument("--misses", action="store_true", help="list what was wrong, and missed")
    options = parser.parse_args(arguments)
    try:
        samples = json.loads(options.data.read_bytes())
    except (OSError, ValueError) as error:
        parser.error(f"{options.data} cannot be read: {error}")
    with command.running(parser):
        _measured(samples, options)
    return 0


def _measured(samples: Sequence[Mapping[str, Any]], options: argparse.Namespace) -> None:
    scores, others = score(samples)
    print(f"{len(samples):,} texts")
    print(f"{'type':15} {'labels':>6} {'found':>6} {'precision':>9} {'recall':>7}")
    for name, of_type in scores.items():
        print(
            f"{name:15} {of_type.labels:6} {of_type.findings:6}"
            f" {of_type.precision:9.3f} {of_type.recall:7.3f}"
        )
        if options.misses:
            for text in of_type.wrong:
                print(f"    wrong   {text!r}")
            for text in of_type.missed:
                print(f"    missed  {text!r}")
    for kind, number in others.items():
        print(f"{kind}: {number}, for which the data has no labels")
    shares = pii_variants.measured(options.seed)
    print(f"\n{pii_variants.SAMPLES} samples of each variant")
    for kind, by_disguise in shares.items():
        mean = sum(by_disguise.values()) / len(by_disguise)
        print(f"{kind:15} {mean:6.3f} of {len(by_disguise)} variants")
        for disguise, share in by_disguise.items():
            print(f"    {disguise:32} {share:6.2f}")
    if options.json:
        figures: dict[str, dict[str, Any]] = {
            name: {"precision": round(one.precision, 4), "recall": round(one.recall, 4)}
            for name, one in scores.items()
        }
        print(json.dumps(figures | {"variants": shares}))


if __name__ == "__main__":
    raise SystemExit(main())
