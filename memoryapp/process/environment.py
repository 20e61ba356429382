"""Reading settings from environment variables."""

from typing import Any

import environ
from django.core.exceptions import ImproperlyConfigured

from memoryapp.process.installation import default_home

#: Defaults of what ``manage.py run`` has to know, which reads it without the settings.
DEFAULTS: dict[str, Any] = {
    "KEEPSAKE_HOME": str(default_home()),
    "HOST": "127.0.0.1",
    "PORT": 8000,
    "DEMO": True,
}

_FALSE = ("false", "off", "no", "n", "0")
_KINDS = {int: "a whole number", float: "a number", bool: "true or false"}


class Environment(environ.Env):  # type: ignore[misc]  # Untyped library.
    """Environment variables whose values must be of their type. One that is empty counts as left
    out: files of settings offer many like that.
    """

    def get_value(self, var: str, cast: Any = None, **options: Any) -> Any:
        """Return the value of *var*, or its default. The entries of a list may have spaces around
        them.

        Raises:
            ImproperlyConfigured: the value is not of the type *cast*; the message names *var*.

        """
        text = self.ENVIRON.get(var)
        if not (text and text.strip()) and "default" in options:
            return options["default"]
        try:
            if cast is bool and text is not None:
                return _truth(text)
            if cast is list and text is not None:
                return [entry.strip() for entry in text.split(",") if entry.strip()]
            return super().get_value(var, cast=cast, **options)
        except ValueError:
            kind = _KINDS.get(cast, "written in another way")
            raise ImproperlyConfigured(f"{var} is “{text}”, and must be {kind}.") from None


def _truth(text: str) -> bool:
    word = text.strip().lower()
    if word in Environment.BOOLEAN_TRUE_STRINGS:
        return True
    if word in _FALSE:
        return False
    raise ValueError(text)
