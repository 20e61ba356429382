"""Takes what states a forgotten memory out of the notes of the palace, and puts it back.

A message is muted as a whole, and stays in the transcript for people. A note has no such place, and
is often longer than one fact, so only the sentences are taken out of it.
"""

from collections.abc import Collection

from django.utils import timezone

from instances.models import Instance
from memoryapp.forgetting.muting import Wordings, stated_in
from memoryapp.models import Drawer, MutedNote
from memoryapp.policy.restatement import restates, stating_parts

#: Notes of the same person with all words of a wording. Those whose words are still to be written
#: are all compared.
_NOTES = """
SELECT id, note AS said FROM memoryapp_drawer
WHERE message_id IS NULL AND (search @@ asked.query OR search IS NULL)
    AND instance_id = %s AND end_user = fact.end_user
LIMIT %s
"""
#: Notes that are looked at for one wording.
MAX_NOTES = 1_000


def mute_palace_notes(instance: Instance, wordings: Wordings) -> None:
    """Take what states forgotten memories out of the notes; *wordings* has the person and the texts
    of each by its id. The caller holds the lock of the instance.
    """
    stated = stated_in(_NOTES, [instance.pk, MAX_NOTES], instance, wordings)
    found = Drawer.objects.filter(pk__in={pk for ids in stated.values() for pk in ids})
    drawers = Drawer.objects.in_bulk(found.hold(instance.pk)) if stated else {}
    for pk, drawer in drawers.items():
        muted = _muted(drawer)
        for memory in (memory for memory, ids in stated.items() if pk in ids):
            person, texts = wordings[memory]
            muted.taken_out[str(memory)] = stating_parts(muted.note, texts, person=person)
            if any(restates(muted.shown, text, person=person) for text in texts):
                muted.taken_out[str(memory)] = [(0, len(muted.note))]
        muted.muted_at = timezone.now()
        muted.save()
        _show(drawer, muted.shown)


def unmute_palace_notes(instance: Instance, memory_ids: Collection[int]) -> None:
    """Put back what states these memories, except into notes that were changed meanwhile."""
    for muted in MutedNote.objects.filter(instance=instance).stating(memory_ids):
        before = muted.shown
        muted.taken_out = {
            pk: parts for pk, parts in muted.taken_out.items() if int(pk) not in memory_ids
        }
        drawer = Drawer.objects.filter(pk=muted.drawer_id, note=before).first()
        if drawer is not None:
            _show(drawer, muted.shown)
        if muted.taken_out:
            muted.save(update_fields=["taken_out"])
        else:
            muted.delete()


def _muted(drawer: Drawer) -> MutedNote:
    """The stored note, if it has not been changed since something was taken out of it; else that
    of *drawer*.
    """
    known = MutedNote.objects.filter(drawer=drawer).first()
    if known is None:
        return MutedNote(instance_id=drawer.instance_id, drawer=drawer, note=drawer.note)
    if known.shown != drawer.note:
        known.note, known.taken_out = drawer.note, {}
    return known


def _show(drawer: Drawer, note: str) -> None:
    """Give *drawer* this text. Its words and its vector are written again later."""
    drawer.embeddings.all().delete()
    drawer.row().update(note=note, search=None)
