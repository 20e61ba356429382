"""Traces by OpenTelemetry, from a request to the memory or the answer that comes of it.

Off, and OpenTelemetry is not imported, unless the operator names a collector by the standard
variables. A span has names, counts and our own ids, and never a text of people: not of messages,
memories, questions, prompts or errors.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Span, SpanKind, Tracer

    from memoryapp.providers.endpoints import Endpoint

#: The header of W3C Trace Context.
HEADER = "traceparent"

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
Value = str | int | float | bool


class Tracing:
    """The tracer of this process, while traces are on."""

    def __init__(self, exporter: "SpanExporter", *, at_once: bool = False) -> None:
        """Send spans to *exporter*, in the background or *at_once*."""
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        from memoryapp import __version__

        ours = Resource({"service.name": "keepsake", "service.version": __version__})
        resource = Resource.create().merge(ours).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=resource)
        process = SimpleSpanProcessor if at_once else BatchSpanProcessor
        self._provider.add_span_processor(process(exporter))
        self.tracer: Tracer = self._provider.get_tracer("keepsake", __version__)

    def shut_down(self) -> None:
        """Send what is left."""
        self._provider.shutdown()


_tracing: Tracing | None = None
#: The spans of the tasks that are at work in this process, by the ids of the tasks.
_tasks: dict[str, AbstractContextManager[Any]] = {}


def wanted() -> bool:
    """True if the settings name a collector."""
    return bool(settings.OTEL_EXPORTER_OTLP_ENDPOINT) and not settings.OTEL_SDK_DISABLED


def missing_package() -> str:
    """Return the name of the package that traces need and that is not installed; or nothing."""
    names = ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http")
    try:
        return next((name for name in names if find_spec(name) is None), "")
    except ModuleNotFoundError as error:
        return error.name or "opentelemetry"


def start() -> None:
    """Begin to send traces, if they are wanted. A system check reports a missing package."""
    if not wanted() or missing_package():
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

    from instances.outgoing.requests_session import session

    collector = settings.OTEL_EXPORTER_OTLP_ENDPOINT
    turn_on(Tracing(OTLPSpanExporter(session=session(collector))))


def turn_on(tracing: Tracing) -> None:
    """Trace from now on."""
    global _tracing
    from instances.outgoing import client

    _tracing = tracing
    client.trace_headers = trace_headers
    before_task_publish.connect(_hand_on, dispatch_uid="keepsake.traces")
    task_prerun.connect(_begin_task, dispatch_uid="keepsake.traces")
    task_postrun.connect(_end_task, dispatch_uid="keepsake.traces")


def turn_off() -> None:
    """Send what is left, and trace no more."""
    global _tracing
    from instances.outgoing import client

    if _tracing is not None:
        _tracing.shut_down()
    _tracing, client.trace_headers = None, dict
    for signal in (before_task_publish, task_prerun, task_postrun):
        signal.disconnect(dispatch_uid="keepsake.traces")


def span(name: str, **attributes: Value) -> "AbstractContextManager[Span | None]":
    """Return a span for the duration of a ``with``; None while traces are off."""
    return nullcontext() if _tracing is None else _span(_tracing, name, None, None, attributes)


def request_span(method: str, sent: Mapping[str, str]) -> "AbstractContextManager[Span | None]":
    """Return the span of a request with the headers *sent*, which continues its caller's trace."""
    if _tracing is None:
        return nullcontext()
    from opentelemetry.trace import SpanKind

    attributes: dict[str, Value] = {"http.request.method": method}
    return _span(_tracing, method, SpanKind.SERVER, sent.get(HEADER, ""), attributes)


def end_request(span: "Span | None", method: str, route: str, status: int) -> None:
    """Note how the request of *span* was answered."""
    if span is None:
        return
    from opentelemetry.trace import StatusCode

    span.update_name(f"{method} {route}")
    span.set_attributes({"http.route": route, "http.response.status_code": status})
    if status >= 500:
        span.set_status(StatusCode.ERROR)


def model_span(operation: str, endpoint: "Endpoint") -> "AbstractContextManager[Span | None]":
    """Return the span of a call to a model: ``chat`` or ``embeddings``, named and described by the
    semantic conventions for generative AI.
    """
    if _tracing is None:
        return nullcontext()
    from opentelemetry.trace import SpanKind

    name, attributes = f"{operation} {endpoint.model}", _described(operation, endpoint)
    return _span(_tracing, name, SpanKind.CLIENT, None, attributes)


def note_tokens(span: "Span | None", read: int, written: int | None = None) -> None:
    """Note the tokens that a model has *read*, and *written* if it writes."""
    if span is not None:
        span.set_attribute("gen_ai.usage.input_tokens", read)
        if written is not None:
            span.set_attribute("gen_ai.usage.output_tokens", written)


class ModelStream:
    """The span of an answer that a model streams; of no effect while traces are off."""

    def __init__(self, endpoint: "Endpoint") -> None:
        self._span: Span | None = None
        self._began = monotonic()
        self._has_begun = False
        self._read = self._written = 0
        if _tracing is None:
            return
        from opentelemetry.trace import SpanKind

        attributes = {**_described("chat", endpoint), "gen_ai.request.stream": True}
        name = f"chat {endpoint.model}"
        self._span = _tracing.tracer.start_span(name, kind=SpanKind.CLIENT, attributes=attributes)

    def parts(self, received: Iterator[T]) -> Iterator[T]:
        """Yield the parts that are *received*. The span is the present one only while a part is
        awaited: what the reader does in between is not the model's work.
        """
        if self._span is None:
            yield from received
            return
        from opentelemetry.trace import use_span

        ended = object()
        while True:
            with use_span(self._span, record_exception=False, set_status_on_exception=False):
                part = next(received, ended)
            if part is ended:
                return
            if not self._has_begun:
                self._has_begun = True
                seconds = monotonic() - self._began
                self._span.set_attribute("gen_ai.response.time_to_first_chunk", seconds)
            yield cast(T, part)

    def count(self, read: int, written: int) -> None:
        """Note the tokens *read* and *written* so far; 0 if they are not told."""
        self._read, self._written = read or self._read, written or self._written

    def end(self, error: str = "") -> None:
        """End the span, with the kind of *error*, if there was one. Only the first end counts."""
        made, self._span = self._span, None
        if made is None:
            return
        from opentelemetry.trace import StatusCode

        note_tokens(made, self._read, self._written)
        if error:
            made.set_attribute("error.type", error)
            made.set_status(StatusCode.ERROR)
        made.end()


def traced(name: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Make a span of each call of a function."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if _tracing is None:
                return function(*args, **kwargs)
            with span(name):
                return function(*args, **kwargs)

        return call

    return decorate


def carried(function: Callable[P, R]) -> Callable[P, R]:
    """Return *function* for another thread, in which it continues the present trace."""
    if _tracing is None:
        return function
    from opentelemetry.context import attach, detach, get_current

    context = get_current()

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        token = attach(context)
        try:
            return function(*args, **kwargs)
        finally:
            detach(token)

    return call


def trace_headers() -> dict[str, str]:
    """Return the header that hands the present trace on; none while there is no trace."""
    if _tracing is None:
        return {}
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return {name: carrier[name] for name in (HEADER,) if name in carrier}


def _described(operation: str, endpoint: "Endpoint") -> dict[str, Value]:
    """Return the attributes of a call to a model."""
    return {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": endpoint.provider,
        "gen_ai.request.model": endpoint.model,
        "server.address": endpoint.host,
    }


@contextmanager
def _span(
    tracing: Tracing,
    name: str,
    kind: "SpanKind | None",
    parent: str | None,
    attributes: Mapping[str, Value],
) -> "Iterator[Span]":
    """Make a span, below the one that the header *parent* names, if there is such a header."""
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind, StatusCode
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = None
    if parent is not None:
        context = TraceContextTextMapPropagator().extract({HEADER: parent}, context=Context())
    # The words of an error may be those of a person, so only its kind is noted.
    with tracing.tracer.start_as_current_span(
        name,
        context=context,
        kind=kind or SpanKind.INTERNAL,
        attributes=attributes,
        record_exception=False,
        set_status_on_exception=False,
    ) as made:
        try:
            yield made
        except Exception as error:
            made.set_attribute("error.type", type(error).__qualname__)
            made.set_status(StatusCode.ERROR)
            raise


def _hand_on(headers: dict[str, Any], **sent: Any) -> None:
    """Write the present trace into the headers of a task."""
    headers.update(trace_headers())


def _begin_task(task_id: str, task: Any, **sent: Any) -> None:
    if _tracing is None:
        return
    from opentelemetry.trace import SpanKind

    name = task.name.rpartition(".")[2]
    parent = getattr(task.request, HEADER, None) or ""
    attributes: dict[str, Value] = {"messaging.system": "celery", "messaging.message.id": task_id}
    begun = _span(_tracing, f"task {name}", SpanKind.CONSUMER, parent, attributes)
    begun.__enter__()
    _tasks[task_id] = begun


def _end_task(task_id: str, retval: object = None, **sent: Any) -> None:
    if (begun := _tasks.pop(task_id, None)) is None:
        return
    error = retval if isinstance(retval, Exception) else None
    try:
        begun.__exit__(type(error) if error else None, error, None)
    except Exception as raised:
        if raised is not error:
            raise
