"""Submits a message or a retry to be answered, or refuses it with a reason."""

from django.db import transaction

from conversations.messages import NewMessage, append
from conversations.models import Conversation, ConversationOrigin, Role
from conversations.sanitizer import sanitize
from conversations.titles import title_of
from instances.models import Agent, Instance
from instances.translatable import translatable
from memoryapp.forgetting.holds import refuse_to_replace
from memoryapp.llm.structured import NO_MODEL
from memoryapp.models import Answer

#: Characters of one message.
MAX_MESSAGE_CHARACTERS = 32_000


class SubmissionRefused(Exception):
    """The message cannot be answered now; the text says why, and what to do."""


def begin_conversation(
    instance: Instance,
    text: str,
    *,
    agent: Agent | None,
    end_user: str = "",
    without_memory: bool = False,
) -> Answer:
    """Begin a conversation with its first message; ``without_memory``, nothing is recalled for it,
    and nothing of it is kept.
    """
    text = _checked(text)
    with transaction.atomic():
        conversation = Conversation.objects.create(
            instance=instance,
            agent=agent,
            title=title_of(instance, text),
            end_user=sanitize(end_user).strip()[:200],
            origin=ConversationOrigin.CHAT,
            without_memory=without_memory,
        )
        return _add(conversation, text)


def add_message(conversation: Conversation, text: str) -> Answer:
    """Add a message to *conversation*, to be answered."""
    text = _checked(text)
    with transaction.atomic():
        _one_at_a_time(conversation)
        return _add(conversation, text)


def retry(conversation: Conversation) -> Answer:
    """Answer the last message again. Its reply stays until the new one is stored.

    Raises `SubmissionRefused` if there is no message.
    """
    if not conversation.instance.has_language_model:
        raise SubmissionRefused(NO_MODEL)
    with transaction.atomic():
        _one_at_a_time(conversation)
        messages = conversation.messages.order_by("-position")
        message = messages.filter(role=Role.USER).first()
        if message is None:
            raise SubmissionRefused(
                translatable("There is nothing to answer yet. Write a message first.")
            )
        replies = messages.filter(role=Role.ASSISTANT, position__gt=message.position)
        if replies.exists():
            refuse_to_replace(conversation, since=message.sent_at)
        return Answer.objects.create(
            instance_id=conversation.instance_id,
            conversation=conversation,
            message=message,
            replaces=replies.first(),
        )


def stop(conversation: Conversation) -> None:
    """Ask the running answer of *conversation* to stop, whichever process makes it."""
    Answer.objects.filter(conversation=conversation).running().update(stop_requested=True)


def _add(conversation: Conversation, text: str) -> Answer:
    (message,) = append(conversation, [NewMessage(Role.USER, text)]).added
    return Answer.objects.create(
        instance_id=conversation.instance_id, conversation=conversation, message=message
    )


def _checked(text: str) -> str:
    # Browsers send the lines of a form with CRLF.
    text = sanitize(text).replace("\r\n", "\n").strip()
    if not text:
        raise SubmissionRefused(translatable("Write a message first."))
    if len(text) > MAX_MESSAGE_CHARACTERS:
        raise SubmissionRefused(
            translatable(
                "This has %(characters)s characters; a message has at most %(most)s. Send it in "
                "parts.",
                characters=len(text),
                most=MAX_MESSAGE_CHARACTERS,
            )
        )
    return text


def _one_at_a_time(conversation: Conversation) -> None:
    # The row lock decides between two requests at once: the second sees the answer of the first.
    conversation.locked()
    answers = Answer.objects.filter(conversation=conversation)
    answers.give_up()
    if answers.running().exists():
        raise SubmissionRefused(
            translatable("An answer is being written. Wait for it, or stop it first.")
        )
