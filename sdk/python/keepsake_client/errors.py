"""Errors of the client, all of which are a `KeepsakeError`."""

from __future__ import annotations


class KeepsakeError(Exception):
    """Any failure of a call."""


class ApiError(KeepsakeError):
    """A refusal by the server. Tell refusals apart by `code`, which stays as it is; `detail` says
    to people what to change, and `request_id` finds the request in the server's log.
    """

    def __init__(self, status: int, code: str, detail: str, request_id: str = "") -> None:
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.request_id = request_id


class Unreachable(KeepsakeError):
    """No answer: no connection, or none in time. Whether a change was made is not known."""


class NotFinished(KeepsakeError):
    """Work that goes on after the time to wait for it."""


class InvalidSignature(KeepsakeError):
    """A request that Keepsake has not sent, or not in the last minutes."""
