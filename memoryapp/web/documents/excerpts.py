"""The beginning of a document in a list: its fields with their values, as text."""

import io
import json
import re

import ijson

#: Characters of a stored document that an excerpt is made of.
READ_CHARACTERS = 1_000
#: Characters of an excerpt.
MAX_CHARACTERS = 240

_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{0,3})?$")
_VALUES = frozenset({"string", "number", "boolean", "null"})


def excerpt_of(beginning: str) -> str:
    """Write the fields in the *beginning* of a JSON object, which may end anywhere: "theme: dark ·
    size: 2". Fields of inner objects and items of lists follow each other.
    """
    # The quote ends a string that is cut; elsewhere it is an error, where reading ends anyway.
    stream = io.BytesIO(f'{_CUT_ESCAPE.sub("", beginning)}"'.encode())
    fields: list[str] = []
    name = ""
    try:
        for _path, event, value in ijson.parse(stream):
            if event == "map_key":
                name = str(value)
            elif event in _VALUES:
                text = str(value) if event in ("string", "number") else json.dumps(value)
                fields.append(f"{name}: {text}" if name else text)
                name = ""
    except ijson.JSONError:
        pass
    return " · ".join(fields)[:MAX_CHARACTERS]
