"""OpenAI's Responses API in terms of chat completions: requests, answers and streams. Pure.

The shapes are those of https://platform.openai.com/docs/api-reference/responses.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from memoryapp.api.v1.chat_chunks import first_choice, text_of
from memoryapp.api.v1.request import BadRequest

#: Options that have another name in chat completions.
_RENAMED = {"max_output_tokens": "max_tokens", "top_logprobs": "top_logprobs"}
#: Options that are the same.
_SAME = (
    *("model", "temperature", "top_p", "stream", "store", "metadata", "user"),
    *("parallel_tool_calls", "prompt_cache_key", "safety_identifier", "service_tier"),
)
#: What a response repeats of its request, with the values without it.
_ECHOED: Mapping[str, Any] = {
    "instructions": None,
    "max_output_tokens": None,
    "metadata": {},
    "parallel_tool_calls": True,
    "previous_response_id": None,
    "reasoning": {"effort": None, "summary": None},
    "store": True,
    "temperature": 1.0,
    "text": {"format": {"type": "text"}},
    "tool_choice": "auto",
    "tools": [],
    "top_p": 1.0,
    "truncation": "disabled",
    "user": None,
}
_PARTS = {"input_text": "text", "output_text": "text", "text": "text", "refusal": "text"}


def chat_request(body: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the chat completions request for *body*, which continues after the messages *earlier*.

    Raises `BadRequest` for what has no equivalent.
    """
    messages = [dict(each) for each in earlier]
    if instructions := body.get("instructions"):
        if not isinstance(instructions, str):
            raise BadRequest("“instructions” must be a text.", "instructions")
        messages.insert(0, {"role": "system", "content": instructions})
    messages += _messages(body.get("input"))
    chat: dict[str, Any] = {name: body[name] for name in _SAME if body.get(name) is not None}
    chat |= {new: body[old] for old, new in _RENAMED.items() if body.get(old) is not None}
    chat["messages"] = messages
    if tools := body.get("tools"):
        chat["tools"] = _tools(_list(tools, "tools"), body.get("tool_choice"))
        if (choice := _tool_choice(body.get("tool_choice"))) is not None:
            chat["tool_choice"] = choice
    if (form := _response_format(body.get("text"))) is not None:
        chat["response_format"] = form
    reasoning = body.get("reasoning")
    if isinstance(reasoning, Mapping) and reasoning.get("effort"):
        chat["reasoning_effort"] = reasoning["effort"]
    if body.get("background"):
        raise BadRequest("Responses in the background are not supported.", "background")
    return chat


def response(
    name: str, body: Mapping[str, Any], answer: Mapping[str, Any], *, created_at: int
) -> dict[str, Any]:
    """Return the response called *name* to *body* for a complete chat *answer*."""
    stream = ResponseStream(name, body, created_at=created_at)
    stream.take_answer(answer)
    return stream.response()


class ResponseStream:
    """Makes the events of a response from the chunks of a chat completion."""

    def __init__(self, name: str, body: Mapping[str, Any], *, created_at: int) -> None:
        self._name = name
        self._body = body
        self._created_at = created_at
        self._model = str(body.get("model") or "")
        self._number = 0
        #: The items so far; the last one may not be complete.
        self._output: list[dict[str, Any]] = []
        #: Index in the chat answer to place in the output, for calls.
        self._calls: dict[Any, int] = {}
        self._namespaces = dict(_functions_in_namespaces(body.get("tools")))
        self._text: dict[str, Any] | None = None
        self._usage: dict[str, Any] | None = None
        self._status, self._incomplete = "in_progress", ""

    def begin(self) -> Iterator[dict[str, Any]]:
        """Yield the events before the first chunk."""
        yield self._event("response.created", response=self.response())
        yield self._event("response.in_progress", response=self.response())

    def take(self, chunk: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the events for *chunk*."""
        self._note(chunk)
        choice, delta = first_choice(chunk)
        if text := text_of(delta):
            yield from self._add_text(text)
        for call in delta.get("tool_calls") or ():
            yield from self._add_call(call)
        if choice.get("finish_reason") in ("length", "content_filter"):
            reason = choice["finish_reason"]
            self._incomplete = "max_output_tokens" if reason == "length" else reason

    def end(self) -> Iterator[dict[str, Any]]:
        """Yield the events after the last chunk."""
        yield from self._end_text()
        for place in self._calls.values():
            yield from self._end_call(place)
        self._status = "incomplete" if self._incomplete else "completed"
        yield self._event(f"response.{self._status}", response=self.response())

    def fail(self, error: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield the events for an *error* in the middle of the answer."""
        self._status = "failed"
        described = {"code": error.get("code") or "server_error", "message": error["message"]}
        yield self._event("response.failed", response={**self.response(), "error": described})

    def take_answer(self, answer: Mapping[str, Any]) -> None:
        """Take a complete answer instead of chunks."""
        choices = [
            {**choice, "delta": _numbered(choice.get("message") or {})}
            for choice in answer.get("choices") or ()
            if isinstance(choice, Mapping)
        ]
        for _ in self.take({**answer, "choices": choices}):
            pass
        for _ in self.end():
            pass

    def response(self) -> dict[str, Any]:
        """Return the response as it is now."""
        echoed = {
            name: self._body.get(name) if self._body.get(name) is not None else default
            for name, default in _ECHOED.items()
        }
        text = "".join(
            part["text"]
            for item in self._output
            if item["type"] == "message"
            for part in item["content"]
        )
        return {
            "id": self._name,
            "object": "response",
            "created_at": self._created_at,
            "status": self._status,
            "error": None,
            "incomplete_details": {"reason": self._incomplete} if self._incomplete else None,
            "model": self._model,
            "output": [dict(item) for item in self._output],
            "output_text": text,
            "usage": self._usage,
            **echoed,
        }

    def _note(self, chunk: Mapping[str, Any]) -> None:
        if isinstance(model := chunk.get("model"), str) and model:
            self._model = model
        if isinstance(usage := chunk.get("usage"), Mapping):
            self._usage = _usage(usage)

    def _add_text(self, text: str) -> Iterator[dict[str, Any]]:
        if self._text is None:
            part = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
            self._text = {
                "id": f"msg_{self._name.removeprefix('resp_')}_{len(self._output)}",
                "type": "message",
                "status": "in_progress",
                "role": "assistant",
                "content": [],
            }
            self._output.append(self._text)
            yield self._item_event("response.output_item.added", self._text)
            self._text["content"].append(part)
            yield self._part_event("response.content_part.added", part=dict(part))
        self._text["content"][0]["text"] += text
        yield self._part_event("response.output_text.delta", delta=text, logprobs=[])

    def _end_text(self) -> Iterator[dict[str, Any]]:
        if self._text is None:
            return
        part = self._text["content"][0]
        yield self._part_event("response.output_text.done", text=part["text"], logprobs=[])
        yield self._part_event("response.content_part.done", part=dict(part))
        self._text["status"] = "completed"
        yield self._item_event("response.output_item.done", self._text)
        self._text = None

    def _add_call(self, call: Any) -> Iterator[dict[str, Any]]:
        function = call.get("function") if isinstance(call, Mapping) else None
        if not isinstance(function, Mapping):
            return
        index = call.get("index", len(self._calls))
        if index not in self._calls:
            yield from self._end_text()
            item = {
                "id": f"fc_{self._name.removeprefix('resp_')}_{len(self._output)}",
                "type": "function_call",
                "status": "in_progress",
                "call_id": str(call.get("id") or f"call_{len(self._output)}"),
                **self._named(str(function.get("name") or "")),
                "arguments": "",
            }
            self._calls[index] = len(self._output)
            self._output.append(item)
            yield self._item_event("response.output_item.added", item)
        item = self._output[self._calls[index]]
        if piece := str(function.get("arguments") or ""):
            item["arguments"] += piece
            yield self._event(
                "response.function_call_arguments.delta",
                item_id=item["id"],
                output_index=self._calls[index],
                delta=piece,
            )

    def _named(self, name: str) -> dict[str, str]:
        namespace, own = self._namespaces.get(name, ("", name))
        return {"name": own} | ({"namespace": namespace} if namespace else {})

    def _end_call(self, place: int) -> Iterator[dict[str, Any]]:
        item = self._output[place]
        item["status"] = "completed"
        yield self._event(
            "response.function_call_arguments.done",
            item_id=item["id"],
            output_index=place,
            name=item["name"],
            arguments=item["arguments"],
        )
        yield self._item_event("response.output_item.done", item)

    def _item_event(self, kind: str, item: dict[str, Any]) -> dict[str, Any]:
        place = self._output.index(item)
        shown = {**item, "content": list(item["content"])} if "content" in item else dict(item)
        return self._event(kind, output_index=place, item=shown)

    def _part_event(self, kind: str, **values: Any) -> dict[str, Any]:
        assert self._text is not None  # noqa: S101 - Only called while there is one.
        place = self._output.index(self._text)
        at = {"item_id": self._text["id"], "output_index": place, "content_index": 0}
        return self._event(kind, **at, **values)

    def _event(self, kind: str, **values: Any) -> dict[str, Any]:
        self._number += 1
        return {"type": kind, "sequence_number": self._number - 1, **values}


# The request.


def _messages(given: Any) -> list[dict[str, Any]]:
    """Return the input as messages: a function's call belongs to the reply before it."""
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    messages: list[dict[str, Any]] = []
    for item in _list(given, "input"):
        if not isinstance(item, Mapping):
            raise BadRequest("“input” must be a text or a list of items.", "input")
        kind = item.get("type") or "message"
        if kind == "message":
            messages.append(_message(item))
        elif kind == "function_call":
            _append_call(messages, item)
        elif kind == "function_call_output":
            messages.append(
                {
                    "role": "tool",
                    "tool_call_id": str(item.get("call_id") or ""),
                    "content": _content(item.get("output")),
                }
            )
        elif kind != "reasoning":  # Only the model that reasoned can read it.
            raise BadRequest(f"Items of the type “{kind}” are not supported.", "input")
    return messages


def _message(item: Mapping[str, Any]) -> dict[str, Any]:
    role = item.get("role")
    if role not in ("user", "assistant", "system", "developer"):
        raise BadRequest("The “role” of a message must be user, assistant or system.", "input")
    # Not every server knows the newer name.
    role = "system" if role == "developer" else role
    content = _content(item.get("content"))
    if role == "assistant" and not isinstance(content, str):
        content = "\n".join(part["text"] for part in content if part["type"] == "text")
    return {"role": role, "content": content}


def _content(content: Any) -> Any:
    if isinstance(content, str):
        return content
    parts = [_part(part) for part in _list(content, "input")]
    if all(part["type"] == "text" for part in parts):
        return "\n".join(part["text"] for part in parts)
    return parts


def _part(part: Any) -> dict[str, Any]:
    kind = part.get("type") if isinstance(part, Mapping) else None
    if kind in _PARTS:
        text = part.get("text") if kind != "refusal" else part.get("refusal")
        return {"type": "text", "text": str(text or "")}
    if kind == "input_image" and isinstance(url := part.get("image_url"), str):
        image = {"url": url} | ({"detail": part["detail"]} if part.get("detail") else {})
        return {"type": "image_url", "image_url": image}
    if kind == "input_file" and isinstance(part.get("file_data"), str):
        file = {name: part[name] for name in ("file_data", "filename") if part.get(name)}
        return {"type": "file", "file": file}
    raise BadRequest(f"Content of the type “{kind}” is not supported.", "input")


def _append_call(messages: list[dict[str, Any]], item: Mapping[str, Any]) -> None:
    call = {
        "id": str(item.get("call_id") or item.get("id") or ""),
        "type": "function",
        "function": {
            "name": _joined(item.get("namespace"), item.get("name")),
            "arguments": str(item.get("arguments") or "{}"),
        },
    }
    if not messages or messages[-1]["role"] != "assistant":
        messages.append({"role": "assistant", "content": None})
    messages[-1].setdefault("tool_calls", []).append(call)


def _tools(given: Sequence[Any], choice: Any) -> list[dict[str, Any]]:
    """Return the functions among the tools *given*, those of namespaces under joined names. Tools
    that OpenAI's servers run are left out beside functions, unless the *choice* is one of them.
    """
    others = [_kind(tool) for tool in given if _kind(tool) not in ("function", "namespace")]
    functions = [_tool(tool) for tool in given if _kind(tool) == "function"]
    for tool in given:
        if _kind(tool) == "namespace":
            functions += [_tool(each, _text_of(tool, "name")) for each in _members(tool)]
    if others and (not functions or (isinstance(choice, Mapping) and choice.get("type") in others)):
        raise BadRequest(
            f"Tools of the type “{others[0]}” are not supported: use functions.", "tools"
        )
    return functions


def _kind(tool: Any) -> Any:
    return tool.get("type") if isinstance(tool, Mapping) else None


def _tool(tool: Mapping[str, Any], namespace: str = "") -> dict[str, Any]:
    names = ("description", "parameters", "strict")
    function = {name: tool[name] for name in names if tool.get(name) is not None}
    return {
        "type": "function",
        "function": {"name": _joined(namespace, tool.get("name")), **function},
    }


def _functions_in_namespaces(tools: Any) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the joined name of each function in a namespace, with both of its names."""
    for tool in tools if isinstance(tools, list) else ():
        if _kind(tool) == "namespace":
            namespace = _text_of(tool, "name")
            for each in _members(tool):
                name = _text_of(each, "name")
                yield _joined(namespace, name), (namespace, name)


def _members(namespace: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    members = namespace.get("tools")
    return [each for each in members or () if _kind(each) == "function"]


def _joined(namespace: Any, name: Any) -> str:
    """The name of a function in chat completions, which have no namespaces."""
    return f"{namespace}__{name}" if namespace else str(name or "")


def _text_of(tool: Mapping[str, Any], field: str) -> str:
    return str(tool.get(field) or "")


def _tool_choice(choice: Any) -> Any:
    if isinstance(choice, Mapping) and choice.get("type") == "function":
        return {"type": "function", "function": {"name": choice.get("name")}}
    return choice if isinstance(choice, str) and choice != "auto" else None


def _response_format(text: Any) -> Any:
    form = text.get("format") if isinstance(text, Mapping) else None
    if not isinstance(form, Mapping) or form.get("type") in (None, "text"):
        return None
    if form["type"] == "json_schema":
        names = ("name", "description", "schema", "strict")
        schema = {name: form[name] for name in names if form.get(name) is not None}
        return {"type": "json_schema", "json_schema": schema}
    return dict(form)


def _list(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadRequest(f"“{name}” must be a list.", name)
    return value


# The answer.


def _numbered(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return *message* as a delta: its calls with their indexes."""
    calls = [
        {**call, "index": number}
        for number, call in enumerate(message.get("tool_calls") or ())
        if isinstance(call, Mapping)
    ]
    return {**message, "tool_calls": calls}


def _usage(usage: Mapping[str, Any]) -> dict[str, Any]:
    def count(name: str, of: Any = usage) -> int:
        value = of.get(name) if isinstance(of, Mapping) else None
        return value if isinstance(value, int) else 0

    read, written = count("prompt_tokens"), count("completion_tokens")
    return {
        "input_tokens": read,
        "input_tokens_details": {
            "cached_tokens": count("cached_tokens", usage.get("prompt_tokens_details"))
        },
        "output_tokens": written,
        "output_tokens_details": {
            "reasoning_tokens": count("reasoning_tokens", usage.get("completion_tokens_details"))
        },
        "total_tokens": count("total_tokens") or read + written,
    }
