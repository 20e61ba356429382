"""Adding, changing and removing agents and members on the settings screen."""

from django.test import Client

from conversations.models import Conversation
from instances.models import Agent, Instance, Membership, User
from memoryapp.models import Activity
from tests.instances.cards import save, settings_page


def test_agents_are_added_and_removed(
    as_alice: Client, instance: Instance, conversation: Conversation
) -> None:
    save(as_alice, "agents", name="Nora the Great")
    agent = Agent.objects.get()
    assert (agent.instance, agent.slug) == (instance, "nora-the-great")
    Conversation.objects.update(agent=agent)
    page = settings_page(as_alice, "agents")
    assert "<code>nora-the-great</code>" in page
    response = as_alice.post(f"/instances/desk/agents/{agent.pk}/remove", follow=True)
    assert "Removed Nora the Great. Its conversations stay." in response.content.decode()
    conversation.refresh_from_db()
    assert conversation.agent is None


def test_agent_settings_are_saved(as_alice: Client, instance: Instance) -> None:
    nora = Agent.objects.create(instance=instance, slug="nora", name="Nora")
    Agent.objects.create(instance=instance, slug="omar", name="Omar")
    url = f"/instances/desk/agents/{nora.pk}"
    assert url in settings_page(as_alice, "agents")
    response = as_alice.post(url, {"name": "OMAR", "instructions": "Be Omar.", "reach": "all"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "An agent with this name already exists." in page
    assert '<h1 dir="auto">Nora</h1>' in page
    saved = as_alice.post(
        url, {"name": "nora", "instructions": "Speak as a pirate.", "reach": "own"}
    )
    assert saved["Location"] == "/instances/desk/settings/assistant#agents"
    nora.refresh_from_db()
    assert (nora.name, nora.slug, nora.instructions) == ("nora", "nora", "Speak as a pirate.")
    assert not nora.recall_enabled
    assert nora.reach == "own"
    assert "Speak as a pirate." in as_alice.get(url).content.decode()
    assert Activity.objects.get().action == "settings"


def test_agents_get_unique_slugs_in_any_script(as_alice: Client, instance: Instance) -> None:
    for name in ("Nora", "nora!", "日本", "中国", "x" * 100):
        assert save(as_alice, "agents", name=name).status_code == 302, name
    slugs = set(Agent.objects.values_list("slug", flat=True))
    assert slugs == {"nora", "nora-2", "agent", "agent-2", "x" * 50}
    response = save(as_alice, "agents", name="NORA")
    assert "An agent with this name already exists." in response.content.decode()


def test_member_who_leaves_is_redirected(as_alice: Client, alice: User, bob: User) -> None:
    own = Membership.objects.get(user=alice)
    response = as_alice.post(f"/instances/desk/members/{own.pk}/remove", follow=True)
    assert response.status_code == 200
    assert "alice is no longer a member." in response.content.decode()
    assert as_alice.get("/instances/desk/settings").status_code == 404


def test_members_and_agents_of_other_instances_cannot_be_removed(
    as_alice: Client, instance: Instance, dana: User
) -> None:
    other = Instance.objects.create(slug="other", name="Other")
    agent = Agent.objects.create(instance=other, slug="a", name="A")
    membership = Membership.objects.create(instance=other, user=dana)
    for url in (f"agents/{agent.pk}", f"members/{membership.pk}", f"agents/{2**70}"):
        assert as_alice.post(f"/instances/desk/{url}/remove").status_code == 404
    assert Agent.objects.exists()
    assert Membership.objects.filter(user=dana).exists()
