"""Endpoints of golden questions: keep, list and remove them, ask them, and see what came of it."""

from datetime import datetime
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema, Status
from pydantic import Field

from memoryapp.api.auth import caller_of, instance_named, visible_row
from memoryapp.api.errors import ApiError
from memoryapp.api.fields import In, InstanceId, MemoryId, Whole
from memoryapp.api.operations import reads, writes
from memoryapp.api.paging import PageIn, PageOut, page_of
from memoryapp.api.response_headers import set_location, with_headers
from memoryapp.golden.questions import UnusableQuestion, keep_question
from memoryapp.golden.rounds import open_round
from memoryapp.models import GoldenQuestion, GoldenRound
from memoryapp.models.golden import MAX_CHARACTERS
from memoryapp.tasks.dispatch import hand_over_round

router = Router(tags=["Golden questions"])


class QuestionOut(Schema):
    """A golden question, with the rows that should answer it."""

    id: int
    question: str = Field(alias="text")
    user_id: str = Field(alias="end_user", description="The person who asks, if there is one.")
    memory_ids: list[int] = Field(alias="memories")
    message_ids: list[int] = Field(alias="messages")
    created_at: datetime


class QuestionListIn(PageIn):
    """Pagination of a list of golden questions."""

    instance_id: InstanceId = None


class QuestionListOut(PageOut):
    """One page of golden questions."""

    items: list[QuestionOut]


class QuestionIn(In):
    """A question to keep, with at least one memory or message that answers it."""

    instance_id: InstanceId = None
    question: str = Field(
        min_length=1, max_length=MAX_CHARACTERS, examples=["What should I not cook tonight?"]
    )
    user_id: str = Field("", max_length=200)
    memory_ids: list[MemoryId] = Field(default_factory=list, max_length=50)
    message_ids: list[Whole] = Field(default_factory=list, max_length=50)


class PlaceOut(Schema):
    """Result of asking one question."""

    place: int | None = Field(
        description="Place of the answer among the results, from 1; null if it is not among them."
    )
    top: tuple[Literal["memory", "message", "drawer"], int] | None = Field(
        description="Kind and id of what stood first."
    )


class RoundOut(Schema):
    """One round of asking all golden questions."""

    id: int
    cause: Literal["nightly", "by_hand", "settings", "trial"]
    asked: int = Field(description="Questions whose answer is still there.")
    first: int = Field(description="Those whose answer stood first.")
    shown: int = Field(description="Those whose answer was among the results.")
    settings: dict[str, Any] = Field(description="Settings that decide what is found.")
    results: dict[str, PlaceOut] = Field(description="By the id of the question.")
    created_at: datetime
    finished_at: datetime | None = Field(description="Null while it is under way.")


class RoundListOut(PageOut):
    """One page of rounds."""

    items: list[RoundOut]


class RoundIn(In):
    """Where to ask the golden questions."""

    instance_id: InstanceId = None


@router.get("/golden-questions", **reads(QuestionListOut, "List golden questions"))
def list_golden_questions(request: HttpRequest, params: Query[QuestionListIn]) -> dict[str, Any]:
    """List the golden questions of an instance, the latest first."""
    rows = GoldenQuestion.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(rows, params, order=["-created_at", "-id"])


@router.get("/golden-questions/{int:question_id}", **reads(QuestionOut, "Get a golden question"))
def read_golden_question(request: HttpRequest, question_id: int) -> GoldenQuestion:
    """Return a golden question."""
    question: GoldenQuestion = visible_row(request, GoldenQuestion.objects.all(), question_id)
    return question


@router.post(
    "/golden-questions",
    **writes({201: QuestionOut}, "Keep a golden question"),
    openapi_extra=with_headers({201: ["Location"]}),
)
def keep_golden_question(
    request: HttpRequest, response: HttpResponse, body: QuestionIn
) -> Status[GoldenQuestion]:
    """Keep a question with its answers. Those of a question that is kept are added to it."""
    instance = instance_named(request, body.instance_id)
    try:
        question = keep_question(
            instance,
            body.question,
            end_user=body.user_id,
            memories=body.memory_ids,
            messages=body.message_ids,
            by=caller_of(request).user,
        )
    except UnusableQuestion as error:
        raise ApiError(422, "unusable_question", str(error)) from None
    set_location(response, "read_golden_question", question.pk)
    return Status(201, question)


@router.delete(
    "/golden-questions/{int:question_id}",
    **writes({204: None}, "Remove a golden question"),
)
def remove_golden_question(request: HttpRequest, question_id: int) -> Status[None]:
    """Remove a golden question. Its answers stay."""
    visible_row(request, GoldenQuestion.objects.all(), question_id).delete()
    return Status(204, None)


@router.get("/golden-rounds", **reads(RoundListOut, "List rounds of golden questions"))
def list_golden_rounds(request: HttpRequest, params: Query[QuestionListIn]) -> dict[str, Any]:
    """List the rounds of an instance, the latest first."""
    rows = GoldenRound.objects.filter(instance=instance_named(request, params.instance_id))
    return page_of(rows, params, order=["-created_at", "-id"])


@router.get("/golden-rounds/{int:round_id}", **reads(RoundOut, "Get a round of golden questions"))
def read_golden_round(request: HttpRequest, round_id: int) -> GoldenRound:
    """Return a round, with what each question has found once it is over."""
    round_: GoldenRound = visible_row(request, GoldenRound.objects.all(), round_id)
    return round_


@router.post(
    "/golden-rounds",
    **writes({202: RoundOut}, "Ask the golden questions"),
    openapi_extra=with_headers({202: ["Location"]}),
)
def ask_golden_questions(
    request: HttpRequest, response: HttpResponse, body: RoundIn
) -> Status[GoldenRound]:
    """Have all golden questions asked in the background. Poll the round."""
    instance = instance_named(request, body.instance_id)
    round_ = open_round(instance, GoldenRound.Cause.BY_HAND, by=caller_of(request).user)
    if round_ is None:
        raise ApiError(409, "no_golden_questions", "The instance has no golden questions yet.")
    hand_over_round(round_.pk)
    set_location(response, "read_golden_round", round_.pk)
    return Status(202, round_)
