"""Keeping of golden questions: adding them, from a click or a file, with their answers."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from conversations.models import Message
from conversations.sanitizer import sanitize
from instances.models import Instance, User
from instances.translatable import translatable
from memoryapp.models import GoldenQuestion, Memory
from memoryapp.models.golden import MAX_CHARACTERS, MAX_QUESTIONS


class UnusableQuestion(Exception):
    """A question that cannot be kept; the message says why, to be translated."""


def keep_question(
    instance: Instance,
    text: str,
    *,
    end_user: str = "",
    memories: Iterable[int] = (),
    messages: Iterable[int] = (),
    by: User | None = None,
) -> GoldenQuestion:
    """Keep a question with its answers; those of one that is kept are added to it. Raises
    `UnusableQuestion`.
    """
    text = " ".join(sanitize(text).split())
    if not text or len(text) > MAX_CHARACTERS:
        raise UnusableQuestion(
            translatable("A question has 1 to %(most)s characters.", most=MAX_CHARACTERS)
        )
    found = stored_rows(instance, memories, messages)
    if not any(found):
        raise UnusableQuestion(translatable("It names no memory and no message as its answer."))
    with transaction.atomic():
        Instance.objects.select_for_update().get(pk=instance.pk)
        rows = GoldenQuestion.objects.filter(instance=instance)
        question = rows.filter(
            text=text, end_user=instance.canonical_end_user(end_user)
        ).first() or GoldenQuestion(
            instance=instance,
            text=text,
            end_user=instance.canonical_end_user(end_user),
            created_by=by,
        )
        if question.pk is None and rows.count() >= MAX_QUESTIONS:
            raise UnusableQuestion(
                translatable("An instance keeps %(most)s questions at most.", most=MAX_QUESTIONS)
            )
        question.memories = sorted({*question.memories, *found[0]})
        question.messages = sorted({*question.messages, *found[1]})
        question.save()
    return question


def stored_rows(
    instance: Instance, memories: Iterable[int], messages: Iterable[int]
) -> tuple[set[int], set[int]]:
    """Return those ids of *memories* and of *messages* that are there in *instance*."""
    kept = Memory.objects.filter(instance=instance, pk__in=memories)
    said = Message.objects.filter(instance=instance, pk__in=messages)
    return set(kept.values_list("pk", flat=True)), set(said.values_list("pk", flat=True))


class Line(BaseModel):
    """A line of a file of questions."""

    model_config = ConfigDict(extra="ignore")

    question: str = Field(min_length=1, max_length=MAX_CHARACTERS)
    user_id: str = Field("", max_length=200)
    memory_ids: list[int] = Field(default_factory=list, max_length=50)
    message_ids: list[int] = Field(default_factory=list, max_length=50)
    #: The text of a memory, or of a message, in place of its id.
    answer: str = ""


@dataclass(frozen=True)
class LineProblem:
    """A line of a file that was left out, from 1, and why."""

    line: int
    reason: str


def read_file(
    instance: Instance, text: str, *, by: User | None = None
) -> Iterator[GoldenQuestion | LineProblem]:
    """Keep the questions of a JSONL file, line by line; what cannot be kept is yielded with the
    reason.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            given = Line.model_validate(json.loads(line))
        except (ValueError, RecursionError) as error:
            yield LineProblem(number, _reason(error))
            continue
        memories, messages = list(given.memory_ids), list(given.message_ids)
        if given.answer.strip():
            answer = sanitize(given.answer).strip()
            same: dict[str, Any] = {"instance": instance, "content": answer}
            memories += Memory.objects.filter(**same).values_list("pk", flat=True)[:10]
            messages += Message.objects.filter(**same).values_list("pk", flat=True)[:10]
        try:
            yield keep_question(
                instance,
                given.question,
                end_user=given.user_id,
                memories=memories,
                messages=messages,
                by=by,
            )
        except UnusableQuestion as error:
            yield LineProblem(number, str(error))


def _reason(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc'])) or 'line'}: {first['msg']}"
    return translatable("This is no JSON object.")
