"""What the memory has to say to a message, for the model and for the books."""

import logging
import time
from dataclasses import dataclass
from typing import Any

from conversations.models import Conversation
from instances.models import Agent, Instance
from memoryapp.models import Answer, RecallLog
from memoryapp.recall import Hit, note_recalled, recall, recall_and_rerank
from memoryapp.recall.context import block, portrait
from memoryapp.recall.entries import entry, ref
from memoryapp.summary import summed_up

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Shown:
    """What a model is shown: ``text`` is the summary of the user with the ``<memory_context>``
    block, empty without either.
    """

    text: str
    memory_ids: tuple[int, ...]
    #: As `RecallLog` keeps it: ids, ranks and score parts.
    hits: list[dict[str, Any]]
    #: Why the memory did not take part, or not in full.
    problem: str
    milliseconds: int

    def note(self, answer: Answer) -> None:
        """Write down what the model was shown for *answer*."""
        RecallLog.objects.create(
            answer=answer, hits=self.hits, problem=self.problem, milliseconds=self.milliseconds
        )


def recalls(instance: Instance, agent: Agent | None) -> bool:
    """Whether this assistant may look into the memory."""
    return instance.recall_enabled and (agent is None or agent.recall_enabled)


def look_up(
    instance: Instance, message: str, *, end_user: str, conversation: Conversation | None
) -> Shown:
    """Ask the memory about *message*, said in *conversation*; a failure is told, never raised."""
    began = time.monotonic()
    shown: list[Hit] = []
    text = problem = ""
    try:
        ask = recall_and_rerank if instance.rerank_enabled else recall
        found = ask(
            instance,
            message,
            limit=instance.top_k,
            end_user=end_user,
            with_messages=False,
            current_conversation=conversation,
        )
        context = block([entry(hit) for hit in found.hits])
        shown = [hit for hit in found.hits if ref(hit) in context.shown]
        text = context.text
        words_only = f"Found by words only: {found.problem}" if found.problem else ""
        problem = " ".join(part for part in (words_only, found.rerank_problem) if part)
        note_recalled(shown)
    except Exception as error:
        logger.exception("recall in instance %s failed", instance.pk)
        problem = f"The memory could not be asked ({type(error).__name__})."
    text = "\n\n".join(part for part in (_portrait(instance, end_user), text) if part)
    ids = tuple(hit.memory.pk for hit in shown if hit.memory)
    logged = [_logged(hit, pk) for hit, pk in zip(shown, ids, strict=True)]
    return Shown(text, ids, logged, problem, round((time.monotonic() - began) * 1000))


def _portrait(instance: Instance, end_user: str) -> str:
    try:
        return portrait(summed_up(instance, end_user))
    except Exception:
        logger.exception("the summary in instance %s could not be read", instance.pk)
        return ""


def _logged(hit: Hit, memory_id: int) -> dict[str, Any]:
    return {
        "memory": memory_id,
        "ranks": hit.ranks,
        "parts": {name: round(part, 6) for name, part in hit.parts.items()},
        "similarity": None if hit.similarity is None else round(hit.similarity, 4),
    }
