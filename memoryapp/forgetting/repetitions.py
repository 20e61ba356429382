"""Messages that say again what was forgotten, without a person saying it anew."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from conversations.models import Conversation, Message, Role
from instances.models import EndUserAlias, Instance
from memoryapp.forgetting.muting import mute
from memoryapp.models import SuppressedStatement
from memoryapp.policy.minhash import signature
from memoryapp.privacy.excerpts import split_sentences
from memoryapp.suppression.recognition import digest, hash_key_of, same_fact

#: Suppressed statements that a reply is compared with, the latest first, and sentences of it.
MAX_STATEMENTS = 100
MAX_SENTENCES = 50
#: Share of common words from which a clause repeats a fact. Less than elsewhere, since little is
#: lost with a reply.
REPEATED = 0.4
_CLAUSE_END = re.compile(r"[:;,–—]")


def mute_repeated(
    conversation: Conversation, added: Sequence[Message], *, anew: Message | None
) -> None:
    """Mute those of the *added* messages that say again what was forgotten: copies of a muted
    message in a history that is sent again, and sentences of an assistant or a tool. What a person
    says *anew* is not touched.
    """
    instance, end_user = conversation.instance, conversation.end_user
    others = [message for message in added if message != anew and message.content]
    ids = [end_user]
    if instance.has_aliases:
        ids = EndUserAlias.objects.ids_of(instance, end_user)
    new = [stone for each in ids for stone in _suppressed_statements(instance, each, others)]
    if new:
        SuppressedStatement.objects.bulk_create(new, ignore_conflicts=True)
        mute(instance, {stone.message_id for stone in new if stone.message_id})


def _suppressed_statements(
    instance: Instance, end_user: str, messages: Sequence[Message]
) -> Iterator[SuppressedStatement]:
    """Yield copies of this id's suppressed statements for *messages* that repeat them."""
    known = SuppressedStatement.objects.filter(instance=instance, end_user=end_user).exclude(
        digest=b""
    )
    latest = list(known.order_by("-pk")[:MAX_STATEMENTS]) if messages else []
    if not latest:
        return
    key = hash_key_of(instance)(end_user)
    digests = {message.pk: digest(message.content, key) for message in messages}
    copied: dict[bytes, list[SuppressedStatement]] = defaultdict(list)
    for stone in known.filter(digest__in=set(digests.values())):
        copied[bytes(stone.digest)].append(stone)
    for message in messages:
        of_copy = copied.get(digests[message.pk], [])
        said = of_copy or _stated_by(message, latest, key)
        for stone in {stone.memory_id: stone for stone in said}.values():
            yield SuppressedStatement(
                instance=instance,
                end_user=end_user,
                message=message,
                memory_id=stone.memory_id,
                digest=digests[message.pk],
                whole=bool(of_copy) and stone.whole,
                words=stone.words,
                names=stone.names,
            )


def _stated_by(
    message: Message, stones: Sequence[SuppressedStatement], key: bytes
) -> list[SuppressedStatement]:
    """Suppressed statements of what an assistant's or a tool's *message* says."""
    if message.role == Role.USER:
        return []
    sentences = split_sentences(message.content)[:MAX_SENTENCES]
    clauses = {
        part for each in sentences for part in (each, *_CLAUSE_END.split(each)[:MAX_SENTENCES])
    }
    said = [signature([clause], key) for clause in clauses if clause.strip()]
    return [
        stone for stone in stones if any(same_fact(each, stone, least=REPEATED) for each in said)
    ]
