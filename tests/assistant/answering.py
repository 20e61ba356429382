"""Helpers for tests of answers."""

from conversations.models import Conversation
from memoryapp.assistant.answer import answer
from memoryapp.assistant.events import Delta, Event
from memoryapp.assistant.submission import add_message
from tests.scripted_provider import ScriptedProvider


def text_of(events: list[Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, Delta))


def talk(conversation: Conversation, text: str = "What should I not cook?") -> list[Event]:
    return list(answer(add_message(conversation, text)))


def system_message(provider: ScriptedProvider, number: int = -1) -> str:
    """Return the system message of a request."""
    return str(provider.requests[number].body["messages"][0]["content"])


def user_message(provider: ScriptedProvider, number: int = -1) -> str:
    """Return the last message of the user in a request."""
    messages = provider.requests[number].body["messages"]
    return str(next(m["content"] for m in reversed(messages) if m["role"] == "user"))


def transcript(conversation: Conversation) -> list[tuple[str, str]]:
    return list(conversation.messages.values_list("role", "content"))
