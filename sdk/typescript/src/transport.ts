/** Requests: the key, timeouts, what is tried again, and errors. */

import { ApiError, Unreachable } from "./errors.ts";

/** Options of a client. */
export interface ClientOptions {
  /** How long an answer, or the next piece of a long one, may take. */
  timeoutSeconds?: number;
  /** How often a request is sent again that may be: see the page of this package. */
  retries?: number;
  /** What sends requests, instead of `fetch`. */
  fetch?: typeof fetch;
}

/** A request. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  query?: object;
  body?: object;
  headers?: Record<string, string>;
  /** Whether it may be carried out twice: it only reads, or has an `Idempotency-Key`. */
  repeatable: boolean;
}

/** Codes of Node for failures before the request reached the server. */
const NEVER_SENT = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);
/** Refusals before anything was done. */
const NOT_BEGUN = new Set([429]);
/** Answers after which nobody knows what was done. */
const UNCLEAR = new Set([502, 503, 504]);
const MAX_PAUSE_SECONDS = 60;

/** The connection to a server with a key. */
export class Transport {
  readonly #api: string;
  readonly #key: string;
  readonly #seconds: number;
  readonly #retries: number;
  readonly #fetch: typeof fetch;

  constructor(url: string, key: string, options: ClientOptions) {
    this.#api = `${url.replace(/\/+$/, "")}/api/v1`;
    this.#key = key;
    this.#seconds = options.timeoutSeconds ?? 30;
    this.#retries = options.retries ?? 3;
    this.#fetch = options.fetch ?? fetch;
  }

  /**
   * Send a request and return the body of the answer. It is sent again if the server cannot have
   * carried it out; after a lost answer only if it is repeatable. Throws `ApiError` and
   * `Unreachable`.
   */
  send(call: Call): Promise<string> {
    const patience = new Patience(this.#seconds);
    return this.#sent(call, patience, (response) => response.text()).finally(() => patience.end());
  }

  /** Ask for what is long, and yield it in pieces. Once it has begun, it is not asked for again. */
  async *stream(path: string, query: object): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    const patience = new Patience(this.#seconds);
    const call: Call = { method: "GET", path, query, repeatable: true };
    const { body } = await this.#sent(call, patience, async (response) => response);
    const reader = body!.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw new Unreachable(`The answer broke off: ${error}`, { cause: error });
        });
        if (done) return;
        patience.begin();
        yield value;
      }
    } finally {
      patience.end();
      await reader.cancel().catch(() => undefined);
    }
  }

  async #sent<T>(call: Call, patience: Patience, read: (response: Response) => Promise<T>) {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= this.#retries;
      let pause = 0.5 * 2 ** attempt;
      let refusal: ApiError;
      try {
        const send = this.#fetch;
        const response = await send(...this.#request(call, patience.begin()));
        if (response.ok) return await read(response);
        pause = retryAfter(response) || pause;
        refusal = await refusalIn(response);
      } catch (error) {
        if (isLast || !(call.repeatable || wasNeverSent(error))) {
          throw new Unreachable(`No answer from ${this.#api}: ${error}`, { cause: error });
        }
        await sleep(pause);
        continue;
      }
      if (isLast || !mayRepeat(refusal, call.repeatable)) throw refusal;
      await sleep(pause);
    }
  }

  #request(call: Call, signal: AbortSignal): [string, RequestInit] {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(call.query ?? {})) {
      if (value !== undefined && value !== null) {
        query.set(name, value instanceof Date ? value.toISOString() : String(value));
      }
    }
    const headers: Record<string, string> = {
      ...call.headers,
      Authorization: `Bearer ${this.#key}`,
    };
    if (call.body) headers["Content-Type"] = "application/json";
    const body = call.body ? JSON.stringify(call.body) : null;
    const url = `${this.#api}${call.path}${query.size ? `?${query}` : ""}`;
    return [url, { method: call.method, headers, body, signal, redirect: "manual" }];
  }
}

/** The time to wait for an answer, which begins anew with each piece of it. */
class Patience {
  readonly #seconds: number;
  #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  begin(): AbortSignal {
    this.end();
    if (this.#controller.signal.aborted) this.#controller = new AbortController();
    const controller = this.#controller;
    const late = new Error(`nothing for ${this.#seconds} seconds`);
    this.#timer = setTimeout(() => controller.abort(late), this.#seconds * 1000);
    return controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

export function sleep(seconds: number): Promise<void> {
  const milliseconds = Math.min(seconds, MAX_PAUSE_SECONDS) * 1000;
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Whether the request did not reach the server. Browsers and Deno do not tell. */
function wasNeverSent(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } };
  return NEVER_SENT.has(cause?.code ?? "");
}

/** Whether the request may be sent again: a repetition can meet the first one at work. */
function mayRepeat(refusal: ApiError, repeatable: boolean): boolean {
  const isUnclear = UNCLEAR.has(refusal.status) || refusal.code === "in_progress";
  return NOT_BEGUN.has(refusal.status) || (repeatable && isUnclear);
}

/** The seconds that the server asks to wait, or NaN. */
function retryAfter(response: Response): number {
  return Number.parseFloat(response.headers.get("Retry-After") ?? "");
}

/** The error in a response, which is none of Keepsake's if a proxy has answered. */
async function refusalIn(response: Response): Promise<ApiError> {
  const request = response.headers.get("X-Request-ID") ?? "";
  try {
    const { code, detail } = JSON.parse(await response.text());
    if (typeof code === "string" && typeof detail === "string") {
      return new ApiError(response.status, code, detail, request);
    }
  } catch {
    // No problem in JSON, or not all of it.
  }
  return new ApiError(response.status, "", response.statusText, request);
}
