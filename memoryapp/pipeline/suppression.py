"""Keeps deleted facts from being learned again.

Two things are left of a deleted memory, neither with a word of its text. A tombstone on each
message that it was learned from: a message that had been read gives nothing more, however often it
is read again and however the model words it. And, when whoever deleted it wished so, a rule that
recognises the fact wherever it comes from, in this wording or one like it.

A person who adds a memory by hand is told of a rule, and may lift it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from conversations.models import Message
from instances.actor import Actor
from instances.models import HashKey, Instance
from memoryapp.models import Memory, MemorySource, NeverAgain, Origin, Tombstone
from memoryapp.pipeline.candidates import Candidate, Rejected, Writer
from memoryapp.policy.minhash import Signature, likeness, signature

#: Gives the key to what is left of one end user's memories.
HashKeyOf = Callable[[str], bytes]

#: The share of words in common from which two texts are the same fact. Measured in
#: docs/decisions.md.
SAME_FACT = 0.5

CODE = "never_again"
FROM_HERE = "A memory that was learned from this message has been deleted."
RULE = (
    "It was deleted, and is not to be learned again. Who wants it back can lift that under Memory, "
    "Not learned again, or add it by hand."
)


class Suppressed(Rejected):
    """The candidate says what was deleted and is not to come back."""

    def __init__(self, message: str, rules: Sequence[NeverAgain] = ()) -> None:
        super().__init__(message, CODE)
        self.rules = rules


def bury(
    instance: Instance, memory_ids: Collection[int], *, asked_in: Message | None = None
) -> None:
    """Leave a tombstone on each message that these memories, which are about to be deleted, were
    learned from, and on the one in which their deletion was asked for: it names them, and may be
    read for facts after that. The caller holds the lock of the instance.
    """
    sources = MemorySource.objects.filter(memory__in=memory_ids, message__isnull=False)
    key = _key_of(instance)
    stones = [
        _tombstone(instance, source, key)
        for source in sources.select_related("message__conversation", "memory")
    ]
    if asked_in is not None:
        memories = Memory.objects.filter(pk__in=memory_ids).prefetch_related("revisions")
        stones += [_stone(instance, asked_in, memory, key) for memory in memories.defer("search")]
    Tombstone.objects.bulk_create(stones, batch_size=500, ignore_conflicts=True)


def _tombstone(instance: Instance, source: MemorySource, key: HashKeyOf) -> Tombstone:
    assert source.message is not None  # noqa: S101 - The caller has asked for those alone.
    read = source.message.position <= source.message.conversation.watermark
    return _stone(instance, source.message, source.memory, key, whole=read)


def _stone(
    instance: Instance, message: Message, memory: Memory, key: HashKeyOf, *, whole: bool = False
) -> Tombstone:
    left = Signature(b"", b"") if whole else _signature_of(memory, key)
    return Tombstone(
        instance=instance,
        message=message,
        memory_id=memory.pk,
        whole=whole,
        words=left.words,
        names=left.names,
    )


def forbid(instance: Instance, memory_ids: Collection[int], *, by: Actor) -> None:
    """Have what these memories say, which are about to be deleted, not be learned again."""
    memories = Memory.objects.filter(pk__in=memory_ids).prefetch_related("revisions")
    rules = []
    key = _key_of(instance)
    for memory in memories.defer("search").order_by("pk"):
        left = _signature_of(memory, key)
        rules.append(
            NeverAgain(
                instance=instance,
                end_user=memory.end_user,
                memory_id=memory.pk,
                words=left.words,
                names=left.names,
                by=by.user,
                via=by.via,
            )
        )
    NeverAgain.objects.bulk_create(rules, batch_size=500)


def lift_for(memory_ids: Collection[int]) -> None:
    """Take away what was left of these memories: they have come back."""
    NeverAgain.objects.filter(memory_id__in=memory_ids).delete()
    Tombstone.objects.filter(memory_id__in=memory_ids).delete()


def kept_out(
    instance: Instance, candidates: Sequence[Candidate], *, by_hand: bool = False
) -> dict[int, Suppressed]:
    """Tell which of *candidates*, by their place, are kept out, and why; in two queries."""
    rules: dict[str, list[NeverAgain]] = {}
    people = {candidate.end_user for candidate in candidates}
    for rule in instance.never_again.filter(end_user__in=people):
        rules.setdefault(rule.end_user, []).append(rule)
    stones: dict[int, list[Tombstone]] = {}
    messages = {candidate.message_id for candidate in candidates if candidate.message_id}
    if messages and not by_hand:
        for stone in instance.tombstones.filter(message__in=messages):
            stones.setdefault(stone.message_id, []).append(stone)
    out = {}
    key = _key_of(instance)
    for place, candidate in enumerate(candidates):
        theirs = rules.get(candidate.end_user, [])
        buried = stones.get(candidate.message_id or 0, [])
        if not (theirs or buried):
            continue
        said = signature([candidate.content], key(candidate.end_user))
        matching = [rule for rule in theirs if _same(said, rule)]
        if matching:
            out[place] = Suppressed(RULE, matching)
        elif any(stone.whole or _same(said, stone) for stone in buried):
            out[place] = Suppressed(FROM_HERE)
    return out


def check(
    instance: Instance, candidates: Sequence[Candidate], writer: Writer, *, lifting: bool
) -> None:
    """See that none of *candidates* is kept out: raises `Suppressed`; or lift what keeps it out."""
    found = kept_out(instance, candidates, by_hand=writer.origin == Origin.MANUAL)
    if found and not lifting:
        raise next(iter(found.values()))
    lifted = {rule.memory_id for reason in found.values() for rule in reason.rules}
    if lifted:  # To delete nothing takes Django as long as a short statement.
        NeverAgain.objects.filter(instance=instance, memory_id__in=lifted).delete()


@contextmanager
def noted() -> Iterator[None]:
    """Note what is kept out within. Stands around the transaction, which takes nothing of it."""
    try:
        yield
    except Suppressed as reason:
        note([reason])
        raise


def note(reasons: Iterable[Suppressed]) -> None:
    """Count for each rule that it has kept something out."""
    for reason in reasons:
        NeverAgain.objects.filter(pk__in=[rule.pk for rule in reason.rules]).update(
            kept_out=F("kept_out") + 1, last_kept_out_at=timezone.now()
        )


def _same(said: Signature, left: NeverAgain | Tombstone) -> bool:
    return likeness(said, Signature(bytes(left.words), bytes(left.names))) >= SAME_FACT


def _signature_of(memory: Memory, key: HashKeyOf) -> Signature:
    """What is left of a memory in all the wordings that it has had."""
    revisions = memory.revisions.all()
    said = [memory.content, *(old.content for old in revisions)]
    # Of what was put together with it, too.
    said += [old.statement for old in revisions if old.reason == old.Reason.JOINED]
    wordings = dict.fromkeys(said)
    return signature(wordings, key(memory.end_user))


def _key_of(instance: Instance) -> HashKeyOf:
    """What makes the keys of this instance's end users. It looks the instance's own key up once,
    when the first is asked for.
    """
    own = cache(lambda: HashKey.of(instance.pk))

    def key(end_user: str) -> bytes:
        return salted_hmac(
            "keepsake.never-again", f"{instance.pk}:{end_user}", secret=own(), algorithm="sha256"
        ).digest()

    return key
