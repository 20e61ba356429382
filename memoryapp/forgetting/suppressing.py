"""Leaves suppressed statements and rules for deleted facts, and mutes the messages that state them;
takes both away when the memories are restored. `memoryapp.suppression` tells what they are for.
"""

from collections.abc import Collection, Mapping
from dataclasses import asdict

from conversations.models import Message
from instances.actor import Actor
from instances.models import Instance
from memoryapp.forgetting.muting import Wordings, black_out, mute, restatements, unmute
from memoryapp.forgetting.note_muting import mute_palace_notes, unmute_palace_notes
from memoryapp.models import Memory, MemorySource, SuppressedStatement, SuppressionRule
from memoryapp.models.muted_messages import spoken
from memoryapp.policy.minhash import signature
from memoryapp.suppression.recognition import digest, hash_key_of


def wordings_of(memory_ids: Collection[int]) -> Wordings:
    """Return whom memories are about, and all texts that they have had, by their ids."""
    memories = Memory.objects.filter(pk__in=memory_ids).prefetch_related("revisions")
    return {memory.pk: (memory.end_user, _wordings(memory)) for memory in memories.defer("search")}


def suppress(
    instance: Instance,
    wordings: Wordings,
    *,
    asked_in: Message | None = None,
    take_out: bool = False,
    everywhere: bool = True,
) -> None:
    """Leave suppressed statements for memories that are about to be deleted, and mute the messages:
    those that they were learned from or that state them in so many words, and the one in which
    their deletion was ``asked_in``, which may still be read for facts. With ``take_out``, the
    sentences are taken out of the messages, too; unless ``everywhere``, only messages that they
    were learned from count. What states them is taken out of notes.

    *wordings* has the person and the texts of each by its id. The caller holds the lock of the
    instance.
    """
    stated = restatements(instance, wordings if everywhere else {})
    sources = MemorySource.objects.filter(memory__in=wordings, message__isnull=False)
    for memory, source in sources.values_list("memory", "message"):
        stated[memory].add(source)
    suppress_wordings(instance, wordings, stated, asked_in=asked_in)
    if everywhere:
        if asked_in is None:
            _suppress_unsaid(instance, {pk: wordings[pk] for pk in wordings if not stated.get(pk)})
        mute_palace_notes(instance, wordings)
    if take_out:
        for memory, (person, texts) in wordings.items():
            black_out(stated[memory], texts, person=person)


def suppress_wordings(
    instance: Instance,
    wordings: Wordings,
    stated: Mapping[int, Collection[int]],
    *,
    asked_in: Message | None = None,
) -> None:
    """Leave suppressed statements for texts, and mute the messages. By the ids of the memories,
    *wordings* has the person and the texts, and *stated* the ids of the messages.
    """
    key = hash_key_of(instance)
    signatures = {pk: signature(texts, key(person)) for pk, (person, texts) in wordings.items()}
    messages = (
        Message.objects.select_related("conversation", "muted")
        .defer("search")
        .in_bulk(
            {pk for ids in stated.values() for pk in ids} | ({asked_in.pk} if asked_in else set())
        )
    )
    stones = []
    for memory, (person, _) in wordings.items():
        for pk in {*stated.get(memory, ()), *([asked_in.pk] if asked_in else [])}:
            message = messages[pk]
            read = message.position <= message.conversation.watermark
            stones.append(
                SuppressedStatement(
                    instance=instance,
                    end_user=person,
                    message=message,
                    memory_id=memory,
                    digest=digest(spoken(message), key(person)),
                    whole=read and message.pk != (asked_in and asked_in.pk),
                    **asdict(signatures[memory]),
                )
            )
    SuppressedStatement.objects.bulk_create(stones, batch_size=500, ignore_conflicts=True)
    mute(instance, list(messages))


def _suppress_unsaid(instance: Instance, wordings: Wordings) -> None:
    """Leave suppressed statements for what no message states, so that an assistant that knows it
    from before does not bring it back.
    """
    key = hash_key_of(instance)
    SuppressedStatement.objects.bulk_create(
        (
            SuppressedStatement(
                instance=instance,
                end_user=person,
                memory_id=memory,
                digest=digest(texts[0], key(person)),
                whole=False,
                **asdict(signature(texts, key(person))),
            )
            for memory, (person, texts) in wordings.items()
        ),
        batch_size=500,
    )


def add_rules(instance: Instance, wordings: Wordings, *, by: Actor) -> None:
    """Add a rule for each of the memories that are about to be deleted; *wordings* has the person
    and the texts of each by its id.
    """
    key = hash_key_of(instance)
    rules = (
        SuppressionRule(
            instance=instance,
            end_user=person,
            memory_id=pk,
            by=by.user,
            via=by.via,
            **asdict(signature(texts, key(person))),
        )
        for pk, (person, texts) in sorted(wordings.items())
    )
    SuppressionRule.objects.bulk_create(rules, batch_size=500)


def lift(instance: Instance, memory_ids: Collection[int]) -> None:
    """Delete the rules and suppressed statements of memories that have been restored, and give the
    messages their texts back, unless they state other forgotten memories.
    """
    SuppressionRule.objects.filter(memory_id__in=memory_ids).delete()
    lifted = SuppressedStatement.objects.filter(memory_id__in=memory_ids)
    messages = set(lifted.exclude(message=None).values_list("message", flat=True))
    lifted.delete()
    still = SuppressedStatement.objects.filter(message__in=messages).values_list(
        "message", flat=True
    )
    unmute(instance, messages - set(still))
    unmute_palace_notes(instance, memory_ids)


def _wordings(memory: Memory) -> list[str]:
    """The texts that a memory has had, and those of the memories that were merged with it."""
    revisions = memory.revisions.all()
    texts = [memory.content, *(old.content for old in revisions)]
    texts += [old.statement for old in revisions if old.reason == old.Reason.JOINED]
    return list(dict.fromkeys(texts))
