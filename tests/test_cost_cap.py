"""Monthly cost caps: recorded costs, and work that waits at the cap."""

from datetime import datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.models import Instance, User
from memoryapp.models import Memory, Run, Usage, may_spend, over_cap
from memoryapp.providers.errors import ErrorKind, ProviderError
from memoryapp.tasks import extract, sweep
from tests.provider_fixtures import (
    embed_with,
    fill_in,
    keep_everything,
    provider,
    read_with,
)
from tests.scripted_provider import ScriptedProvider

__all__ = ["provider"]

pytestmark = pytest.mark.django_db(transaction=True)

CHAT = "chat/completions"


@pytest.fixture
def priced(instance: Instance) -> Instance:
    """Prices of 2 and 10 per million prompt and completion tokens, and a cap of 5 per month."""
    instance.prompt_price, instance.completion_price = Decimal(2), Decimal(10)
    instance.monthly_cap = Decimal(5)
    instance.save()
    return instance


def spend(instance: Instance, amount: str, at: datetime | None = None) -> None:
    Usage.objects.create(
        instance=instance,
        source="chat",
        model="any",
        cost=Decimal(amount),
        at=at or timezone.now(),
    )


# Cost of a call


@pytest.mark.parametrize(
    ("source", "read", "written", "cost"),
    [
        ("chat", 1_000, 100, "0.003"),
        ("memory_extract", 1, 0, "0.000002"),
        ("memory_summary", 0, 0, "0"),
        ("memory_embed", 1_000_000, 0, None),
    ],
)
def test_usage_records_the_cost_at_current_prices(
    source: str, read: int, written: int, cost: str | None, priced: Instance
) -> None:
    call = Usage.objects.record(
        priced,
        Usage.Source(source),
        "any",
        host="models.example",
        about=(),
        prompt_tokens=read,
        completion_tokens=written,
    )
    Instance.objects.update(prompt_price=99)
    call.refresh_from_db()
    assert call.cost == (None if cost is None else Decimal(cost))


def test_embeddings_have_their_own_price(priced: Instance) -> None:
    priced.embedding_price = Decimal("0.02")
    call = Usage.objects.record(
        priced, Usage.Source.EMBED, "any", host="models.example", about=(), prompt_tokens=500_000
    )
    assert call.cost == Decimal("0.01")


def test_cost_is_unknown_without_a_completion_price(priced: Instance) -> None:
    priced.completion_price = None
    both = Usage.objects.record(
        priced,
        Usage.Source.CHAT,
        "any",
        host="models.example",
        about=(),
        prompt_tokens=10,
        completion_tokens=10,
    )
    assert both.cost is None


def test_list_price_stands_in_for_what_is_not_entered(instance: Instance) -> None:
    def cost(source: Usage.Source, model: str) -> Decimal | None:
        return Usage.objects.record(
            instance,
            source,
            model,
            host="models.example",
            about=(),
            prompt_tokens=1_000_000,
            completion_tokens=1_000_000,
        ).cost

    instance.provider = "openai"
    assert cost(Usage.Source.CHAT, "gpt-4.1-mini") == Decimal(2)
    assert cost(Usage.Source.CHAT, "gpt-of-mine") is None
    instance.prompt_price = Decimal(3)
    assert cost(Usage.Source.CHAT, "gpt-4.1-mini") == Decimal("4.6")
    instance.completion_price = Decimal(0)
    assert cost(Usage.Source.CHAT, "gpt-4.1-mini") == Decimal(3), "an entered 0 is a price"
    assert cost(Usage.Source.CHAT, "gpt-of-mine") == Decimal(3)


def test_list_price_of_embedding_belongs_to_the_model_of_the_call(instance: Instance) -> None:
    instance.embedding_provider = "ollama"
    for space, cost in [
        ("ollama@localhost:11434/nomic-embed-text/768", "0"),
        # The model to which the instance is changing.
        ("openai@api.openai.com/text-embedding-3-large/3072", "0.13"),
        ("custom@vectors.example.com/emb-1/8", None),
    ]:
        call = Usage.objects.record(
            instance,
            Usage.Source.EMBED,
            space,
            host="models.example",
            about=(),
            prompt_tokens=1_000_000,
        )
        assert call.cost == (None if cost is None else Decimal(cost)), space


def test_failed_call_is_recorded_with_its_error(priced: Instance) -> None:
    error = ProviderError(ErrorKind.TIMEOUT, "No answer within 30 s.")
    call = Usage.objects.record(
        priced,
        Usage.Source.CHAT,
        "any",
        host="models.example",
        about=(),
        prompt_tokens=500,
        error=error,
    )
    assert (call.error_kind, call.cost) == ("timeout", Decimal("0.001"))


# The cap


def test_spending_counts_until_the_end_of_the_month(priced: Instance) -> None:
    assert may_spend(priced)
    spend(priced, "4.99")
    assert may_spend(priced)
    spend(priced, "0.01")
    assert not may_spend(priced)
    assert over_cap(Instance.objects.all()) == [priced]
    Usage.objects.update(at=timezone.now() - timedelta(days=32))
    assert may_spend(priced)
    assert not over_cap(Instance.objects.all())


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "UTC"])
def test_month_follows_the_time_zone_of_the_instance(zone: str, priced: Instance) -> None:
    Instance.objects.update(time_zone=zone)
    now = timezone.now().astimezone(ZoneInfo(zone))
    first = now.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    spend(priced, "9", at=first - timedelta(seconds=1))
    assert may_spend(priced)
    spend(priced, "9", at=first)
    assert not may_spend(priced)


def test_no_cap_allows_everything_and_zero_allows_nothing(
    priced: Instance, private: Instance
) -> None:
    spend(private, "1000000")
    assert may_spend(private)
    priced.monthly_cap = Decimal(0)
    priced.save()
    assert not may_spend(priced)


def test_spending_of_other_instances_does_not_count(priced: Instance, private: Instance) -> None:
    private.monthly_cap = Decimal(5)
    private.save()
    spend(priced, "5")
    assert may_spend(private)


def test_calls_with_unknown_cost_do_not_count(priced: Instance) -> None:
    Usage.objects.create(instance=priced, source="chat", model="any", prompt_tokens=10**9)
    assert may_spend(priced)


# Work that waits


@pytest.fixture
def reader(priced: Instance, provider: ScriptedProvider) -> ScriptedProvider:
    read_with(provider, priced)
    provider.reply_with(keep_everything)
    return provider


@pytest.fixture
def waiting(reader: ScriptedProvider, priced: Instance, idle_broker: None) -> Run:
    """A queued run that was not sent to a worker."""
    spend(priced, "5")
    conversation = Conversation.objects.create(instance=priced, title="Trip", origin="chat")
    append(conversation, [NewMessage("user", "I sail."), NewMessage("assistant", "I see.")])
    return Run.objects.get()


def test_run_waits_at_the_cap_and_resumes_by_itself(waiting: Run, reader: ScriptedProvider) -> None:
    extract(run_id=waiting.pk)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts, waiting.error) == (Run.State.QUEUED, 0, "")
    assert reader.count(CHAT) == 0
    Run.objects.update(sent_at=None)
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is None, "a waiting run was sent to a worker"

    Instance.objects.update(monthly_cap=6)
    sweep()
    waiting.refresh_from_db()
    assert waiting.sent_at is not None
    extract(run_id=waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == Run.State.SUCCEEDED
    assert reader.count(CHAT) == 1
    assert Memory.objects.get().content == "I sail."


def test_waiting_run_resumes_next_month(waiting: Run) -> None:
    extract(run_id=waiting.pk)
    Usage.objects.update(at=timezone.now() - timedelta(days=32))
    extract(run_id=waiting.pk)
    waiting.refresh_from_db()
    assert waiting.state == Run.State.SUCCEEDED


def test_backfill_of_paid_vectors_waits_at_the_cap(
    priced: Instance, provider: ScriptedProvider
) -> None:
    spend(priced, "5")
    Memory.objects.create(instance=priced, content="The user sails.")
    embed_with(provider, priced)
    assert fill_in(priced) == 0
    assert provider.count("embeddings") == 0
    Instance.objects.update(monthly_cap=None)
    assert fill_in(Instance.objects.get(pk=priced.pk)) == 1


def test_built_in_embedder_ignores_the_cap(priced: Instance) -> None:
    spend(priced, "5")
    Memory.objects.create(instance=priced, content="The user sails.")
    assert fill_in(priced) == 1


@pytest.fixture
def unread(priced: Instance, idle_broker: None) -> Run:
    """A queued run of an instance over its cap, for the built-in reader."""
    Instance.objects.update(builtin_reader=True, memory_enabled=True)
    spend(priced, "5")
    conversation = Conversation.objects.create(instance=priced, title="Trip", origin="chat")
    append(conversation, [NewMessage("user", "I live in Lyon."), NewMessage("assistant", "OK.")])
    return Run.objects.extractions().get()


def test_built_in_reader_ignores_the_cap(unread: Run, as_alice: Client) -> None:
    page = as_alice.get("/memory?instance=desk").content.decode()
    assert "cost cap is reached" not in page
    assert "1 conversation waiting to be read" in page
    Run.objects.update(sent_at=None)
    sweep()
    unread.refresh_from_db()
    assert unread.sent_at is not None
    extract(run_id=unread.pk)
    assert Memory.objects.get().content == "The user lives in Lyon."


def test_built_in_reader_waits_at_the_cap_if_vectors_are_paid(
    unread: Run, priced: Instance, provider: ScriptedProvider
) -> None:
    embed_with(provider, priced)
    Run.objects.update(sent_at=None)
    sweep()
    extract(run_id=unread.pk)
    unread.refresh_from_db()
    assert (unread.state, unread.sent_at) == (Run.State.QUEUED, None)
    assert provider.count("embeddings") == 0


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/memory?instance=desk", "1 conversation waiting: this month’s cost cap is reached"),
        ("/memory?instance=desk", "Messages are stored, and read for facts next month"),
        ("/conversations?instance=desk", "waiting to be read: this month’s cost cap is reached"),
        ("/conversations/{}", "2 messages are read next month, or when the cap is raised"),
        ("/instances/desk/settings/models", "This month’s cap is reached."),
    ],
)
def test_waiting_run_shows_the_reason(
    path: str, words: str, waiting: Run, as_alice: Client
) -> None:
    url = path.format(waiting.conversation_id)
    page = strip_tags(as_alice.get(url).content.decode())
    assert words in " ".join(page.split())
    Instance.objects.update(monthly_cap=6)
    assert words not in as_alice.get(url).content.decode()


def test_pages_do_not_poll_while_a_run_waits_at_the_cap(waiting: Run, as_alice: Client) -> None:
    chat = f"/chat/{waiting.conversation_id}"
    transcript = f"/conversations/{waiting.conversation_id}"
    page = as_alice.get(chat).content.decode()
    assert "Waiting to be read: this month’s cost cap is reached." in page
    assert 'hx-trigger="every 1s"' not in page
    assert 'hx-trigger="every 2s"' not in as_alice.get(transcript).content.decode()
    Instance.objects.update(monthly_cap=6)
    assert 'hx-trigger="every 1s"' in as_alice.get(chat).content.decode()
    assert 'hx-trigger="every 2s"' in as_alice.get(transcript).content.decode()


def test_reading_on_demand_reports_that_the_run_waits(
    waiting: Run, priced: Instance, as_alice: Client
) -> None:
    url = f"/conversations/{waiting.conversation_id}"
    page = as_alice.post(f"{url}/read", follow=True).content.decode()
    assert "waiting to be read" in page
    assert "cost cap is reached" in page


# Settings


def post_cost(client: Client, **fields: str) -> str:
    data = {f"cost-{name}": value for name, value in fields.items()}
    response = client.post("/instances/desk/settings/cost", data, follow=True)
    return response.content.decode()


def test_cap_without_prices_is_rejected_with_the_reason(
    as_alice: Client, instance: Instance
) -> None:
    assert "Enter prices as well" in post_cost(as_alice, monthly_cap="5")
    instance.refresh_from_db()
    assert instance.monthly_cap is None
    assert "Saved" in post_cost(as_alice, monthly_cap="5", prompt_price="0.25")


def test_list_price_is_shown_and_makes_a_cap_possible(as_alice: Client, instance: Instance) -> None:
    Instance.objects.update(provider="openai", fast_model="gpt-4.1")
    assert "Saved" in post_cost(as_alice, monthly_cap="5")
    page = as_alice.get("/instances/desk/settings/models").content.decode()
    assert 'placeholder="8.00"' in page
    assert "the list prices of" in page
    post_cost(as_alice, monthly_cap="5", prompt_price="2", completion_price="1")
    page = as_alice.get("/instances/desk/settings/models").content.decode()
    assert "the list prices of" in page, "they come back when the fields are emptied"
    Instance.objects.update(provider="custom", base_url="http://127.0.0.1:1/v1", fast_model="tiny")
    page = as_alice.get("/instances/desk/settings/models").content.decode()
    assert "your own server cost nothing" in page


@pytest.mark.parametrize("cap", ["-1", "a lot", "1e999"])
def test_cap_must_be_a_number(cap: str, as_alice: Client, priced: Instance) -> None:
    post_cost(as_alice, monthly_cap=cap, prompt_price="2")
    priced.refresh_from_db()
    assert priced.monthly_cap == 5


def test_only_managers_see_the_link_to_change_the_cap(
    waiting: Run, as_alice: Client, bob: User
) -> None:
    assert "Change the cap" in as_alice.get("/memory?instance=desk").content.decode()
    as_alice.force_login(bob)
    page = as_alice.get("/memory?instance=desk").content.decode()
    assert "cost cap is reached" in page
    assert "Change the cap" not in page
