"""True statements about turns of BEAM and REALTALK, for `benchmarks.gate`.

Neither data set has facts with the turn that each comes from. Those here were written by hand from
the turns, without a look at the gate: what a careful model would note down. They are kept by data
set and conversation, each with the turns that it cites (their ids, with a space between) and no
word of theirs; the turns themselves are read from the data.
"""

import json
import re
from datetime import date, datetime
from pathlib import Path
from typing import Any

from benchmarks.datasets.files import open_data
from benchmarks.datasets.sample import BrokenData, Sample
from benchmarks.gate_cases import MONTHS, Conversation, Fact, Turn, with_caption

STATEMENTS = Path(__file__).parent / "datasets" / "gate_statements.json"
#: How a chat's two are called in facts.
USER, ASSISTANT = "The user", "The assistant"

_MONTH = f"(?:{'|'.join(MONTHS)})"
_DATE = re.compile(
    rf"\d{{1,2}} {_MONTH} \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}}|{_MONTH} \d{{4}}|\d{{4}}-\d\d-\d\d"
)


def read(folder: Path) -> list[Conversation]:
    """Read the conversations in *folder* that there are statements about."""
    format, samples = open_data(folder)
    of_data = json.loads(STATEMENTS.read_bytes()).get(format.name.lower())
    if of_data is None:
        raise BrokenData(f"there are no statements about {format.name}.")
    return [_conversation(s, of_data[s.id]) for _, s in samples if s.id in of_data]


def _conversation(sample: Sample, statements: list[tuple[str, str]]) -> Conversation:
    turns = [_turn(json.loads(line)) for line in sample.file.splitlines()]
    by_id = {turn.id: turn for turn in turns}
    facts = []
    for ids, text in statements:
        cited = ids.split()
        if missing := [id for id in cited if id not in by_id]:
            raise BrokenData(f"{sample.id} has no turn {missing[0]}.")
        facts.append(Fact(text, by_id[cited[-1]].speaker, cited, date_in(text)))
    one, two = dict.fromkeys(turn.speaker for turn in turns if turn.named) or (USER, ASSISTANT)
    return Conversation((one, two), turns, facts, dates={})


def _turn(line: dict[str, Any]) -> Turn:
    author, role = str(line.get("author", "")), str(line["role"])
    return Turn(
        str(line["id"]),
        # Some names are written small; a model writes them as names.
        author[:1].upper() + author[1:] or (ASSISTANT if role == "assistant" else USER),
        with_caption(str(line.get("content", "")), str(line.get("caption", ""))),
        _day(line),
        role,
        named=bool(author),
    )


def _day(line: dict[str, Any]) -> date:
    if "created_at" not in line:
        raise BrokenData(f"the turn {line['id']} has no date.")
    return datetime.fromisoformat(line["created_at"]).date()


def date_in(text: str) -> str:
    """The first day or month of a year in *text*, as it stands there; empty if there is none."""
    found = _DATE.search(text)
    return found[0] if found else ""
