"""The texts that scripts show. A page holds them as JSON, in its own language."""

from django.utils.functional import lazystr
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memoryapp.web.day_formats import DaysOfMonths

#: By the name that the scripts use. ``%(name)s`` stands for what a script fills in.
SCRIPT_TEXTS = {
    "ago-hours": _("%(number)s h ago"),
    "ago-minutes": _("%(number)s min ago"),
    "ago-now": _("just now"),
    "chat-ended": _(
        "Your session has ended. Copy your message, reload the page and sign in again."
    ),
    "chat-failed": _(
        "Keepsake could not answer. The server’s log says why. Your message is kept here."
    ),
    "chat-gone": _("This chat no longer exists. Reload the page."),
    "chat-lost": _("The connection was lost; the answer continues. Reload the page to see it."),
    "chat-offline": _(
        "Keepsake cannot be reached. Is it still running? Your message is kept here."
    ),
    "copied": _("Copied"),
    "copy": _("Copy"),
    "copy-by-hand": _("Press Ctrl+C"),
    "database-down": _("The database does not answer; it may be restarting. Try again."),
    "date-ago": pgettext_lazy("typed as a date, as in 3 weeks ago", "ago"),
    "date-choose": _("%(field)s: choose a day"),
    "date-early": _("Choose %(day)s or a later day."),
    "date-in": pgettext_lazy("typed as a date, as in 3 weeks; alternatives by spaces", "in"),
    "date-late": _("Choose %(day)s or an earlier day."),
    "date-months": lazystr(DaysOfMonths()),
    "date-near": pgettext_lazy("typed as a date", "yesterday|today|tomorrow"),
    "date-time": _("%(field)s: time"),
    "date-units": pgettext_lazy(
        "typed as a date, each with its alternatives",
        "day days d|week weeks w|month months m|year years y",
    ),
    "date-unknown": _("Write a day, such as %(day)s, or choose one."),
    "discard": _("Discard what you typed?"),
    "failed": _("Keepsake could not answer. The server’s log says why. Nothing was changed."),
    "gone": _("This no longer exists. Reload the page."),
    "megabytes": _("%(size)s MB"),
    "offline": _("Keepsake cannot be reached. Is it still running? Nothing was changed."),
    "passkey-exists": _("This device already has a passkey for your account."),
    "passkey-failed": _("The passkey could not be used here. Try again, or another way."),
    "passkey-insecure": _("Passkeys need https or http://localhost, and this page uses neither."),
    "passkey-none": _("The browser gave no passkey: it was cancelled or took too long. Try again."),
    "selected": _("%(number)s selected"),
    "session-ended": _("Your session has ended. Reload the page and sign in again."),
    "tag-remove": _("Remove the tag %(tag)s"),
    "time-unknown": _("Write a time, such as 14:05."),
    "too-large": _("This file has %(size)s MB; the limit is %(limit)s MB."),
    "upload-failed": _("The file was not accepted."),
    "upload-interrupted": _("The upload was interrupted. Try again."),
    "upload-storing": _("Uploaded. Saving it …"),
    "uploading": _("Uploading …"),
}
