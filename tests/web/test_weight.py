"""How much a browser loads before it shows anything."""

import gzip

from django.conf import settings

#: KiB of all style sheets and scripts of our own, compressed.
MOST = 60
#: Of Django’s admin and of the pages about the API.
NO_SCREEN = {"admin.css", "api-docs.js"}


def test_style_sheets_and_scripts_stay_small() -> None:
    (folder,) = settings.STATICFILES_DIRS
    files = [file for kind in ("css", "js") for file in sorted((folder / kind).glob("*"))]
    sizes = {
        file.name: len(gzip.compress(file.read_bytes()))
        for file in files
        if file.name not in NO_SCREEN
    }

    assert {"keepsake.css", "keepsake.js", "dates.js"} <= set(sizes)
    assert sum(sizes.values()) <= MOST * 1024, sizes
