"""Feedback of programs on memories."""

from typing import Any

from django.http import Http404, HttpRequest
from pydantic import Field, field_validator

from memoryapp.api.auth import caller_of
from memoryapp.api.mem0.auth import WRITE, router
from memoryapp.api.mem0.bodies import Body
from memoryapp.api.mem0.ids import id_of, memory_named
from memoryapp.api.rest.memory_changes import unfit
from memoryapp.models import Feedback, Memory
from memoryapp.pipeline import Rejected
from memoryapp.trust.feedback import rate


class FeedbackIn(Body):
    """How good a memory is, and why."""

    memory_id: str
    feedback: Feedback | None = Field(None, description="Null takes the feedback back.")
    feedback_reason: str | None = Field(None, max_length=10_000)

    @field_validator("feedback", mode="before")
    @classmethod
    def _in_lower_case(cls, value: Any) -> Any:
        if not (value is None or (isinstance(value, str) and value.lower() in Feedback.values)):
            known = ", ".join(each.upper() for each in Feedback.values if each)
            raise ValueError(f"must be one of {known}, or null")
        return value and value.lower()


@router.post("/v1/feedback/", auth=WRITE, url_name="feedback", summary="Feedback")
def give_feedback(request: HttpRequest, body: FeedbackIn) -> dict[str, Any]:
    """Say how good a memory is. The latest feedback is stored with the memory, for people."""
    memory = memory_named(request, body.memory_id)
    feedback = Feedback(body.feedback or Feedback.NONE)
    try:
        rate(memory, feedback, body.feedback_reason or "", by=caller_of(request).actor)
    except Rejected as error:
        raise unfit(error) from error
    except Memory.DoesNotExist:
        raise Http404 from None
    return {
        "message": "Feedback stored." if feedback else "Feedback removed.",
        "id": id_of(memory),
        "memory_id": id_of(memory),
        "feedback": memory.feedback.upper() or None,
        "feedback_reason": memory.feedback_reason or None,
    }
