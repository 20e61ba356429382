/** The client: what a program can do with the memory of an instance. */

import { NotFinished } from "./errors.ts";
import { type ClientOptions, sleep, Transport } from "./transport.ts";
import type * as types from "./types.ts";

/** States of a message whose conversation is about to be read for facts. */
const NOT_YET_READ = new Set(["waiting", "reading"]);
const MAX_PAGE = 100;

/** How long to wait for work in the background; without it, not at all. */
export interface Waiting {
  waitSeconds?: number;
}

/** A client of the server at `url`, with an API key, which belongs to one instance. */
export class Keepsake {
  readonly #transport: Transport;

  constructor(url: string, key: string, options: ClientOptions = {}) {
    this.#transport = new Transport(url, key, options);
  }

  /** Return the key, its instance and its permissions. */
  whoAmI(): Promise<types.WhoOut> {
    return this.#read("/me");
  }

  // Memories

  /** Store a fact. Its `id` is null if it waits for review or is ignored: see `dedup`. */
  remember(content: string, options: types.NewMemoryOptions = {}): Promise<types.RememberedOut> {
    return this.#create("/memories", { content, ...options });
  }

  /** Return a memory with its sources. */
  memory(memoryId: number): Promise<types.MemoryDetailOut> {
    return this.#read(`/memories/${memoryId}`);
  }

  /** Yield the memories that match, newest first, page by page. */
  memories(filters: types.ListMemoriesOptions = {}): AsyncGenerator<types.MemoryHitOut, void> {
    return this.#pages<types.MemoryHitOut>("/memories", filters);
  }

  /** Find the memories, messages and notes that answer `query`, best first. */
  search(query: string, options: types.SearchOptions = {}): Promise<types.ResultsOut> {
    return this.#ask("/search", { q: query, ...options });
  }

  /**
   * Return what is known about `query` as text for the prompt of a model; empty if nothing is.
   * Only the beginning of a long query counts.
   */
  async context(query: string, options: types.SearchCallOptions = {}): Promise<string> {
    const body = { query: [...query].slice(0, 500).join(""), ...options };
    const found = await this.#ask<types.SearchedOut>("/tools/search_memory", body);
    return found.data?.items.length ? found.text : "";
  }

  /** Change the given fields. The earlier wording becomes a revision. */
  async correct(
    memoryId: number,
    changes: types.MemoryChangesOptions,
  ): Promise<types.MemoryDetailOut> {
    const path = `/memories/${memoryId}`;
    const body = { ...changes };
    return JSON.parse(
      await this.#transport.send({ method: "PATCH", path, body, repeatable: false }),
    );
  }

  /** Delete a memory; with `neverAgain`, its fact is not learned again. */
  async forget(
    memoryId: number,
    { neverAgain = false }: { neverAgain?: boolean } = {},
  ): Promise<void> {
    await this.#transport.send({
      method: "DELETE",
      path: `/memories/${memoryId}`,
      query: { never_again: neverAgain },
      repeatable: false,
    });
  }

  /** Yield the memories that match as the server reads them again in an import. */
  async *export(
    filters: types.ExportMemoriesOptions = {},
  ): AsyncGenerator<Record<string, unknown>, void> {
    const decoder = new TextDecoder();
    let begun = "";
    for await (const piece of this.#transport.stream("/memories/export", filters)) {
      const lines = (begun + decoder.decode(piece, { stream: true })).split("\n");
      begun = lines.pop()!;
      for (const line of lines) yield JSON.parse(line);
    }
    if (begun) yield JSON.parse(begun);
  }

  // Conversations

  /** Create a conversation, or return that with the same `external_id`. */
  beginConversation(options: types.NewConversationOptions = {}): Promise<types.ConversationOut> {
    return this.#create("/conversations", { ...options });
  }

  /** Yield the conversations, newest first, page by page. */
  conversations(
    filters: types.ListConversationsOptions = {},
  ): AsyncGenerator<types.ConversationOut, void> {
    return this.#pages<types.ConversationOut>("/conversations", filters);
  }

  /**
   * Append messages, of which facts are learned in the background. With `waitSeconds`, return when
   * they have been read; throw `NotFinished` if that takes longer.
   */
  async rememberMessages(
    conversationId: number,
    messages: types.MessageIn[],
    { waitSeconds }: Waiting = {},
  ): Promise<types.AppendedOut> {
    const path = `/conversations/${conversationId}/messages`;
    const appended = await this.#create<types.AppendedOut>(path, { messages });
    const last = appended.ids.at(-1);
    if (waitSeconds !== undefined && last !== undefined) {
      await waited(
        () => this.message(last),
        (message) => !NOT_YET_READ.has(message.outcome.state),
        waitSeconds,
      );
    }
    return appended;
  }

  /** Yield the messages of a conversation, page by page. */
  messages(conversationId: number): AsyncGenerator<types.MessageOut, void> {
    return this.#pages<types.MessageOut>(`/conversations/${conversationId}/messages`, {});
  }

  /** Return a message; its `outcome` names what was learned from it. */
  message(messageId: number): Promise<types.MessageOut> {
    return this.#read(`/messages/${messageId}`);
  }

  // People

  /** Yield all that is kept about a person, as the pieces of a zip archive. */
  exportPerson(userId: string): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    return this.#transport.stream("/people/export", { user_id: userId });
  }

  /**
   * Erase everything about a person. With `waitSeconds`, return when it is done; throw
   * `NotFinished` if that takes longer.
   */
  async erasePerson(
    userId: string,
    { waitSeconds, ...options }: types.ErasureOptions & Waiting = {},
  ): Promise<types.ErasureOut> {
    const body = { user_id: userId, confirm: userId, ...options };
    const path = "/people/erasures";
    const erasure: types.ErasureOut = JSON.parse(
      await this.#transport.send({ method: "POST", path, body, repeatable: false }),
    );
    if (waitSeconds === undefined) return erasure;
    return waited(
      () => this.#read<types.ErasureOut>(`${path}/${erasure.id}`),
      (erasure) => erasure.state === "done",
      waitSeconds,
    );
  }

  async #read<Out>(path: string, query: object = {}): Promise<Out> {
    return JSON.parse(
      await this.#transport.send({ method: "GET", path, query, repeatable: true }),
    );
  }

  /** Send a question, which changes nothing, as often as it takes. */
  async #ask<Out>(path: string, body: object): Promise<Out> {
    return JSON.parse(
      await this.#transport.send({ method: "POST", path, body, repeatable: true }),
    );
  }

  /** Send what is to be stored, with a key by which the server knows a repetition. */
  async #create<Out>(path: string, body: object): Promise<Out> {
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    return JSON.parse(
      await this.#transport.send({ method: "POST", path, body, headers, repeatable: true }),
    );
  }

  async *#pages<Item>(path: string, filters: object): AsyncGenerator<Item, void> {
    let cursor: string | null | undefined;
    do {
      const query = { limit: MAX_PAGE, ...filters, cursor };
      const page = await this.#read<{ items: Item[]; next?: string | null }>(path, query);
      yield* page.items;
      cursor = page.next;
    } while (cursor);
  }
}

/** Read again and again, less and less often, until it is over. */
async function waited<State>(
  read: () => Promise<State>,
  isOver: (state: State) => boolean,
  seconds: number,
): Promise<State> {
  const end = performance.now() + seconds * 1000;
  for (let pause = 0.1; ; pause = Math.min(pause * 1.5, 2)) {
    const state = await read();
    if (isOver(state)) return state;
    const left = (end - performance.now()) / 1000;
    if (left <= 0) throw new NotFinished(`It goes on after ${seconds} seconds.`);
    await sleep(Math.min(pause, left));
  }
}
