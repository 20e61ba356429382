"""How much there is to read on a page of the settings."""

import re

import pytest
from django.test import Client

from instances.models import Instance
from memoryapp.web.settings.pages import PAGES
from tests.web.page_text import text_of

pytestmark = pytest.mark.django_db

MOST = 150
#: Parts of a page that are hidden until they are opened or chosen.
_CLOSED = re.compile(
    r"<(select|datalist|template|noscript|script|details|pre|textarea)\b.*?</\1>"
    r'|<(\w+)[^>]*class="visually-hidden"[^>]*>.*?</\2>',
    re.DOTALL,
)


def words_of(page: str) -> list[str]:
    """The words that are in sight on the settings *page*, without the navigation."""
    shown = page.partition('<div class="settings-page">')[2].partition("</main>")[0]
    return re.findall(r"\w[\w’'-]*", text_of(_CLOSED.sub(" ", shown)))


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_no_page_of_the_settings_is_long(as_alice: Client, instance: Instance, name: str) -> None:
    page = as_alice.get(f"/instances/desk/settings/{name}", follow=True).content.decode()
    words = words_of(page)

    assert len(words) > 5
    assert len(words) <= MOST, f"{len(words)}: {' '.join(words)}"
