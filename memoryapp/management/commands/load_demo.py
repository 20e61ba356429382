"""``manage.py load_demo``: creates the demo instance, through the write path."""

import json
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils import timezone

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Message, Role
from instances.actor import Actor
from instances.models import DEMO, Instance, User
from instances.tiers import Tier
from memoryapp.embeddings.drawer_vectors import embed_drawers
from memoryapp.management import demo_answers
from memoryapp.mining.parse import Filing, FilingContext
from memoryapp.mining.placement import by_model
from memoryapp.mining.run import file_plan
from memoryapp.models import Origin, Run
from memoryapp.pipeline import Candidate, Writer, remember

#: Days from today to the journey of the people in the demo.
FLIGHT = 40


@dataclass(frozen=True)
class DemoFact:
    """A fact that one message of the demo states."""

    content: str
    category: str
    importance: int
    #: Separated by spaces.
    tags: str
    #: The days from today for which it holds; None: without end.
    days: int | None = None


@dataclass(frozen=True)
class DemoMessage:
    """A message of the demo with its facts."""

    role: str
    content: str
    facts: tuple[DemoFact, ...] = ()


class Command(BaseCommand):
    help = "Load the demo instance into a fresh installation."

    def handle(self, *args: Any, **options: Any) -> None:
        # On the first start only, so that a deleted demo stays deleted.
        if User.objects.exists() or Instance.objects.filter(slug=DEMO).exists():
            self.stdout.write("This is not a fresh installation: no demo was loaded.")
            return
        # All or nothing: an interrupted first start begins again.
        with transaction.atomic():
            instance = Instance.objects.create(slug=DEMO, name="Demo assistant")
            for days_ago, (title, messages) in zip(
                (12, 5, 1), _conversations().items(), strict=True
            ):
                _load(instance, title, messages, days_ago)
        self.stdout.write(f"Loaded {instance.memories.count()} memories.")


def _load(instance: Instance, title: str, messages: tuple[DemoMessage, ...], days_ago: int) -> None:
    began = timezone.now() - timedelta(days=days_ago, hours=2)
    conversation = Conversation.objects.create(
        instance=instance,
        title=title,
        origin=ConversationOrigin.CHAT,
        external_id=f"demo:{title}",
        created_at=began,
    )
    turns = [
        NewMessage(
            message.role,
            message.content,
            author="Mara" if message.role == "user" else "",
            sent_at=began + timedelta(minutes=2 * number),
        )
        for number, message in enumerate(messages)
    ]
    stored = append(conversation, turns, finished=False).added
    candidates = [
        Candidate(
            fact.content,
            category=fact.category,
            importance=fact.importance,
            tags=fact.tags.split(),
            valid_until=None if fact.days is None else _day(fact.days),
            has_no_end=fact.days is None,
            confidence=90,
            conversation_id=conversation.pk,
            message_id=row.pk,
        )
        for message, row in zip(messages, stored, strict=True)
        for fact in message.facts
    ]
    outcomes = remember(
        instance, candidates, Writer(Origin.CONVERSATION, Actor(via="demo"), tier=Tier.USER)
    )
    sent_at = {message.pk: message.sent_at for message in stored}
    for candidate, outcome in zip(candidates, outcomes, strict=True):
        # Dated like the message, so that the demo has a past.
        then = sent_at[candidate.message_id or 0]
        instance.memories.filter(pk=outcome.memory.pk).update(
            said_at=then, created_at=then, updated_at=then, stored_at=then
        )
    Run.objects.create(
        instance=instance,
        conversation=conversation,
        state=Run.State.SUCCEEDED,
        attempts=1,
        first_position=1,
        last_position=len(stored),
        stored=len(outcomes),
        finished_at=timezone.now(),
    )
    conversation.row().update(watermark=len(stored))
    _file(conversation, stored)


def _file(conversation: Conversation, stored: list[Message]) -> None:
    """File the messages as a language model would."""
    answer = json.dumps(demo_answers.filing(conversation.title, flight=_day(FLIGHT)))
    positions = [message.position for message in stored]
    people = [message.position for message in stored if message.role == Role.USER]
    context = FilingContext(frozenset(positions), frozenset(people))
    plan = by_model(conversation, stored, Filing.from_text(answer, context))
    embed_drawers(conversation.instance, file_plan(conversation, plan, by=Actor(via="demo")))


def _day(days: int) -> date:
    return timezone.localdate() + timedelta(days=days)


def _user(content: str, *facts: DemoFact) -> DemoMessage:
    return DemoMessage("user", content, facts)


def _assistant(content: str) -> DemoMessage:
    return DemoMessage("assistant", content)


def _conversations() -> dict[str, tuple[DemoMessage, ...]]:
    dinner, flight, review = _day(16), _day(FLIGHT), _day(6)
    return {
        "Settling in": (
            _user(
                "Hi! A bit about me so you can help better: I'm Mara, I moved from Ghent to "
                "Munich in March 2024 for a job at a small bike maker. I run their web shop.",
                DemoFact("The user’s name is Mara.", "fact", 8, "person"),
                DemoFact(
                    "Mara moved from Ghent to Munich in March 2024.", "event", 7, "home munich"
                ),
                DemoFact(
                    "Mara runs the web shop of a small bicycle maker in Munich.", "fact", 7, "work"
                ),
            ),
            _assistant("Welcome, Mara. What would you like help with first?"),
            _user(
                "Mostly planning and writing. Please keep answers short, and when you compare "
                "things put them in a table. I never want to be called on the phone, write me.",
                DemoFact("Mara wants short answers.", "preference", 6, "style"),
                DemoFact("Mara likes comparisons laid out as a table.", "preference", 5, "style"),
                DemoFact(
                    "Mara does not want phone calls; she wants to be written to.",
                    "preference",
                    6,
                    "contact",
                ),
            ),
            _assistant("Short and in tables, then. And never by phone."),
            _user(
                "My partner Idris teaches chemistry, and we have a grey cat, Pixel, who is on "
                "a kidney diet. My sister 由紀子 visits us every spring from Kyoto.",
                DemoFact(
                    "Mara’s partner Idris teaches chemistry.", "relationship", 7, "family idris"
                ),
                DemoFact(
                    "Mara and Idris have a grey cat called Pixel, who needs a kidney diet.",
                    "fact",
                    6,
                    "pets",
                ),
                DemoFact(
                    "Mara’s sister 由紀子 lives in Kyoto and visits every spring.",
                    "relationship",
                    6,
                    "family kyoto",
                ),
            ),
            _assistant("Noted. Does Pixel take the diet well?"),
            _user("Ha, no. Anyway, thanks!"),
            _assistant("Any time."),
        ),
        "Dinner for eight": (
            _user(
                f"I'm hosting a dinner for eight on {dinner:%A, %-d %B} at half past seven. "
                "My friend سلمى and her husband are vegetarian.",
                DemoFact(
                    f"Mara hosts a dinner for eight on {dinner.isoformat()} at 19:30.",
                    "event",
                    6,
                    "dinner",
                    16,
                ),
                DemoFact(
                    "Mara’s friend سلمى and her husband are vegetarian.",
                    "relationship",
                    5,
                    "food friends",
                ),
            ),
            _assistant(
                "A menu that works for everybody: a roast squash with satay sauce, a lentil "
                "salad, and a pear tart?"
            ),
            _user(
                "No satay, please. Peanuts would put me in hospital. I always have my "
                "adrenaline pen with me, but still. And no coriander for Idris, he says it "
                "tastes of soap.",
                DemoFact(
                    "Mara is severely allergic to peanuts: never cook with peanuts for her.",
                    "fact",
                    10,
                    "health food",
                ),
                DemoFact("Mara always carries an adrenaline pen.", "fact", 9, "health"),
                DemoFact(
                    "Idris dislikes coriander; to him it tastes of soap.",
                    "preference",
                    4,
                    "food idris",
                ),
            ),
            _assistant("No peanuts anywhere, and no coriander. Tahini instead?"),
            _user(
                "Tahini is great. Let's go with the squash, the lentils and the tart. I've "
                "decided to cook it all myself instead of ordering in.",
                DemoFact(
                    "Mara decided to make the dinner for eight herself rather than order "
                    "in: roast squash with tahini, lentil salad, pear tart.",
                    "decision",
                    5,
                    "dinner food",
                    16,
                ),
                DemoFact("Mara likes tahini.", "preference", 3, "food"),
            ),
            _assistant("Good choice. I can write the shopping list when you want it."),
        ),
        "Moving the shop": (
            _user(
                "Work question. Our web shop is on an old server and I have to say by "
                f"{review:%-d %B} where it goes. Carol, who manages our team, wants a written "
                "summary before any meeting.",
                DemoFact(
                    f"Mara has to decide where the web shop is hosted by {review.isoformat()}.",
                    "event",
                    7,
                    "work hosting",
                    6,
                ),
                DemoFact(
                    "Carol manages Mara’s team and wants a written summary before any meeting.",
                    "relationship",
                    6,
                    "work carol",
                ),
            ),
            _assistant("What matters most: cost, effort, or where the data is kept?"),
            _user(
                "The data has to stay in Germany, that's fixed. The budget is 180 euros a "
                "month. And I'd rather have PostgreSQL than anything else.",
                DemoFact(
                    "The web shop’s data has to stay in Germany.", "decision", 8, "work hosting"
                ),
                DemoFact(
                    "The budget for hosting the web shop is 180 euros a month.",
                    "fact",
                    6,
                    "work hosting money",
                ),
                DemoFact(
                    "Mara prefers PostgreSQL to other databases.", "preference", 5, "work databases"
                ),
            ),
            _assistant("Then two hosts remain. Shall I compare them in a table?"),
            _user(
                "Yes please, but next week. I'm away from the 'office' on Fridays, I go "
                f"climbing. And on {flight:%-d %B} we fly to Kyoto for two weeks.",
                DemoFact(
                    "Mara does not work on Fridays; she goes climbing.",
                    "preference",
                    5,
                    "work sport",
                ),
                DemoFact(
                    f"Mara and Idris fly to Kyoto on {flight.isoformat()} for two weeks.",
                    "event",
                    6,
                    "travel kyoto",
                    54,
                ),
            ),
            _assistant("Next week, then, and not on Friday."),
        ),
    }
