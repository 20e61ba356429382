"""Django's admin: people and groups. Everything else has a screen of its own."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from instances.models import User

admin.site.site_header = "Keepsake: people"
admin.site.site_title = "Keepsake"


@admin.register(User)
class PeopleAdmin(UserAdmin[User]):
    """People, and not what they have: a private instance is invisible here too."""

    def get_deleted_objects(
        self, objs: Iterable[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        """Name who is deleted. Django would list all that goes with them, which is every word of
        their private instances.
        """
        people = [f"{person}, with everything that is private to them" for person in objs]
        return people, {"people": len(people)}, set(), []
