"""Property test: after any order of events, each remaining message is filed exactly once."""

import random

import pytest
from django.db import connection
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation
from instances.actor import Actor
from instances.models import Instance
from memoryapp.embeddings.search_text import write_missing_search_text
from memoryapp.mining.queue import queue
from memoryapp.mining.run import mine
from memoryapp.models import Closet, Drawer, Room, Run, Wing
from memoryapp.palace.deletion import delete_drawers
from memoryapp.tasks import sweep
from memoryapp.trust.conversation_deletion import forget_conversation
from tests.mining.conftest import palace, work
from tests.mining.test_with_model import file_by_first_word
from tests.provider_fixtures import read_with
from tests.scripted_provider import ScriptedProvider

THINGS = ("Stove", "Sink", "Lamp", "Door", "Shelf", "Hood")


class House:
    """Conversations with random events, and the expected palace."""

    def __init__(self, instance: Instance, dice: random.Random) -> None:
        self.instance = instance
        self.dice = dice
        self.talks: list[Conversation] = []
        self.said = 0
        #: Texts that must not be found any more.
        self.gone: set[str] = set()
        self.unfiled: set[str] = set()

    def say(self) -> None:
        if not self.talks or self.dice.random() < 0.3:
            self.talks.append(Conversation.objects.create(instance=self.instance, title="Talk"))
        turns = []
        for _ in range(self.dice.randint(1, 4)):
            self.said += 1
            role = self.dice.choice(["user", "assistant", "tool"])
            turns.append(NewMessage(role, f"{self.dice.choice(THINGS)} word{self.said}"))
        append(self.dice.choice(self.talks), turns, finished=True)

    def file(self) -> None:
        work()

    def die(self) -> None:
        """A worker claims a run and dies."""
        if run := Run.objects.minings().waiting().first():
            assert run.claim()
            Run.objects.filter(pk=run.pk).update(lease_until=timezone.now())
            sweep()

    def be_late(self) -> None:
        """A worker continues after losing its lease."""
        if run := Run.objects.minings().waiting().first():
            assert run.claim()
            Run.objects.filter(pk=run.pk).update(lease_until=timezone.now())
            sweep()
            mine(run)

    def delete_a_conversation(self) -> None:
        if self.talks and self.dice.random() < 0.5:
            talk = self.talks.pop(self.dice.randrange(len(self.talks)))
            self.gone |= set(talk.messages.values_list("content", flat=True))
            forget_conversation(talk, with_memories=True, by=Actor())

    def delete_a_message(self) -> None:
        if self.talks:
            message = self.dice.choice(self.talks).messages.order_by("?").first()
            if message is not None:
                self.gone.add(message.content)
                message.delete()

    def delete_a_drawer(self) -> None:
        ids = list(Drawer.objects.order_by("pk").values_list("pk", flat=True))
        if ids:
            drawer = Drawer.objects.get(pk=self.dice.choice(ids))
            self.unfiled.add(drawer.content)
            delete_drawers(self.instance, Drawer.objects.filter(pk=drawer.pk), by=Actor())

    def expected(self) -> list[tuple[str, str, str, list[str], str]]:
        turns = [
            message.content
            for talk in self.talks
            for message in talk.messages.filter(role__in=["user", "assistant"])
        ]
        return sorted(
            ("Kitchen", "Talk", text.split()[0], [text.split()[-1]], text)
            for text in turns
            if text not in self.unfiled
        )


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 12))]
)
def test_each_remaining_message_is_filed_once(
    house: Instance, provider: ScriptedProvider, seed: int
) -> None:
    read_with(provider, house)
    provider.reply_with(file_by_first_word)
    dice = random.Random(seed)  # noqa: S311  # The same in each run of the test.
    at_home = House(house, dice)
    steps = [
        *[at_home.say] * 4,
        *[at_home.file] * 2,
        at_home.die,
        at_home.be_late,
        at_home.delete_a_conversation,
        at_home.delete_a_message,
        at_home.delete_a_drawer,
    ]
    for _ in range(40):
        dice.choice(steps)()
    at_home.say()
    while Run.objects.minings().filter(state__in=["queued", "running"]).exists():
        Run.objects.update(due_at=timezone.now())
        work()
    for talk in at_home.talks:
        queue(talk)
    work()
    write_missing_search_text(house)

    assert palace() == at_home.expected()
    for model, inner in ((Closet, "drawers"), (Room, "closets"), (Wing, "rooms")):
        assert not model.objects.filter(**{inner: None}).exists(), "an empty place is left"
    assert _found_anywhere(at_home.gone) == set()


def _found_anywhere(texts: set[str]) -> set[str]:
    """Return those of *texts* whose unique word is found in any drawer."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(search::text, ' ') FROM memoryapp_drawer")
        (words,) = cursor.fetchone()
    return {text for text in texts if f"'{text.split()[-1]}'" in (words or "")}
