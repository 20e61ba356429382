"""Keeps deleted facts from being told and learned again.

A deleted memory leaves a suppressed statement on each message that states it. The message is muted:
only people see its text, in the transcript. If it had been read, it gives no more facts, however
often it is read again and however the model words them. On request the memory also leaves a rule
that recognises the fact in any message, in this wording or a similar one. Neither contains a word
of its text.

A person who adds a suppressed fact by hand is told of the rule, and may lift it.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from itertools import chain

from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from conversations.models import Message
from instances.actor import Actor
from instances.models import EndUserAlias, HashKey, Instance
from instances.translatable import translatable
from memoryapp.models import (
    Memory,
    MemorySource,
    Origin,
    SavedFilter,
    SuppressedStatement,
    SuppressionRule,
)
from memoryapp.models.muted_messages import spoken
from memoryapp.pipeline.candidates import Candidate, Rejected, Writer
from memoryapp.pipeline.muting import Wordings, black_out, mute, restatements, unmute
from memoryapp.pipeline.note_muting import mute_palace_notes, unmute_palace_notes
from memoryapp.policy.minhash import Signature, likeness, signature
from memoryapp.policy.restatement import restates

#: Returns the hash key for the memories of an end user.
HashKeyOf = Callable[[str], bytes]

#: Share of common words from which two texts are the same fact; see docs/decisions.md.
SAME_FACT = 0.5

CODE = "never_again"
FROM_HERE = translatable("A memory that was learned from this message has been deleted.")
RULE = translatable(
    "It was deleted and must not be learned again. To bring it back, remove the rule under "
    "Memory, Not learned again, or add the memory by hand."
)


class Suppressed(Rejected):
    """The candidate states a deleted fact that must not be learned again."""

    def __init__(self, message: str, rules: Sequence[SuppressionRule] = ()) -> None:
        super().__init__(message, CODE)
        self.rules = rules


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


def filters_stating(instance: Instance, wordings: Wordings) -> list[SavedFilter]:
    """Return the saved filters that state one of these facts."""
    return [
        each
        for each in SavedFilter.objects.filter(instance=instance)
        if any(
            restates(each.text, text, person=person)
            for person, texts in wordings.values()
            for text in texts
        )
    ]


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


def kept_out(
    instance: Instance, candidates: Sequence[Candidate], *, by_hand: bool = False
) -> dict[int, Suppressed]:
    """Return the reasons for *candidates* that are suppressed, by index, with two queries."""
    rules: dict[str, list[SuppressionRule]] = {}
    # Signatures are made with an id, so those of a person's other ids are compared as well.
    ids = {candidate.end_user: [candidate.end_user] for candidate in candidates}
    if instance.has_aliases:
        ids = {each: EndUserAlias.objects.ids_of(instance, each) for each in ids}
    for rule in SuppressionRule.objects.of_people(instance, chain(*ids.values())):
        rules.setdefault(rule.end_user, []).append(rule)
    stones: dict[int, list[SuppressedStatement]] = {}
    messages = {candidate.message_id for candidate in candidates if candidate.message_id}
    if messages and not by_hand:
        for stone in instance.suppressed_statements.filter(message__in=messages):
            stones.setdefault(stone.message_id or 0, []).append(stone)
    suppressed = {}
    key = hash_key_of(instance)
    for index, candidate in enumerate(candidates):
        for_person = [rule for id_ in ids[candidate.end_user] for rule in rules.get(id_, [])]
        on_message = stones.get(candidate.message_id or 0, [])
        if not (for_person or on_message):
            continue
        hashes = {id_: signature([candidate.content], key(id_)) for id_ in ids[candidate.end_user]}
        matching = [rule for rule in for_person if same_fact(hashes[rule.end_user], rule)]
        if matching:
            suppressed[index] = Suppressed(RULE, matching)
        elif any(
            stone.whole or any(same_fact(each, stone) for each in hashes.values())
            for stone in on_message
        ):
            suppressed[index] = Suppressed(FROM_HERE)
    return suppressed


def check(
    instance: Instance, candidates: Sequence[Candidate], writer: Writer, *, lift_rules: bool
) -> None:
    """Raise `Suppressed` if one of *candidates* is suppressed; with ``lift_rules``, delete the
    rules for it instead.
    """
    suppressed = kept_out(instance, candidates, by_hand=writer.origin == Origin.MANUAL)
    if suppressed and not lift_rules:
        raise next(iter(suppressed.values()))
    lifted = {rule.memory_id for reason in suppressed.values() for rule in reason.rules}
    if lifted:  # Deleting nothing takes Django as long as a short statement.
        SuppressionRule.objects.filter(instance=instance, memory_id__in=lifted).delete()


@contextmanager
def counting_hits() -> Iterator[None]:
    """Count a suppressed candidate, outside the transaction that it rolls back."""
    try:
        yield
    except Suppressed as reason:
        count_hits([reason])
        raise


def count_hits(reasons: Iterable[Suppressed]) -> None:
    """Count for each rule that it has suppressed a candidate."""
    for reason in reasons:
        SuppressionRule.objects.filter(pk__in=[rule.pk for rule in reason.rules]).update(
            kept_out=F("kept_out") + 1, last_kept_out_at=timezone.now()
        )


def same_fact(
    new: Signature, old: SuppressionRule | SuppressedStatement, *, least: float = SAME_FACT
) -> bool:
    """True if a text with the signature *new* states what *old* stands for."""
    return likeness(new, Signature(bytes(old.words), bytes(old.names))) >= least


def _wordings(memory: Memory) -> list[str]:
    """The texts that a memory has had, and those of the memories that were merged with it."""
    revisions = memory.revisions.all()
    texts = [memory.content, *(old.content for old in revisions)]
    texts += [old.statement for old in revisions if old.reason == old.Reason.JOINED]
    return list(dict.fromkeys(texts))


def digest(text: str, key: bytes) -> bytes:
    """Return the keyed hash by which a text is recognised, whatever its spaces and capitals."""
    plain = " ".join(text.casefold().split())
    return hashlib.blake2b(plain.encode(), key=key, digest_size=16).digest()


def hash_key_of(instance: Instance) -> HashKeyOf:
    """Return the function for the hash keys of this instance's end users. It loads the instance's
    own key once, when it is first called.
    """
    own = cache(lambda: HashKey.of(instance.pk))

    def key(end_user: str) -> bytes:
        return salted_hmac(
            "keepsake.never-again", f"{instance.pk}:{end_user}", secret=own(), algorithm="sha256"
        ).digest()

    return key
