"""Who sees which rows in the admin: the rules of the screens, for every table and every page."""

from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model
from django.test import Client
from django.urls import NoReverseMatch, reverse

from instances.models import Instance, User
from memoryapp.admin.base import SERVER
from memoryapp.admin.columns import list_of, page_of
from memoryapp.admin.tables import LEFT_OUT, site
from tests.web.access_instances import SECRETS

TABLES: list[tuple[Any, Any]] = list(site._registry.items())
OF_INSTANCES = [(model, table) for model, table in TABLES if table.instance_path != SERVER]
#: What the list is asked for: searches, the filter by instance, a popup, an order, a page.
QUERIES = (
    *("", "?q=Zanzibar", "?q=ocarina", "?q=1", "?q=Wolpertinger", "?q=marzipan", "?q=Heliotrope"),
    *("?instance=heliotrope", "?instance=heliotrope&q=Zanzibar", "?_popup=1&_to_field=id", "?o=1"),
    "?p=2",
)


def leaks(content: str, asked: str) -> list[str]:
    """The secret words in a page, but for those that the address has asked for."""
    text = content.casefold()
    return [word for word in SECRETS if word.casefold() in text and word.casefold() not in asked]


def test_every_table_is_shown_or_left_out_for_a_reason() -> None:
    shown = {model._meta.label for model, _ in TABLES}
    assert not shown & LEFT_OUT.keys()
    assert shown | LEFT_OUT.keys() == {model._meta.label for model in apps.get_models()}
    assert all(LEFT_OUT.values())


def test_private_instance_is_in_no_table(
    dana: User, as_dana: Client, secluded: dict[str, Any]
) -> None:
    for model, table in TABLES:
        for query in QUERIES:
            response = as_dana.get(list_of(model) + query)
            where = f"{model.__name__}{query}"
            assert response.status_code in (200, 302), where
            content = response.content.decode()
            assert not leaks(content, query.casefold()), where
            if response.status_code == 200 and table.instance_path != SERVER:
                assert response.context["cl"].result_count == 0, where


def test_rows_of_a_private_instance_do_not_exist(as_dana: Client, secluded: dict[str, Any]) -> None:
    seen = 0
    for model, _ in OF_INSTANCES:
        for pk in model._base_manager.values_list("pk", flat=True):
            seen += 1
            for query in ("", "?_popup=1", "?_to_field=id", "?_changelist_filters=q%3D1"):
                assert as_dana.get(page_of(model, pk) + query).status_code == 404, model
            assert as_dana.post(page_of(model, pk), {"_save": "1"}).status_code in (403, 404)
    assert seen > 30


def test_pages_of_other_rows_do_not_tell_of_a_private_instance(
    as_dana: Client, secluded: dict[str, Any]
) -> None:
    for model, table in TABLES:
        if table.instance_path == SERVER:
            for pk in model._base_manager.values_list("pk", flat=True):
                response = as_dana.get(page_of(model, pk))
                assert response.status_code in (200, 404)
                assert not leaks(response.content.decode(), ""), model
    assert not leaks(as_dana.get("/admin/").content.decode(), "")


def test_actions_do_not_reach_a_private_instance(as_dana: Client, secluded: dict[str, Any]) -> None:
    def counts() -> dict[type[Model], int]:
        return {model: model._base_manager.count() for model in apps.get_models()}

    before = counts()
    for model, table in OF_INSTANCES:
        pks = list(model._base_manager.values_list("pk", flat=True))
        for action in table.actions or ():
            data = {"action": action.__name__, "_selected_action": pks, "index": "0"}
            response = as_dana.post(list_of(model), data, follow=True)
            assert not leaks(response.content.decode(), ""), model
    assert counts() == before


def test_superadmin_sees_a_private_instance_of_their_own(
    alice: User, client: Client, secluded: dict[str, Any]
) -> None:
    User.objects.filter(pk=alice.pk).update(is_superuser=True)
    client.force_login(alice)
    assert_all_is_shown(client)


def test_shared_instance_is_shown(as_dana: Client, shared: dict[str, Any]) -> None:
    assert_all_is_shown(as_dana)


def assert_all_is_shown(client: Client) -> None:
    """Check the list, and the page of each row."""
    for model, _table in OF_INSTANCES:
        rows = model._default_manager.all()
        response = client.get(list_of(model))
        assert response.status_code == 200, model
        assert response.context["cl"].result_count == rows.count(), model
        for pk in rows.values_list("pk", flat=True):
            assert client.get(page_of(model, pk)).status_code == 200, model


def test_other_pages_of_django_do_not_exist(as_dana: Client, shared: dict[str, Any]) -> None:
    for name in ("logout", "password_change", "view_on_site", "autocomplete", "app_list"):
        with pytest.raises(NoReverseMatch):
            reverse(f"admin:{name}")
    for model, _ in TABLES:
        pk = model._base_manager.values_list("pk", flat=True).first() or 1
        page, rows = page_of(model, pk), list_of(model)
        row = page.removesuffix("change/")
        for path in (f"{rows}add/", f"{row}delete/", f"{row}history/", row):
            assert as_dana.get(path).status_code == 404, path
            assert as_dana.post(path, {"post": "yes"}).status_code == 404, path
    path = "/admin/autocomplete/?app_label=memoryapp&model_name=memory&field_name=instance"
    assert as_dana.get(path).status_code == 404


def test_tables_only_read(as_dana: Client, shared: dict[str, Any]) -> None:
    for model, _ in TABLES:
        pk = model._base_manager.values_list("pk", flat=True).first()
        if pk is not None:
            assert as_dana.post(page_of(model, pk), {"name": "x"}).status_code == 403, model
        forged = {"action": "delete_selected", "_selected_action": [pk], "post": "yes"}
        assert as_dana.post(list_of(model), forged).status_code in (200, 302)
        assert pk is None or model._base_manager.filter(pk=pk).exists()


def test_lists_filter_by_nothing_else_than_they_offer(
    as_dana: Client, shared: dict[str, Any], dana: User
) -> None:
    """A secret cannot be asked for letter by letter."""
    for path in (
        "instances/user/?password__startswith=pbkdf2",
        "instances/apikey/?digest__startswith=a",
        "instances/secret/?token__startswith=a",
        "instances/secret/?instance__secrets__token__startswith=a",
        "instances/instance/?private_to__password__startswith=a",
        "conversations/message/?content__startswith=I",
        "conversations/message/?conversation__title__startswith=a",
        "memoryapp/memory/?instance__private_to__isnull=0",
    ):
        assert as_dana.get(f"/admin/{path}").status_code == 400, path


def test_admin_is_for_superadmins(
    alice: User, client: Client, shared: dict[str, Any], instance: Instance
) -> None:
    paths = ["/admin/", "/admin/login/", "/admin/jsi18n/", *(list_of(model) for model, _ in TABLES)]
    paths.append(page_of(instance.memories.model, shared["memory"]))
    for path in paths:
        location = client.get(path)["Location"]
        assert location.startswith(f"{reverse('login')}?next=/admin/"), path
    client.force_login(alice)
    for path in paths:
        assert client.get(path).status_code == 404, path


def test_sign_in_is_the_one_of_the_product(client: Client, dana: User) -> None:
    form = {"username": "dana", "password": "dana-password", "next": "/admin/"}
    assert client.post("/admin/login/", form)["Location"].startswith(reverse("login"))
    assert "_auth_user_id" not in client.session
    client.force_login(dana)
    assert client.get("/admin/login/")["Location"] == "/admin/"
