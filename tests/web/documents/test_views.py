"""The screen of stored documents: namespaces, search, one document, and its deletion."""

import html
import json
import re
from urllib.parse import quote

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from instances.actor import Actor
from instances.models import Instance, User
from memoryapp.documents.writing import NewDocument, put
from memoryapp.models import StoredDocument
from memoryapp.web.documents import namespace_text
from memoryapp.web.documents.excerpts import excerpt_of
from tests.web.page_text import text_of

pytestmark = pytest.mark.django_db
LIST = "/memory/documents?instance=desk"


def store(instance: Instance, *namespace: str, key: str, **value: object) -> StoredDocument:
    new = NewDocument(namespace, key, value, "ana")
    return put(instance, new, by=Actor(via="test")).document


def page_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def keys(page: str) -> list[str]:
    return re.findall(r'<b class="wraps"><bdi>(.*?)</bdi></b>', page)


def links(page: str, css: str) -> list[tuple[str, str]]:
    """The texts and addresses of the links in a navigation."""
    nav = page.partition(f'<nav class="{css}')[2].partition("</nav>")[0]
    found = re.findall(r'<a href="([^"]+)"[^>]*>(.*?)</a>', nav, re.DOTALL)
    return [(text_of(text).strip(), url.replace("&amp;", "&")) for url, text in found]


def test_namespaces_lead_down_and_back_up(as_alice: Client, instance: Instance) -> None:
    store(instance, "notes", "a/b %", "deep", key="inner", text="one")
    store(instance, "notes", key="outer", text="two")
    store(instance, "other", key="else", text="three")
    page = page_of(as_alice, LIST)
    assert keys(page) == ["outer", "inner", "else"]
    ((notes, down), (other, _)) = links(page, "below")
    assert (notes, other) == ("notes2", "other1")
    page = page_of(as_alice, down)
    assert keys(page) == ["outer", "inner"]
    ((odd, down),) = links(page, "below")
    assert odd.startswith("a/b %")
    page = page_of(as_alice, down)
    assert keys(page) == ["inner"]
    everything, up, here = links(page, "namespace")
    assert (up[0], here[0]) == ("notes", "a/b %")
    assert keys(page_of(as_alice, up[1])) == ["outer", "inner"]
    assert keys(page_of(as_alice, everything[1])) == ["outer", "inner", "else"]
    assert "This namespace is empty" in page_of(as_alice, f"{LIST}&under=nothing")


@given(st.lists(st.text("ab/%2F é", min_size=1, max_size=6), min_size=1, max_size=16))
def test_any_namespace_fits_into_an_address(namespace: list[str]) -> None:
    assert namespace_text.read(namespace_text.written(namespace)) == tuple(namespace)


def test_search_within_a_namespace(as_alice: Client, instance: Instance) -> None:
    store(instance, "notes", key="tea", text="She drinks green tea.")
    store(instance, "other", key="pot", text="A pot of green tea.")
    query = quote('"green tea"')
    assert sorted(keys(page_of(as_alice, f"{LIST}&q={query}"))) == ["pot", "tea"]
    assert keys(page_of(as_alice, f"{LIST}&q={query}&under=notes")) == ["tea"]
    for url in (LIST, f"{LIST}&q={query}"):
        assert "text: A pot" in page_of(as_alice, url)
    assert "No document found" in page_of(as_alice, f"{LIST}&q=%22zeppelin%22")


def test_a_document_is_shown_as_it_is(as_alice: Client, instance: Instance) -> None:
    value = {"b": [1.0, None], "a": "<b>\n é"}
    document = store(instance, "notes", key="<i>", **value)
    page = page_of(as_alice, document.get_absolute_url())
    shown = page.partition('<pre class="value"')[2].partition(">")[2].partition("</pre>")[0]
    assert html.unescape(shown) == json.dumps(value, indent=2, ensure_ascii=False)
    assert "<b>" not in shown
    assert "&lt;i&gt;" in page and "about <bdi>ana</bdi>" in page
    file = store(instance, "files", key="/memories/a.md", text="# Ana\n\nlikes tea\n")
    page = page_of(as_alice, file.get_absolute_url())
    assert "# Ana\n\nlikes tea\n</pre>" in page


def test_a_secret_that_was_stored_openly_is_masked_later(
    as_alice: Client, instance: Instance
) -> None:
    Instance.objects.filter(pk=instance.pk).update(pii_policy="off")
    instance.refresh_from_db()
    document = store(instance, "n", key="k", note="My password is swordfish77.")
    for url in (LIST, document.get_absolute_url()):
        assert "swordfish77" in page_of(as_alice, url)
    Instance.objects.filter(pk=instance.pk).update(pii_policy="redact")
    for url in (LIST, document.get_absolute_url()):
        assert "swordfish77" not in page_of(as_alice, url)


def test_deleting_asks_first_and_returns_to_the_namespace(
    as_alice: Client, instance: Instance
) -> None:
    document = store(instance, "notes", key="tea", text="green")
    store(instance, "notes", key="pot", text="brown")
    page = page_of(as_alice, document.get_absolute_url())
    assert "“tea” is deleted for good" in page
    response = as_alice.post(f"{document.get_absolute_url()}/delete", follow=True)
    assert response.redirect_chain[-1][0] == f"{LIST}&under=notes"
    page = response.content.decode()
    assert keys(page) == ["pot"] and "Deleted “tea”." in page
    assert not StoredDocument.objects.filter(key="tea").exists()


def test_a_viewer_reads_and_is_offered_no_deletion(vera: User, instance: Instance) -> None:
    document = store(instance, "notes", key="tea", text="green")
    client = Client()
    client.force_login(vera)
    assert "Delete document" not in page_of(client, document.get_absolute_url())
    assert client.post(f"{document.get_absolute_url()}/delete").status_code == 403
    assert StoredDocument.objects.exists()


def test_another_instance_has_other_documents(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    store(private, "notes", key="tea", text="green")
    assert "No documents yet" in page_of(as_alice, LIST)


def test_list_shows_fields_beside_what_is_masked(as_alice: Client, instance: Instance) -> None:
    store(instance, "n", key="k", theme="dark", password="swordfish", list=[1, {"a": None}])
    page = text_of(page_of(as_alice, LIST))
    assert "theme: dark · password: [REDACTED:PASSWORD] · list: 1 · a: null" in page


@given(st.integers(0, 90))
def test_excerpt_of_what_is_cut_is_the_beginning_of_the_whole(length: int) -> None:
    whole = json.dumps({"a": 'q"uo\\te', "in": {"b": [True, 12], "long": "word " * 9}})
    assert excerpt_of(whole).startswith('a: q"uo\\te · b: true · 12 · long: word')
    full, cut = excerpt_of(whole), excerpt_of(whole[:length])
    # A number may go on.
    assert full.startswith(cut) or full.startswith(cut[:-1])
