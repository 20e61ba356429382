"""The catalogs of translations: `make messages` brings them up to date with the texts in the code.

Babel extracts the texts of Python, and of templates in the form that Django itself extracts from.
It is pure Python, so that tests can compare catalogs with the code on every machine.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import DEFAULT_KEYWORDS, extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parents[2]
APPS = ("instances", "conversations", "memoryapp")
#: Pages, and texts such as those that allauth shows as messages.
TEMPLATES = (".html", ".txt")

_KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "translatable": None,
    "translatable_plural": (1, 2),
    "translatable_kind": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
_CHANGING_LINE = re.compile(
    rb"""^("(POT-Creation|PO-Revision|Report|Last|Language-Team|Generated|Project).*  # a header
           | \#(?!\ ?[:,.]).*                                                          # a comment
         )\n""",
    re.MULTILINE | re.VERBOSE,
)
#: In compiled catalogs, so that the same texts make the same file.
_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
#: Named values of Python's ``%`` formats, and those of ``str.format``.
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")


def languages() -> list[str]:
    """Return the languages that need a catalog: all except that of the texts."""
    return [code for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE]


def path(language: str) -> Path:
    """Return the path of the catalog of *language*."""
    return ROOT / "locale" / language / "LC_MESSAGES/django.po"


def load(language: str) -> Catalog:
    """Read the catalog of *language*; an empty one if there is none yet."""
    file = path(language)
    if not file.exists():
        return Catalog(locale=language, domain="django")
    with file.open("rb") as stream:
        return read_po(stream, locale=language, domain="django")


def template() -> Catalog:
    """Return a catalog with every text of the code and the templates, untranslated."""
    catalog = Catalog(project="Keepsake", domain="django")
    for file in _files():
        source = file.read_text()
        name = file.relative_to(ROOT).as_posix()
        if file.suffix in TEMPLATES:
            # Each text of a template is a call in a line of its own; other characters become X.
            source = "\n".join(
                line.strip() for line in templatize(source, origin=name).splitlines()
            )
        for _, text, comments, context in extract(
            "python", BytesIO(source.encode()), keywords=_KEYWORDS, comment_tags=["Translators:"]
        ):
            catalog.add(text, locations=[(name, 0)], auto_comments=comments, context=context)
    return catalog


def _files() -> Iterator[Path]:
    for app in APPS:
        yield from sorted((ROOT / app).rglob("*.py"))
    for suffix in TEMPLATES:
        yield from sorted((ROOT / "templates").rglob(f"*{suffix}"))


def _written(catalog: Catalog) -> bytes:
    """Return *catalog* as a file, without the lines that would change with each update."""
    stream = BytesIO()
    write_po(stream, catalog, width=100, sort_by_file=True, include_lineno=False)
    return _CHANGING_LINE.sub(b"", stream.getvalue())


def compiled(catalog: Catalog) -> bytes:
    """Return *catalog* as Django loads it."""
    catalog.creation_date = catalog.revision_date = _NO_DATE
    stream = BytesIO()
    write_mo(stream, catalog)
    return stream.getvalue()


def forms(text: str | tuple[str, ...] | list[str] | None) -> list[str]:
    """Return the forms of a text or of its translation: singular and plural, or the only one."""
    return [text] if isinstance(text, str) else list(text or [])


def untranslated(catalog: Catalog) -> list[Message]:
    """Return the texts of *catalog* that have no translation, or not in every form."""
    return [
        message
        for message in catalog
        if message.id and not (message.string and all(forms(message.string)))
    ]


def update() -> None:
    """Bring each catalog up to date, and compile it. Translations of changed texts are not
    guessed: a text that has changed is translated again.
    """
    texts = template()
    for language in languages():
        catalog = load(language)
        catalog.update(texts, no_fuzzy_matching=True, update_header_comment=False)
        catalog.obsolete.clear()
        catalog.fuzzy = False
        path(language).parent.mkdir(parents=True, exist_ok=True)
        path(language).write_bytes(_written(catalog))
        path(language).with_suffix(".mo").write_bytes(compiled(catalog))
        print(f"{language}: {len(catalog)} texts, {len(untranslated(catalog))} not translated")


if __name__ == "__main__":
    import django

    django.setup()
    update()
