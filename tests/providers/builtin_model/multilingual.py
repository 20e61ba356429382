"""The multilingual model for tests: its files are made once for all of them."""

import tempfile
from functools import cache
from pathlib import Path

from memoryapp.providers.builtin_model import conversion

#: Texts in several languages and scripts.
TEXTS = [
    "The user lives in Lisbon and has two cats.",
    "Der Nutzer arbeitet seit März als Krankenpfleger in Köln.",
    "L'utente preferisce il tè verde al caffè.",
    "El usuario es alérgico a los cacahuetes.",
    "L'utilisatrice habite à Lyon depuis 2019.",
    "用户喜欢在周末爬山。",
    "ユーザーは毎朝六時に起きます。",
    "Пользователь играет на виолончели.",
    "ok",
    "Maria: We went to the beach last weekend, though it rained most of Sunday! 🏖️",
]
_folder = tempfile.TemporaryDirectory(prefix="keepsake-multilingual-")


@cache
def converted_home() -> Path:
    """A home with the files of the model."""
    home = Path(_folder.name)
    conversion.convert(home)
    return home
