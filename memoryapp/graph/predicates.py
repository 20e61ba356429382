"""Predicates of relations: their spelling, and which have one value at a time. Pure functions."""

from memoryapp.models.names import slug

#: The longest predicate.
MAX_PREDICATE_CHARACTERS = 100

#: Known predicates, by whether a subject has one object or many at a time. For others, the source
#: of a statement says so.
SINGLE = frozenset(
    "lives_in works_at works_as married_to engaged_to born_on born_in died_on died_in age "
    "birthday home_address nationality native_language studies_at reports_to managed_by led_by "
    "located_in headquartered_in owned_by status deadline due_on starts_on ends_on costs budget "
    "price version hosted_on uses_language capital_of favourite_colour favourite_food".split()
)
MANY = frozenset(
    "knows friend_of parent_of child_of sibling_of sister_of brother_of related_to colleague_of "
    "has_pet owns has likes dislikes loves allergic_to speaks visited member_of part_of works_on "
    "works_with manages founded created wrote plays uses interested_in attended contains".split()
)

#: Synonyms of known predicates.
_SAME = {
    synonym: name
    for name, synonyms in {
        "lives_in": "resides_in lives_at residence home_city lives_together_in",
        "works_at": "employed_by employed_at works_for employer",
        "works_as": "job_title job occupation profession",
        "married_to": "spouse spouse_of wife_of husband_of is_married_to",
        "born_on": "date_of_birth birth_date",
        "born_in": "birthplace place_of_birth",
        "reports_to": "manager boss",
        "located_in": "based_in is_in",
        "friend_of": "is_friends_with friends_with",
        "parent_of": "mother_of father_of",
        "child_of": "son_of daughter_of",
        "allergic_to": "has_allergy_to is_allergic_to",
    }.items()
    for synonym in synonyms.split()
}


def predicate(text: str) -> str:
    """Normalise a predicate: "Works for", "worksFor" and "employed-by" become ``works_at``. Empty
    if it contains no letter or digit.
    """
    spaced = "".join(
        f" {character}" if character.isupper() and before.islower() else character
        for before, character in zip(" " + text, text, strict=False)
    )
    if not any(map(str.isalnum, spaced)):
        return ""
    plain = slug(spaced)[:MAX_PREDICATE_CHARACTERS].replace("-", "_").strip("_")
    return _SAME.get(plain, plain)


def is_single_valued(name: str, stated: bool) -> bool:
    """True if a subject has one object of the predicate *name* at a time: as known for *name*, or
    else as *stated*.
    """
    return name in SINGLE or (stated and name not in MANY)


def in_words(name: str) -> str:
    """A predicate as people write it: "works at" for ``works_at``."""
    return name.replace("_", " ")
