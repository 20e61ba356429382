"""The number of statements of each list of the admin does not depend on the number of rows."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from instances.models import Instance, User
from memoryapp.admin.columns import list_of
from memoryapp.admin.tables import site
from tests.api.conftest import key_of
from tests.web.query_screens import FEW, MANY, furnish

#: Of the session, the person, the rows, their number, and the instances that are offered.
MOST = 8


@pytest.fixture
def desk(instance: Instance, alice: User) -> Instance:
    instance.conversations.create(title="Main", origin="chat")
    key_of(instance)
    return instance


def test_lists_have_a_constant_number_of_queries(desk: Instance, alice: User, dana: User) -> None:
    client = Client()
    client.force_login(dana)

    def statements() -> dict[str, int]:
        found = {}
        for model in site._registry:
            with CaptureQueriesContext(connection) as captured:
                assert client.get(list_of(model)).status_code == 200
            found[model.__name__] = len(captured)
        return found

    furnish(desk, alice, 1, FEW)
    few = statements()
    furnish(desk, alice, FEW + 1, MANY)
    many = statements()
    assert few == many
    assert {name: number for name, number in many.items() if number > MOST} == {}
