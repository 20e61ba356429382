"""The report of a run of `benchmarks.recall`: as text, as JSON, and for the documentation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from benchmarks import documentation_tables, scoring
from benchmarks.answer_quality import figures
from benchmarks.dataset_runner import Plan, answers
from benchmarks.datasets import Format
from benchmarks.query_runner import Answer
from benchmarks.results import Outcomes

#: The columns that tell of answers and verdicts.
_VERDICTS = ["questions", "right", "no verdict", "tokens read", "reader", "judge"]


class NothingMeasured(ValueError):
    """There is no figure to report; the message says why."""


@dataclass(frozen=True)
class Report:
    """Recall results of each profile, and verdicts on answers, if there are any."""

    format: Format
    found: dict[str, list[Answer]]
    verdicts: dict[str, dict[str, Any]]
    #: Questions whose evidence is not known.
    left_out: int = 0

    @classmethod
    def of(cls, plan: Plan, outcomes: Outcomes, left_out: int = 0) -> Self:
        """Summarise *outcomes*; raises `NothingMeasured` if no question with evidence counts."""
        found = {profile: answers(outcomes, profile) for profile in plan.profiles}
        report = cls(
            plan.format,
            found,
            {profile: figures(plan.answering, profile) for profile in plan.profiles}
            if plan.answering
            else {},
            left_out,
        )
        if not any(map(report.headline, found.values())):
            raise NothingMeasured("The data has no question that counts, with known evidence.")
        return report

    def headline(self, found: Iterable[Answer]) -> list[Answer]:
        """Return those of the answers that count."""
        return [answer for answer in found if answer.category not in self.format.aside]

    def text(self) -> str:
        """Return the tables for people to read."""
        parts = []
        for profile, found in self.found.items():
            parts += [f"{self.format.name}, profile {profile}", self._table(found)]
        for profile, verdicts in self.verdicts.items():
            parts += [f"Answers, profile {profile}", _verdict_table(verdicts)]
        if self.left_out:
            parts.append(f"{self.left_out:,} questions without known evidence were left out.")
        return "\n\n".join(parts)

    def summary(self) -> dict[str, Any]:
        """Return the headline and each category under the first profile, and all of each one."""
        profiles = {
            profile: scoring.scores(self.headline(found), self.format.measures)
            | {
                "categories": {
                    category: scoring.scores(of_category, self.format.measures)
                    for category, of_category in _by_category(found).items()
                }
            }
            for profile, found in self.found.items()
            if self.headline(found)
        }
        first = next(iter(profiles.values()))
        summary = {"format": self.format.name, **first, "left_out": self.left_out}
        summary |= {"profiles": profiles}
        return summary | ({"answers": self.verdicts} if self.verdicts else {})

    def write(self, page: Path, name: str) -> None:
        """Put the figures into the tables of *page*, under *name*; raises `NoTable`."""
        rows = {
            f"{name}, {profile}": scoring.row(headline, self.format.measures)
            for profile, found in self.found.items()
            if (headline := self.headline(found))
        }
        documentation_tables.write(
            page, self.format.table, scoring.headings(self.format.measures), rows
        )
        judged = {
            f"{name}, {profile}": _verdict_row(verdicts)
            for profile, verdicts in self.verdicts.items()
        }
        if judged:
            documentation_tables.write(page, "answers", _VERDICTS, judged)

    def _table(self, found: Sequence[Answer]) -> str:
        """A line for each category, and one for those that count."""
        categories = self.format.categories
        by_category = _by_category(found)
        rows = {
            f"{category} {categories.get(category, '')}".strip(): of_category
            for category, of_category in by_category.items()
            if category not in self.format.aside
        }
        rows["together"] = self.headline(found)
        rows |= {
            f"{category} {categories.get(category, '')}, not counted": of_category
            for category, of_category in by_category.items()
            if category in self.format.aside
        }
        return scoring.table(rows, self.format.measures)


def _by_category(found: Sequence[Answer]) -> dict[str, list[Answer]]:
    return {
        category: [answer for answer in found if answer.category == category]
        for category in sorted({answer.category for answer in found})
    }


def _verdict_table(verdicts: dict[str, Any]) -> str:
    rows = {**verdicts["categories"], "together": verdicts}
    width = max([20, *(len(label) + 2 for label in rows)])
    lines = [f"{'':<{width}}{'questions':>12}{'right':>12}"]
    lines += [
        f"{label:<{width}}{row['questions']:>12,}{_share(row['right']):>12}"
        for label, row in rows.items()
    ]
    return "\n".join(lines)


def _verdict_row(verdicts: dict[str, Any]) -> list[str]:
    return [
        f"{verdicts['questions']:,}",
        _share(verdicts["right"]),
        f"{verdicts['no_verdict']:,}",
        "–" if verdicts["prompt_tokens"] is None else f"{verdicts['prompt_tokens']:,}",
        verdicts["reader"],
        verdicts["judge"],
    ]


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
