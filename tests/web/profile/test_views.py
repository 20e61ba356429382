"""The profile of a person: facts with history, editing in place, and the summary."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance, Provider
from memoryapp.models import Memory, MemoryRevision, MemorySource, Origin, Summary
from memoryapp.pipeline import Candidate, Rejected, Writer, remember
from memoryapp.web.profile.timeline import PER_PAGE
from tests.web.page_text import text_of

Store = Callable[..., Memory]
ANA = "/memory/profile?instance=desk&end_user=ana"

LAST_YEAR = timezone.now() - timedelta(days=365)


@pytest.fixture
def city(instance: Instance) -> Memory:
    return store_fact(instance, "Munich", confidence=80)


def store_fact(instance: Instance, value: str, **more: object) -> Memory:
    candidate = Candidate(
        f"Ana lives in {value}.",
        "fact",
        key="home_city",
        value=value,
        end_user="ana",
        **more,  # type: ignore[arg-type]  # whichever field a test wants
    )
    return remember(instance, [candidate], Writer(Origin.CONVERSATION, Actor(via="test")))[0].memory


def page(client: Client, url: str = ANA) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def names(html: str) -> list[str]:
    return [text_of(found) for found in re.findall(r"<h3>(.*?)</h3>", html)]


# Choice of the person


def test_missing_instance_shows_a_choice(
    as_alice: Client, instance: Instance, private: Instance
) -> None:
    assert "/memory/profile?instance=desk" in page(as_alice, "/memory/profile")


def test_single_person_is_selected_automatically(as_alice: Client, city: Memory) -> None:
    response = as_alice.get("/memory/profile?instance=desk")
    assert response["Location"] == ANA


def test_several_people_show_a_searchable_choice(
    as_alice: Client, city: Memory, store_memory: Store
) -> None:
    for number in range(3):
        store_memory(f"Ben has {number} boats and {number} cars.", end_user="ben")
    html = page(as_alice, "/memory/profile?instance=desk")
    people = re.findall(r"end_user=(\w*)\">\s*<b", html)
    assert people == ["ben", "ana"]
    assert "1 memory · " in text_of(html)
    found = page(as_alice, "/memory/profile?instance=desk&q=AN")
    assert re.findall(r"end_user=(\w*)\">\s*<b", found) == ["ana"]
    assert "No one found" in page(as_alice, "/memory/profile?instance=desk&q=zoe")
    assert "Another person" in page(as_alice)


def test_unknown_person_is_reported(as_alice: Client, instance: Instance) -> None:
    html = page(as_alice, "/memory/profile?instance=desk&end_user=")
    assert "Nothing about the user yet" in text_of(html)
    assert "There is nothing to summarise yet" in text_of(html)


def test_memory_screen_and_panel_link_to_the_profile(as_alice: Client, city: Memory) -> None:
    assert 'href="/memory/profile?instance=desk"' in page(as_alice, "/memory?instance=desk")
    assert ANA.replace("&", "&amp;") in page(as_alice, f"/memory/{city.pk}")


# Facts


def test_facts_are_grouped_by_category_with_their_support(
    as_alice: Client, instance: Instance, city: Memory, store_memory: Store
) -> None:
    store_memory("Ana drinks tea.", end_user="ana", category="preference", key="drink", value="tea")
    store_memory("Ana was born in Oslo.", end_user="ana", category="fact")
    store_memory(
        "Ben lives in Rome.", end_user="ben", category="fact", key="home_city", value="Rome"
    )
    html = page(as_alice)
    assert names(html) == ["home city", "drink"]
    visible = text_of(html)
    for each in ("Munich", "Ana lives in Munich.", "conversation", "80", "Ana was born in Oslo."):
        assert each in visible
    assert "Rome" not in visible
    assert "3 memories" in visible


def test_memories_without_a_key_are_shown_partially(as_alice: Client, instance: Instance) -> None:
    Memory.objects.bulk_create(
        Memory(instance=instance, content=f"Trip {n}.", category="event", end_user="ana")
        for n in range(9)
    )
    html = page(as_alice)
    assert len(re.findall(r"<li><a href=[^>]*>Trip \d\.", html)) == 5
    assert "Show all 9 : event" in text_of(html).replace("Event", "event")


def test_fact_is_added(as_alice: Client, instance: Instance) -> None:
    fields = {"key": "Home City", "value": "Graz", "content": "Ana lives in Graz."}
    response = as_alice.post(ANA, fields | {"category": "fact"})
    memory = Memory.objects.get()
    assert response["Location"] == f"{ANA}#fact-{memory.pk}"
    assert (memory.end_user, memory.key, memory.value) == ("ana", "home_city", "Graz")
    assert (memory.confidence, memory.origin) == (100, "manual")
    assert "Remembered." in page(as_alice)


def test_incomplete_fact_is_rejected_and_input_kept(as_alice: Client, city: Memory) -> None:
    response = as_alice.post(ANA, {"key": "diet", "content": "Ana is vegan.", "category": "fact"})
    assert response.status_code == 422
    html = response.content.decode()
    assert '<details class="fold adding" open>' in html
    assert "Ana is vegan." in html
    assert Memory.objects.count() == 1


def test_fact_is_edited_in_place(as_alice: Client, city: Memory) -> None:
    form = page(as_alice, f"{ANA}&edit={city.pk}")
    assert f'name="fact-{city.pk}-value" value="Munich"' in form
    fields = {"key": "home_city", "value": "Graz", "content": "Ana lives in Graz."}
    fields = {f"fact-{city.pk}-{name}": value for name, value in fields.items()}
    address = f"/memory/profile/{city.pk}"
    response = as_alice.post(address, fields | {f"fact-{city.pk}-category": "fact"})
    assert response["Location"] == f"{ANA}#fact-{city.pk}"
    city.refresh_from_db()
    assert (city.value, city.confidence, city.importance) == ("Graz", 100, 7)
    html = page(as_alice)
    assert "was Munich · conversation, confidence 80" in text_of(html)
    # The message offers an undo, which returns here.
    undo = re.search(
        r'class="notice ok toast".*?action="([^"]+)".*?name="next" value="([^"]+)"', html, re.S
    )
    assert undo is not None
    response = as_alice.post(unescape(undo[1]), {"next": unescape(undo[2])})
    assert response["Location"] == ANA
    city.refresh_from_db()
    assert city.value == "Munich"


def test_rejected_edit_stays_in_place(as_alice: Client, city: Memory, store_memory: Store) -> None:
    store_memory(
        "Ana works in Lyon.", end_user="ana", category="fact", key="employer", value="Lyon"
    )
    fields = {
        "key": "employer",
        "value": "Graz",
        "content": "Ana lives in Graz.",
        "category": "fact",
    }
    response = as_alice.post(
        f"/memory/profile/{city.pk}",
        {f"fact-{city.pk}-{name}": value for name, value in fields.items()},
    )
    assert response.status_code == 422
    html = response.content.decode()
    assert "There is another memory with the key employer" in text_of(html)
    assert "2 memories" in text_of(html)
    assert 'value="Graz"' in html
    city.refresh_from_db()
    assert city.value == "Munich"


def test_history_shows_a_rejected_value_and_can_accept_it(
    as_alice: Client, instance: Instance, city: Memory
) -> None:
    store_fact(instance, "Lyon", said_at=LAST_YEAR)
    html = page(as_alice)
    assert "1 not used" in text_of(html)
    assert "Lyon Ana lives in Lyon." in text_of(html)
    rejected = MemoryRevision.objects.heard().get()
    response = as_alice.post(
        f"/memory/{city.pk}/restore/{rejected.pk}?instance=desk", {"next": f"{ANA}#fact-{city.pk}"}
    )
    assert response["Location"] == f"{ANA}#fact-{city.pk}"
    city.refresh_from_db()
    assert city.value == "Lyon"


def test_next_url_must_be_on_this_server(
    as_alice: Client, instance: Instance, city: Memory
) -> None:
    store_fact(instance, "Lyon", said_at=LAST_YEAR)
    rejected = MemoryRevision.objects.heard().get()
    address = f"/memory/{city.pk}/restore/{rejected.pk}?instance=desk"
    response = as_alice.post(address, {"next": "https://elsewhere.example/"})
    assert response["Location"].startswith(f"/memory/{city.pk}?")


def test_deleted_fact_can_be_restored(as_alice: Client, city: Memory, settings: object) -> None:
    html = as_alice.post(f"/memory/profile/{city.pk}/forget").content.decode()
    assert not Memory.objects.exists()
    assert "Forgot “home city”" in text_of(html)
    assert "Nothing about ana yet" in text_of(html)
    fields = dict(re.findall(r'name="(name|key|next)" value="([^"]+)"', html))
    address = re.search(r'action="(/memory/undo[^"]*)"', html)
    assert address is not None
    fields["next"] = unescape(fields["next"])
    assert as_alice.post(unescape(address[1]), fields)["Location"] == ANA
    assert Memory.objects.get().value == "Munich"


def test_suppressed_fact_is_not_learned_again(
    as_alice: Client, instance: Instance, city: Memory
) -> None:
    html = as_alice.post(f"/memory/profile/{city.pk}/forget", {"for_good": "yes"})
    assert "It will not be learned again." in text_of(html.content.decode())
    with pytest.raises(Rejected):
        store_fact(instance, "Munich")
    assert not Memory.objects.exists()


# Summary


def test_missing_model_is_reported(as_alice: Client, city: Memory) -> None:
    visible = text_of(page(as_alice))
    assert "Summaries need a language model." in visible
    assert "Write it" not in visible
    as_alice.post("/memory/profile/summary?instance=desk&end_user=ana")
    assert not Summary.objects.exists()
    assert "Choose one in Settings" in text_of(page(as_alice))


@pytest.fixture
def with_model(instance: Instance) -> Instance:
    instance.provider, instance.base_url = Provider.CUSTOM, "http://127.0.0.1:9/v1"
    instance.save()
    return instance


def test_summary_is_generated_on_request(
    as_alice: Client, with_model: Instance, city: Memory
) -> None:
    assert "There is no summary yet" in text_of(page(as_alice))
    response = as_alice.post("/memory/profile/summary?instance=desk&end_user=ana")
    assert response["Location"] == ANA
    summary = Summary.objects.get()
    assert (summary.end_user, summary.is_coming) == ("ana", True)
    html = page(as_alice)
    assert 'hx-trigger="every 2s"' in html
    assert "Write it" not in text_of(html)
    Summary.objects.update(due_at=timezone.now() + timedelta(hours=1), error="The cap is reached.")
    html = page(as_alice)
    assert "every 2s" not in html
    assert "It could not be written: The cap is reached." in text_of(html)


def test_summary_shows_its_sources_and_time(
    as_alice: Client, with_model: Instance, city: Memory, store_memory: Store
) -> None:
    Summary.objects.create(
        instance=with_model,
        end_user="ana",
        text="Ana lives in Munich.\n\nShe <b>sails</b>.",
        made_from=34,
        newest_memory=city.pk,
        written_at=timezone.now(),
        model="scripted",
    )
    store_memory("Ana sails.", end_user="ana")
    html = page(as_alice)
    visible = text_of(html)
    assert "Written from 34 memories just now by scripted. 1 newer memory is not in it." in visible
    assert "Write it again" in visible
    assert "She &lt;b&gt;sails&lt;/b&gt;." in html
    with_model.summary_enabled = False
    with_model.save()
    visible = text_of(page(as_alice))
    assert "Summaries are off" in visible
    assert "Written from" not in visible


def test_summary_of_another_instance_is_not_generated(
    client: Client, charlie: object, with_model: Instance, city: Memory
) -> None:
    client.force_login(charlie)  # type: ignore[arg-type]  # the fixture's User
    response = client.post("/memory/profile/summary?instance=desk&end_user=ana")
    assert response.status_code == 404
    assert not Summary.objects.exists()


# Timeline

TIMELINE = f"{ANA}&view=timeline"


def test_timeline_shows_what_was_said_by_day_newest_first(
    as_alice: Client, instance: Instance, city: Memory, store_memory: Store
) -> None:
    conversation = Conversation.objects.create(instance=instance, title="Moving house")
    MemorySource.objects.create(instance=instance, memory=city, conversation=conversation)
    boat = store_memory("Ana bought a boat.", category="event", end_user="ana")
    store_memory("Ben sold a boat.", end_user="ben")
    day = timezone.now().replace(year=2024, month=5, day=2, hour=12)
    Memory.objects.filter(pk=boat.pk).update(said_at=day)
    html = page(as_alice, TIMELINE)
    shown = text_of(html)
    assert shown.index("Ana lives in Munich.") < shown.index("Ana bought a boat.")
    assert '<time datetime="2024-05-02">' in html
    assert f'href="{conversation.get_absolute_url()}"' in html
    assert "Ben sold" not in shown
    assert re.findall(r'<a href="[^"]*" aria-current="page">(\w+)</a>', html)[-1] == "Timeline"


def test_timeline_shows_earlier_texts(as_alice: Client, instance: Instance, city: Memory) -> None:
    store_fact(instance, "Graz", confidence=90)
    shown = text_of(page(as_alice, TIMELINE))
    assert "1 earlier text Until " in shown
    assert "Ana lives in Munich." in shown


def test_timeline_has_pages(as_alice: Client, instance: Instance) -> None:
    Memory.objects.bulk_create(
        Memory(
            instance=instance,
            content=f"Ana has seen {number} whales.",
            category="event",
            end_user="ana",
            said_at=LAST_YEAR + timedelta(days=number),
        )
        for number in range(PER_PAGE + 1)
    )
    first = page(as_alice, TIMELINE)
    assert "Ana has seen 0 whales." not in first
    assert "end_user=ana&amp;view=timeline&amp;page=2" in first
    second = page(as_alice, f"{TIMELINE}&page=2")
    assert "Ana has seen 0 whales." in second
    assert second.count("whales") == 1
    # Pages that do not exist show the last one.
    assert "Ana has seen 0 whales." in page(as_alice, f"{TIMELINE}&page=99999999999")


def test_timeline_of_nobody_is_empty(as_alice: Client, instance: Instance) -> None:
    assert "appears here by date" in page(as_alice, TIMELINE)


# The picture


def test_values_of_facts_are_drawn_in_time(
    as_alice: Client, instance: Instance, store_memory: Store
) -> None:
    store_fact(instance, "Munich", said_at=LAST_YEAR)
    assert "In time" not in text_of(page(as_alice)), "one value is no timeline"
    store_fact(instance, "Graz")
    store_memory("Ana drinks tea.", end_user="ana", key="drink", value="tea")
    drawn = as_alice.get(ANA).context["timelines"]
    assert [picture.width for picture in drawn] == [680, 340]
    spans = {strip.span.words: strip.span for strip in drawn[0].strips}
    today = timezone.localdate()
    munich, graz = spans["home city: Munich"], spans["home city: Graz"]
    assert (munich.begin, munich.end) == (timezone.localdate(LAST_YEAR), today)
    assert (graz.begin, graz.end) == (today, None)
    assert spans["drink: tea"].when.startswith("since ")
    assert "In time" in text_of(page(as_alice))
    # A value that is only written otherwise is the same one.
    Memory.objects.filter(key="home_city").update(value="munich")
    assert {strip.span.words for strip in as_alice.get(ANA).context["timelines"][0].strips} == {
        "home city: munich",
        "drink: tea",
    }
