"""Names a browser and its system, from the ``User-Agent``."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

#: Parts of a user agent, and the names for people. The first match counts: most browsers also name
#: the browsers that they descend from.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
)

UNKNOWN_DEVICE = gettext_lazy("Unknown device")


def device_in_words(user_agent: str) -> str:
    """Return for example "Firefox on Windows"."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    if browser and system:
        return _("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or str(UNKNOWN_DEVICE)
