/**
 * The client against the running application: pytest runs one test at a time, each with an empty
 * instance, and plays the workers of the server.
 */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  ApiError,
  Keepsake,
  NotFinished,
  Unreachable,
  type ClientOptions,
} from "../../../sdk/typescript/src/index.ts";

const PEANUTS = "The user is allergic to peanuts.";

/** A client with all scopes. */
function client(options: ClientOptions = {}): Keepsake {
  return new Keepsake(process.env.SERVER!, process.env.KEY!, options);
}

async function listed<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const each of items) found.push(each);
  return found;
}

function refused(status: number, code: string): (error: unknown) => boolean {
  return (error) => {
    assert(error instanceof ApiError, String(error));
    assert.deepEqual([error.status, error.code], [status, code]);
    return true;
  };
}

/**
 * A network on which the next requests fail: an error before one is sent, a status instead of it,
 * "lost": its answer does not arrive, "cut": its answer breaks off, or "slow": after a piece.
 */
class Network {
  next: (Error | number | "lost" | "cut" | "slow")[] = [];
  readonly requests: Request[] = [];

  readonly fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    this.requests.push(request);
    const fault = this.next.shift();
    if (fault instanceof Error) throw fault;
    if (typeof fault === "number") {
      return new Response("<h1>A proxy</h1>", { status: fault, headers: { "Retry-After": "0.01" } });
    }
    const response = await fetch(request);
    if (fault === undefined) return response;
    await response.bytes();
    if (fault === "lost") throw new TypeError("fetch failed");
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode("{"));
          if (fault === "cut") controller.error(new TypeError("terminated"));
          request.signal.addEventListener("abort", () => controller.error(request.signal.reason));
        },
      }),
      { status: response.status },
    );
  };
}

function unconnected(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

test("from a fact to its end", async () => {
  const keepsake = client();
  const stored = await keepsake.remember(PEANUTS, {
    user_id: "ana",
    category: "fact",
    tags: ["food"],
    metadata: { project: "atlas" },
    valid_until: new Date(Date.now() + 86_400_000),
  });
  const id = stored.id!;
  assert.equal(stored.dedup.action, "stored_new");
  assert.match(await keepsake.context("peanuts", { user_id: "ana" }), /peanuts/);
  assert.equal(await keepsake.context("peanuts", { user_id: "ben" }), "");
  assert.match(await keepsake.context("peanuts 🥜".repeat(100), { user_id: "ana" }), /peanuts/);
  const found = await keepsake.search("peanuts", { user_id: "ana", metadata: { project: "atlas" } });
  assert.equal(found.items[0]?.memory?.id, id);
  const corrected = await keepsake.correct(id, { content: "The user is allergic to walnuts." });
  assert.deepEqual(await keepsake.memory(id), corrected);
  assert.match(corrected.content, /walnuts/);
  const memories = keepsake.memories({ tag: "food", user_id: "ana", since: new Date(0) });
  assert.deepEqual((await listed(memories)).map((memory) => memory.id), [id]);
  assert.deepEqual(await listed(keepsake.memories({ until: new Date(0) })), []);
  const [line] = await listed(keepsake.export({ user_id: "ana" }));
  assert.equal(line?.content, corrected.content);
  await keepsake.forget(id, { neverAgain: true });
  assert.deepEqual(await listed(keepsake.memories()), []);
  await assert.rejects(
    keepsake.remember("The user is allergic to walnuts.", { user_id: "ana" }),
    refused(422, "never_again"),
  );
});

test("errors have codes", async () => {
  await assert.rejects(client().memory(1), refused(404, "not_found"));
  const stranger = new Keepsake(`${process.env.SERVER}/`, "ks_unknown");
  await assert.rejects(stranger.whoAmI(), (error) => error instanceof ApiError && !!error.detail);
});

test("pages are one iterator", async () => {
  const keepsake = client();
  const conversation = await keepsake.beginConversation({ user_id: "ana", external_id: "chat-1" });
  const again = await keepsake.beginConversation({ external_id: "chat-1", user_id: "ana" });
  assert.deepEqual(again, conversation);
  const words = Array.from({ length: 250 }, (_, number) => `Line ${number}`);
  await keepsake.rememberMessages(
    conversation.id,
    words.map((content) => ({ role: "user", content })),
  );
  const messages = await listed(keepsake.messages(conversation.id));
  assert.deepEqual(messages.map((message) => message.content), words);
  const conversations = await listed(keepsake.conversations({ user_id: "ana" }));
  assert.deepEqual(conversations.map((each) => each.id), [conversation.id]);
  assert.deepEqual(await listed(keepsake.conversations({ user_id: "ben" })), []);
});

test("messages are waited for", async () => {
  const keepsake = client();
  const conversation = await keepsake.beginConversation({ user_id: "ana" });
  const told = (content: string, waitSeconds: number) =>
    keepsake.rememberMessages(
      conversation.id,
      [
        { role: "user", content },
        { role: "assistant", content: "Good." },
      ],
      { waitSeconds },
    );
  await assert.rejects(told("I keep bees on the roof.", 0.2), NotFinished);
  const appended = await told("I am allergic to peanuts.", 60);
  const message = await keepsake.message(appended.ids[0]!);
  assert(["remembered", "nothing_kept"].includes(message.outcome.state), message.outcome.state);
});

test("a person is exported and erased", async () => {
  const keepsake = client();
  await keepsake.remember(PEANUTS, { user_id: "ana" });
  const zip = Buffer.concat(await listed(keepsake.exportPerson("ana")));
  assert.equal(zip.subarray(0, 2).toString(), "PK");
  assert(zip.includes("data/memoryapp.Memory.jsonl"));
  const erasure = await keepsake.erasePerson("ana", { waitSeconds: 60 });
  assert(erasure.certificate.tables);
});

test("what is stored is stored once", async () => {
  const faults = ["lost", "cut", 429, 502, 503, unconnected("ECONNREFUSED")] as const;
  for (const [number, fault] of faults.entries()) {
    const network = new Network();
    const keepsake = client({ fetch: network.fetch, retries: 1 });
    network.next = [fault];
    const stored = await keepsake.remember(PEANUTS, { user_id: `person-${number}` });
    assert.equal(stored.dedup.action, "stored_new");
    const memories = await listed(keepsake.memories({ user_id: `person-${number}` }));
    assert.deepEqual(memories.map((memory) => memory.id), [stored.id]);
    const keys = network.requests.slice(0, 2).map((each) => each.headers.get("Idempotency-Key"));
    assert(keys[0] && keys[0] === keys[1]);
    await keepsake.remember("The user keeps bees.");
    assert.notEqual(network.requests.at(-1)!.headers.get("Idempotency-Key"), keys[0]);
  }
});

test("questions are asked again", async () => {
  const network = new Network();
  const keepsake = client({ fetch: network.fetch, retries: 1 });
  await keepsake.remember(PEANUTS);
  for (const fault of ["lost", 429, 503] as const) {
    network.next = [fault];
    assert.equal((await keepsake.whoAmI()).user, null);
    network.next = [fault];
    assert.equal((await keepsake.search("peanuts")).items.length, 1);
    network.next = [fault];
    assert.equal((await listed(keepsake.export())).length, 1);
  }
});

test("changes are not repeated after a lost answer", async () => {
  const network = new Network();
  const keepsake = client({ fetch: network.fetch, retries: 1 });
  const id = (await keepsake.remember(PEANUTS)).id!;
  const changes = [() => keepsake.correct(id, { importance: 9 }), () => keepsake.forget(id)];
  network.requests.length = 0;
  for (const change of changes) {
    network.next = [503];
    await assert.rejects(change, refused(503, ""));
    network.next = ["lost"];
    await assert.rejects(change, Unreachable);
  }
  assert.equal(network.requests.length, 4);
  await assert.rejects(keepsake.memory(id), refused(404, "not_found"));
});

test("what never began is begun again", async () => {
  const network = new Network();
  const keepsake = client({ fetch: network.fetch, retries: 1 });
  const id = (await keepsake.remember(PEANUTS)).id!;
  for (const [number, fault] of [429, unconnected("ENOTFOUND")].entries()) {
    network.next = [fault];
    assert.equal((await keepsake.correct(id, { importance: 8 + number })).importance, 8 + number);
  }
});

test("an answer that breaks off or stays away is none", async () => {
  const network = new Network();
  const keepsake = client({ fetch: network.fetch, retries: 0, timeoutSeconds: 0.5 });
  await client().remember(PEANUTS);
  for (const fault of ["cut", "slow"] as const) {
    network.next = [fault];
    await assert.rejects(listed(keepsake.export()), Unreachable);
    network.next = [fault];
    await assert.rejects(keepsake.whoAmI(), Unreachable);
  }
});

test("an iterator can be left", async () => {
  const keepsake = client();
  await keepsake.remember(PEANUTS);
  await keepsake.remember("The user keeps bees.");
  for await (const line of keepsake.export()) {
    assert(line.content);
    break;
  }
});

test("it gives up", async () => {
  const network = new Network();
  const keepsake = client({ fetch: network.fetch, retries: 1 });
  network.next = ["lost", "lost"];
  await assert.rejects(keepsake.whoAmI(), Unreachable);
  network.next = [429, 429];
  await assert.rejects(keepsake.whoAmI(), refused(429, ""));
  assert.equal(network.requests.length, 4);
  const nowhere = new Keepsake("http://127.0.0.1:9", "ks_", { retries: 0 });
  await assert.rejects(nowhere.forget(1), Unreachable);
});
