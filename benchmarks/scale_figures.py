"""What `benchmarks.scale` has found out: the figures by which runs are compared, and its tables."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.metrics import percentile

if TYPE_CHECKING:
    from benchmarks.machine import Pace

#: The same statements without the product: sent as text, or planned once.
BY_HAND, PLANNED = "by hand", "planned"
#: Searches while no index is built, and while one is.
BEFORE, MEANWHILE = "before a build", "during a build"
#: Searches of what one person may see: without groups, and in two.
ALONE, IN_GROUPS = "one person, alone", "one person, in two groups"


@dataclass
class Times:
    """Milliseconds, by what was done."""

    of: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def taking(self, name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        self.of.setdefault(name, []).append((time.perf_counter() - begun) * 1000)

    def at(self, share: float, name: str) -> float:
        return percentile(self.of[name], share)

    def worst(self, share: float, *names: str) -> float | None:
        """The worst percentile among *names*; None without any."""
        return max((self.at(share, name) for name in names if name in self.of), default=None)

    def names(self, begin: str) -> list[str]:
        return [name for name in self.of if name.startswith(begin)]


@dataclass
class Found:
    """All that one run has found out."""

    times: Times
    #: Memories in the largest instance.
    largest: int
    #: Recall@10 of search by meaning, by instance and kind of rows.
    recall: dict[str, float] = field(default_factory=dict)
    #: The share of the first ten that a ranking of all texts has, too, by list of the largest.
    agreement: dict[str, float] = field(default_factory=dict)
    #: Megabytes, by table or index.
    sizes: dict[str, float] = field(default_factory=dict)
    #: Seconds that it took to build an index, by its name.
    built: dict[str, float] = field(default_factory=dict)
    #: The machine's pace before and after.
    paces: list["Pace"] = field(default_factory=list)

    def summary(self) -> dict[str, float | None]:
        """The figures by which runs are compared; None: there was no instance of that size."""
        names = ("1k", "10k", "largest", "person")
        floors = [
            self.times.at(0.95, f"search {name}") / self.times.at(0.95, f"{BY_HAND} {name}")
            for name in names
            if f"search {name}" in self.times.of
        ]
        figures: dict[str, float | None] = {"largest": self.largest}
        for share, prefix in ((0.5, "p50"), (0.95, "p95")):
            for name in names:
                figures[f"{prefix}_ms_{name}"] = self.times.worst(share, f"search {name}")
            for kind in ("list", "filter", "store"):
                of_kind = self.times.names(f"{kind} ")
                figures[f"{kind}_{prefix}_ms"] = self.times.worst(share, *of_kind)
            figures[f"{prefix}_ratio_during_a_build"] = self.slowdown(share)
            figures[f"{prefix}_ratio_in_groups"] = self.times.at(share, IN_GROUPS) / self.times.at(
                share, ALONE
            )
        figures |= {
            "floor_ratio": max(floors),
            "recall_at_10_smallest": self.recall["smallest"],
            "recall_at_10_largest": self.recall["largest"],
            "recall_at_10_largest_messages": self.recall["largest, messages"],
            "build_s": max(self.built.values(), default=None),
            "machine_loop_ms": _mean([pace.loop_ms for pace in self.paces]),
            "machine_statement_ms": _mean([pace.statement_ms for pace in self.paces]),
        }
        return {
            name: figure if figure is None else round(figure, 4) for name, figure in figures.items()
        }

    def slowdown(self, share: float) -> float | None:
        """How many times as long searches take while an index is built; None if none was."""
        during = self.times.worst(share, MEANWHILE)
        return during and during / self.times.at(share, BEFORE)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def table(found: Found) -> str:
    """Return all that was measured, as text."""
    lines = [f"{'milliseconds':<58}{'p50':>8}{'p95':>8}"]
    for name in found.times.of:
        lines.append(
            f"{name:<58}{found.times.at(0.5, name):>8.1f}{found.times.at(0.95, name):>8.1f}"
        )
    lines += ["", f"{'recall@10 of search by meaning':<58}"]
    lines += [f"{name:<58}{share:>8.3f}" for name, share in found.recall.items()]
    lines += ["", f"{'first ten as in a ranking of all texts':<58}"]
    lines += [f"{name:<58}{share:>8.3f}" for name, share in found.agreement.items()]
    lines += ["", f"{'building an index':<58}{'s':>8}"]
    lines += [f"{name:<58}{seconds:>8.1f}" for name, seconds in found.built.items()]
    lines += ["", f"{'on disk':<58}{'MB':>8}"]
    lines += [f"{name:<58}{size:>8.1f}" for name, size in found.sizes.items()]
    lines += ["", *(f"the machine: {pace}" for pace in found.paces)]
    return "\n".join(lines)


#: The columns of the table in the documentation; see `row`.
HEADINGS = (
    *("search", "of one person", "in 10,000", "in 1,000", "recall@10", "list", "filter", "store"),
    *("index built in", "search meanwhile", "pace"),
)


def row(found: Found) -> dict[str, list[str]]:
    """Return the row of the table in the documentation: times are p50 / p95 in milliseconds."""
    figures = found.summary()

    def pair(p50: str, p95: str) -> str:
        both = (figures[p50], figures[p95])
        return "–" if None in both else " / ".join(f"{figure:.0f}" for figure in both)

    recall = min(found.recall["largest"], found.recall["largest, messages"])
    slower = [found.slowdown(0.5), found.slowdown(0.95)]
    # A kept database has some facts more with each run.
    size = round(found.largest, -3) if found.largest >= 10_000 else found.largest
    return {
        f"{size:,}": [
            *(pair(f"p50_ms_{at}", f"p95_ms_{at}") for at in ("largest", "person", "10k", "1k")),
            f"{recall:.3f}",
            *(pair(f"{kind}_p50_ms", f"{kind}_p95_ms") for kind in ("list", "filter", "store")),
            "–" if figures["build_s"] is None else f"{figures['build_s']:.0f} s",
            "–" if None in slower else " / ".join(f"{ratio:.1f} ×" for ratio in slower),
            pair("machine_loop_ms", "machine_statement_ms"),
        ]
    }


def growth(before: dict[str, Any], now: dict[str, Any]) -> str:
    """Say how much an instance of the same size costs now, compared with another run."""
    lines = []
    for name in ("p95_ms_1k", "p95_ms_10k"):
        if before.get(name) and now.get(name):
            lines.append(f"{name}: {now[name] / before[name]:.2f} times that of the other run")
    return "\n".join(lines) or "The two runs have no instance of the same size."
