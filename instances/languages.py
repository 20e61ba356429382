"""The languages whose words search can stem."""

from django.utils.translation import gettext_lazy as _

#: The text search configurations that every PostgreSQL has.
_STEMMED = """
arabic armenian basque catalan danish dutch english estonian finnish french german greek hindi
hungarian indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian
spanish swedish tamil turkish yiddish
"""
#: Those that Django has no translation of; it has one of the others.
_NAMES = {"norwegian": _("Norwegian"), "yiddish": _("Yiddish")}
LANGUAGES = [
    *((name, _NAMES.get(name) or _(name.capitalize())) for name in _STEMMED.split()),
    ("simple", _("Any other (words as they are)")),
]
