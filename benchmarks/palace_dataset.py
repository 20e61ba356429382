"""The palace of `benchmarks.multi_tenant_dataset`: each message in a drawer, as mining without a
language model files it, but in a few wings per instance.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from benchmarks.bulk_copy import copy_rows, copy_vectors, go_on_counting
from benchmarks.synthetic_text import Ints, SyntheticText
from conversations.models import Conversation
from instances.models import Instance
from memoryapp.models import Closet, Drawer, DrawerEmbedding, Palace, Room, Wing

#: Wings of an instance; a conversation is about one of them.
WINGS = 8
#: Turns whose vectors are made at a time.
BATCH_SIZE = 20_000

#: The turn's words, and at less weight those of the turn before it; its tags are the one who spoke.
#: Room and closet have the number of their conversation, a drawer that of its turn.
_FILE = """
INSERT INTO memoryapp_drawer (
    id, instance_id, end_user, closet_id, message_id, note, wing_number, room_number, number,
    people, places, events, items, times, said_at, filed_at, search
)
SELECT m.id, m.instance_id, c.end_user, c.id, m.id, '', w.number, c.id, m.position,
    CASE m.author WHEN '' THEN '{}' ELSE ARRAY[m.author] END, '{}', '{}', '{}', '{}',
    m.sent_at, m.sent_at,
    setweight(keepsake_tsvector(m.instance_id, m.language, m.author || ' ' || m.content), 'A')
    || setweight(keepsake_tsvector(m.instance_id, m.language,
        coalesce(before.author || ' ' || before.content, '')), 'C')
FROM conversations_message m
JOIN conversations_conversation c ON c.id = m.conversation_id
JOIN memoryapp_room r ON r.id = c.id
JOIN memoryapp_wing w ON w.id = r.wing_id
LEFT JOIN conversations_message before
    ON before.conversation_id = c.id AND before.position = m.position - 1
ORDER BY m.id
"""


def file_turns(
    instances: Sequence[Instance],
    spaces: Mapping[int, int],
    owners: Ints,
    texts: Ints,
    dice: np.random.Generator,
) -> None:
    """File every turn there is, and give each its vector.

    ``owners`` (n) and ``texts`` (n, longest) are those of the turns in the order of their ids;
    ``spaces`` leads from an instance's id to that of its space.
    """
    copy_rows(Palace, ({"instance_id": instance.pk, "last_wing": WINGS} for instance in instances))
    copy_rows(
        Wing,
        (
            {
                "id": at * WINGS + number,
                "instance_id": instance.pk,
                "number": number,
                "name": f"Subject {number}",
                "slug": f"subject-{number}",
            }
            for at, instance in enumerate(instances)
            for number in range(1, WINGS + 1)
        ),
    )
    place = {instance.pk: at for at, instance in enumerate(instances)}
    rooms = list(Conversation.objects.order_by("pk").values_list("pk", "instance_id"))
    copy_rows(
        Room,
        (
            {
                "id": pk,
                "instance_id": instance,
                "wing_id": place[instance] * WINGS + pk % WINGS + 1,
                "conversation_id": pk,
                "number": pk,
            }
            for pk, instance in rooms
        ),
    )
    copy_rows(
        Closet,
        (
            {"id": pk, "instance_id": instance, "room_id": pk, "name": "general", "slug": "general"}
            for pk, instance in rooms
        ),
    )
    with connection.cursor() as cursor:
        cursor.execute(_FILE)
    ids = np.array([instance.pk for instance in instances])
    of_owner: NDArray[np.int64] = np.array([spaces[pk] for pk in ids])
    babble = SyntheticText()
    for begin in range(0, len(texts), BATCH_SIZE):
        vectors = babble.vectors(dice, texts[begin : begin + BATCH_SIZE])
        turns = np.arange(begin, begin + len(vectors)) + 1
        owner = owners[begin : begin + BATCH_SIZE]
        copy_vectors(
            DrawerEmbedding,
            {
                "id": turns,
                "drawer_id": turns,
                "instance_id": ids[owner],
                "space_id": of_owner[owner],
            },
            vectors,
        )
    go_on_counting(Wing, Room, Closet, Drawer, DrawerEmbedding)
