"""The document store over REST: exact, addressed, searchable, and closed to others."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from pytest_django import Settings

from instances.models import EndUserAlias, Instance, User
from memoryapp.models import Activity, StoredDocument
from tests.api.conftest import Program, key_of

ODD = {
    "z": 1,
    "a": [
        1.0,
        -0.0,
        12345678901234567890123,
        1e-7,
        None,
        True,
        {"": "", "ß": "𝄞\u200d\n\ttrailing \n"},
    ],
    "m": {"b": [], "a": {}},
    "text": "line 1\r\nline 2\n\n",
}


def address(*namespace: str, key: str) -> str:
    return "store/document?" + urlencode([*(("namespace", n) for n in namespace), ("key", key)])


def store(
    program: Program, key: str, value: Any, *namespace: str, status: int | None = None, **more: Any
) -> Any:
    body = {"namespace": namespace or ("users", "ana"), "key": key, "value": value, **more}
    return program.send("PUT", "store/document", body, status)


def search(program: Program, **body: Any) -> list[str]:
    return [item["key"] for item in program.send("POST", "store/search", body)["items"]]


def send_with(program: Program, method: str, path: str, body: Any = None, **headers: str) -> Any:
    return Client().generic(
        method,
        f"/api/{path}",
        json.dumps(body) if body is not None else b"",
        content_type="application/json",
        headers={"Authorization": f"Bearer {program.secret}"} | headers,
    )


def test_a_value_comes_back_exactly(program: Program) -> None:
    stored = store(program, "odd", ODD, status=201)
    assert stored["pii"] == {"redactions": {}}
    body = program.ask("GET", address("users", "ana", key="odd")).content.decode()
    value = json.loads(body)["value"]
    # As text, since 1 == 1.0 == True, and two objects with other orders of names are equal.
    assert json.dumps(value) == json.dumps(ODD)


def test_a_new_document_is_at_its_location(program: Program) -> None:
    body = {"namespace": ["users & co", "ana"], "key": "ü?", "value": {"n": 1}}
    created = send_with(program, "PUT", "store/document", body)
    found = (
        Client()
        .get(created["Location"], headers={"Authorization": f"Bearer {program.secret}"})
        .json()
    )
    assert (found["namespace"], found["key"]) == (body["namespace"], body["key"])
    assert "Location" not in send_with(program, "PUT", "store/document", body)


def test_the_location_for_a_person_names_the_instance(as_alice: Client, instance: Instance) -> None:
    body = {"instance_id": "desk", "namespace": ["n"], "key": "k", "value": {}}
    created = as_alice.put("/api/store/document", body, content_type="application/json")
    assert as_alice.get(created["Location"]).json()["key"] == "k"


def test_the_same_again_changes_nothing_and_a_change_makes_a_version(program: Program) -> None:
    first = store(program, "a", {"n": 1}, status=201)
    again = store(program, "a", {"n": 1}, status=200)
    assert (first["version"], first["created"]) == (1, True)
    assert again == first | {"created": False}
    changed = store(program, "a", {"n": 1.5}, status=200)
    assert (changed["version"], changed["created_at"]) == (2, first["created_at"])
    assert changed["etag"] != first["etag"]


def test_a_change_of_somebody_else_is_not_overwritten(program: Program) -> None:
    body = {"namespace": ["n"], "key": "k", "value": {"n": 1}}
    put = "store/document"
    created = send_with(program, "PUT", put, body, **{"If-None-Match": "*"})
    assert created.status_code == 201
    assert send_with(program, "PUT", put, body, **{"If-None-Match": "*"}).status_code == 412
    etag = created["ETag"]
    assert etag == program.ask("GET", address("n", key="k"))["ETag"]
    second = send_with(program, "PUT", put, body | {"value": {"n": 2}}, **{"If-Match": etag})
    assert second.status_code == 200
    third = send_with(program, "PUT", put, body | {"value": {"n": 3}}, **{"If-Match": etag})
    assert (third.status_code, third.json()["code"]) == (412, "precondition_failed")
    assert (
        send_with(program, "DELETE", address("n", key="k"), **{"If-Match": etag}).status_code == 412
    )
    both = f'"0-1", {second["ETag"]}'
    assert (
        send_with(program, "DELETE", address("n", key="k"), **{"If-Match": both}).status_code == 204
    )
    missing = send_with(program, "PUT", put, body, **{"If-Match": "*"})
    assert missing.status_code == 412
    # A version of the deleted one is no version of the one that takes its place.
    anew = send_with(program, "PUT", put, body)
    assert anew["ETag"] not in (etag, second["ETag"])


def test_deleted_is_deleted(program: Program) -> None:
    store(program, "a", {"secret plan": "zeppelin"})
    program.send("DELETE", address("users", "ana", key="a"), status=204)
    program.send("DELETE", address("users", "ana", key="a"), status=404)
    program.send("GET", address("users", "ana", key="a"), status=404)
    assert search(program, q="zeppelin") == []
    assert not StoredDocument.objects.exists()


def test_lists_and_namespaces_in_their_order(program: Program) -> None:
    places = [("b",), ("a", "x"), ("a",), ("a", "x", "1"), ("ab",), ("a", "é"), ("A",)]
    for place in places:
        store(program, "k", {}, *place)
    store(program, "j", {}, "a")

    def listed(**params: Any) -> list[list[str]]:
        items: list[list[str]] = []
        cursor = ""
        while True:
            query = urlencode({"limit": 2, **params, "cursor": cursor}, doseq=True)
            page = program.send("GET", f"store/documents?{query}")
            items += [[*item["namespace"], item["key"]] for item in page["items"]]
            cursor = page["next"]
            if not cursor:
                return items

    under_a = [["a", "j"], ["a", "k"], ["a", "x", "k"], ["a", "x", "1", "k"], ["a", "é", "k"]]
    assert listed() == [["A", "k"], *under_a, ["ab", "k"], ["b", "k"]]
    assert listed(prefix="a") == under_a
    assert listed(prefix="a", order="desc") == under_a[::-1]
    assert listed(prefix=["a", "x"]) == under_a[2:4]
    assert listed(prefix="nothing") == []

    def named(**params: Any) -> list[tuple[str, int]]:
        found, cursor = [], ""
        while True:
            query = urlencode({"limit": 2, **params, "cursor": cursor}, doseq=True)
            page = program.send("GET", f"store/namespaces?{query}")
            found += [("/".join(each["namespace"]), each["documents"]) for each in page["items"]]
            cursor = page["next"]
            if not cursor:
                return found

    assert named(prefix="a") == [("a", 2), ("a/x", 1), ("a/x/1", 1), ("a/é", 1)]
    assert named(max_depth=1) == [("A", 1), ("a", 5), ("ab", 1), ("b", 1)]
    program.send("GET", "store/namespaces?cursor=x", status=400)


def test_search_by_words_meaning_and_values(program: Program) -> None:
    store(program, "tea", {"text": "She drinks green tea.", "kind": "taste", "rank": 1})
    store(program, "dog", {"text": "The dog is called Rex.", "kind": "pet", "rank": None}, "pets")
    store(program, "deep", {"list": [{"note": "The harbour of Genoa"}], "kind": ["taste"]}, "pets")
    assert search(program, q="tea")[0] == "tea"
    assert search(program, q="what is the name of her pet?")[0] == "dog"
    assert search(program, q='"harbour"') == ["deep"]
    assert search(program, q='"harbour"', prefix=["users"]) == []
    assert search(program, filter={"kind": "pet"}) == ["dog"]
    assert search(program, filter={"kind": "taste"}) == ["tea"], "a list is not its only item"
    assert search(program, filter={"rank": 1, "kind": "taste"}) == ["tea"]
    assert search(program, filter={"rank": None}) == ["dog"]
    assert search(program, filter={"rank": True}) == []
    assert search(program, q='"dog"', filter={"kind": "taste"}) == []
    assert search(program) == ["deep", "dog", "tea"]
    assert search(program, offset=1, limit=1) == ["dog"]
    assert search(program, q='"green tea" -dog') == ["tea"]
    # A changed document is found by its new words only.
    store(program, "tea", {"text": "She drinks coffee."})
    assert search(program, q='"tea"') == ["tea"], "its key is still a word of it"
    assert search(program, q='"green tea"') == []
    assert search(program, q='"coffee"') == ["tea"]


def test_secrets_are_replaced_and_the_answer_says_so(program: Program, instance: Instance) -> None:
    value = {
        "login": {"password": "swordfish77", "pin": 4711, "count": 4711},
        "note": "Write to ana@example.org, my card is 4111 1111 1111 1111.",
        "at": 1732596526000,
    }
    stored = store(program, "a", value)
    assert stored["value"] == {
        "login": {"password": "[REDACTED:PASSWORD]", "pin": "[REDACTED:CODE]", "count": 4711},
        "note": "Write to [REDACTED:EMAIL], my card is [REDACTED:CARD].",
        "at": 1732596526000,
    }
    assert stored["pii"] == {"redactions": {"PASSWORD": 1, "CODE": 1, "EMAIL": 1, "CARD": 1}}
    assert "swordfish77" not in StoredDocument.objects.get().body
    assert search(program, q='"swordfish77"') == []
    again = store(program, "a", stored["value"])
    assert (again["pii"], again["version"]) == ({"redactions": {}}, 1)
    unclear = store(program, "b", {"text": "Fine. Passwords: see the vault. Fine."})
    assert "the vault" not in unclear["value"]["text"]
    assert unclear["value"]["text"].startswith("Fine.")
    assert sum(unclear["pii"]["redactions"].values()) == 1

    Instance.objects.filter(pk=instance.pk).update(pii_policy="reject")
    refused = store(program, "c", value, status=422)
    assert refused["code"] == "pii_rejected"
    assert "a password" in refused["detail"]
    Instance.objects.filter(pk=instance.pk).update(pii_policy="off")
    assert store(program, "c", value)["value"] == value


@pytest.mark.parametrize(
    ("body", "status", "says"),
    [
        ({"namespace": []}, 422, "at least one part"),
        ({"namespace": ["a", ""]}, 422, "may not be empty"),
        ({"namespace": ["x"] * 17}, 422, "at most 16 parts"),
        ({"namespace": ["x" * 201]}, 422, "at most 200 characters"),
        ({"namespace": ["語" * 200, "語" * 200]}, 422, "at most 1,000 bytes"),
        ({"key": ""}, 422, "key may not be empty"),
        ({"key": "k" * 256}, 422, "at most 255 characters"),
        ({"key": "a\nb"}, 422, "invisible"),
        ({"key": "a\u200bb"}, 422, "invisible"),
        ({"key": "password: swordfish77"}, 422, "contains a secret"),
        ({"value": []}, 422, "value"),
        ({"value": {"a": "\x00"}}, 422, "NUL"),
        ({"value": {"a": "\ud800"}}, 422, "surrogate"),
        ({"value": {"a": float("nan")}}, 422, "NaN"),
        ({"value": {"a": float("inf")}}, 422, "infinite"),
        ({"value": {"a": "x" * 262_144}}, 413, "at most 262,144 bytes"),
        ({"other": 1}, 422, "other"),
    ],
)
def test_bad_documents_are_refused_in_words(
    program: Program, body: dict[str, Any], status: int, says: str
) -> None:
    sent = {"namespace": ["n"], "key": "k", "value": {}} | body
    answer = program.send("PUT", "store/document", sent, status)
    assert says in answer["detail"]
    assert not StoredDocument.objects.exists()


def test_the_longest_address_fits(program: Program) -> None:
    parts = ["語" * 66] * 5
    store(program, "語" * 255, {"a": 1}, *parts, status=201)
    assert program.send("GET", address(*parts, key="語" * 255))["value"] == {"a": 1}


def test_a_deeply_nested_value_is_refused(program: Program) -> None:
    deep: Any = {}
    for _ in range(70):
        deep = {"a": deep}
    assert store(program, "k", deep, status=422)["code"] == "invalid"


def test_an_instance_holds_so_many_documents_and_no_more(
    program: Program, settings: Settings
) -> None:
    settings.STORE_MAX_DOCUMENTS = 2
    store(program, "a", {})
    store(program, "b", {})
    full = store(program, "c", {}, status=409)
    assert (full["code"], "may hold 2" in full["detail"]) == ("store_full", True)
    store(program, "b", {"n": 1})
    settings.STORE_MAX_MB = 0
    assert store(program, "b", {"n": 12}, status=409)["code"] == "store_full"
    # What is over the limit can always be made smaller.
    store(program, "b", {}, status=200)
    program.send("DELETE", address("users", "ana", key="a"), status=204)


def test_each_operation_needs_its_scope(program_that_may: Callable[..., Program]) -> None:
    reader, writer, deleter = (program_that_may(each) for each in ("read", "write", "delete"))
    put = ("PUT", "store/document", {"namespace": ["n"], "key": "k", "value": {}})
    reads: list[tuple[str, str, Any]] = [
        ("GET", address("n", key="k"), None),
        ("GET", "store/documents", None),
        ("GET", "store/namespaces", None),
        ("POST", "store/search", {}),
    ]
    deletes = [
        ("POST", "store/documents/delete", {"prefix": ["other"]}),
        ("DELETE", address("n", key="k"), None),
    ]
    writer.send(*put)
    for call in [put, *deletes]:
        assert reader.send(*call, status=403)["code"] == "scope_required"
    for call in [*reads, *deletes]:
        assert writer.send(*call, status=403)["code"] == "scope_required"
    for call in [put, *reads]:
        assert deleter.send(*call, status=403)["code"] == "scope_required"
    for call in reads:
        reader.send(*call)
    for call in deletes:
        deleter.send(*call)


def test_nothing_crosses_from_one_instance_to_another(program: Program, private: Instance) -> None:
    other = key_of(private)[1]
    store(program, "a", {"text": "zeppelin"}, "n")
    other.send("GET", address("n", key="a"), status=404)
    other.send("DELETE", address("n", key="a"), status=404)
    assert other.send("GET", "store/documents")["items"] == []
    assert other.send("GET", "store/namespaces")["items"] == []
    assert search(other, q="zeppelin") == search(other) == []
    assert other.send("POST", "store/documents/delete", {"prefix": ["n"]})["deleted"] == 0
    store(other, "a", {"text": "balloon"}, "n", status=201)
    assert program.send("GET", address("n", key="a"))["value"] == {"text": "zeppelin"}


def test_a_viewer_reads_and_does_not_write(vera: User, instance: Instance) -> None:
    as_vera = Client()
    as_vera.force_login(vera)
    body = {"instance_id": instance.slug, "namespace": ["n"], "key": "k", "value": {}}
    refused = as_vera.put("/api/store/document", body, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (403, "role_required")
    assert as_vera.get("/api/store/documents", {"instance_id": instance.slug}).status_code == 200


def test_a_namespace_is_deleted_with_what_is_below(program: Program) -> None:
    for place in (("s", "1"), ("s", "1", "x"), ("s", "10")):
        store(program, "k", {}, *place)
    answer = program.send("POST", "store/documents/delete", {"prefix": ["s", "1"]})
    assert answer == {"deleted": 2, "more": False}
    assert [each["namespace"] for each in program.send("GET", "store/documents")["items"]] == [
        ["s", "10"]
    ]
    program.send("POST", "store/documents/delete", {"prefix": []}, status=422)


def test_documents_of_a_person(program: Program, instance: Instance) -> None:
    store(program, "a", {}, user_id="ana")
    store(program, "b", {}, user_id="ben")
    EndUserAlias.objects.create(instance=instance, alias="ana.old", end_user="ana")
    Instance.objects.filter(pk=instance.pk).update(has_aliases=True)
    store(program, "c", {}, user_id="ana.old")
    assert sorted(search(program, user_id="ana")) == ["a", "c"]
    listed = program.send("GET", "store/documents?user_id=ana.old")["items"]
    assert [each["user_id"] for each in listed] == ["ana", "ana"]


def test_the_activity_has_one_entry_for_a_day(program: Program) -> None:
    for number in range(3):
        store(program, f"k{number}", {"text": "zeppelin"})
    program.send("POST", "store/documents/delete", {"prefix": ["users"]})
    stored, deleted = Activity.objects.filter(action__startswith="documents").order_by("pk")
    assert (stored.action, stored.count) == ("documents_stored", 3)
    assert (deleted.action, deleted.count) == ("documents_deleted", 3)
    assert "zeppelin" not in stored.about


def test_recall_finds_no_document(program: Program) -> None:
    store(program, "a", {"text": "The user flies a zeppelin."})
    found = program.send("POST", "search", {"q": "who flies a zeppelin?"})
    assert found["items"] == []


@pytest.mark.parametrize("value", ["\x00", "\ud800"])
def test_filter_that_the_database_cannot_read_is_refused(program: Program, value: Any) -> None:
    for filter_ in ({"a": value}, {str(value): 1}) if isinstance(value, str) else ({"a": value},):
        response = program.ask("POST", "store/search", {"filter": filter_})
        assert (response.status_code, response.json()["code"]) == (422, "invalid"), response.content
        assert "filter" in response.json()["detail"]


def test_offset_of_a_search_is_a_number(program: Program) -> None:
    response = program.ask("POST", "store/search", {"offset": False})
    assert (response.status_code, response.json()["code"]) == (422, "invalid")
