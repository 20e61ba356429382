"""Questions to the app above, which reads conversations for facts."""

from collections.abc import Collection, Sequence

from conversations.models import Conversation, Message, Nature
from instances.hooks import Hook
from instances.models import Instance


@Hook
def mute_repeated(
    conversation: Conversation, added: Sequence[Message], *, anew: Message | None
) -> None:
    """Mute those of the *added* messages that repeat what was forgotten, apart from the one that a
    person says *anew*.
    """
    raise NotImplementedError


@Hook
def spoken(message: Message) -> str:
    """Return the text of *message*, also if it is muted; load many with ``muted``."""
    raise NotImplementedError


@Hook
def is_muted(message: Message) -> bool:
    """True if *message* states what was forgotten, so that only the transcript shows it."""
    raise NotImplementedError


@Hook
def sayable_anew(messages: Sequence[Message]) -> Collection[int]:
    """Return the ids of those of *messages* that state what a program has deleted altogether: when
    it sends them again, they are said anew.
    """
    raise NotImplementedError


@Hook
def masked(instance: Instance, text: str) -> str:
    """Return *text* with placeholders for what is secret."""
    raise NotImplementedError


@Hook
def language_of(text: str, usual: str) -> str:
    """Return the language of *text*, or the *usual* one if it is too short to tell."""
    raise NotImplementedError


@Hook
def nature_of(text: str, *, role: str, language: str, before: str) -> Nature:
    """Return what a message with this *text* does, said by *role* in this *language* after the text
    *before*.
    """
    raise NotImplementedError
