"""How a language says where somebody lives. Pure."""

from dataclasses import dataclass


@dataclass(frozen=True)
class HomeWords:
    """Words in small letters."""

    #: Verbs that say where somebody lives, and the prepositions between them and the place.
    lives: frozenset[str]
    where: frozenset[str]
    #: What people say of the place where they live, or move to.
    tells: frozenset[str]
