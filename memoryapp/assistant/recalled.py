"""What the memory has to say to a message, for the model and for the books."""

import logging
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse

from conversations.models import Conversation
from instances.models import Agent, Instance
from memoryapp.models import Answer, RecallLog
from memoryapp.recall import Hit, Recalled, note_recalled, recall, recall_and_rerank
from memoryapp.recall.context import Context, block, portrait
from memoryapp.recall.entries import told
from memoryapp.summary import summed_up

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Found:
    """What a question brings back, and what of it a model would be shown."""

    recalled: Recalled
    context: Context
    #: What is remembered of the person as a whole; see `portrait`.
    portrait: str
    #: The hits that found room in the block, by the ids under which they stand there.
    shown: dict[str, Hit]

    @property
    def text(self) -> str:
        """All that the model is told of it; empty without anything."""
        return "\n\n".join(part for part in (self.portrait, self.context.text) if part)

    @property
    def problem(self) -> str:
        """Why the memory did not take part in full, in words."""
        found = self.recalled
        words_only = f"Found by words only: {found.problem}" if found.problem else ""
        return " ".join(part for part in (words_only, found.rerank_problem) if part)


@dataclass(frozen=True)
class Shown:
    """What a model is shown: ``text`` is the summary of the user with the ``<memory_context>``
    block, empty without either.
    """

    text: str
    #: The ids that an answer may cite, with the addresses of what they name.
    sources: Mapping[str, str] = field(default_factory=dict)
    #: As `RecallLog` keeps it: ids, ranks and score parts.
    hits: list[dict[str, Any]] = field(default_factory=list)
    #: Why the memory did not take part, or not in full.
    problem: str = ""
    milliseconds: int = 0

    def note(self, answer: Answer) -> None:
        """Write down what the model was shown for *answer*."""
        RecallLog.objects.create(
            answer=answer, hits=self.hits, problem=self.problem, milliseconds=self.milliseconds
        )


def recalls(instance: Instance, agent: Agent | None) -> bool:
    """Whether this assistant may look into the memory."""
    return instance.recall_enabled and (agent is None or agent.recall_enabled)


def find(
    instance: Instance,
    question: str,
    *,
    end_user: str,
    conversation: Conversation | None = None,
    limit: int | None = None,
) -> Found:
    """Ask the memory as before an answer to *question*, said in *conversation*. Nothing is counted
    or written down.
    """
    ask = recall_and_rerank if instance.rerank_enabled else recall
    found = ask(
        instance,
        question,
        limit=limit or instance.top_k,
        end_user=end_user,
        with_messages=instance.turns_enabled,
        current_conversation=conversation,
    )
    asked = _words(question)
    # Who has asked the same before got an answer; the question itself is none.
    lines = [each for each in told(instance, found.hits) if _words(each[1].text) != asked]
    context = block([line for _, line in lines], question=question)
    shown = {line.ref: hit for hit, line in lines if line.ref in context.shown}
    return Found(found, context, _portrait(instance, end_user), shown)


def look_up(
    instance: Instance, message: str, *, end_user: str, conversation: Conversation | None
) -> Shown:
    """Ask the memory about *message*, said in *conversation*; a failure is told, never raised."""
    began = time.monotonic()
    try:
        found = find(instance, message, end_user=end_user, conversation=conversation)
        note_recalled(list(found.shown.values()))
    except Exception as error:
        logger.exception("recall in instance %s failed", instance.pk)
        return Shown(
            _portrait(instance, end_user),
            problem=f"The memory could not be asked ({type(error).__name__}).",
            milliseconds=_since(began),
        )
    return Shown(
        found.text,
        {ref: _address(hit) for ref, hit in found.shown.items()},
        [_logged(ref, hit) for ref, hit in found.shown.items()],
        found.problem,
        _since(began),
    )


def addresses(memory_ids: Iterable[int]) -> dict[str, str]:
    """The ids of memories as they are cited, with the addresses of these."""
    return {f"m{pk}": reverse("memory", args=[pk]) for pk in memory_ids}


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _since(began: float) -> int:
    return round((time.monotonic() - began) * 1000)


def _portrait(instance: Instance, end_user: str) -> str:
    try:
        return portrait(summed_up(instance, end_user))
    except Exception:
        logger.exception("the summary in instance %s could not be read", instance.pk)
        return ""


def _address(hit: Hit) -> str:
    found = hit.memory or hit.said
    return found.get_absolute_url()


def _logged(ref: str, hit: Hit) -> dict[str, Any]:
    return {
        "ref": ref,
        **({"memory": hit.memory.pk} if hit.memory else {"message": hit.said.pk}),
        "ranks": hit.ranks,
        "parts": {name: round(part, 6) for name, part in hit.parts.items()},
        "similarity": None if hit.similarity is None else round(hit.similarity, 4),
    }
