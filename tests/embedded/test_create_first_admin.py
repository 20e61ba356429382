from io import StringIO

import pytest
from django.core.management import call_command
from pytest_django.fixtures import Settings

from instances.models import User
from memoryapp.management.commands.create_first_admin import create_first_admin


def said() -> str:
    output = StringIO()
    call_command("create_first_admin", stdout=output)
    return output.getvalue()


@pytest.fixture(autouse=True)
def names(settings: Settings) -> None:
    settings.ADMIN_USERNAME = "admin"
    settings.ADMIN_PASSWORD = ""


def test_a_password_is_made_up_and_said_once(db: None) -> None:
    first, second = said(), said()

    password = first.strip().rsplit(" ", 1)[1]
    admin = User.objects.get(username="admin")
    assert admin.is_superuser
    assert admin.check_password(password)
    assert second == "There is a superadmin already.\n"


def test_a_password_from_the_settings_is_not_said(db: None, settings: Settings) -> None:
    settings.ADMIN_PASSWORD = "compiler-1952"

    assert "compiler-1952" not in said()

    assert User.objects.get(username="admin").check_password("compiler-1952")


def test_nobody_is_created_beside_another_superuser(dana: User) -> None:
    assert create_first_admin() is None

    assert list(User.objects.all()) == [dana]


def test_an_ordinary_user_is_not_enough(alice: User) -> None:
    assert create_first_admin()

    assert User.objects.filter(is_superuser=True).count() == 1
