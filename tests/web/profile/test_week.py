"""What was learned of a person in a week: kept, corrected or forgotten by them."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, User
from instances.tiers import Tier
from memoryapp.models import Activity, Memory, Origin
from memoryapp.pipeline import Candidate, Writer, remember
from memoryapp.web.profile.week import MOST
from tests.web.page_text import text_of

Store = Callable[..., Memory]
WEEK = "/memory/profile?instance=desk&end_user=&view=week"
ANA = WEEK.replace("end_user=", "end_user=ana")


def learn(instance: Instance, *texts: str, **more: Any) -> list[Memory]:
    writer = Writer(Origin.CONVERSATION, Actor(via="extraction"), tier=Tier.USER)
    candidates = [Candidate(text, tier=Tier.USER, **more) for text in texts]
    return [outcome.memory for outcome in remember(instance, candidates, writer)]


def sentences(client: Client, address: str = WEEK) -> list[str]:
    html = client.get(address).content.decode()
    return [unescape(text) for text in re.findall(r'class="sentence"[^>]*>([^<]*)<', html)]


def test_the_most_important_of_the_week_stand_first(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    learn(instance, "The user sails.", importance=4, conversation_id=conversation.pk)
    learn(instance, "The user is allergic to walnuts.", importance=9)
    learn(instance, "Ana rows.", end_user="ana", importance=10)
    (old,) = learn(instance, "The user had a boat.", importance=10)
    month = timezone.now() - timedelta(days=30)
    Memory.objects.filter(pk=old.pk).update(stored_at=month, updated_at=month)
    remember(
        instance,
        [Candidate("The user paints.")],
        Writer(Origin.MANUAL, Actor(via="screen"), tier=Tier.PERSON),
    )
    assert sentences(as_alice) == ["The user is allergic to walnuts.", "The user sails."]
    assert sentences(as_alice, ANA) == ["Ana rows."]
    shown = text_of(as_alice.get(WEEK).content.decode())
    assert "What I learned about you" in shown and "Dinner for eight" in shown
    assert "What I learned about ana" in text_of(as_alice.get(ANA).content.decode())


def test_ten_are_enough(as_alice: Client, instance: Instance) -> None:
    learn(instance, *(f"The user owns boat {n} of the harbour." for n in range(MOST + 5)))
    assert Memory.objects.count() == MOST + 5
    assert len(sentences(as_alice)) == MOST


def test_keeping_confirms_until_it_changes(as_alice: Client, instance: Instance) -> None:
    sails, rows = learn(instance, "The user sails.", "The user rows to work.")
    response = as_alice.post(f"/memory/profile/{sails.pk}/keep", follow=True)
    assert response.redirect_chain[-1][0] == WEEK
    assert "you have confirmed it" in text_of(response.content.decode())
    assert sentences(as_alice) == [rows.content]
    sails.refresh_from_db()
    assert sails.approved_at and sails.verified_at == sails.approved_at
    assert sails.provenance == "said by the user, approved by a person"
    entry = Activity.objects.latest("pk")
    assert (entry.action, entry.memory_id) == ("confirmed", sails.pk)


def test_new_text_is_to_be_confirmed_again(as_alice: Client, instance: Instance) -> None:
    (memory,) = learn(instance, "The user lives in Graz.", key="home_city", value="Graz")
    as_alice.post(f"/memory/profile/{memory.pk}/keep")
    assert sentences(as_alice) == []
    learn(instance, "The user lives in Lyon.", key="home_city", value="Lyon")
    memory.refresh_from_db()
    assert (memory.content, memory.approved_at) == ("The user lives in Lyon.", None)
    assert sentences(as_alice) == ["The user lives in Lyon."]


def test_correcting_and_undoing_it(as_alice: Client, instance: Instance) -> None:
    (memory,) = learn(instance, "The user sails.", importance=7)
    address = f"/memory/profile/{memory.pk}/correct"
    html = as_alice.get(WEEK).content.decode()
    fields = dict(re.findall(rf'name="(learned-{memory.pk}-\w+)" value="([^"]*)"', html))
    text = f"learned-{memory.pk}-content"
    empty = as_alice.post(address, fields | {text: ""})
    assert empty.status_code == 422 and "<details open>" in empty.content.decode()
    response = as_alice.post(address, fields | {text: "The user sails on Sundays."}, follow=True)
    assert response.redirect_chain[-1][0] == WEEK
    memory.refresh_from_db()
    assert (memory.content, memory.importance) == ("The user sails on Sundays.", 7)
    assert memory.tier == Tier.PERSON and sentences(as_alice) == []
    assert "Nothing new to look at" in text_of(response.content.decode())
    assert f"/memory/{memory.pk}/undo/" in response.content.decode()


def test_forgetting_stays_on_the_page_and_is_undone(as_alice: Client, instance: Instance) -> None:
    sails, rows = learn(instance, "The user sails.", "The user rows to work.")
    html = as_alice.post(f"/memory/profile/{sails.pk}/forget?view=week").content.decode()
    assert "Forgot one memory" in text_of(html) and rows.content in html
    assert not Memory.objects.filter(pk=sails.pk).exists()
    fields = dict(re.findall(r'name="(name|key|next)" value="([^"]+)"', html))
    (address,) = re.findall(r'action="(/memory/undo[^"]*)"', html)
    fields["next"] = unescape(fields["next"])
    assert as_alice.post(unescape(address), fields)["Location"] == WEEK
    assert set(sentences(as_alice)) == {sails.content, rows.content}


@pytest.mark.parametrize("verb", ["keep", "correct", "forget"])
def test_viewer_reads_only(client: Client, vera: User, instance: Instance, verb: str) -> None:
    (memory,) = learn(instance, "The user sails.")
    client.force_login(vera)
    assert sentences(client) == ["The user sails."]
    assert f"/profile/{memory.pk}/{verb}" not in client.get(WEEK).content.decode()
    assert client.post(f"/memory/profile/{memory.pk}/{verb}").status_code == 403


def test_chat_leads_there(as_alice: Client, instance: Instance) -> None:
    html = as_alice.get("/chat?instance=desk").content.decode()
    assert f'href="{WEEK}"'.replace("&", "&amp;") in html
