"""Default answers of the scripted provider: pure functions.

Vectors are hashed bags of words, so that similar texts are near each other. An answer to a JSON
schema follows it, with one fact for each line in the first person, and the number of that line
where the schema has a field for a message. Messages to be filed are filed by their longest words.
"""

import hashlib
import json
import re
import struct
from collections.abc import Iterator
from typing import Any

from tests.provider_script import Says

#: What llama.cpp tells of its speed, in tokens a second.
FAST = {"prompt_per_second": 2_000.0, "predicted_per_second": 100.0}

# Stop words, which would make any two sentences about a person similar. "not" is not one of them.
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be been by did do does for from had has have he her his i in is it its "
        "me my of on or our she should that the their them they this to us user was we were what "
        "when where which who will with would you your",
    )
)


def bag_of_words(text: str, dimensions: int) -> list[float]:
    """Return a unit vector that depends only on the words of a text.

    Each stemmed word adds 1 or -1 in four places (feature hashing, Weinberger et
    al., 2009): the cosine of two texts is about the share of the words that they have in common.
    """
    words = re.findall(r"\w+", text.lower())
    telling = [word for word in words if word not in _STOP_WORDS] or words or [text]
    vector = [0.0] * dimensions
    for word in telling:
        stem = re.sub(r"(?<=\w{3})(ies|ing|ed|es|s|y)$", "", word)
        digest = hashlib.blake2b(stem.encode("utf-8", "replace"), digest_size=20).digest()
        for number, sign in struct.iter_unpack(">IB", digest):
            vector[number % dimensions] += 1.0 if sign % 2 else -1.0
    norm = sum(x * x for x in vector) ** 0.5
    if norm == 0.0:
        vector[0] = norm = 1.0
    return [x / norm for x in vector]


def unscripted(body: dict[str, Any]) -> object:
    """Answer as a model would: by the schema if there is one, else with an echo."""
    messages = [m for m in body.get("messages", []) if isinstance(m, dict)]
    prompt = next(
        (said(m.get("content")) for m in reversed(messages) if m.get("role") == "user"), ""
    )
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    if schema is None:
        prompts = "\n".join(str(m.get("content")) for m in messages if m.get("role") == "system")
        schema = next(_schemas_in(prompts), None)
    if schema is None:
        return f"You said: {prompt[:200]}"
    if {"subject", "turns"} <= _properties(schema).keys():
        return _filing(prompt)
    return _example(schema, schema, _facts(prompt))


def to_measurement(body: dict[str, Any]) -> Says | None:
    """The answer of a capable model to a request that measures it; None to any other request."""
    prompt = str((body.get("messages") or [{}])[-1].get("content"))
    tools = [tool["function"]["name"] for tool in body.get("tools") or []]
    if tools == ["look_up_weather"]:
        return Says(calls=[("look_up_weather", {"city": "Lyon"})])
    if prompt == "Answer with the word yes.":
        return Says("yes")
    if "harbour town lives by the tide" not in prompt:
        return None
    schema = (body.get("response_format") or {}).get("json_schema", {}).get("schema")
    return Says(json.dumps(_example(schema, schema, {})) if schema else "Red and white.")


def said(content: object) -> str:
    """Return the text of a user's message without what was put behind it: the time and memories."""
    parts = content if isinstance(content, list) else [{"text": str(content)}]
    text = "\n\n".join(str(part["text"]) for part in parts if part.get("text"))
    return re.split(r"(?:^|\n\n)Now it is [A-Z]", text, maxsplit=1)[0]


def _filing(transcript: str) -> dict[str, object]:
    """File numbered lines under the first speaker, by the longest word of each, with the names
    within a line.
    """
    head = r"(?:User|Assistant)(?: \(([^)]*)\))?"
    lines = re.findall(rf"^\[(\d+) · [^]]*\] {head}: (.*)$", transcript, re.MULTILINE)
    named = [(int(n), re.findall(r"(?<=[a-z,] )[A-Z]\w+", text)) for n, _, text in lines]
    names = dict.fromkeys(name for _, found in named for name in found)
    return {
        "subject": {"name": (lines and lines[0][1]) or "User", "kind": "person", "aliases": []},
        "turns": [
            {
                "turn": int(number),
                "topic": max(re.findall(r"\w+", text) or ["general"], key=len).lower(),
                "people": found,
                **{kind: [] for kind in ("places", "events", "items", "times")},
            }
            for (number, _, text), (_, found) in zip(lines, named, strict=True)
        ],
        "entities": [
            {
                "name": name,
                "kind": "person",
                "aliases": [],
                "turns": [number for number, found in named if name in found],
            }
            for name in names
        ],
        "relations": [],
    }


def _schemas_in(prompt: str) -> Iterator[dict[str, Any]]:
    for start in re.finditer(r"\{", prompt):
        try:
            found, _ = json.JSONDecoder().raw_decode(prompt, start.start())
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("type") == "object" and "properties" in found:
            yield found


_SELF = re.compile(r"\b(I|I'm|I've|my|me|we|our)\b")
_IN_THIRD_PERSON = [
    (r"\bI am\b|\bI'm\b", "the user is"),
    (r"\bI have\b|\bI've\b", "the user has"),
    (r"\bI (like|love|live|work|prefer|play|want|need|hate|own)\b", r"the user \1s"),
    (r"\bI\b", "the user"),
    (r"\b[Mm]y\b", "the user's"),
    (r"\bme\b", "the user"),
]


def _facts(transcript: str) -> dict[str, int]:
    """Return a fact for each line in the first person that is not the assistant's, with the number
    at the start of the line, or 0.
    """
    facts: dict[str, int] = {}
    for line in transcript.splitlines():
        speaker, colon, text = line.rpartition(": ")
        if not colon or "assistant" in speaker.lower() or text.rstrip().endswith("?"):
            continue
        if not _SELF.search(text):
            continue
        for pattern, replacement in _IN_THIRD_PERSON:
            text = re.sub(pattern, replacement, text)
        text = text.strip()
        number = re.match(r"\[(\d+) · ", speaker)
        facts[text[:1].upper() + text[1:]] = int(number[1]) if number else 0
    return facts


_TEXT_PROPERTIES = ("content", "text", "fact", "memory", "sentence")


def _example(schema: Any, root: dict[str, Any], facts: dict[str, int]) -> object:
    """Build a valid value for a JSON schema of the strict dialect."""
    if not isinstance(schema, dict):
        return None
    if "$ref" in schema:
        target: Any = root
        for step in str(schema["$ref"]).removeprefix("#/").split("/"):
            target = target[step]
        return _example(target, root, facts)
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][0]
    options = schema.get("anyOf") or schema.get("oneOf")
    if options:
        nullable = any(isinstance(o, dict) and o.get("type") == "null" for o in options)
        return None if nullable else _example(options[0], root, facts)
    kind = schema.get("type")
    if isinstance(kind, list):
        if "null" in kind:
            return None
        kind = kind[0]
    return _example_of(kind, schema, root, facts)


def _example_of(
    kind: object, schema: dict[str, Any], root: dict[str, Any], facts: dict[str, int]
) -> object:
    match kind:
        case "object":
            return {name: _example(part, root, facts) for name, part in _properties(schema).items()}
        case "array":
            return _example_items(schema, root, facts)
        case "integer" | "number":
            return min(max(5, schema.get("minimum", 5)), schema.get("maximum", 5))
        case "boolean":
            return True
        case "string":
            return ""
    return None


def _properties(schema: dict[str, Any]) -> dict[str, Any]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _example_items(
    schema: dict[str, Any], root: dict[str, Any], facts: dict[str, int]
) -> list[dict[str, object]]:
    items = schema.get("items")
    if isinstance(items, dict) and "$ref" in items:
        items = root.get("$defs", {}).get(str(items["$ref"]).rpartition("/")[2])
    if not isinstance(items, dict):
        return []
    name = next((name for name in _TEXT_PROPERTIES if name in _properties(items)), None)
    if name is None:
        return []
    built: list[dict[str, object]] = []
    for fact, number in facts.items():
        item = _example(items, root, {})
        if not isinstance(item, dict):
            continue
        if "message" in item:
            if not number:
                continue
            item["message"] = number
        built.append({**item, name: fact})
    return built
