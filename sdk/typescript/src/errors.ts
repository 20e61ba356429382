/** Any failure of a call. */
export class KeepsakeError extends Error {
  override name = "KeepsakeError";
}

/**
 * A refusal by the server. Tell refusals apart by `code`, which stays as it is; `detail` says to
 * people what to change, and `requestId` finds the request in the server's log.
 */
export class ApiError extends KeepsakeError {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;

  constructor(status: number, code: string, detail: string, requestId = "") {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.requestId = requestId;
  }
}

/** No answer: no connection, or none in time. Whether a change was made is not known. */
export class Unreachable extends KeepsakeError {
  override name = "Unreachable";
}

/** Work that goes on after the time to wait for it. */
export class NotFinished extends KeepsakeError {
  override name = "NotFinished";
}

/** A request that Keepsake has not sent, or not in the last minutes. */
export class InvalidSignature extends KeepsakeError {
  override name = "InvalidSignature";
}
