/** Webhooks: the check of what a server sent, by Standard Webhooks. */

import { InvalidSignature } from "./errors.ts";

/** An event. It may arrive twice, with the same `id`. */
export interface WebhookEvent {
  id: string;
  type: string;
  created_at: string;
  instance: string;
  data: Record<string, unknown>;
}

/** Headers as `fetch` or Node's servers have them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>;

/**
 * Return the event in `body`, as it came; throw `InvalidSignature` unless it was signed with
 * `secret` (`whsec_…`) in the last `toleranceSeconds`.
 */
export async function verify(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { toleranceSeconds = 300 }: { toleranceSeconds?: number } = {},
): Promise<WebhookEvent> {
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  if (!id || !/^\d+$/.test(timestamp) || !signatures) {
    throw new InvalidSignature("The headers of a signature are missing.");
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) {
    throw new InvalidSignature("The request was signed too long ago.");
  }
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  const key = await crypto.subtle.importKey("raw", bytes, hmac, false, ["verify"]);
  for (const [, each] of signatures.matchAll(/(?<!\S)v1,([A-Za-z0-9+/]{43}=)(?!\S)/g)) {
    if (await crypto.subtle.verify("HMAC", key, fromBase64(each!), signed)) return parsed(text);
  }
  throw new InvalidSignature("The signature is another one.");
}

function header(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? "";
  const found = Object.keys(headers).find((each) => each.toLowerCase() === name);
  return String((found && headers[found]) ?? "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function parsed(text: string): WebhookEvent {
  try {
    const event = JSON.parse(text);
    if (typeof event.id === "string" && typeof event.type === "string") return event;
  } catch {
    // Not JSON.
  }
  throw new InvalidSignature("The body is no event.");
}
