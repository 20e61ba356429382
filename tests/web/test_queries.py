"""The number of queries of a list does not depend on the number of rows."""

from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from instances.models import ApiKey, Instance, Membership, User
from memoryapp.models import VectorIndex, embedding_spaces
from tests.web.query_screens import FEW, KEYED, MANY, SCREENS, Screen, furnish


@dataclass(frozen=True)
class Answered:
    """The response of a screen, with its queries."""

    status: int
    page: str
    queries: list[str]


@dataclass(frozen=True)
class Desk:
    """An instance, and Alice, who opens its screens."""

    instance: Instance
    alice: User
    client: Client
    #: Secret of an API key.
    secret: str

    @classmethod
    def made(cls) -> "Desk":
        alice = User.objects.create_user("alice")
        instance = Instance.objects.create(slug="desk", name="Desk", palace_enabled=False)
        Membership.objects.create(instance=instance, user=alice, role="manager")
        # A last use in the future is never updated, however long the requests take.
        tomorrow = timezone.now() + timedelta(1)
        key = ApiKey(instance=instance, name="For mem0", scopes=["read"], last_used_at=tomorrow)
        secret = key.make_secret()
        key.save()
        client = Client(raise_request_exception=False)
        client.force_login(alice)
        return cls(instance, alice, client, secret)

    def open_all(self) -> dict[str, Answered]:
        """Open every screen, and roll back its changes."""
        answers = {}
        for name, screen in SCREENS.items():
            with transaction.atomic():
                answers[name] = self.open(screen)
                transaction.set_rollback(True)
        return answers

    def open(self, screen: Screen) -> Answered:
        # Each is opened as the first screen, with no instance that was seen last.
        self.client.cookies.pop("instance", None)
        ids = list(self.instance.memories.order_by("pk").values_list("pk", flat=True))
        drawer = self.instance.drawers.earliest("pk")
        url = screen.url.format(
            memory=ids[0],
            conversation=self.instance.conversations.earliest("pk").pk,
            yesterday=timezone.localdate() - timedelta(1),
            entity=self.instance.entities.get(name="Skipper").pk,
            document=self.instance.stored_documents.order_by("pk")[0].pk,
            answer=self.instance.answers.earliest("pk").pk,
            drawer=drawer.pk,
            closet=drawer.closet_id,
            wing=drawer.closet.room.wing_id,
            webhook=self.instance.webhooks.earliest("pk").pk,
            api_key=self.instance.api_keys.earliest("pk").pk,
        )
        User.objects.filter(pk=self.alice.pk).update(is_superuser=screen.superadmin)
        VectorIndex.forget_known()  # Otherwise only the first screen would look it up.
        with CaptureQueriesContext(connection) as captured:
            if screen.posts:
                response = self.client.post(url, {"id": ids})
            elif screen.body is not None:
                response = self.client.post(
                    url, screen.body, "application/json", headers=self.with_key(KEYED)
                )
            else:
                response = self.client.get(url, headers=self.with_key(screen.headers))
        queries = [query["sql"] for query in captured.captured_queries]
        return Answered(response.status_code, response.content.decode(), queries)

    def with_key(self, headers: dict[str, str]) -> dict[str, str]:
        return {name: value.format(key=self.secret) for name, value in headers.items()}


@pytest.fixture(scope="module")
def opened(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> tuple[dict[str, Answered], dict[str, Answered]]:
    """Every screen with few rows, and with many. Created once, because that takes longest."""
    with (
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
        transaction.atomic(),
    ):
        # Each page looks up the indexes once, however long it takes.
        patch.setattr(embedding_spaces, "CACHE_SECONDS", float("inf"))
        desk = Desk.made()
        furnish(desk.instance, desk.alice, 1, FEW)
        with_few = desk.open_all()
        furnish(desk.instance, desk.alice, FEW + 1, MANY)
        with_many = desk.open_all()
        transaction.set_rollback(True)
    return with_few, with_many


@pytest.mark.django_db
@pytest.mark.parametrize("name", SCREENS)
def test_list_has_a_constant_number_of_queries(
    name: str, opened: tuple[dict[str, Answered], dict[str, Answered]]
) -> None:
    few, many = (answers[name] for answers in opened)
    for answered in (few, many):
        assert answered.status == 200
        assert SCREENS[name].text in answered.page
    # Without results no rows are loaded: one query less is allowed, one more is not.
    assert len(many.queries) <= len(few.queries), "\n".join(many.queries)
    assert len(many.queries) <= SCREENS[name].most, "\n".join(many.queries)
