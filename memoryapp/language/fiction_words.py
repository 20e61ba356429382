"""How a language enters and leaves fiction. Pure."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class FictionWords:
    """Patterns that ignore case, for texts with straight apostrophes."""

    #: Greetings and links before the first word that counts, and headings of the parts of a song or
    #: a book, as regular expressions.
    before: str
    headings: str
    #: Begins a sentence that opens a frame: "imagine", "in my novel".
    begins: re.Pattern[str]
    #: Wonders at what was so, and opens none: "imagine my surprise!".
    marvels: re.Pattern[str]
    #: Opens one anywhere in a sentence: "in the first person", "a test persona".
    tells: re.Pattern[str]
    #: Works of fiction and parts of them, which a colon introduces: "the lyrics:".
    works: re.Pattern[str]
    #: Begins the sentence that leaves it: "back to reality".
    leaves: re.Pattern[str]
