"""Calls of programs in the usage log: about whom they were."""

from typing import Any

import pytest
from openai import OpenAI

from instances.models import Instance
from memoryapp.models import Usage
from tests.provider_fixtures import embed_with
from tests.scripted_provider import ScriptedProvider

pytestmark = pytest.mark.django_db(transaction=True)

ANA = "ana@example.org"


def test_call_of_a_program_is_about_its_person(client: OpenAI, assisted: Instance) -> None:
    client.chat.completions.create(
        model="keepsake", messages=[{"role": "user", "content": "I sail."}], user=ANA
    )
    call = Usage.objects.filter(source="chat").get()
    assert (call.end_user, call.people) == (ANA, 1)
    assert call.host


@pytest.mark.parametrize(
    ("named", "about"), [({"user": ANA}, (ANA, 1)), ({}, (None, None))], ids=["named", "not named"]
)
def test_texts_of_a_program_are_about_whom_it_names(
    named: dict[str, Any],
    about: tuple[str | None, int | None],
    client: OpenAI,
    assisted: Instance,
    provider: ScriptedProvider,
) -> None:
    embed_with(provider, assisted)
    client.embeddings.create(model="any", input="Sails.", **named)
    call = Usage.objects.get()
    assert (call.end_user, call.people) == about
