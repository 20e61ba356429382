"""What a caller of ``/v1`` wants: of the provider, and of Keepsake."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from conversations.sanitizer import sanitize
from instances.models import Agent, Instance, Permission
from memoryapp.context import builder
from memoryapp.llm.structured import NO_MODEL, NoModel
from memoryapp.openai_proxy.conversation_matching import TranscriptOwner
from memoryapp.openai_proxy.transcript import ClientMessage, read_messages
from memoryapp.providers.configured import assistant_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS

#: The model that stands for the instance's own assistant.
ASSISTANT_MODEL = "keepsake"

#: What callers say by headers, beside what OpenAI's API has names for.
CONVERSATION_HEADER, USER_HEADER = "X-Conversation-Id", "X-User-Id"
RECALL_HEADER, TOOLS_HEADER = "X-Keepsake-Recall", "X-Keepsake-Tools"


class BadRequest(Exception):
    """The request cannot be carried out as it is: ``param`` names the part to change."""

    def __init__(self, message: str, param: str) -> None:
        super().__init__(message)
        self.param = param


@dataclass(frozen=True)
class ProxyRequest:
    """A request for a reply."""

    instance: Instance
    agent: Agent | None
    #: Who answers.
    endpoint: Endpoint
    #: What is passed on, but for the model.
    body: dict[str, Any] = field(repr=False)
    said: list[ClientMessage] = field(repr=False)
    end_user: str
    conversation_id: str
    #: Whether the model is the assistant that the instance describes, with its instructions.
    in_person: bool
    #: Whether memory is looked up, its tools are offered, and what is said is stored.
    recalls: bool
    offers_tools: bool
    keeps: bool
    #: What the model may do with the memory by itself.
    may: frozenset[str]

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def place(self) -> TranscriptOwner:
        return TranscriptOwner(self.instance, self.agent, self.end_user, self.conversation_id)


def parse_request(
    instance: Instance, body: object, headers: Mapping[str, str], *, scopes: Collection[str]
) -> ProxyRequest:
    """Read a request that came with *body* and *headers* to *instance*, with a key of *scopes*.

    Raises `BadRequest`, and `NoModel` when there is nobody to answer.
    """
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.", "")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("“messages” must be a list with at least one message.", "messages")
    endpoint = assistant_endpoint(instance)
    if endpoint is None:
        raise NoModel(NO_MODEL)
    name = body.get("model") or ASSISTANT_MODEL
    if not isinstance(name, str):
        raise BadRequest("“model” must be the name of one: see /v1/models.", "model")
    if len(name) > MAX_MODEL_CHARACTERS:
        raise BadRequest(f"“model” may have at most {MAX_MODEL_CHARACTERS} characters.", "model")
    agent = next((each for each in instance.agents.all() if each.slug == name), None)
    in_person = agent is not None or name == ASSISTANT_MODEL
    if not in_person:
        endpoint = replace(endpoint, model=name)
    passed_on, metadata = _without_ours(body)
    ours = [headers.get(USER_HEADER), metadata.get("user_id"), body.get("user")]
    keeps = body.get("store") is not False
    recalls = builder.may_recall(instance, agent) and _switch(headers, RECALL_HEADER, default=True)
    return ProxyRequest(
        instance=instance,
        agent=agent,
        endpoint=endpoint,
        body=passed_on,
        said=read_messages(messages),
        end_user=_first_of(ours)[:200],
        conversation_id=_first_of(
            [headers.get(CONVERSATION_HEADER), metadata.get("conversation_id")]
        ),
        in_person=in_person,
        recalls=recalls,
        offers_tools=_switch(headers, TOOLS_HEADER, default=instance.tools_for_clients),
        keeps=keeps,
        may=frozenset(scopes) if keeps else frozenset({Permission.READ}),
    )


def _without_ours(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Take what is meant for Keepsake out of the metadata, which OpenAI itself refuses unless it is
    told to store the answer; return the rest of the body, and the metadata as it was.
    """
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return body, {}
    others = {k: v for k, v in metadata.items() if k not in ("conversation_id", "user_id")}
    rest = {name: value for name, value in body.items() if name != "metadata"}
    return rest | ({"metadata": others} if others else {}), metadata


def _first_of(values: list[Any]) -> str:
    """The first of *values* that says something."""
    said = (sanitize(value).strip() for value in values if isinstance(value, str))
    return next(filter(None, said), "")


def _switch(headers: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = headers.get(name, "").strip().lower()
    if value not in ("", "on", "off"):
        raise BadRequest(f"{name} must be “on” or “off”.", name)
    return value == "on" if value else default
