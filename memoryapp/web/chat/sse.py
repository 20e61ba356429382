"""An answer as server-sent events while it is written. Clients may disconnect at any time."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse

from memoryapp.assistant import answer_threads
from memoryapp.assistant.answer_threads import RunningAnswer
from memoryapp.models import Answer
from memoryapp.web.chat.markdown import Growing

#: Pause between two renderings of a growing reply.
PAUSE_SECONDS = 0.04
#: Interval of polls of an answer that another process writes.
POLL_SECONDS = 0.5
#: Interval of comments while nothing happens, so that no proxy closes the connection.
KEEPALIVE_SECONDS = 15.0

#: The same while something is waited for, whose time is shown.
TICK_SECONDS = 1.0

#: Renders the present state of a part of the page: ``exchange``, or the ``notes`` on it.
Draw = Callable[[str], str]


def stream(
    attempt: Answer, begin: dict[str, Any] | None, draw: Draw, *, words: bool = True
) -> StreamingHttpResponse:
    """Stream the progress of *attempt*; without *words*, only its end.

    The events are ``begin`` with what the page draws first, ``words`` with HTML that is complete
    and HTML that may still change, ``doing`` while a tool runs, ``notes`` when the notes change,
    and ``end`` with the final exchange.
    """
    response = StreamingHttpResponse(
        _events(attempt.pk, begin, draw, words=words), content_type="text/event-stream"
    )
    response["X-Accel-Buffering"] = "no"  # nginx would buffer it otherwise.
    return response


async def _events(
    answer_id: int, begin: dict[str, Any] | None, draw: Draw, *, words: bool
) -> AsyncIterator[bytes]:
    if begin is not None:
        yield _event("begin", begin)
    live = answer_threads.running_answer(answer_id) if words else None
    if live is not None:
        async for event in _follow(live, draw):
            yield event
    else:
        async for event in _await_row(answer_id):
            yield event
    yield _event("end", {"html": await sync_to_async(draw)("exchange")})


async def _follow(live: RunningAnswer, draw: Draw) -> AsyncIterator[bytes]:
    """Stream an answer that this process writes."""
    loop = asyncio.get_running_loop()
    woken = asyncio.Event()

    def wake() -> None:
        loop.call_soon_threadsafe(woken.set)

    growing = Growing()
    text = doing = ""
    notes = 0
    next_at = 0.0
    live.listen(wake)
    try:
        while True:
            woken.clear()
            snapshot = live.snapshot()
            if snapshot.text != text:
                text = snapshot.text
                done, last = growing.more(text, snapshot.sources)
                yield _event("words", {"done": done, "last": last})
                next_at = loop.time() + PAUSE_SECONDS
            if (now := snapshot.doing) != doing:
                doing = now
                yield _event("doing", {"text": doing})
            if snapshot.notes != notes:
                notes = snapshot.notes
                yield _event("notes", {"html": await sync_to_async(draw)("notes")})
            if snapshot.over:
                return
            try:
                # The time of waiting is told anew now and then.
                pause = TICK_SECONDS if doing else KEEPALIVE_SECONDS
                await asyncio.wait_for(woken.wait(), pause)
                # The first words are sent at once, later ones in batches.
                await asyncio.sleep(max(0.0, next_at - loop.time()))
            except TimeoutError:
                if not doing:
                    yield b": still here\n\n"
    finally:
        live.forget(wake)


async def _await_row(answer_id: int) -> AsyncIterator[bytes]:
    """Wait for an answer that another process writes; its whole text is sent at the end."""
    answer = Answer.objects.filter(pk=answer_id)
    quiet = 0.0
    while await answer.running().aexists():
        await sync_to_async(answer.give_up)()
        await asyncio.sleep(POLL_SECONDS)
        quiet += POLL_SECONDS
        if quiet >= KEEPALIVE_SECONDS:
            quiet = 0.0
            yield b": still here\n\n"


def _event(name: str, data: dict[str, Any]) -> bytes:
    # JSON has no line breaks, so one line of data is enough.
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()
