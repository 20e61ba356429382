"""The session of one request: its end user, the tools that its key may call, and the calls."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from conversations.sanitizer import sanitize
from instances.actor import Actor
from instances.models import ApiKey, Instance, Permission
from instances.tiers import Tier
from memoryapp import tools
from memoryapp.api.mcp.consent import ConsentOutcome, Question
from memoryapp.api.mcp.resources import Resources
from memoryapp.models import KeyRequest, Origin, RequestDoor, RequestRemark
from memoryapp.models.key_requests import PERSON_REQUIRED
from memoryapp.pipeline import Writer
from memoryapp.policy.dedup import Action
from memoryapp.tools.arguments import is_not_given
from memoryapp.tools.forget import ForgetResult

_REASONS = {
    ConsentOutcome.DECLINED: "the user was asked, and wants to keep the memory. Do not ask again.",
    ConsentOutcome.CANCELLED: "the user was asked, and closed the question without an answer.",
    ConsentOutcome.UNANSWERED: "the user was asked, and has not answered in time.",
    ConsentOutcome.NOT_ASKED: "the question could not be put to the user. Tell them so.",
}
_NO_PERSON = "this key requires a person. Give their id as user_id, or in the header X-User-Id."
_TOOLS = {**tools.TOOLS, **tools.DOCUMENT_TOOLS}
#: The same limit as that of the models.
MAX_USER_CHARACTERS = 200


class Identity(BaseModel):
    """The argument of every tool that names the end user, if the header does not."""

    user_id: str = Field(
        "",
        max_length=MAX_USER_CHARACTERS,
        description="Your ID of the person whom the call is about. Only needed if you serve "
        "several people.",
    )


class McpSession:
    """A request with *key*. If the key or the header names a *user*, all calls are for this end
    user, whatever the model's arguments are.
    """

    def __init__(
        self, key: ApiKey, instance: Instance, user: str, address: str = "", client: str = ""
    ) -> None:
        self.key = key
        self._client = client
        #: True if the client can put a question to its user.
        self.can_ask = False
        #: The question whose answer the call waits for.
        self.question: Question | None = None
        self._decision: ConsentOutcome | None = None
        self._agreed: Mapping[int, datetime] | None = None
        self._instance = instance
        self._address = address
        self._user = sanitize(user).strip()[:MAX_USER_CHARACTERS]

    @cached_property
    def allowed_tools(self) -> dict[str, tools.Tool]:
        """The tools that the key may call, by name."""
        return {name: tool for name, tool in _TOOLS.items() if tool.needs in self.key.scopes}

    @cached_property
    def resources(self) -> Resources:
        """Resources that the client can read, if it `may_read`."""
        return Resources(self._instance, self._user, self.key.limit)

    @property
    def may_read(self) -> bool:
        """True if the key may read, of this person if it requires one."""
        has_person = bool(self._user) or not self.key.requires_person
        return Permission.READ in self.key.scopes and has_person

    @cached_property
    def listed_tools(self) -> list[tools.Tool]:
        """The tools that the key may call, or could if the client asked its user for more."""
        scopes = {*self.key.scopes, *self.key.grantable}
        return [tool for tool in _TOOLS.values() if tool.needs in scopes]

    def missing(self, name: str) -> Permission | None:
        """The permission that a call of the tool *name* needs and the client can ask for."""
        tool = _TOOLS.get(name)
        asks = tool is not None and name not in self.allowed_tools
        return tool.needs if tool and asks and tool.needs in self.key.grantable else None

    def input_schema(self, tool: tools.Tool) -> dict[str, Any]:
        """Return the schema of the arguments of *tool* in this session."""
        if self._user:
            return tool.client_schema
        schema = Identity.model_json_schema()["properties"]["user_id"]
        schema.pop("title", None)
        return {
            **tool.client_schema,
            "properties": {
                **tool.client_schema["properties"],
                "user_id": {**schema, "nullable": True},
            },
        }

    def answered(self, decision: ConsentOutcome, about: Mapping[int, datetime]) -> None:
        """Note the user's answer to the question *about* some memories, for the next call."""
        self.question, self._decision, self._agreed = None, decision, about

    def call(self, name: str, arguments: Mapping[str, Any]) -> tools.ToolResult:
        """Carry out a call; the result reports any error in words."""
        tool = _TOOLS.get(name)
        if tool is not None and name not in self.allowed_tools:
            return _refused(
                f"This API key has no permission to {tool.needs.in_english}. A manager of "
                "the instance can create one that does, in its settings."
            )
        rest = dict(arguments)
        try:
            user_id = rest.pop("user_id", None)
            identity = Identity.model_validate(
                {"user_id": "" if is_not_given(user_id) else user_id}
            )
        except ValidationError:
            return _refused(
                f"user_id: must be a string of at most {MAX_USER_CHARACTERS} characters."
            )
        user = sanitize(identity.user_id).strip()
        if self._user and user not in ("", self._user):
            return _refused("This connection is for one person only: omit user_id.")
        if self.key.requires_person and not (self._user or user):
            self._note("", remark=RequestRemark.NO_PERSON)
            return _refused(f"{PERSON_REQUIRED}: {_NO_PERSON}")
        if self._decision not in (None, ConsentOutcome.AGREED):
            return _not_forgotten(self._decision)
        context = tools.ToolContext(
            self._instance,
            Writer(
                Origin.API,
                Actor(via=f"mcp {self.key.prefix}"),
                # A model makes the call, in words of its own.
                tier=min(Tier(self.key.trust), Tier.ASSISTANT),
            ),
            end_user=self._user or user or None,
            reach=self.key.limit,
            removal=self._removal,
            agreed=self._agreed,
            address=self._address,
        )
        result = tools.run(name, json.dumps(rest), context, allowed=self.allowed_tools)
        if tool is not None and tool.name == tools.SAVE:
            self._note(self._user or user, result)
        for memory in result.proposed:
            self.question = Question.on(memory, for_good=self._may_forget)
        return result

    def _note(
        self, end_user: str, result: tools.ToolResult | None = None, *, remark: str = ""
    ) -> None:
        """List a call for the key."""
        action = getattr(result.data, "action", None) if result else None
        kept = action in (Action.STORED, Action.UPDATED)
        if result is not None and not kept and action != Action.DUPLICATE:
            remark = RequestRemark.HELD
        KeyRequest.objects.note(
            self.key,
            RequestDoor.MCP,
            client=self._client,
            end_user=end_user,
            kept=int(kept),
            remark=remark,
        )

    @property
    def _may_forget(self) -> bool:
        return Permission.FORGET in self.key.scopes

    @property
    def _removal(self) -> tools.Removal:
        """Removal that the tool may do: with the user's consent that of the key, without it
        archiving.
        """
        if self._decision is None:
            return tools.Removal.PROPOSE if self.can_ask else tools.Removal.ARCHIVE
        return tools.Removal.FORGET if self._may_forget else tools.Removal.ARCHIVE


def decoded(header: str) -> str:
    """Decode a header, which arrives as Latin-1 whatever its encoding is."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def _not_forgotten(decision: ConsentOutcome) -> tools.ToolResult:
    text = f"Nothing was forgotten: {_REASONS[decision]}"
    return tools.ToolResult(text, "Kept", data=ForgetResult(forgotten=[], candidates=[]))


def _refused(text: str) -> tools.ToolResult:
    return tools.ToolResult(text, "Refused", ok=False)
