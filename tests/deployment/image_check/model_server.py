"""The language model of the check, in a container beside Keepsake's: it answers chats word by word,
slowly enough to see whether they are passed on at once.
"""

import threading
import time

from tests.scripted_answers import unscripted
from tests.scripted_provider import Request, Says, ScriptedProvider

PORT = 9999
ANSWER = "Please do not cook anything with walnuts in it tonight, I would say."
#: Seconds between two pieces of the answer.
PAUSE = 0.2


def reply(request: Request) -> object:
    """Answer a chat slowly, and anything else at once and as it asks."""
    if not request.get("stream"):
        return unscripted(request)
    return Says(ANSWER, before=lambda number: time.sleep(PAUSE))


if __name__ == "__main__":
    with ScriptedProvider(PORT, host="0.0.0.0", capable=True) as provider:  # noqa: S104 - In a container.
        provider.reply_with(reply)
        threading.Event().wait()
