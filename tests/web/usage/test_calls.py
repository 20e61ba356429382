"""The list of calls to providers, on its screen and over REST."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from instances.models import Instance, User
from memoryapp.models import Usage
from tests.api.conftest import key_of

LIST = "/status/usage/calls?instance=desk"


@pytest.fixture
def calls(instance: Instance, private: Instance) -> None:
    """Calls about one person, about several, about nobody, and about an unknown number."""

    def call(host: str, source: str, *, about: tuple[str, ...] | None, of: Instance) -> Usage:
        record = Usage.objects.record
        return record(of, Usage.Source(source), "small", host=host, about=about)

    call("one.example", "chat", about=("ana",), of=instance)
    call("two.example", "memory_embed", about=("ana", "ben", "eve"), of=instance)
    call("two.example", "memory_embed", about=(), of=instance)
    call("three.example", "memory_embed", about=None, of=instance)
    call("diary.example", "chat", about=("ana",), of=private)
    Usage.objects.filter(host="one.example").update(at=timezone.now() - timedelta(days=3))


def rows(page: str) -> list[str]:
    """The rows of the list, each as its words."""
    return [part.split("</article>")[0] for part in page.split("<article")[1:]]


@pytest.mark.usefixtures("calls")
def test_screen_names_server_and_person(as_alice: Client) -> None:
    unknown, nobody, several, ana = rows(as_alice.get(LIST).content.decode())
    assert "three.example" in unknown
    assert "not known about whom" in unknown
    assert "about nobody" in nobody
    assert "about 3 people" in several
    assert "ana" not in several
    assert "one.example" in ana
    assert "about <bdi>ana</bdi>" in ana


@pytest.mark.usefixtures("calls")
@pytest.mark.parametrize(
    ("query", "hosts"),
    [
        ("&person=ana", ["one"]),
        ("&host=Two.example", ["two", "two"]),
        ("&purpose=chat", ["one"]),
        (f"&since={timezone.now() - timedelta(days=1):%Y-%m-%d}", ["three", "two", "two"]),
        (f"&until={timezone.now() - timedelta(days=1):%Y-%m-%d}", ["one"]),
        ("&person=nobody", []),
    ],
)
def test_filters(query: str, hosts: list[str], as_alice: Client) -> None:
    found = rows(as_alice.get(LIST + query).content.decode())
    assert [next(h for h in ("one", "two", "three") if f"{h}.ex" in row) for row in found] == hosts


@pytest.mark.usefixtures("calls")
def test_only_managers_see_it(as_alice: Client, instance: Instance, vera: User) -> None:
    usage = "/status/usage?instance=desk"
    assert "/status/usage/calls" in as_alice.get(usage).content.decode()
    member = Client()
    member.force_login(vera)
    assert member.get(LIST).status_code == 403
    assert "/status/usage/calls" not in member.get(usage).content.decode()


@pytest.mark.usefixtures("calls")
def test_programs_list_calls(instance: Instance) -> None:
    program = key_of(instance, ("people",))[1]
    listed = program.send("GET", "usage")["items"]
    assert [(each["host"], each["user_id"], each["people"]) for each in listed] == [
        ("three.example", None, None),
        ("two.example", None, 0),
        ("two.example", None, 3),
        ("one.example", "ana", 1),
    ]
    assert program.send("GET", "usage?user_id=ana")["items"] == listed[-1:]
    assert (
        program.send("GET", "usage?purpose=memory_embed&host=two.example")["items"] == (listed[1:3])
    )
    day = (timezone.now() - timedelta(days=1)).isoformat().replace("+00:00", "Z")
    assert program.send("GET", f"usage?before={day}")["items"] == listed[-1:]
    assert program.send("GET", f"usage?since={day}")["items"] == listed[:-1]
