"""The memory of an instance, turned on where it is missed."""

from django.test import Client

from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Activity


def test_chat_turns_memory_on_and_stays(as_alice: Client, instance: Instance) -> None:
    Instance.objects.update(memory_enabled=False)
    here = f"/chat?instance={instance.slug}"
    assert f'value="{here}"' in as_alice.get(here).content.decode()
    response = as_alice.post(f"/instances/{instance.slug}/on", {"back": here}, follow=True)
    assert response.redirect_chain == [(here, 302)]
    assert "Memory is on." in response.content.decode()
    instance.refresh_from_db()
    assert instance.memory_enabled
    assert Activity.objects.filter(action="settings").count() == 1
    # It is on already: nothing has changed.
    as_alice.post(f"/instances/{instance.slug}/on", {"back": here})
    assert Activity.objects.filter(action="settings").count() == 1


def test_transcript_turns_memory_on(as_alice: Client, conversation: Conversation) -> None:
    Instance.objects.update(memory_enabled=False)
    shown = as_alice.get(conversation.get_absolute_url()).content.decode()
    assert f'name="back" value="{conversation.get_absolute_url()}"' in shown


def test_way_back_stays_on_this_server(as_alice: Client, instance: Instance) -> None:
    for back in ("https://example.org/", "//example.org", ""):
        response = as_alice.post(f"/instances/{instance.slug}/on", {"back": back})
        assert response["Location"].startswith(f"/instances/{instance.slug}/settings")
