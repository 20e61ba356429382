"""A language model's answers about the conversations of the demo, for mining to parse."""

from datetime import date
from typing import Any


def filing(title: str, *, flight: date) -> dict[str, Any]:
    """The answer about the conversation with this *title*; Mara travels on the day of *flight*."""
    return {"Settling in": _SETTLING_IN, "Dinner for eight": _DINNER}.get(title) or _moving(flight)


def _turn(number: int, topic: str, **tags: list[str]) -> dict[str, Any]:
    return {"turn": number, "topic": topic, **tags}


def _thing(name: str, kind: str, *turns: int) -> dict[str, Any]:
    return {"name": name, "kind": kind, "turns": list(turns)}


def _fact(
    turn: int, subject: str, predicate: str, value: str, *, since: str = "", ends: bool = False
) -> dict[str, Any]:
    fact = {"turn": turn, "subject": subject, "predicate": predicate, "object": value}
    return {**fact, "since": since, "ends": ends, "single": False, "confidence": 95}


_SETTLING_IN = {
    "subject": {"name": "Mara", "kind": "person"},
    "turns": [
        _turn(
            1, "Moving to Munich", people=["Mara"], places=["Ghent", "Munich"], times=["2024-03"]
        ),
        _turn(2, "Moving to Munich", people=["Mara"]),
        _turn(3, "How to help"),
        _turn(4, "How to help"),
        _turn(5, "Family", people=["Idris", "由紀子"], places=["Kyoto"], times=["every spring"]),
        _turn(6, "Pixel’s diet"),
        _turn(7, "Pixel’s diet"),
        _turn(8, "Pixel’s diet"),
    ],
    "entities": [
        _thing("Mara", "person", 1, 2),
        _thing("Ghent", "place", 1),
        _thing("Munich", "place", 1),
        _thing("Web shop", "project", 1),
        _thing("Idris", "person", 5),
        _thing("Pixel", "other", 5, 6),
        _thing("由紀子", "person", 5),
        _thing("Kyoto", "place", 5),
    ],
    "relations": [
        _fact(1, "Mara", "lives_in", "Ghent", since="2024-03", ends=True),
        _fact(1, "Mara", "lives_in", "Munich", since="2024-03"),
        _fact(1, "Mara", "runs", "Web shop", since="2024-03"),
        _fact(5, "Idris", "partner_of", "Mara"),
        _fact(5, "Idris", "works_as", "chemistry teacher"),
        _fact(5, "Mara", "has_pet", "Pixel"),
        _fact(5, "由紀子", "sister_of", "Mara"),
        _fact(5, "由紀子", "lives_in", "Kyoto"),
    ],
}

_DINNER = {
    "subject": {"name": "Dinner for eight", "kind": "project"},
    "turns": [
        _turn(1, "Guests", people=["سلمى"], events=["dinner for eight"]),
        _turn(2, "Menu", items=["roast squash", "lentil salad", "pear tart"]),
        _turn(3, "Allergies", people=["Idris"], items=["peanuts", "adrenaline pen", "coriander"]),
        _turn(4, "Allergies", items=["tahini"]),
        _turn(5, "Menu", items=["tahini", "squash", "lentils", "tart"]),
        _turn(6, "Menu"),
    ],
    "entities": [
        _thing("سلمى", "person", 1),
        _thing("Mara", "person", 1, 3),
        _thing("Idris", "person", 3),
    ],
    "relations": [
        _fact(1, "سلمى", "friend_of", "Mara"),
        _fact(1, "سلمى", "eats", "vegetarian"),
        _fact(3, "Mara", "allergic_to", "peanuts"),
        _fact(3, "Idris", "dislikes", "coriander"),
        _fact(5, "Mara", "likes", "tahini"),
    ],
}


def _moving(flight: date) -> dict[str, Any]:
    return {
        "subject": {"name": "Web shop", "kind": "project"},
        "turns": [
            _turn(1, "Hosting", people=["Carol"], items=["web shop", "old server"]),
            _turn(2, "Hosting"),
            _turn(3, "Hosting", places=["Germany"], items=["PostgreSQL"]),
            _turn(4, "Hosting"),
            _turn(5, "Away", places=["Kyoto"], times=["Fridays", flight.isoformat()]),
            _turn(6, "Away"),
        ],
        "entities": [
            _thing("Mara", "person", 1),
            _thing("Carol", "person", 1),
            _thing("Web shop", "project", 1, 3),
            _thing("Germany", "place", 3),
            _thing("Kyoto", "place", 5),
        ],
        "relations": [
            _fact(1, "Mara", "reports_to", "Carol"),
            _fact(3, "Web shop", "keeps_its_data_in", "Germany"),
            _fact(3, "Web shop", "costs_at_most", "180 euros a month"),
            _fact(3, "Mara", "prefers", "PostgreSQL"),
            _fact(5, "Mara", "goes_to", "Kyoto", since=flight.isoformat()),
        ],
    }
