"""Why items of a file are left out: one sentence for each cause, with a place and a remedy."""

from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from conversations.models import Import
from instances.translatable import TranslatableText, told_of, translated

NO_TEXT = "“content” is missing or empty"
#: What people can do, by the text of the reason in the catalogs.
REMEDIES = {
    NO_TEXT: _("give each a text, or import without them"),
    "“content” has more than %(most)s characters": _("split the text"),
    "“%(name)s” is not a whole number from %(least)s to %(most)s": _(
        "correct the number, or leave the column out"
    ),
    "“%(name)s” is not a date in ISO 8601": _("write 2031-02-03, or leave the column out"),
    "“%(name)s” lies outside the years 1900 to 2200": _(
        "correct the year, or leave the column out"
    ),
    "“valid_until” is not a date such as 2031-02-03": _("write it so, or leave the column out"),
    "“tags” is not a list of words": _("separate them with commas, or leave the column out"),
    "“%(name)s” is not text": _("put it in quotation marks, or leave the column out"),
    "“%(name)s” is not an object": _("correct it, or leave the column out"),
    "“key” and “value” belong together: it has one without the other": _(
        "fill in both, or leave both columns out"
    ),
    "it has more cells than the first line": _("put cells with the separator in quotation marks"),
    "it is not JSON": _("correct the line, or import without it"),
    "it is not UTF-8": _("save the file as UTF-8"),
}


@dataclass(frozen=True)
class Cause:
    """Items of a file that are left out for one reason."""

    reason: str
    count: int
    #: The place of the first, such as "line 7"; empty if places are of no interest.
    first: str

    @property
    def sentence(self) -> str:
        """The cause in words: how many, why, where the first is, and what can be done."""
        values = {
            "what": self._what,
            "first": translated(self.first),
            "remedy": REMEDIES.get(_source(self.reason), ""),
        }
        if not self.first:
            return gettext("%(what)s.") % values
        if not values["remedy"]:
            return gettext("%(what)s (the first: %(first)s).") % values
        return gettext("%(what)s (the first: %(first)s): %(remedy)s.") % values

    @property
    def _what(self) -> str:
        values = {
            "number": number_format(self.count, force_grouping=True),
            "reason": told_of(self.reason, self.count).rstrip("."),
        }
        if isinstance(self.reason, TranslatableText) and self.reason.plural:
            return f"{values['number']} {values['reason']}"
        if _source(self.reason) == NO_TEXT:
            text = ngettext(
                "%(number)s row has no text", "%(number)s rows have no text", self.count
            )
        elif self.first:
            text = ngettext("%(number)s row: %(reason)s", "%(number)s rows: %(reason)s", self.count)
        else:
            text = gettext("%(number)s: %(reason)s")
        return text % values


def causes_of(import_: Import) -> list[Cause]:
    """Return why items of the file of *import_* are left out, the most frequent cause first."""
    firsts: dict[str, str] = {}
    for skipped in import_.skipped:
        if isinstance(skipped, TranslatableText) and "reason" in skipped.values:
            firsts.setdefault(str(skipped.values["reason"]), _place(skipped))
    causes = [Cause(reason, n, firsts.get(reason, "")) for reason, n in import_.reasons.items()]
    return sorted(causes, key=lambda cause: -cause.count)


def _place(skipped: TranslatableText) -> str:
    place = skipped.values.get("place", "")
    return place if isinstance(place, str) else ""


def _source(reason: str) -> str:
    return reason.source if isinstance(reason, TranslatableText) else reason
