/** Client of Keepsake, the self-hosted memory for AI assistants. */

export { Keepsake, type Waiting } from "./client.ts";
export { ApiError, InvalidSignature, KeepsakeError, NotFinished, Unreachable } from "./errors.ts";
export type { ClientOptions } from "./transport.ts";
export type * from "./types.ts";
export { verify, type WebhookEvent, type WebhookHeaders } from "./webhooks.ts";
