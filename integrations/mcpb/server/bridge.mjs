// A bridge between a host that speaks MCP over standard input and output, one message a line, and the
// `/mcp` of a Keepsake server, which speaks it over HTTP. It needs nothing but Node.

import { createInterface } from "node:readline";

const address = (process.env.KEEPSAKE_ADDRESS ?? "").trim().replace(/\/+$/, "");
const key = (process.env.KEEPSAKE_KEY ?? "").trim();
/** How long the beginning of an answer is waited for. */
const SECONDS = 60;
/** Where a request names what it is about, by its method. */
const NAMED = { "tools/call": "name", "prompts/get": "name", "resources/read": "uri" };
const CANCELLED = "cancelled";
const VERSION = "io.modelcontextprotocol/protocolVersion";

let version;
let session;
/** What is under way, by the id of the request. */
const underWay = new Map();

/** An error whose text is for the person in front of the host. */
class Told extends Error {}

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);

/** What is wrong with the settings, if anything. */
function problem() {
  if (!/^https?:\/\/./.test(address) || !URL.canParse(address)) {
    return "The address of Keepsake must begin with http:// or https://: change it in the settings of this extension.";
  }
  if (!/^[!-~]+$/.test(key)) {
    return "There is no usable API key: enter one in the settings of this extension.";
  }
  return "";
}

/** The headers of a message; those of protocol 2026-07-28 repeat what is in it. */
function headersOf(message) {
  const headers = {
    Authorization: `Bearer ${key}`,
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
  };
  const own = message.params?._meta?.[VERSION];
  if (own) {
    headers["Mcp-Method"] = message.method;
    const name = message.params[NAMED[message.method]];
    if (name !== undefined) {
      headers["Mcp-Name"] = encoded(String(name));
    }
  }
  if (own ?? version) {
    headers["MCP-Protocol-Version"] = own ?? version;
  }
  if (session) {
    headers["Mcp-Session-Id"] = session;
  }
  return headers;
}

/** A value of a header: as it is, or in Base64. */
function encoded(value) {
  const isPlain = /^[!-~]([ -~]*[!-~])?$/.test(value) && !value.startsWith("=?base64?");
  return isPlain ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

/** Pass a message on, and write what is answered. */
async function pass(message, stopped) {
  const wrong = problem();
  if (wrong) {
    throw new Told(wrong);
  }
  const timer = setTimeout(() => stopped.abort(), SECONDS * 1000);
  try {
    const response = await fetch(`${address}/mcp`, {
      method: "POST",
      headers: headersOf(message),
      body: JSON.stringify(message),
      redirect: "manual", // The key is for this address only.
      signal: stopped.signal,
    });
    clearTimeout(timer);
    session = response.headers.get("Mcp-Session-Id") ?? session;
    await relay(response, message);
  } finally {
    clearTimeout(timer);
  }
}

/** Write what a response says. */
async function relay(response, message) {
  const kind = response.headers.get("Content-Type") ?? "";
  if (kind.startsWith("text/event-stream")) {
    for await (const event of events(response.body)) {
      said(event, message);
    }
    return;
  }
  const text = await response.text();
  let answer;
  try {
    answer = text && JSON.parse(text);
  } catch {
    throw new Told(`${address} does not answer as Keepsake (status ${response.status}).`);
  }
  if (answer?.jsonrpc) {
    said(answer, message);
  } else if (!response.ok) {
    throw new Told(refusal(response.status, answer));
  }
}

function refusal(status, answer) {
  if (status === 401) {
    return "Keepsake refuses the API key: enter another in the settings of this extension.";
  }
  if (status >= 300 && status < 400) {
    return `${address} leads elsewhere: enter the address that it leads to in the settings of this extension.`;
  }
  return `Keepsake answers: ${answer?.detail ?? "no reason given"} (status ${status})`;
}

/** The messages of a stream of events. */
async function* events(body) {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const piece of body) {
    const blocks = (rest + decoder.decode(piece, { stream: true }))
      .replaceAll("\r\n", "\n")
      .split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n").filter((line) => line.startsWith("data:"));
      const data = lines.map((line) => line.slice(5).trimStart()).join("\n");
      if (data) {
        yield JSON.parse(data);
      }
    }
  }
}

function said(answer, message) {
  if (message.method === "initialize" && answer.id === message.id) {
    version = answer.result?.protocolVersion ?? version;
  }
  write(answer);
}

async function received(line) {
  let message;
  try {
    message = JSON.parse(line);
  } catch {
    write({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "This is no JSON." } });
    return;
  }
  if (message.method === "notifications/cancelled") {
    underWay.get(message.params?.requestId)?.abort(CANCELLED);
  }
  const isRequest = message.method && message.id !== undefined;
  const stopped = new AbortController();
  if (isRequest) {
    underWay.set(message.id, stopped);
  }
  try {
    await pass(message, stopped);
  } catch (error) {
    if (stopped.signal.reason !== CANCELLED) {
      failed(message, isRequest, error);
    }
  } finally {
    underWay.delete(message.id);
  }
}

/** Say what went wrong, to the log of the host and as the answer to a request. */
function failed({ id }, isRequest, error) {
  const text =
    error instanceof Told ? error.message : `${address} does not answer. Is Keepsake running there?`;
  process.stderr.write(`Keepsake: ${text}\n`);
  if (isRequest) {
    write({ jsonrpc: "2.0", id, error: { code: -32000, message: text } });
  }
}

// Ends by itself, once the host has closed the input and all is answered.
createInterface({ input: process.stdin }).on("line", (line) => line.trim() && received(line));
