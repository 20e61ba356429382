"""The API answers any request, valid or not, as its document says."""

from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

import pytest
import schemathesis
from django.core import signals
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from schemathesis import Case
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.pytest import from_fixture
from schemathesis.schemas import BaseSchema

from instances.models import Instance, User
from memoryapp import tools
from memoryapp.api.rest.routes import api
from tests.api.conftest import key_of
from tests.api.test_isolation import create_objects

pytestmark = pytest.mark.django_db


def requests(*, corner_cases: bool) -> BaseSchema:
    """Generate requests for each operation of the document; with *corner_cases*, also for edge
    cases of its parameters.
    """
    config = {
        # Deterministic, so that failures can be reproduced.
        "generation": {"deterministic": True, "max-examples": 10 if corner_cases else 3},
        "phases": {"coverage": {"enabled": corner_cases}},
        "checks": {"negative_data_rejection": {"expected-statuses": ["4xx"]}},
        "operations": [
            {
                "include-operation-id": name,
                "checks": {"negative_data_rejection": {"expected-statuses": ["2xx", "4xx"]}},
            }
            for name in (
                # Reports an invalid item beside the outcomes of the others.
                "create_memories",
                # Reads arguments as a model means them: a number is a text, {} is nothing.
                *(f"call_{name}" for name in tools.TOOLS),
            )
        ],
    }
    schema = schemathesis.openapi.from_dict(
        api.get_openapi_schema(), config=SchemathesisConfig.from_dict(config)
    )
    schema.app = get_wsgi_application()
    return schema


@pytest.fixture
def some_requests() -> BaseSchema:
    return requests(corner_cases=False)


@pytest.fixture
def many_requests() -> BaseSchema:
    return requests(corner_cases=True)


load_all_checks()
AS_DOCUMENTED: list[Any] = list(
    CHECKS.get_by_names(
        [
            "not_a_server_error",
            "status_code_conformance",
            "content_type_conformance",
            "response_headers_conformance",
            "response_schema_conformance",
            "negative_data_rejection",
            "unsupported_method",
            "allow_header_conformance",
        ]
    )
)


@pytest.fixture
def parts(instance: Instance, alice: User) -> Mapping[str, Any]:
    """Objects of each kind, by URL parameter."""
    return create_objects(instance, alice)


@pytest.fixture(autouse=True)
def one_connection() -> Iterator[None]:
    """Let requests use the database connection and transaction of the test, as Django's test
    client does.
    """
    ends = (signals.request_started, signals.request_finished)
    for end in ends:
        end.disconnect(close_old_connections)
    yield
    for end in ends:
        end.connect(close_old_connections)


@pytest.fixture(autouse=True)
def node_id(request: pytest.FixtureRequest) -> None:
    """Set the attribute that Schemathesis 4.32 reads and pytest 9.2 lacks."""
    request.node._nodeid = request.node.nodeid


def _is_valid(made_up: Any, existing: Any) -> bool:
    """True if a made-up part of the path has the form of the *existing* one: an id or a UUID."""
    if not isinstance(made_up, type(existing)):
        return False
    try:
        return isinstance(made_up, int) or str(UUID(made_up)) == made_up
    except ValueError:
        return False


def ask(
    case: Case[Any], headers: Mapping[str, str], parts: Mapping[str, Any] | None = None
) -> None:
    """Make the request, with existing objects if *parts* are given, and roll it back."""
    if parts is not None:
        for name, made_up in case.path_parameters.items():
            # Intentionally invalid values are kept.
            if _is_valid(made_up, parts[name]):
                case.path_parameters[name] = parts[name]
        for somewhere in (case.query, case.body):
            if isinstance(somewhere, dict) and isinstance(somewhere.get("instance_id"), str):
                del somewhere["instance_id"]
    with transaction.atomic():
        case.call_and_validate(headers=dict(headers), checks=AS_DOCUMENTED)
        transaction.set_rollback(True)


patient = hypothesis_settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
    ],
)


# Fixtures generate the requests, so that collection does not spend seconds on it.
@from_fixture("some_requests").parametrize()
@patient
def test_requests_with_a_key(case: Case[Any], parts: Mapping[str, Any], instance: Instance) -> None:
    ask(case, {"Authorization": f"Bearer {key_of(instance)[1].secret}"}, parts)


@pytest.mark.soak
@from_fixture("many_requests").parametrize()
@patient
def test_requests_with_a_key_and_corner_cases(
    case: Case[Any], parts: Mapping[str, Any], instance: Instance
) -> None:
    ask(case, {"Authorization": f"Bearer {key_of(instance)[1].secret}"}, parts)


@from_fixture("some_requests").parametrize()
@patient
def test_requests_without_a_key(case: Case[Any]) -> None:
    ask(case, {})
