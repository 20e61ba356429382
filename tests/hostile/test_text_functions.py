"""Functions that read foreign text take linear time, also with patterns and loops combined."""

import itertools
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, date, datetime

import pytest

from conversations.sanitizer import sanitize
from conversations.search import SearchTerms
from memoryapp import reader as builtin_reader
from memoryapp.api.v1 import transcript
from memoryapp.context import block
from memoryapp.extraction import transcript as extraction_transcript
from memoryapp.extraction.parse import ExtractedFacts
from memoryapp.graph.neighbourhood import possible_names
from memoryapp.language import shortening, speakers, written_lists
from memoryapp.llm.answers import UnusableAnswer
from memoryapp.mining.parse import Filing, FilingContext
from memoryapp.models import aaak, names
from memoryapp.policy import (
    endings,
    fact_signature,
    fiction,
    keyed_facts,
    minhash,
    quotation,
    recalled_context,
    statement_change,
    subjects,
)
from memoryapp.privacy import excerpts, pii
from memoryapp.privacy.pii import credentials
from memoryapp.providers import chunk_merging, errors, json_extraction
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.written_calls import MEMORY_TOOLS, CallReader
from memoryapp.recall import dates, entries, query_analysis, rerank_prompt
from memoryapp.web.chat import markdown
from memoryapp.web.memory import history
from tests.hostile.attacks import FAMILIES, Attack
from tests.hostile.growth import LONG, growth

TODAY = date(2026, 3, 2)
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
KEY = "sk-proj-" + "Ab12Cd34Ef56Gh78Ij90"
#: Begins a statement in each language of the built-in reader.
SAID = ("I live in", "Ich wohne in", "Vivo a", "Vivo en", "J'habite à")
ENDPOINT = Endpoint("custom", "http://models.test/v1", KEY, "a-model")


def reworded(text: str) -> str:
    """Return a similar text with other words in another order."""
    return " ".join(word + "s" for word in reversed(text.split()))


def pieces(text: str, size: int) -> list[str]:
    return [text[begin : begin + size] for begin in range(0, len(text), size)]


def streamed(text: str) -> None:
    """Process a reply that arrives in pieces."""
    reply = markdown.Growing()
    for end in range(0, len(text), max(1, len(text) // 4)):
        reply.more(text[:end])


def calls_written(text: str) -> None:
    reader = CallReader({"x", *MEMORY_TOOLS})
    for piece in pieces(text, 1000):
        reader.feed(piece)
    reader.feed('{"name": "x", "arguments": "' + text)
    reader.end()


def reranked(text: str) -> object:
    with suppress(UnusableAnswer):
        return rerank_prompt.RerankAnswer.from_text(text, 10)
    return None


FUNCTIONS: Mapping[str, Callable[[str], object]] = {
    "scrub": errors.scrub,
    "scrub with a key": lambda text: errors.scrub(text, KEY),
    "error of a provider": lambda text: errors.from_error_object(
        {"error": {"message": text, "type": text, "code": text}}, ENDPOINT
    ),
    "JSON in an answer": lambda text: json_extraction.list_in(text, "items", part="x"),
    "calls written as text": calls_written,
    "calls in pieces": lambda text: chunk_merging.merged(
        [{"choices": [{"delta": {"tool_calls": [{"id": each} for each in pieces(text, 10)]}}]}]
    ),
    "fenced JSON in an answer": lambda text: json_extraction.object_in(f"```{text}```", ["x"]),
    "extraction": lambda text: ExtractedFacts.from_text(
        json.dumps({"memories": [{"content": text, "key": text}]}), frozenset({1})
    ),
    "facts as text": written_lists.items_in,
    "built-in reader": lambda text: builtin_reader.read(
        [builtin_reader.Spoken(1, "user", f"{text} {said} {text}", TODAY) for said in SAID]
    ),
    "extraction transcript": lambda text: extraction_transcript.build(
        [],
        [extraction_transcript.TranscriptLine(1, "user", text, datetime(2026, 3, 2).astimezone())],
        time_zone="UTC",
    ),
    "mining": lambda text: Filing.from_text(
        json.dumps({"turns": [{"turn": 1, "topic": text}], "entities": [{"name": text}]}),
        FilingContext(frozenset({1}), frozenset({1})),
    ),
    "secrets": lambda text: pii.examine(text, known=pii.secrets_in(text)),
    "private keys": lambda text: list(credentials.private_keys(text)),
    "merged particulars": lambda text: fact_signature.keeps_particulars(text, text, reworded(text)),
    "same words": lambda text: fact_signature.mostly_same_words(text, reworded(text)),
    "someone else": lambda text: subjects.about_someone_else(text, f"Ana's sister {text}"),
    "key of a fact": keyed_facts.normalised,
    "value of a fact": lambda text: keyed_facts.weigh(
        keyed_facts.KeyedFact("", text, 50, NOON),
        keyed_facts.KeyedFact(text, "", 50, NOON),
        today=TODAY,
    ),
    "changed statement": lambda text: statement_change.single_change(text, reworded(text)),
    "ended statement": lambda text: endings.ends(f"No longer {text}", text),
    "speakers": quotation.quoted_spans,
    "fiction": fiction.without_fiction,
    "likeness": lambda text: minhash.signature([text], b"key"),
    "what recall put in": recalled_context.without_recalled,
    "excerpt": lambda text: excerpts.excerpt(text, text[:500], 500),
    "question": lambda text: query_analysis.analyse(text, participants=["Ana", "李"], today=TODAY),
    "dates": lambda text: dates.spans(text, TODAY),
    "block": lambda text: block.block([entries.Entry("m1", text, TODAY)], nonce="5f0c"),
    "turn in a block": lambda text: block.block(
        [entries.Entry("m1", text, TODAY, source=entries.EntrySource.TURN)],
        nonce="5f0c",
        question=text,
    ),
    "portrait": lambda text: block.portrait(text, nonce="5f0c"),
    "author": lambda text: speakers.speaker("user", text),
    "reranking": lambda text: reranked(f'["{text}"]'),
    "clean": sanitize,
    "name": names.slugs,
    "clean name": names.clean_name,
    "one line": shortening.one_line,
    "pointer": aaak.pointers_in,
    "tags": lambda text: pointer(f"§ W-042/R-11/D-007 @p {text}"),
    "names in a question": lambda text: list(possible_names(text)),
    "words of a search": SearchTerms.parse,
    "link of a reply": lambda text: transcript.links([transcript.assistant_message(text)]),
    "reply with sources": lambda text: markdown.render(text, {"m1": "/m/1"}),
    "growing reply": streamed,
    "history": lambda text: history.word_diff(text, reworded(text)),
    "history without spaces": lambda text: history.word_diff(text, text[::-1]),
}  # fmt: skip


def pointer(text: str) -> None:
    with suppress(aaak.NotAPointer):
        aaak.parse(text)


#: Functions that do much work per word and are tested with a shorter text.
DEAR = {
    *("secrets", "changed statement", "merged particulars", "same words", "someone else"),
    *("likeness", "reply with sources", "growing reply", "name", "names in a question"),
    *("question", "value of a fact", "excerpt", "turn in a block", "mining", "history"),
    "history without spaces",
}

#: Texts that make several patterns work in turn, besides the attacks on single patterns.
TEDIOUS = (
    *("(1", "+1", "sk-", "eyJ.", "GB82", "GB82 ", "a@b.", "::", "1:", "@", "=", "/", "x@1.1"),
    *("password ", "password is ", "password for ", "my password is a1b2, ", "pin ", "code "),
    *("call ", "http://a:", "4111 1111 1111 111", "my code is 1 ", "token: ", "bearer ", "[m1] "),
    *("-----BEGIN PRIVATE KEY----- ", "-----BEGIN PRIVATE KEY----- \ue000", "[REDACTED:"),
    *("<memory_context>", "<memory_context ", "</memory_context>", "<think>", "<thinking>a"),
    *("```json ", "```", "[m1](", "![a](", "[a][", "*a **b ", "a_b_", "~~a ", "> ", "- ", "1. "),
    *("| a | b |\n", "|-|-|\n", "\n    a", "# ", "a\n=", "[a]: b\n", "&amp;", "<a@b.c>", "~~~\n"),
    *(
        "Ana's sister's ",
        "mother of ",
        "7 May ",
        "May 7 2023, ",
        "12,345,",
        "3 days ago ",
        "W-1/R-",
    ),
    *(
        "漢字",
        "漢漢字",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u200d",
        "\ufe0f",
        "\U000e0041",
        "[[",
        '{"a":',
        "[1,",
    ),
)


def numbered(sentence: str) -> Callable[[int], str]:
    """Return a writer that repeats a sentence with a new word or number each time."""

    def write(length: int) -> str:
        words = itertools.product("abcdefghij", repeat=4)
        sentences = (sentence.format("".join(word), n) for n, word in enumerate(words, start=1000))
        return "".join(itertools.islice(sentences, 1 + length // len(sentence)))[:length]

    return write


#: Texts without repetition, for functions that collect words, names or secrets.
DIFFERENT = (
    "{} ",
    "X{}. ",
    "not{} ",
    "{1}, ",
    "My password is {0}{1}. ",
    "{0}@{0}.com ",
    "X{0}'s sister ",
    '"{0}", ',
    "[m{1}] ",
    "- {0}\n",
    "[{0}]: http://{0}\n",
)


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.soak if name in DEAR else ()) for name in FUNCTIONS],
)
def test_text_functions_take_linear_time(name: str) -> None:
    texts: dict[str, Callable[[int], str]] = {
        repr(pump): Attack(pump, spoiler="a1 ").text for pump in (*FAMILIES, *TEDIOUS)
    }
    texts |= {sentence: numbered(sentence) for sentence in DIFFERENT}
    length = 6_000 if name in DEAR else LONG
    for kind, write in texts.items():
        problem = growth(FUNCTIONS[name], write, length=length)
        assert not problem, f"{name} {problem}: {kind}"
