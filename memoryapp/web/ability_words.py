"""Abilities of a language model, in sentences for a person."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memoryapp.providers.abilities import CHARACTERS_PER_TOKEN, ModelAbilities, Schema, Tools

_TOOLS = {
    Tools.NATIVE: gettext_lazy("Understands tools."),
    Tools.TEXT: gettext_lazy("Writes its tool calls as text, which is understood too."),
    Tools.NONE: gettext_lazy("Does not use tools."),
}
_SCHEMAS = {
    Schema.JSON_SCHEMA: gettext_lazy("Keeps to a JSON schema."),
    Schema.JSON_OBJECT: gettext_lazy("Answers with JSON, but not to a schema."),
    Schema.NONE: gettext_lazy(
        "Cannot be made to answer with JSON: some answers will not be usable."
    ),
}


def words(abilities: ModelAbilities) -> list[str]:
    """Return what *abilities* mean."""
    said = [_speed(abilities)]
    if abilities.tools is not None:
        said.append(str(_TOOLS[abilities.tools]))
    if abilities.schema is not None:
        said.append(str(_SCHEMAS[abilities.schema]))
    if abilities.context is None:
        said.append(_("The server does not say how much it can read at once."))
    else:
        tokens = number_format(abilities.context, force_grouping=True)
        said.append(_("Reads up to %(tokens)s tokens at once.") % {"tokens": tokens})
    return [sentence for sentence in said if sentence]


def consequences(abilities: ModelAbilities) -> list[str]:
    """Return what Keepsake does about it."""
    done = []
    if abilities.is_slow:
        done.append(
            _(
                "It gets short requests, few messages at a time and more time to answer. The chat "
                "offers it no tools, and messages are filed in the palace without it."
            )
        )
    if abilities.is_local:
        done.append(_("Background requests run one at a time."))
    return done


def _speed(abilities: ModelAbilities) -> str:
    if not abilities.read:
        return ""
    if abilities.written:
        speed = _("Reads %(read)s tokens a second and writes %(written)s.") % {
            "read": _rate(abilities.read),
            "written": _rate(abilities.written),
        }
    else:
        speed = _("Reads %(read)s tokens a second.") % {"read": _rate(abilities.read)}
    return f"{speed} {_waiting(abilities)}"


def _waiting(abilities: ModelAbilities) -> str:
    # A request of the chat with what was recalled, and an answer of some lines.
    seconds = abilities.expected_seconds(400 * CHARACTERS_PER_TOKEN, 100)
    if seconds < 5:
        return _("Answers come at once.")
    if seconds < 40:
        tens = round(seconds / 10) * 10
        return ngettext(
            "Answers take about %(number)s second.", "Answers take about %(number)s seconds.", tens
        ) % {"number": tens}
    return _("Answers take a minute or more.")


def _rate(rate: float) -> str:
    return number_format(round(rate, 1 if rate < 10 else None), force_grouping=True)
