"""The clients: what a program can do with the memory of an instance, waiting for it or not.

`Calls` documents the calls; here they are carried out.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import update_wrapper
from typing import IO, TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import httpx

from keepsake_client.calls import Calls
from keepsake_client.transport import Requests, Send, Steps, broken_off, connection

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from keepsake_client.types import ExportMemoriesOptions

Arguments = ParamSpec("Arguments")
Out = TypeVar("Out")
Call = Callable[Concatenate[Calls, Arguments], Steps[Out]]
PagedCall = Callable[Concatenate[Calls, Arguments], Iterator[Steps[Sequence[Out]]]]


def _returned(
    call: Call[Arguments, Out],
) -> Callable[Concatenate[Keepsake, Arguments], Out]:
    def carried_out(self: Keepsake, /, *args: Arguments.args, **options: Arguments.kwargs) -> Out:
        return self._carry_out(call(self._calls, *args, **options))

    update_wrapper(carried_out, call)
    return carried_out


def _yielded(
    call: PagedCall[Arguments, Out],
) -> Callable[Concatenate[Keepsake, Arguments], Iterator[Out]]:
    def carried_out(
        self: Keepsake, /, *args: Arguments.args, **options: Arguments.kwargs
    ) -> Iterator[Out]:
        for page in call(self._calls, *args, **options):
            yield from self._carry_out(page)

    update_wrapper(carried_out, call)
    return carried_out


def _awaited(
    call: Call[Arguments, Out],
) -> Callable[Concatenate[AsyncKeepsake, Arguments], Coroutine[Any, Any, Out]]:
    async def carried_out(
        self: AsyncKeepsake, /, *args: Arguments.args, **options: Arguments.kwargs
    ) -> Out:
        return await self._carry_out(call(self._calls, *args, **options))

    update_wrapper(carried_out, call)
    return carried_out


def _yielded_in_time(
    call: PagedCall[Arguments, Out],
) -> Callable[Concatenate[AsyncKeepsake, Arguments], AsyncIterator[Out]]:
    async def carried_out(
        self: AsyncKeepsake, /, *args: Arguments.args, **options: Arguments.kwargs
    ) -> AsyncIterator[Out]:
        for page in call(self._calls, *args, **options):
            for item in await self._carry_out(page):
                yield item

    update_wrapper(carried_out, call)
    return carried_out


class Keepsake:
    """A client of the server at *url*, with an API *key*, which belongs to one instance.

    An answer may take *timeout_seconds* between two pieces; *retries* is how often a request is
    sent again that cannot have been carried out, or may be carried out twice. Close the client, or
    use it in a ``with`` statement; threads may share it.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 3,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._http = httpx.Client(**connection(url, key, timeout_seconds), transport=transport)
        self._calls = Calls(Requests(self._http, retries))

    def __enter__(self) -> Keepsake:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    who_am_i = _returned(Calls.who_am_i)
    remember = _returned(Calls.remember)
    memory = _returned(Calls.memory)
    memories = _yielded(Calls.memories)
    search = _returned(Calls.search)
    context = _returned(Calls.context)
    correct = _returned(Calls.correct)
    forget = _returned(Calls.forget)
    begin_conversation = _returned(Calls.begin_conversation)
    conversations = _yielded(Calls.conversations)
    remember_messages = _returned(Calls.remember_messages)
    messages = _yielded(Calls.messages)
    message = _returned(Calls.message)
    erase_person = _returned(Calls.erase_person)

    def export(self, **filters: Unpack[ExportMemoriesOptions]) -> Iterator[dict[str, Any]]:
        """Yield the memories that match as the server reads them again in an import."""
        with self._long(self._calls.export(**filters)) as response:
            for line in response.iter_lines():
                yield json.loads(line)

    def export_person(self, user_id: str, file: IO[bytes]) -> None:
        """Write all that is kept about a person into *file*, as a zip archive."""
        with self._long(self._calls.export_person(user_id)) as response:
            for piece in response.iter_bytes():
                file.write(piece)

    @contextmanager
    def _long(self, steps: Steps[httpx.Response]) -> Iterator[httpx.Response]:
        response = self._carry_out(steps)
        try:
            yield response
        except httpx.TransportError as error:
            raise broken_off(error) from error
        finally:
            response.close()

    def _carry_out(self, steps: Steps[Out]) -> Out:
        step = next(steps)
        try:
            while True:
                try:
                    answer = self._step(step)
                except httpx.TransportError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            done: Out = end.value
            return done

    def _step(self, step: Send | float) -> httpx.Response | None:
        if not isinstance(step, Send):
            time.sleep(step)
            return None
        response = self._http.send(step.request, stream=step.is_long)
        if not response.is_success:
            response.read()
        return response


class AsyncKeepsake:
    """The client for asyncio: the calls of `Keepsake`, to be awaited, and iterators for ``async
    for``. One event loop uses it.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout_seconds: float = 30.0,
        retries: int = 3,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx.AsyncClient(**connection(url, key, timeout_seconds), transport=transport)
        self._calls = Calls(Requests(self._http, retries))

    async def __aenter__(self) -> AsyncKeepsake:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    who_am_i = _awaited(Calls.who_am_i)
    remember = _awaited(Calls.remember)
    memory = _awaited(Calls.memory)
    memories = _yielded_in_time(Calls.memories)
    search = _awaited(Calls.search)
    context = _awaited(Calls.context)
    correct = _awaited(Calls.correct)
    forget = _awaited(Calls.forget)
    begin_conversation = _awaited(Calls.begin_conversation)
    conversations = _yielded_in_time(Calls.conversations)
    remember_messages = _awaited(Calls.remember_messages)
    messages = _yielded_in_time(Calls.messages)
    message = _awaited(Calls.message)
    erase_person = _awaited(Calls.erase_person)

    async def export(
        self, **filters: Unpack[ExportMemoriesOptions]
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield the memories that match as the server reads them again in an import."""
        async with self._long(self._calls.export(**filters)) as response:
            async for line in response.aiter_lines():
                yield json.loads(line)

    async def export_person(self, user_id: str, file: IO[bytes]) -> None:
        """Write all that is kept about a person into *file*, as a zip archive."""
        async with self._long(self._calls.export_person(user_id)) as response:
            async for piece in response.aiter_bytes():
                file.write(piece)

    @asynccontextmanager
    async def _long(self, steps: Steps[httpx.Response]) -> AsyncIterator[httpx.Response]:
        response = await self._carry_out(steps)
        try:
            yield response
        except httpx.TransportError as error:
            raise broken_off(error) from error
        finally:
            await response.aclose()

    async def _carry_out(self, steps: Steps[Out]) -> Out:
        step = next(steps)
        try:
            while True:
                try:
                    answer = await self._step(step)
                except httpx.TransportError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            done: Out = end.value
            return done

    async def _step(self, step: Send | float) -> httpx.Response | None:
        if not isinstance(step, Send):
            await asyncio.sleep(step)
            return None
        response = await self._http.send(step.request, stream=step.is_long)
        if not response.is_success:
            await response.aread()
        return response
