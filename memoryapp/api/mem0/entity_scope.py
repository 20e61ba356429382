"""The owners of a memory in mem0's API: a user, an agent, an app, a run.

The user is Keepsake's end user, which deduplication and recall take into account. The other three
are labels, of which a memory can have several of each kind.
"""

from typing import Annotated, Any

from ninja import Schema
from pydantic import BeforeValidator, Field, StringConstraints

from conversations.sanitizer import sanitize_id
from memoryapp.api.errors import ApiError
from memoryapp.policy.labels import ID_FIELDS

USER = "user_id"
LABELS = tuple(ID_FIELDS)
ALL = (USER, *LABELS)


def _as_text(value: Any) -> Any:
    # mem0 accepts numbers as ids.
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Id = Annotated[
    str, BeforeValidator(_as_text), StringConstraints(strip_whitespace=True, max_length=200)
]


class Owners(Schema):
    """The ids in a request."""

    user_id: Id | None = None
    agent_id: Id | None = None
    app_id: Id | None = None
    run_id: Id | None = None

    @property
    def end_user(self) -> str:
        return sanitize_id(self.user_id or "")

    @property
    def labels(self) -> dict[str, str]:
        """The ids of the agent, app and run, which the metadata of what they say has."""
        named = {name: getattr(self, name) for name in LABELS}
        return {name: sanitize_id(value) for name, value in named.items() if value}


class WithOwners(Owners):
    """A body with owners as fields of their own, or, from newer clients, in ``filters``."""

    filters: dict[str, Any] | None = Field(None, description="IDs of the owners.")

    def owners(self) -> Owners:
        """Return the owners; raises `ApiError` if there are none, or one is not an id."""
        named = {name: getattr(self, name) for name in ALL if getattr(self, name)}
        for name, value in (self.filters or {}).items():
            if name in ALL and value is None:
                continue
            if name not in ALL or not isinstance(value, str | int) or isinstance(value, bool):
                raise ApiError(
                    400, "invalid", f"filters: only the owner is allowed here: {', '.join(ALL)}."
                )
            named[name] = str(value)
        owners = Owners(**named)
        if not (owners.end_user or owners.labels):
            raise owner_required()
        return owners


def owner_required() -> ApiError:
    """Return the refusal of a request that names no owner."""
    return ApiError(
        400,
        "owner_required",
        f"An owner is required: {', '.join(ALL[:-1])} or {ALL[-1]}.",
    )
