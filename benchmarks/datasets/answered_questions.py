"""Questions with the statements that answer them, which ship with the benchmarks: made for fitting
the question adapter (`benchmarks.question_adapter`), and used for nothing else.

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
from collections.abc import Sequence
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
    """Statements of a person or of two who talk, and questions about them."""

    about: str
    #: The names of those who talk, where two people do.
    speakers: set[str] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)
    questions: list[Answered] = field(default_factory=list)


def files(folder: Path = FOLDER) -> list[list[Block]]:
    """The blocks of each file of *folder*, in the order of their names. Raises `BrokenData`."""
    return [_blocks(file) for file in sorted(folder.glob("*.txt"))]


def _blocks(file: Path) -> list[Block]:
    blocks: list[Block] = []
    #: The place of each statement of the last block, by its number.
    places: dict[str, int] = {}
    for at, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
        try:
            if line.startswith("@ "):
                blocks.append(Block(line[2:]))
                places.clear()
            elif blocks and (question := _QUESTION.fullmatch(line)):
                by = [places[number] for number in question["numbers"].split()]
                blocks[-1].questions.append(Answered(question["text"], by))
            elif blocks and (statement := _STATEMENT.fullmatch(line)):
                places[statement["number"]] = len(blocks[-1].statements)
                blocks[-1].statements.append(_said(statement["text"], blocks[-1]))
            else:
                raise ValueError("neither a block, a statement nor a question")
        except (KeyError, ValueError) as error:
            raise BrokenData(f"{file.name}, line {at}: {error}") from error
    return blocks


def _said(text: str, block: Block) -> str:
    """The *text* of a statement of *block* without its speaker, who is added to the block's."""
    speaker, colon, said = text.partition(": ")
    if colon and speaker in re.findall(r"\w+", block.about):
        block.speakers.add(speaker)
        return said
    return text.removeprefix("A: ")
