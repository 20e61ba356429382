"""How much there is to read on a page of the settings, and on every other page with a form."""

import re
from typing import Any

import pytest
from django.test import Client

from instances.models import Instance, User
from memoryapp.web.settings.pages import PAGES
from tests.web.access_instances import shared
from tests.web.access_table import GUARDED, SERVER, WITHOUT_INSTANCE, addresses, ask
from tests.web.page_text import text_of

__all__ = ["shared"]

pytestmark = pytest.mark.django_db

MOST = 150
#: Parts of a page that are hidden until they are opened or chosen.
_CLOSED = re.compile(
    r"<(select|datalist|template|noscript|script|pre|textarea|nav)\b.*?</\1>"
    r'|<(\w+)[^>]*class="(?:visually-hidden|usual[^"]*)"[^>]*>.*?</\2>',
    re.DOTALL,
)
#: A disclosure without another one in it: closed, its summary is in sight.
_DISCLOSURE = re.compile(r"<details\b([^>]*)>((?:(?!<details\b).)*?)</details>", re.DOTALL)
_SUMMARY = re.compile(r"<summary\b.*?</summary>", re.DOTALL)
#: The page of the models while one of them changes, which has more to tell then.
BUSY = {"embedding_offer"}


def words_of(page: str) -> list[str]:
    """The words that are in sight on the *page*, without the navigation."""
    shown = page.partition("<main")[2].partition(">")[2].partition("</main>")[0]
    shown = _CLOSED.sub(" ", shown)
    while "<details" in shown:
        shown = _DISCLOSURE.sub(_in_sight, shown)
    return re.findall(r"\w[\w’'-]*", text_of(shown.replace("<", " <")))


def _in_sight(disclosure: re.Match[str]) -> str:
    attributes, content = disclosure.groups()
    if "open" in attributes.split():
        return content
    summary = _SUMMARY.search(content)
    return summary[0] if summary else ""


def test_what_is_in_sight_is_counted() -> None:
    page = (
        "<main><p>one two</p><details class='more'><summary>three <i>four</i></summary>hidden "
        "<details><summary>hidden</summary>hidden</details></details>"
        "<details open><summary>five</summary>six</details><select>hidden</select></main>"
    )
    assert words_of(page) == ["one", "two", "three", "four", "five", "six"]


@pytest.mark.parametrize("name", [page.name for page in PAGES])
def test_no_page_of_the_settings_is_long(as_alice: Client, instance: Instance, name: str) -> None:
    page = as_alice.get(f"/instances/desk/settings/{name}", follow=True).content.decode()
    words = words_of(page)

    assert len(words) > 5
    assert len(words) <= MOST, f"{len(words)}: {' '.join(words)}"


def test_no_page_with_a_form_is_long(dana: User, shared: dict[str, Any]) -> None:
    client = Client()
    client.force_login(dana)
    long, seen = {}, set()
    for address in addresses():
        if address.name not in {*GUARDED, *SERVER, *WITHOUT_INSTANCE} - BUSY:
            continue
        response = ask(client, address, "GET", shared)
        page = "" if response.streaming else response.content.decode()
        if "<main" not in page or 'method="post"' not in page.partition("<main")[2]:
            continue
        seen.add(address.name)
        words = words_of(page)
        if len(words) > MOST:
            long[address.name] = f"{len(words)}: {' '.join(words)}"
    assert not long
    assert {"account", "person", "outgoing_connections", "memory_new"} <= seen
