"""Parses a request to ``/v1``: the part for the provider, and the part for Keepsake."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from conversations.messages import MessageDoor
from conversations.models import Message
from conversations.sanitizer import sanitize
from instances.models import Agent, ApiKey, Instance, Permission, Reach
from memoryapp.api.v1.chat_wire import ChatWire
from memoryapp.api.v1.client_tasks import is_client_task
from memoryapp.api.v1.conversation_matching import TranscriptOwner
from memoryapp.api.v1.messages_wire import MessagesWire
from memoryapp.api.v1.transcript import ClientMessage, read_messages
from memoryapp.api.v1.wire import Wire
from memoryapp.context import builder
from memoryapp.llm.structured import NO_MODEL, NoModel
from memoryapp.models import RequestRemark
from memoryapp.models.key_requests import PERSON_REQUIRED
from memoryapp.providers.abilities import UNMEASURED
from memoryapp.providers.configured import assistant_endpoint
from memoryapp.providers.endpoints import Endpoint
from memoryapp.providers.field_values import MAX_MODEL_CHARACTERS
from memoryapp.providers.messages_api import MessagesOptions

#: The name of the model that is the instance's own assistant.
ASSISTANT_MODEL = "keepsake"

#: Headers for what OpenAI's API has no fields for.
CONVERSATION_HEADER, USER_HEADER = "X-Conversation-Id", "X-User-Id"
#: Open WebUI's, where it is told to forward them.
_OPEN_WEBUI_CHAT_HEADER, _OPEN_WEBUI_USER_HEADER = "X-OpenWebUI-Chat-Id", "X-OpenWebUI-User-Id"
RECALL_HEADER, TOOLS_HEADER = "X-Keepsake-Recall", "X-Keepsake-Tools"
MEMORY_HEADER = "X-Keepsake-Memory"


class BadRequest(Exception):
    """The request is invalid: ``param`` names the part to change."""

    code = "invalid_request"

    def __init__(self, message: str, param: str) -> None:
        super().__init__(message)
        self.param = param


class PersonRequired(BadRequest):
    """The request names no person, as its key requires."""

    code = PERSON_REQUIRED


@dataclass(frozen=True)
class ProxyRequest:
    """A parsed request for a reply."""

    instance: Instance
    agent: Agent | None
    #: The provider and model that answer.
    endpoint: Endpoint
    #: The body to pass on, except for the model: of chat completions, or of Anthropic's messages.
    body: dict[str, Any] = field(repr=False)
    messages: list[ClientMessage] = field(repr=False)
    end_user: str
    conversation_id: str
    #: True if the model is the instance's assistant, with its instructions.
    is_assistant: bool
    #: True if memories are recalled, the memory tools are offered, and the messages are stored.
    recalls: bool
    offers_tools: bool
    stores: bool
    #: True if a conversation that this request begins is without memory.
    without_memory: bool
    #: What the model may do with the memory.
    permissions: frozenset[str]
    #: The key with which it came, and how far its messages are believed.
    door: MessageDoor
    #: What the client calls itself, and why nothing is stored, or learned; empty if it is.
    client: str = ""
    remark: str = ""
    #: The name under which the caller may continue after the reply; empty for none.
    public_id: str = ""
    #: The stored message that the new ones follow, if the caller names it instead of sending the
    #: transcript; and how many of the messages are those up to it.
    after: Message | None = None
    known: int = 0
    #: What else the provider is told of Anthropic's messages; None for chat completions.
    messages_options: MessagesOptions | None = None

    def wire(self) -> Wire:
        """Return the wire on which the request is passed on."""
        if self.messages_options is not None:
            return MessagesWire(self.endpoint, self.body, self.messages_options)
        return ChatWire(self.endpoint, self.body)

    @property
    def streams(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def reach(self) -> Reach:
        """The part of what the person may see that the key is told."""
        return self.door.key.limit if self.door.key else Reach.ALL

    @property
    def owner(self) -> TranscriptOwner:
        return TranscriptOwner(
            self.instance,
            self.agent,
            self.end_user,
            self.conversation_id,
            self.door,
            without_memory=self.without_memory,
        )


def parse_request(
    instance: Instance,
    body: object,
    headers: Mapping[str, str],
    *,
    scopes: Collection[str],
    door: MessageDoor,
) -> ProxyRequest:
    """Parse a request with *body* and *headers* to *instance*, with a key that has *scopes*,
    through *door*.

    Raises `BadRequest`, and `NoModel` if the instance has no language model.
    """
    if not isinstance(body, dict):
        raise BadRequest("The body must be a JSON object.", "")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        raise BadRequest("“messages” must be a list with at least one message.", "messages")
    model = chosen_model(instance, body.get("model"))
    passed_on, metadata = _without_our_metadata(body)
    # A probe for one token says nothing either.
    is_task = is_client_task(messages) or body.get("max_tokens") == 1
    without_memory = not _switch(headers, MEMORY_HEADER, default=True)
    # Agents that keep their transcripts themselves send "store": false. They, or a manager for
    # their key, may say that they mean the provider's store alone.
    keeps_all = door.key is not None and door.key.keeps_unstored
    is_to_store = (
        body.get("store") is not False
        or keeps_all
        or _switch(headers, MEMORY_HEADER, default=False)
    )
    stores = is_to_store and not is_task
    remark = _remark(instance, is_task=is_task, stores=stores, without_memory=without_memory)
    recalls = (
        not (without_memory or is_task)
        and builder.may_recall(instance, model.agent)
        and _switch(headers, RECALL_HEADER, default=True)
    )
    end_user = end_user_of(instance, body, headers, door.key)
    if door.key is not None and door.key.requires_person and not (end_user or is_task):
        raise PersonRequired(
            f"This key requires a person: send their id as “user”, or in the header {USER_HEADER}.",
            "user",
        )
    return ProxyRequest(
        instance=instance,
        agent=model.agent,
        endpoint=model.endpoint,
        body=passed_on,
        messages=read_messages(messages),
        end_user=end_user,
        client=headers.get("User-Agent", ""),
        remark=remark,
        conversation_id=_first_text(
            [
                headers.get(CONVERSATION_HEADER),
                metadata.get("conversation_id"),
                headers.get(_OPEN_WEBUI_CHAT_HEADER),
            ]
        ),
        is_assistant=model.is_assistant,
        recalls=recalls,
        offers_tools=_switch(headers, TOOLS_HEADER, default=instance.tools_for_clients)
        and not (without_memory or is_task),
        without_memory=without_memory,
        stores=stores,
        permissions=frozenset(scopes) if stores else frozenset({Permission.READ}),
        door=door,
    )


def end_user_of(
    instance: Instance, body: Mapping[str, Any], headers: Mapping[str, str], key: ApiKey | None
) -> str:
    """Return whom a request of *key* is for: the person of the key, or the one that it names; empty
    for nobody.
    """
    metadata = body.get("metadata")
    names = [
        key.end_user if key else "",
        headers.get(USER_HEADER),
        metadata.get("user_id") if isinstance(metadata, dict) else None,
        body.get("user"),
        headers.get(_OPEN_WEBUI_USER_HEADER),
    ]
    return instance.canonical_end_user(_first_text(names)[:200])


@dataclass(frozen=True)
class ChosenModel:
    """The model that a request names."""

    endpoint: Endpoint
    agent: Agent | None
    #: True if it is the instance's assistant, with its instructions.
    is_assistant: bool


def chosen_model(instance: Instance, name: object) -> ChosenModel:
    """Return the model that *name* stands for: the assistant, an agent, or one of the provider.

    Raises `BadRequest`, and `NoModel` if the instance has no language model.
    """
    endpoint = assistant_endpoint(instance)
    if endpoint is None:
        raise NoModel(NO_MODEL)
    name = name or ASSISTANT_MODEL
    if not isinstance(name, str):
        raise BadRequest("“model” must be the name of one: see /v1/models.", "model")
    if len(name) > MAX_MODEL_CHARACTERS:
        raise BadRequest(f"“model” may have at most {MAX_MODEL_CHARACTERS} characters.", "model")
    agent = next((each for each in instance.agents.all() if each.slug == name), None)
    if agent is None and name != ASSISTANT_MODEL:
        other = replace(endpoint, model=name, abilities=UNMEASURED)
        return ChosenModel(other, agent=None, is_assistant=False)
    return ChosenModel(endpoint, agent, is_assistant=True)


def _remark(instance: Instance, *, is_task: bool, stores: bool, without_memory: bool) -> str:
    """Return why nothing of a request is stored, or learned; empty if it is."""
    if is_task:
        return RequestRemark.CLIENT_TASK
    if not stores:
        return RequestRemark.STORE_FALSE
    learns = instance.memory_enabled and not without_memory
    return "" if learns else RequestRemark.MEMORY_OFF


def _without_our_metadata(body: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the body without the metadata for Keepsake, and the original metadata. OpenAI refuses
    metadata unless it is to store the answer.
    """
    metadata = body.get("metadata")
    if not isinstance(metadata, dict):
        return body, {}
    others = {k: v for k, v in metadata.items() if k not in ("conversation_id", "user_id")}
    rest = {name: value for name, value in body.items() if name != "metadata"}
    return rest | ({"metadata": others} if others else {}), metadata


def _first_text(values: list[Any]) -> str:
    """Return the first of *values* that is a text and not empty."""
    texts = (sanitize(value).strip() for value in values if isinstance(value, str))
    return next(filter(None, texts), "")


def _switch(headers: Mapping[str, str], name: str, *, default: bool) -> bool:
    value = headers.get(name, "").strip().lower()
    if value not in ("", "on", "off"):
        raise BadRequest(f"{name} must be “on” or “off”.", name)
    return value == "on" if value else default
