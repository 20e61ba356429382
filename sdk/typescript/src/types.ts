/** Types of the API, made from its OpenAPI document: do not edit. */

/** The result of appending messages. */
export interface AppendedOut {
  added: number;
  /** Number of messages that already existed, by your own IDs. */
  known: number;
  /** IDs of the added messages. */
  ids: Array<number>;
  /**
   * The run that extracts facts from them, or null: no reply of the assistant is among them,
   * memory is off, or all are known.
   */
  run: RunOut | null;
}

/** A conversation. */
export interface ConversationOut {
  id: number;
  title: string;
  user_id: string;
  /** Slug of the agent of the conversation, or null. */
  agent?: string | null;
  external_id: string;
  /** Interface that the conversation was created through. */
  origin: string;
  /** Nothing of it is recalled, read or filed. */
  without_memory: boolean;
  /** ID of the group that is told it, or null. */
  shared_with: string | null;
  created_at: string;
  last_activity_at: string;
}

/** One page of conversations. */
export interface ConversationsOut {
  limit: number;
  /** Value of `cursor` for the next page, or null on the last page. */
  next?: string | null;
  /**
   * Number of results on all pages if the request has `total`, else null, as for the results
   * of a search.
   */
  total?: number | null;
  items: Array<ConversationOut>;
}

/** The result of deduplication. */
export interface DedupOut {
  /**
   * `held`: not stored, since it waits for a person’s review; `ignored`: not stored, since the
   * instance ignores such statements, or a person has rejected it.
   */
  action: string;
  existing_id: number | null;
}

/** A person to erase. */
export interface ErasureOptions {
  /** Delete the never-again rules of the person as well. */
  rules?: boolean;
}

/** An erasure. */
export interface ErasureOut {
  id: string;
  state: string;
  asked_at: string;
  asked_by: string;
  finished_at: string | null;
  /** Number of rows that were deleted or stripped so far. */
  rows: number;
  /** Why it waits, or empty. */
  error: string;
  /** Empty until the erasure is done. */
  certificate: Record<string, unknown>;
}

/** Export memories */
export interface ExportMemoriesOptions {
  /** Only memories of this category. */
  category?: string;
  /** Only memories with this tag. */
  tag?: string;
  /** Only results about this end user. */
  user_id?: string;
  /** Only memories created at or after this time. */
  since?: string | Date | null;
  /** Only memories created before this time. */
  until?: string | Date | null;
  /** Only the memory with this ID of yours. */
  external_id?: string;
  /** Only memories whose metadata contains this JSON object. */
  metadata?: string;
}

/** An assistant with its own memory. */
export interface InstanceOut {
  id: number;
  slug: string;
  name: string;
  private: boolean;
  created_at: string;
}

/** The API key of the request, without its secret. */
export interface KeyOut {
  name: string;
  prefix: string;
  created_at: string;
}

/** A memory that comes from a message. */
export interface LearnedOut {
  memory_id: number;
  action: string;
}

/** List conversations */
export interface ListConversationsOptions {
  /** Only conversations with this end user. */
  user_id?: string;
}

/** List or search memories */
export interface ListMemoriesOptions {
  /** Only memories of this category. */
  category?: string;
  /** Only memories with this tag. */
  tag?: string;
  /** Only results about this end user. */
  user_id?: string;
  /** Only memories created at or after this time. */
  since?: string | Date | null;
  /** Only memories created before this time. */
  until?: string | Date | null;
  /** Only the memory with this ID of yours. */
  external_id?: string;
  /** Only memories whose metadata contains this JSON object. */
  metadata?: string;
  /**
   * Search query; `POST /api/search` is the place for one. Empty: list all memories, newest
   * first.
   */
  q?: string;
  /**
   * Return the memories that existed at this time, in their wording of that time. Their
   * metadata and sources are the present ones.
   */
  as_of?: string | Date | null;
}

/** One page of memories, or the results of a search. */
export interface MemoriesOut {
  limit: number;
  /** Value of `cursor` for the next page, or null on the last page. */
  next?: string | null;
  /**
   * Number of results on all pages if the request has `total`, else null, as for the results
   * of a search.
   */
  total?: number | null;
  items: Array<MemoryHitOut>;
  messages?: Array<MessageHitOut>;
  /** Number of memories that match, or number of search results. */
  count: number;
  /** Why the search matched words only, or null. */
  degraded?: string | null;
}

/** Changes to a memory. Omitted fields remain unchanged. */
export interface MemoryChangesOptions {
  content?: string | null;
  category?: "general" | "preference" | "fact" | "event" | "relationship" | "decision" | null;
  importance?: number | null;
  tags?: Array<string> | null;
  /**
   * Last day on which the memory is valid, or the moment at which it ends, such as
   * 2031-05-31T18:00:00Z; null if it does not expire.
   */
  valid_until?: string | Date | null;
  key?: string | null;
  value?: string | null;
  /** Replaces the present metadata. */
  metadata?: Record<string, unknown> | null;
}

/** A memory with its recall statistics. */
export interface MemoryDetailOut {
  id: number;
  content: string;
  category: string;
  importance: number;
  tags: Array<string>;
  user_id: string;
  /** Key of a fact that has one value at a time, such as home_city. Empty for other facts. */
  key: string;
  value: string;
  /**
   * Last day on which the memory is valid, or the moment at which it ends; null if it does not
   * expire.
   */
  valid_until: string | null;
  origin: string;
  /**
   * Where it comes from, the least trusted first: `document`, `tool`, `assistant`, `user`,
   * `person`. Decided by the key and by the role of the message.
   */
  tier: string;
  confidence: number | null;
  /** When a fact with a key was last confirmed, or null. */
  verified_at: string | null;
  /** Whether the assistant is always told the memory. */
  pinned: boolean;
  /** The person from whose memory it was shared with a group, or null. */
  shared_by: string | null;
  /** ID in the program or the file that it comes from, or empty. */
  external_id: string;
  /** Metadata attached by the clients that stated the memory. */
  metadata: Record<string, unknown>;
  /** The messages that state it, by their IDs. */
  sources: Array<SourceOut>;
  created_at: string;
  updated_at: string;
  recall_count: number;
  last_recalled_at: string | null;
  /** Agents, apps and runs that stated it, such as `agent:coach`. */
  labels: Array<string>;
}

/** A memory. Search results also have a score. */
export interface MemoryHitOut {
  id: number;
  content: string;
  category: string;
  importance: number;
  tags: Array<string>;
  user_id: string;
  /** Key of a fact that has one value at a time, such as home_city. Empty for other facts. */
  key: string;
  value: string;
  /**
   * Last day on which the memory is valid, or the moment at which it ends; null if it does not
   * expire.
   */
  valid_until: string | null;
  origin: string;
  /**
   * Where it comes from, the least trusted first: `document`, `tool`, `assistant`, `user`,
   * `person`. Decided by the key and by the role of the message.
   */
  tier: string;
  confidence: number | null;
  /** When a fact with a key was last confirmed, or null. */
  verified_at: string | null;
  /** Whether the assistant is always told the memory. */
  pinned: boolean;
  /** The person from whose memory it was shared with a group, or null. */
  shared_by: string | null;
  /** ID in the program or the file that it comes from, or empty. */
  external_id: string;
  /** Metadata attached by the clients that stated the memory. */
  metadata: Record<string, unknown>;
  /** The messages that state it, by their IDs. */
  sources: Array<SourceOut>;
  created_at: string;
  updated_at: string;
  /** Relevance score. Higher is better. */
  score?: number | null;
  /** Rank in each list that contains the result, starting at 1. */
  ranks?: Record<string, number> | null;
  /**
   * Components of the score: the contribution of each list, and the deductions for `expired`
   * and `stale`.
   */
  parts?: Record<string, number> | null;
  /** Cosine similarity to the query, or null if not compared. */
  similarity?: number | null;
  /** Whether the result is relevant to the query; null without a search. */
  relevant?: boolean | null;
}

/** A message found by a search that is not the source of any memory in the results. */
export interface MessageHitOut {
  id: number;
  conversation_id: number;
  role: string;
  author: string;
  content: string;
  /**
   * Whether `content` is only the beginning, of a text of more than 5,000 characters. `GET
   * /api/messages/{id}` or, for notes, `GET /api/palace/drawers/{id}` returns all of it.
   */
  truncated?: boolean;
  sent_at: string;
  score: number;
  ranks: Record<string, number>;
  parts: Record<string, number>;
  /** Whether the result is relevant to the query; null without a search. */
  relevant?: boolean | null;
}

/** A message to append. */
export interface MessageIn {
  role: "user" | "assistant" | "system" | "tool";
  content?: string;
  author?: string;
  /**
   * Your own ID of the message. A message that is sent again with the same ID is not added
   * again.
   */
  id?: string;
  /** When the message was sent. Null: now. */
  created_at?: string | Date | null;
  /** Name of the tool, if the message is the result of a tool call. */
  tool_name?: string;
  tool_calls?: Array<ToolCallIn>;
}

/** A message with the result of extraction. */
export interface MessageOut {
  id: number;
  conversation_id: number;
  /** Position in the conversation, starting at 1. */
  position: number;
  role: string;
  author: string;
  content: string;
  caption: string;
  /** Your own ID of the message. */
  external_id: string;
  tool_name: string;
  tool_calls: Array<unknown>;
  /**
   * Whether `content` is only the beginning, which a list shows of a text of more than 50,000
   * characters. `GET /api/messages/{id}` returns all of it.
   */
  truncated: boolean;
  sent_at: string;
  outcome: OutcomeOut;
}

/** Messages to append, in order. */
export interface MessagesOptions {
  /**
   * Seconds to wait for the run that extracts facts from them. What takes longer goes on: poll
   * the run.
   */
  wait?: number;
}

/** One page of messages. */
export interface MessagesOut {
  limit: number;
  /** Value of `cursor` for the next page, or null on the last page. */
  next?: string | null;
  /**
   * Number of results on all pages if the request has `total`, else null, as for the results
   * of a search.
   */
  total?: number | null;
  items: Array<MessageOut>;
}

/** A new conversation. */
export interface NewConversationOptions {
  title?: string;
  /** Your own ID of the person that it is about. */
  user_id?: string;
  /** Slug of an agent of the instance. */
  agent?: string;
  /** Keep nothing but the transcript: no facts, no palace, no recall. */
  without_memory?: boolean;
  /**
   * Your own ID of the conversation. A request with an existing `external_id` returns the
   * existing conversation.
   */
  external_id?: string;
}

/** A fact to store. */
export interface NewMemoryOptions {
  /** Null: by the words of the content. */
  category?: "general" | "preference" | "fact" | "event" | "relationship" | "decision" | null;
  /**
   * Importance from 1 (trivial) to 10 (essential). Null: by the words of the content, until a
   * language model has assessed it.
   */
  importance?: number | null;
  tags?: Array<string>;
  /**
   * Last day on which the memory is valid, or the moment at which it ends, such as
   * 2031-05-31T18:00:00Z; null if it does not expire. If it is left out, the content may name
   * the day.
   */
  valid_until?: string | Date | null;
  /** Number of days from today for which the memory is valid, instead of `valid_until`. */
  expires_days?: number | null;
  /**
   * Key of a fact that has one value at a time. Facts with the same key and person are one
   * memory: another value replaces the present one, unless that has a higher tier.
   */
  key?: string;
  value?: string;
  /** Your own ID of the person that it is about. */
  user_id?: string;
  /**
   * Confidence in percent. It counts only among statements of the same tier, which depends on
   * the key: below 50 it is a guess, which does not replace the value of a `key` that is more
   * than a guess.
   */
  confidence?: number | null;
  /** Where the fact comes from, in a few words. Stored in the metadata. */
  source_context?: string;
  /** ID of the conversation that the fact comes from. */
  conversation_id?: number | null;
  /** ID of the message in that conversation. Requires `conversation_id`. */
  message_id?: number | null;
  /**
   * Your own ID of the memory, unique in the instance. If a memory has it already, that one is
   * changed to the given fields, as by PATCH. Not a number alone.
   */
  external_id?: string;
  /**
   * Anything of your own, at most 10,000 characters as JSON. Secrets in it are redacted.
   * `agent_id`, `app_id` and `run_id` become `labels`.
   */
  metadata?: Record<string, unknown>;
}

/** A note in the palace found by a search. */
export interface NoteHitOut {
  id: number;
  /** Pointer by which the note can be cited. */
  pointer: string;
  content: string;
  /**
   * Whether `content` is only the beginning, of a text of more than 5,000 characters. `GET
   * /api/messages/{id}` or, for notes, `GET /api/palace/drawers/{id}` returns all of it.
   */
  truncated?: boolean;
  noted_at: string;
  score: number;
  ranks: Record<string, number>;
  parts: Record<string, number>;
  /** Whether the result is relevant to the query; null without a search. */
  relevant?: boolean | null;
}

/** Result of extraction for a message. */
export interface OutcomeOut {
  state: string;
  /** Explanation of the state in plain text. Empty if the message led to memories. */
  detail: string;
  memories: Array<LearnedOut>;
}

/** Redactions made before storing. */
export interface PIIOut {
  /** Number of redactions of each kind. The content contains placeholders in their place. */
  redactions: Record<string, number>;
}

/** A fact proposed by the model that was rejected. */
export interface RejectedOut {
  /** Position of the message that the proposal refers to. 0: none. */
  position: number;
  reason: string;
}

/** The stored memory and the result of storing it. */
export interface RememberedOut {
  /** ID of the memory, or null if none was stored. */
  id: number | null;
  content: string;
  category: string;
  importance: number;
  /** Tags of the memory. */
  categories: Array<string>;
  external_id: string;
  metadata: Record<string, unknown>;
  temporal: TemporalOut;
  dedup: DedupOut;
  pii: PIIOut;
  /** ID of the statement that waits for review, or null. */
  held_id?: number | null;
  /**
   * True if the request would have changed a memory that has a higher tier, or gave a value
   * for its key that was stated earlier. The memory stays as it is; the given text is recorded
   * in the revisions.
   */
  not_taken?: boolean;
  /** Why the memory has no vector yet and is found by words only, or null. */
  degraded?: string | null;
}

/** A memory or a message. */
export interface ResultItem {
  /**
   * ID: m and a number for a memory; for a message the pointer of its drawer in the palace, or
   * s and a number.
   */
  id: string;
  content: string;
  /** Date of the message, or on which the memory was last stated. */
  on: string;
  /** Category, if it is a memory. */
  category?: string | null;
  /** Importance from 1 (trivial) to 10 (essential), if it is a memory. */
  importance?: number | null;
  /** Key, if it is a fact that has one value at a time. */
  key?: string | null;
  /** Tags, if it is a memory. */
  tags?: Array<string>;
  /** Last day on which it is valid, or the moment at which it ends; null if it does not expire. */
  valid_until?: string | null;
  /** Where it comes from, in words, if it is a memory. */
  provenance?: string | null;
  /** Role of the author, if it is a message. */
  said_by?: string | null;
}

/**
 * A search result: a memory, a message that is not the source of any memory in the results,
 * or a note in the palace. What all have in common stands first; the rest is in the field
 * named as its type.
 */
export interface ResultOut {
  type: string;
  id: number;
  content: string;
  /** When it was said last. */
  said_at: string;
  score: number;
  /** Whether the result is relevant to the query; null without a search. */
  relevant: boolean | null;
  memory?: MemoryHitOut | null;
  message?: MessageHitOut | null;
  note?: NoteHitOut | null;
}

/** Results, best first. */
export interface ResultsOut {
  items: Array<ResultOut>;
  /** Why the search matched words only, or null. */
  degraded: string | null;
  /** Why the results were not reranked although `rerank` was requested, or null. */
  rerank_problem: string | null;
}

/** An extraction of facts from a conversation, or a filing of its messages in the palace. */
export interface RunOut {
  id: number;
  conversation_id: number;
  kind: string;
  state: string;
  attempts: number;
  /**
   * Why the last attempt failed. Empty if it did not fail. For a successful mining: why it did
   * not use the language model.
   */
  error: string;
  /** Position of the first message of the run, starting at 1. */
  first_position: number | null;
  /** Position of the last message of the run. */
  last_position: number | null;
  /** Number of memories created. */
  stored: number;
  /** Number of memories updated. */
  updated: number;
  /** Number of facts that were already known. */
  repeated: number;
  /** Number of messages filed by a mining. */
  filed: number;
  rejected: Array<RejectedOut>;
  created_at: string;
  due_at: string;
  started_at: string | null;
  finished_at: string | null;
}

/** Arguments of `search_memory`. */
export interface SearchCallOptions {
  /** Only memories of this category. */
  category?: "general" | "preference" | "fact" | "event" | "relationship" | "decision" | null;
  /** Maximum number of results. */
  limit?: number;
  /** Your own ID of the person that it is about. */
  user_id?: string;
}

/** A query with filters. */
export interface SearchOptions {
  /** Only memories of this category. */
  category?: string;
  tag?: string;
  /** Only results about this end user. */
  user_id?: string;
  /** Only memories created at or after this time. */
  since?: string | Date | null;
  /** Only memories created before this time. */
  until?: string | Date | null;
  /** Only the memory with this ID of yours. */
  external_id?: string;
  /** Maximum number of results, from 1 to 100. Values outside the range are clamped. */
  limit?: number;
  /**
   * Whether the instance’s reranking model moves the best 5 of the first 20 results to the
   * front.
   */
  rerank?: boolean;
  /**
   * Whether matches below the floor of relevance follow the relevant ones, with `relevant`
   * false.
   */
  weaker?: boolean;
  /** Only memories whose metadata contains this. */
  metadata?: Record<string, unknown>;
}

/** Memories and messages that answer the query, best first. */
export interface SearchResult {
  items: Array<ResultItem>;
  /** Whether search by meaning was unavailable, so that only words were matched. */
  words_only: boolean;
}

/** Result of `search_memory`. */
export interface SearchedOut {
  ok: boolean;
  /** Result as text for the model. */
  text: string;
  /** Result as structured data, or null if the call failed. */
  data: SearchResult | null;
}

/** A source of a memory. */
export interface SourceOut {
  conversation_id: number;
  message_id: number | null;
  action: string;
  created_at: string;
}

/** Validity of a memory. */
export interface TemporalOut {
  type: string;
  valid_until: string | null;
}

/** A tool call of the assistant. */
export interface ToolCallIn {
  name: string;
  arguments?: unknown;
}

/** The caller and its permissions. */
export interface WhoOut {
  /** Username, or null for an API key. */
  user: string | null;
  /** The API key, or null for a session. */
  key: KeyOut | null;
  scopes: Array<string>;
  /** Instance of the API key, or null for a session. */
  instance: InstanceOut | null;
}
