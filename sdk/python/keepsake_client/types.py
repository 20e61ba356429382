"""Types of the API, made from its OpenAPI document: do not edit."""

from __future__ import annotations

from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Literal, TypedDict
from uuid import UUID

from pydantic import BaseModel

if TYPE_CHECKING:
    from typing_extensions import Required


class AppendedOut(BaseModel):
    """The result of appending messages."""

    added: int
    #: Number of messages that already existed, by your own IDs.
    known: int
    #: IDs of the added messages.
    ids: list[int]
    #: The run that extracts facts from them, or null: no reply of the assistant is among them,
    #: memory is off, or all are known.
    run: RunOut | None


class ConversationOut(BaseModel):
    """A conversation."""

    id: int
    title: str
    user_id: str
    #: Slug of the agent of the conversation, or null.
    agent: str | None = None
    external_id: str
    #: Interface that the conversation was created through.
    origin: str
    #: Nothing of it is recalled, read or filed.
    without_memory: bool
    #: ID of the group that is told it, or null.
    shared_with: str | None
    created_at: datetime
    last_activity_at: datetime


class ConversationsOut(BaseModel):
    """One page of conversations."""

    limit: int
    #: Value of `cursor` for the next page, or null on the last page.
    next: str | None = None
    #: Number of results on all pages if the request has `total`, else null, as for the results
    #: of a search.
    total: int | None = None
    items: list[ConversationOut]


class DedupOut(BaseModel):
    """The result of deduplication."""

    #: `held`: not stored, since it waits for a person’s review; `ignored`: not stored, since the
    #: instance ignores such statements, or a person has rejected it.
    action: str
    existing_id: int | None


class ErasureOptions(TypedDict, total=False):
    """A person to erase."""

    #: Delete the never-again rules of the person as well.
    rules: bool


class ErasureOut(BaseModel):
    """An erasure."""

    id: UUID
    state: str
    asked_at: datetime
    asked_by: str
    finished_at: datetime | None
    #: Number of rows that were deleted or stripped so far.
    rows: int
    #: Why it waits, or empty.
    error: str
    #: Empty until the erasure is done.
    certificate: dict[str, Any]


class ExportMemoriesOptions(TypedDict, total=False):
    """Export memories"""

    #: Only memories of this category.
    category: str
    #: Only memories with this tag.
    tag: str
    #: Only results about this end user.
    user_id: str
    #: Only memories created at or after this time.
    since: datetime | None
    #: Only memories created before this time.
    until: datetime | None
    #: Only the memory with this ID of yours.
    external_id: str
    #: Only memories whose metadata contains this JSON object.
    metadata: str


class InstanceOut(BaseModel):
    """An assistant with its own memory."""

    id: int
    slug: str
    name: str
    private: bool
    created_at: datetime


class KeyOut(BaseModel):
    """The API key of the request, without its secret."""

    name: str
    prefix: str
    created_at: datetime


class LearnedOut(BaseModel):
    """A memory that comes from a message."""

    memory_id: int
    action: str


class ListConversationsOptions(TypedDict, total=False):
    """List conversations"""

    #: Only conversations with this end user.
    user_id: str


class ListMemoriesOptions(TypedDict, total=False):
    """List or search memories"""

    #: Only memories of this category.
    category: str
    #: Only memories with this tag.
    tag: str
    #: Only results about this end user.
    user_id: str
    #: Only memories created at or after this time.
    since: datetime | None
    #: Only memories created before this time.
    until: datetime | None
    #: Only the memory with this ID of yours.
    external_id: str
    #: Only memories whose metadata contains this JSON object.
    metadata: str
    #: Search query; `POST /api/search` is the place for one. Empty: list all memories, newest
    #: first.
    q: str
    #: Return the memories that existed at this time, in their wording of that time. Their
    #: metadata and sources are the present ones.
    as_of: datetime | None


class MemoriesOut(BaseModel):
    """One page of memories, or the results of a search."""

    limit: int
    #: Value of `cursor` for the next page, or null on the last page.
    next: str | None = None
    #: Number of results on all pages if the request has `total`, else null, as for the results
    #: of a search.
    total: int | None = None
    items: list[MemoryHitOut]
    messages: list[MessageHitOut] = []
    #: Number of memories that match, or number of search results.
    count: int
    #: Why the search matched words only, or null.
    degraded: str | None = None


class MemoryChangesOptions(TypedDict, total=False):
    """Changes to a memory. Omitted fields remain unchanged."""

    content: str | None
    category: Literal["general", "preference", "fact", "event", "relationship", "decision"] | None
    importance: int | None
    tags: list[str] | None
    #: Last day on which the memory is valid, or the moment at which it ends, such as
    #: 2031-05-31T18:00:00Z; null if it does not expire.
    valid_until: date | datetime | None
    key: str | None
    value: str | None
    #: Replaces the present metadata.
    metadata: dict[str, Any] | None


class MemoryDetailOut(BaseModel):
    """A memory with its recall statistics."""

    id: int
    content: str
    category: str
    importance: int
    tags: list[str]
    user_id: str
    #: Key of a fact that has one value at a time, such as home_city. Empty for other facts.
    key: str
    value: str
    #: Last day on which the memory is valid, or the moment at which it ends; null if it does not
    #: expire.
    valid_until: date | datetime | None
    origin: str
    #: Where it comes from, the least trusted first: `document`, `tool`, `assistant`, `user`,
    #: `person`. Decided by the key and by the role of the message.
    tier: str
    confidence: int | None
    #: When a fact with a key was last confirmed, or null.
    verified_at: datetime | None
    #: Whether the assistant is always told the memory.
    pinned: bool
    #: The person from whose memory it was shared with a group, or null.
    shared_by: str | None
    #: ID in the program or the file that it comes from, or empty.
    external_id: str
    #: Metadata attached by the clients that stated the memory.
    metadata: dict[str, Any]
    #: The messages that state it, by their IDs.
    sources: list[SourceOut]
    created_at: datetime
    updated_at: datetime
    recall_count: int
    last_recalled_at: datetime | None
    #: Agents, apps and runs that stated it, such as `agent:coach`.
    labels: list[str]


class MemoryHitOut(BaseModel):
    """A memory. Search results also have a score."""

    id: int
    content: str
    category: str
    importance: int
    tags: list[str]
    user_id: str
    #: Key of a fact that has one value at a time, such as home_city. Empty for other facts.
    key: str
    value: str
    #: Last day on which the memory is valid, or the moment at which it ends; null if it does not
    #: expire.
    valid_until: date | datetime | None
    origin: str
    #: Where it comes from, the least trusted first: `document`, `tool`, `assistant`, `user`,
    #: `person`. Decided by the key and by the role of the message.
    tier: str
    confidence: int | None
    #: When a fact with a key was last confirmed, or null.
    verified_at: datetime | None
    #: Whether the assistant is always told the memory.
    pinned: bool
    #: The person from whose memory it was shared with a group, or null.
    shared_by: str | None
    #: ID in the program or the file that it comes from, or empty.
    external_id: str
    #: Metadata attached by the clients that stated the memory.
    metadata: dict[str, Any]
    #: The messages that state it, by their IDs.
    sources: list[SourceOut]
    created_at: datetime
    updated_at: datetime
    #: Relevance score. Higher is better.
    score: float | None = None
    #: Rank in each list that contains the result, starting at 1.
    ranks: dict[str, int] | None = {}
    #: Components of the score: the contribution of each list, and the deductions for `expired`
    #: and `stale`.
    parts: dict[str, float] | None = {}
    #: Cosine similarity to the query, or null if not compared.
    similarity: float | None = None
    #: Whether the result is relevant to the query; null without a search.
    relevant: bool | None = None


class MessageHitOut(BaseModel):
    """A message found by a search that is not the source of any memory in the results."""

    id: int
    conversation_id: int
    role: str
    author: str
    content: str
    #: Whether `content` is only the beginning, of a text of more than 5,000 characters. `GET
    #: /api/messages/{id}` or, for notes, `GET /api/palace/drawers/{id}` returns all of it.
    truncated: bool = False
    sent_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]
    #: Whether the result is relevant to the query; null without a search.
    relevant: bool | None = None


class MessageIn(TypedDict, total=False):
    """A message to append."""

    role: Required[Literal["user", "assistant", "system", "tool"]]
    content: str
    author: str
    #: Your own ID of the message. A message that is sent again with the same ID is not added
    #: again.
    id: str
    #: When the message was sent. Null: now.
    created_at: datetime | None
    #: Name of the tool, if the message is the result of a tool call.
    tool_name: str
    tool_calls: list[ToolCallIn]


class MessageOut(BaseModel):
    """A message with the result of extraction."""

    id: int
    conversation_id: int
    #: Position in the conversation, starting at 1.
    position: int
    role: str
    author: str
    content: str
    caption: str
    #: Your own ID of the message.
    external_id: str
    tool_name: str
    tool_calls: list[Any]
    #: Whether `content` is only the beginning, which a list shows of a text of more than 50,000
    #: characters. `GET /api/messages/{id}` returns all of it.
    truncated: bool
    sent_at: datetime
    outcome: OutcomeOut


class MessagesOptions(TypedDict, total=False):
    """Messages to append, in order."""

    #: Seconds to wait for the run that extracts facts from them. What takes longer goes on: poll
    #: the run.
    wait: int


class MessagesOut(BaseModel):
    """One page of messages."""

    limit: int
    #: Value of `cursor` for the next page, or null on the last page.
    next: str | None = None
    #: Number of results on all pages if the request has `total`, else null, as for the results
    #: of a search.
    total: int | None = None
    items: list[MessageOut]


class NewConversationOptions(TypedDict, total=False):
    """A new conversation."""

    title: str
    #: Your own ID of the person that it is about.
    user_id: str
    #: Slug of an agent of the instance.
    agent: str
    #: Keep nothing but the transcript: no facts, no palace, no recall.
    without_memory: bool
    #: Your own ID of the conversation. A request with an existing `external_id` returns the
    #: existing conversation.
    external_id: str


class NewMemoryOptions(TypedDict, total=False):
    """A fact to store."""

    #: Null: by the words of the content.
    category: Literal["general", "preference", "fact", "event", "relationship", "decision"] | None
    #: Importance from 1 (trivial) to 10 (essential). Null: by the words of the content, until a
    #: language model has assessed it.
    importance: int | None
    tags: list[str]
    #: Last day on which the memory is valid, or the moment at which it ends, such as
    #: 2031-05-31T18:00:00Z; null if it does not expire. If it is left out, the content may name
    #: the day.
    valid_until: date | datetime | None
    #: Number of days from today for which the memory is valid, instead of `valid_until`.
    expires_days: int | None
    #: Key of a fact that has one value at a time. Facts with the same key and person are one
    #: memory: another value replaces the present one, unless that has a higher tier.
    key: str
    value: str
    #: Your own ID of the person that it is about.
    user_id: str
    #: Confidence in percent. It counts only among statements of the same tier, which depends on
    #: the key: below 50 it is a guess, which does not replace the value of a `key` that is more
    #: than a guess.
    confidence: int | None
    #: Where the fact comes from, in a few words. Stored in the metadata.
    source_context: str
    #: ID of the conversation that the fact comes from.
    conversation_id: int | None
    #: ID of the message in that conversation. Requires `conversation_id`.
    message_id: int | None
    #: Your own ID of the memory, unique in the instance. If a memory has it already, that one is
    #: changed to the given fields, as by PATCH. Not a number alone.
    external_id: str
    #: Anything of your own, at most 10,000 characters as JSON. Secrets in it are redacted.
    #: `agent_id`, `app_id` and `run_id` become `labels`.
    metadata: dict[str, Any]


class NoteHitOut(BaseModel):
    """A note in the palace found by a search."""

    id: int
    #: Pointer by which the note can be cited.
    pointer: str
    content: str
    #: Whether `content` is only the beginning, of a text of more than 5,000 characters. `GET
    #: /api/messages/{id}` or, for notes, `GET /api/palace/drawers/{id}` returns all of it.
    truncated: bool = False
    noted_at: datetime
    score: float
    ranks: dict[str, int]
    parts: dict[str, float]
    #: Whether the result is relevant to the query; null without a search.
    relevant: bool | None = None


class OutcomeOut(BaseModel):
    """Result of extraction for a message."""

    state: str
    #: Explanation of the state in plain text. Empty if the message led to memories.
    detail: str
    memories: list[LearnedOut]


class PIIOut(BaseModel):
    """Redactions made before storing."""

    #: Number of redactions of each kind. The content contains placeholders in their place.
    redactions: dict[str, int]


class RejectedOut(BaseModel):
    """A fact proposed by the model that was rejected."""

    #: Position of the message that the proposal refers to. 0: none.
    position: int
    reason: str


class RememberedOut(BaseModel):
    """The stored memory and the result of storing it."""

    #: ID of the memory, or null if none was stored.
    id: int | None
    content: str
    category: str
    importance: int
    #: Tags of the memory.
    categories: list[str]
    external_id: str
    metadata: dict[str, Any]
    temporal: TemporalOut
    dedup: DedupOut
    pii: PIIOut
    #: ID of the statement that waits for review, or null.
    held_id: int | None = None
    #: True if the request would have changed a memory that has a higher tier, or gave a value
    #: for its key that was stated earlier. The memory stays as it is; the given text is recorded
    #: in the revisions.
    not_taken: bool = False
    #: Why the memory has no vector yet and is found by words only, or null.
    degraded: str | None = None


class ResultItem(BaseModel):
    """A memory or a message."""

    #: ID: m and a number for a memory; for a message the pointer of its drawer in the palace, or
    #: s and a number.
    id: str
    content: str
    #: Date of the message, or on which the memory was last stated.
    on: date
    #: Category, if it is a memory.
    category: str | None = None
    #: Importance from 1 (trivial) to 10 (essential), if it is a memory.
    importance: int | None = None
    #: Key, if it is a fact that has one value at a time.
    key: str | None = None
    #: Tags, if it is a memory.
    tags: list[str] = []
    #: Last day on which it is valid, or the moment at which it ends; null if it does not expire.
    valid_until: date | datetime | None = None
    #: Where it comes from, in words, if it is a memory.
    provenance: str | None = None
    #: Role of the author, if it is a message.
    said_by: str | None = None


class ResultOut(BaseModel):
    """A search result: a memory, a message that is not the source of any memory in the results,
    or a note in the palace. What all have in common stands first; the rest is in the field
    named as its type.
    """

    type: str
    id: int
    content: str
    #: When it was said last.
    said_at: datetime
    score: float
    #: Whether the result is relevant to the query; null without a search.
    relevant: bool | None
    memory: MemoryHitOut | None = None
    message: MessageHitOut | None = None
    note: NoteHitOut | None = None


class ResultsOut(BaseModel):
    """Results, best first."""

    items: list[ResultOut]
    #: Why the search matched words only, or null.
    degraded: str | None
    #: Why the results were not reranked although `rerank` was requested, or null.
    rerank_problem: str | None


class RunOut(BaseModel):
    """An extraction of facts from a conversation, or a filing of its messages in the palace."""

    id: int
    conversation_id: int
    kind: str
    state: str
    attempts: int
    #: Why the last attempt failed. Empty if it did not fail. For a successful mining: why it did
    #: not use the language model.
    error: str
    #: Position of the first message of the run, starting at 1.
    first_position: int | None
    #: Position of the last message of the run.
    last_position: int | None
    #: Number of memories created.
    stored: int
    #: Number of memories updated.
    updated: int
    #: Number of facts that were already known.
    repeated: int
    #: Number of messages filed by a mining.
    filed: int
    rejected: list[RejectedOut]
    created_at: datetime
    due_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class SearchCallOptions(TypedDict, total=False):
    """Arguments of `search_memory`."""

    #: Only memories of this category.
    category: Literal["general", "preference", "fact", "event", "relationship", "decision"] | None
    #: Maximum number of results.
    limit: int
    #: Your own ID of the person that it is about.
    user_id: str


class SearchOptions(TypedDict, total=False):
    """A query with filters."""

    #: Only memories of this category.
    category: str
    tag: str
    #: Only results about this end user.
    user_id: str
    #: Only memories created at or after this time.
    since: datetime | None
    #: Only memories created before this time.
    until: datetime | None
    #: Only the memory with this ID of yours.
    external_id: str
    #: Maximum number of results, from 1 to 100. Values outside the range are clamped.
    limit: int
    #: Whether the instance’s reranking model moves the best 5 of the first 20 results to the
    #: front.
    rerank: bool
    #: Whether matches below the floor of relevance follow the relevant ones, with `relevant`
    #: false.
    weaker: bool
    #: Only memories whose metadata contains this.
    metadata: dict[str, Any]


class SearchResult(BaseModel):
    """Memories and messages that answer the query, best first."""

    items: list[ResultItem]
    #: Whether search by meaning was unavailable, so that only words were matched.
    words_only: bool


class SearchedOut(BaseModel):
    """Result of `search_memory`."""

    ok: bool
    #: Result as text for the model.
    text: str
    #: Result as structured data, or null if the call failed.
    data: SearchResult | None


class SourceOut(BaseModel):
    """A source of a memory."""

    conversation_id: int
    message_id: int | None
    action: str
    created_at: datetime


class TemporalOut(BaseModel):
    """Validity of a memory."""

    type: str
    valid_until: date | datetime | None


class ToolCallIn(TypedDict, total=False):
    """A tool call of the assistant."""

    name: Required[str]
    arguments: Any


class WhoOut(BaseModel):
    """The caller and its permissions."""

    #: Username, or null for an API key.
    user: str | None
    #: The API key, or null for a session.
    key: KeyOut | None
    scopes: list[str]
    #: Instance of the API key, or null for a session.
    instance: InstanceOut | None
