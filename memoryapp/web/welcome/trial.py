"""The third step in place: a fact is said, asked for, and seen among what is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.http import QueryDict

from conversations.url_text import question
from instances.actor import Actor
from instances.ids import parse_pk
from instances.models import Instance, User
from memoryapp.models import Memory
from memoryapp.recall import RecallOptions, recall
from memoryapp.web.memory.edit import remember_from, submit
from memoryapp.web.memory.forms import NewMemoryForm

#: Memories that are shown for a question.
MAX_FOUND = 3


@dataclass(frozen=True)
class Trial:
    """A fact that was said, or the problem with it; a question, and what it found."""

    fact: str = ""
    problem: str = ""
    memory: Memory | None = None
    asked: str = ""
    found: Sequence[Memory] = ()


def say(instance: Instance, fact: str, *, by: User) -> Trial:
    """Remember *fact*, as the form for a new memory does; what is known already counts as said."""
    form = NewMemoryForm({"content": fact}, owner=instance)
    outcome = submit(form, partial(remember_from, form, instance, Actor(by)))
    if outcome is None:
        return Trial(fact, problem=" ".join(map(str, form.errors.get("content", []))))
    return Trial(fact, memory=outcome.memory)


def load(query: QueryDict, instance: Instance) -> Trial:
    """Return the trial in the *query* of the address."""
    pk = parse_pk(query.get("said"))
    memory = instance.memories.defer("search").filter(pk=pk).first() if pk else None
    asked = question(query.get("ask", ""))
    if not asked:
        return Trial(memory=memory)
    options = RecallOptions(limit=MAX_FOUND, with_messages=False, columns=["content", "category"])
    hits = recall(instance, asked, options).hits
    found = [hit.memory for hit in hits if hit.memory]
    return Trial(memory=memory, asked=asked, found=found)
