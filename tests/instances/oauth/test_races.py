"""Codes and refresh tokens that are used several times at once."""

import threading
from collections import Counter
from collections.abc import Callable
from operator import methodcaller
from typing import Any

import pytest
from django.db import connections

from instances.models import Instance, User
from tests.instances.oauth.conftest import OAuthProgram, answer_in, decide

pytestmark = pytest.mark.django_db(transaction=True)

AT_ONCE = 8


def at_once(act: Callable[[OAuthProgram], Any], program: OAuthProgram) -> list[Any]:
    """Have as many copies of *program* do the same at once, each with its own connection."""
    together, answers = threading.Barrier(AT_ONCE), []

    def run() -> None:
        copy = OAuthProgram(client_id=program.client_id)
        together.wait(30)
        try:
            answers.append(act(copy))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return answers


def test_code_gives_tokens_to_one_of_several(
    oauth_program: OAuthProgram, alice: User, instance: Instance
) -> None:
    for _ in range(3):
        code = answer_in(decide(alice, oauth_program.address(), instance, ["read"]))["code"]
        answers = at_once(methodcaller("exchange", code), oauth_program)
        assert Counter(each.status_code for each in answers) == {200: 1, 400: AT_ONCE - 1}


def test_refresh_token_is_exchanged_by_one_of_several(connected: OAuthProgram) -> None:
    for _ in range(3):
        token = connected.tokens["refresh_token"]
        answers = at_once(methodcaller("refresh", token), connected)
        assert Counter(each.status_code for each in answers) == {200: 1, 400: AT_ONCE - 1}
        (connected.tokens,) = (each.json() for each in answers if each.status_code == 200)
        # The app goes on with the tokens of the one.
        assert connected.ask("GET", "/api/memories").status_code == 200
