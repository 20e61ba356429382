from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from instances.accounts import create_first_admin
from instances.models import User


def printed() -> str:
    output = StringIO()
    call_command("create_first_admin", stdout=output)
    return output.getvalue()


@pytest.fixture(autouse=True)
def names(settings: Settings) -> None:
    settings.ADMIN_USERNAME = "admin"
    settings.ADMIN_PASSWORD = ""


def test_generated_password_is_printed_once(db: None) -> None:
    first, second = printed(), printed()

    password = first.strip().rsplit(" ", 1)[1]
    admin = User.objects.get(username="admin")
    assert admin.is_superuser
    assert admin.check_password(password)
    assert second == "There is a superadmin already.\n"


def test_password_from_settings_is_not_printed(db: None, settings: Settings) -> None:
    settings.ADMIN_PASSWORD = "compiler-1952"

    assert "compiler-1952" not in printed()

    assert User.objects.get(username="admin").check_password("compiler-1952")


def test_no_admin_is_created_if_a_superuser_exists(dana: User) -> None:
    assert create_first_admin() is None

    assert list(User.objects.all()) == [dana]


def test_admin_is_created_beside_ordinary_users(alice: User) -> None:
    assert create_first_admin()

    assert User.objects.filter(is_superuser=True).count() == 1
