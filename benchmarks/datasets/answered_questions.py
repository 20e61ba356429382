"""Questions with the statements that answer them, which ship with the benchmarks: made for fitting
the question adapters of the built-in embedders, and used for nothing else.

Each file of the folder ``answered_questions`` is a language or a kind of conversation, and a list
of blocks: ``@ who it is about``, numbered statements, then questions with the numbers of what
answers them, the best first::

    @ Nora, a nurse in Hull
    1 No grapefruit since Tuesday, it clashes with my new pills.
    2 Tim from work brought grapefruit marmalade again.
    ? can I have that pomelo salad tonight = 1

A statement of two people who talk begins with who says it (``1 Maya: …``), one of an assistant with
``A:``; neither is part of its text.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.datasets.sample import BrokenData

FOLDER = Path(__file__).with_name("answered_questions")
_STATEMENT = re.compile(r"(?P<number>\d+) (?P<text>.+)")
_QUESTION = re.compile(r"\? (?P<text>.+?) =(?P<numbers>( \d+)+)")


@dataclass(frozen=True)
class Answered:
    """A question, and the places of the statements that answer it, the best first."""

    text: str
    by: Sequence[int]


@dataclass
class Block:
    """What was said by or around somebody, and what is asked about it."""

    about: str
    #: The names of those who talk, where two people do.
    speakers: set[str] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)
    questions: list[Answered] = field(default_factory=list)


def files(folder: Path = FOLDER) -> list[list[Block]]:
    """The blocks of each file of *folder*, in the order of their names. Raises `BrokenData`."""
    return [list(_blocks(file)) for file in sorted(folder.glob("*.txt"))]


def _blocks(file: Path) -> Iterator[Block]:
    block, places = None, dict[str, int]()
    for at, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        try:
            if line.startswith("@ "):
                if block:
                    yield block
                block, places = Block(line[2:]), {}
            elif block and (question := _QUESTION.fullmatch(line)):
                by = [places[number] for number in question["numbers"].split()]
                block.questions.append(Answered(question["text"], by))
            elif block and (statement := _STATEMENT.fullmatch(line)):
                places[statement["number"]] = len(block.statements)
                block.statements.append(_said(statement["text"], block))
            else:
                raise ValueError("neither a block, a statement nor a question")
        except (KeyError, ValueError) as error:
            raise BrokenData(f"{file.name}, line {at}: {error}") from error
    if block:
        yield block


def _said(text: str, block: Block) -> str:
    """What a statement of *block* says: its *text* without who says it."""
    speaker, colon, said = text.partition(": ")
    if colon and speaker in re.findall(r"\w+", block.about):
        block.speakers.add(speaker)
        return said
    return text.removeprefix("A: ")
