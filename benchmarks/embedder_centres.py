"""``python -m benchmarks.embedder_centres [FILE]``: the means of the multilingual model's vectors.

What all vectors of texts have in common is taken away from each, and so it is with questions. It is
the mean over messages in five languages, as they were written and with an author in front, and over
the facts in them; and the mean over those messages that are questions. They come with the benchmark
of the built-in reader: no benchmark of recall uses them. With FILE, the means are written there;
without, they are compared with those in use.
"""

import argparse
import sys
from collections.abc import Sequence
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks import command
from benchmarks.reader_chats import Case, every_case

#: The first messages of each language: with those written later, all vectors would be others.
MESSAGES = 80
#: From this cosine on, two means are the same but for rounding.
ENOUGH = 0.9999


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the mean; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.embedder_centres",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
    options = parser.parse_args(arguments)
    with command.running(parser):
        measured = centres()
        if options.file:
            np.save(options.file, measured)
            return 0
        from memoryapp.providers.builtin_model.files import CENTRES

        used = np.load(CENTRES)
        lengths = np.linalg.norm(measured, axis=1), np.linalg.norm(used, axis=1)
        cosines = (measured * used).sum(axis=1) / (lengths[0] * lengths[1])
        for name, *row in zip(("texts", "questions"), cosines, *lengths, strict=True):
            cosine, now, before = row
            print(
                f"{name:10} cosine to the one in use {cosine:.5f}, length {now:.4f}, {before:.4f}"
            )
        return int(cosines.min() < ENOUGH)


def centres() -> NDArray[np.float32]:
    """The means of the vectors of texts and of questions: shape (2, 384)."""
    from memoryapp.providers.builtin_embedder import TRAITS
    from memoryapp.providers.builtin_model.catalogue import BuiltinModel

    known = _cases()
    messages = [case.text for case in known]
    facts = [fact.text for case in known for fact in case.facts]
    with_author = [f"User: {text}" for text in messages]
    questions = [text for text in messages if text.rstrip().endswith("?")]
    traits = TRAITS[BuiltinModel.MULTILINGUAL]
    of_texts = [_mean(traits.text_prefix, each) for each in (messages, with_author, facts)]
    both = [np.mean(of_texts, axis=0), _mean(traits.question_prefix, questions)]
    return np.array(both, np.float32)


def _cases() -> list[Case]:
    of_language = groupby(every_case(), key=attrgetter("language"))
    return [case for _, known in of_language for case in islice(known, MESSAGES)]


def _mean(prefix: str, texts: Sequence[str]) -> NDArray[np.float32]:
    from django.conf import settings

    from memoryapp.providers.builtin_embedder import DIMENSIONS, client
    from memoryapp.providers.builtin_model.catalogue import BuiltinModel

    asked = [prefix + text for text in texts]
    _, floats = client(settings.HOME, BuiltinModel.MULTILINGUAL).embed(asked, timeout=60)
    mean: NDArray[np.float32] = (
        np.frombuffer(floats, np.float32).reshape(-1, DIMENSIONS).mean(axis=0)
    )
    return mean


if __name__ == "__main__":
    sys.exit(main())
