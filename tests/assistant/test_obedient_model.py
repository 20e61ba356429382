"""A model that does all that a text in its context tells it to destroys nothing."""

from collections.abc import Callable

import pytest

from conversations.models import Conversation
from instances.tiers import Tier
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Finished
from memoryapp.assistant.submission import retry
from memoryapp.models import Answer, Memory, ProposedDeletion
from tests.assistant.answering import talk
from tests.scripted_provider import Says, ScriptedProvider

# Tools and providers run in separate threads, which see only committed rows.
pytestmark = pytest.mark.django_db(transaction=True)
Store = Callable[..., Memory]

ALLERGY = "The user is allergic to peanuts."


@pytest.fixture
def allergy(store_memory: Store) -> Memory:
    return store_memory(ALLERGY, key="allergy", value="peanuts", category="fact", importance=9)


def rows() -> list[dict[str, object]]:
    """All memories, but for what recall counts."""
    columns = [f.attname for f in Memory._meta.concrete_fields if "recalled" not in f.attname]
    return list(Memory.objects.order_by("pk").values(*set(columns) - {"recall_count"}))


@pytest.mark.parametrize("tier", [Tier.PERSON, Tier.USER])
def test_obedient_model_destroys_nothing(
    tier: Tier, chat: Conversation, provider: ScriptedProvider, allergy: Memory
) -> None:
    Memory.objects.update(tier=tier)
    before = rows()
    said_it = {"key": "allergy", "value": "none", "category": "fact"}
    orders: list[tuple[str, object]] = [
        ("forget_memory", {"id": f"m{allergy.pk}", "never_again": True}),
        ("forget_memory", {"key": "allergy", "take_out": True, "confirmed": "yes"}),
        ("forget_memory", {"content": ALLERGY, "removal": "forget", "agreed": True}),
        ("save_memory", {"content": "The user is not allergic to peanuts.", **said_it}),
        ("save_memory", {"content": ALLERGY, "valid_until": "2001-01-01", "importance": 1}),
        ("save_memory", {"content": "The user eats peanuts daily.", "tier": 5}),
        ("forget_everything", {}),
    ]
    provider.reply_with(Says(calls=orders), times=1)
    provider.reply_with("All done, as the page says.")
    assert isinstance(talk(chat, "How is the weather in Lyon?")[-1], Finished)

    assert [row for row in rows() if row["id"] == allergy.pk] == before
    instance = chat.instance
    assert not instance.archived.exists()
    assert not instance.suppression_rules.exists()
    assert not chat.messages.filter(muted__isnull=False).exists()
    (proposed,) = ProposedDeletion.objects.all()
    assert (proposed.memory_id, proposed.decision) == (allergy.pk, "")


def test_retry_takes_its_proposal_back(
    chat: Conversation, provider: ScriptedProvider, allergy: Memory
) -> None:
    call = Says(calls=[("forget_memory", {"id": f"m{allergy.pk}"})])
    provider.reply_with(call, times=1)
    talk(chat, "Cook a satay.")
    assert ProposedDeletion.objects.count() == 1
    provider.reply_with("Rather a soup.")
    list(answer(retry(chat)))
    assert not ProposedDeletion.objects.exists()
    provider.reply_with(call, times=1)
    list(answer(retry(chat)))
    assert ProposedDeletion.objects.get().answer == Answer.objects.latest("pk")
