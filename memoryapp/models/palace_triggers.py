"""Database triggers that keep the rows of the palace consistent on every insert and delete."""

# ruff: noqa: S608 - All names are of this module.

from memoryapp.models.transition_tables import function, gathered

_ARRIVE = """
SELECT array_agg(id), array_agg(conversation_id), array_agg(role NOT IN ('user', 'assistant'))
    INTO messages, conversations, others FROM arrived WHERE instance_id = mine;
INSERT INTO memoryapp_unfiled (message_id, instance_id, stays_out)
    SELECT a.message_id, mine, a.is_other OR coalesce((
        SELECT c.without_memory FROM conversations_conversation c
        WHERE c.id = a.conversation_id AND c.instance_id = mine
    ), false)
    FROM unnest(messages, conversations, others) AS a (message_id, conversation_id, is_other);
"""
_FILE = f"""
messages := {gathered("message_id", "filed")};
DELETE FROM memoryapp_unfiled WHERE instance_id = mine AND message_id = ANY(messages);
"""
_UNFILE = f"""
PERFORM 1 FROM memoryapp_palace WHERE instance_id = mine FOR UPDATE;
closets := {gathered("closet_id", "gone", distinct=True)};
messages := {gathered("message_id", "gone")};
DELETE FROM memoryapp_closet c
    WHERE c.instance_id = mine AND c.id = ANY(closets) AND NOT EXISTS (
        SELECT FROM memoryapp_drawer d WHERE d.instance_id = mine AND d.closet_id = c.id
    );
INSERT INTO memoryapp_unfiled (message_id, instance_id, stays_out)
    SELECT m.id, mine, false FROM conversations_message m
    WHERE m.instance_id = mine AND m.id = ANY(messages)
    ON CONFLICT DO NOTHING;
"""
_CLEAR_ROOMS = f"""
rooms := {gathered("room_id", "gone", distinct=True)};
DELETE FROM memoryapp_room r
    WHERE r.instance_id = mine AND r.id = ANY(rooms) AND NOT EXISTS (
        SELECT FROM memoryapp_closet c WHERE c.instance_id = mine AND c.room_id = r.id
    );
"""
_CLEAR_WINGS = f"""
wings := {gathered("wing_id", "gone", distinct=True)};
DELETE FROM memoryapp_wing w
    WHERE w.instance_id = mine AND w.id = ANY(wings) AND NOT EXISTS (
        SELECT FROM memoryapp_room r WHERE r.instance_id = mine AND r.wing_id = w.id
    );
"""
_FORGET_MESSAGE = f"""
messages := {gathered("id", "gone")};
DELETE FROM memoryapp_unfiled WHERE instance_id = mine AND message_id = ANY(messages);
SELECT array_agg(conversation_id), array_agg(position) INTO conversations, positions
    FROM (
        SELECT conversation_id, min(position) AS position FROM gone
        WHERE instance_id = mine GROUP BY conversation_id
    ) AS first;
-- Where the whole conversation goes, its rooms have gone by now.
IF EXISTS (
    SELECT FROM memoryapp_room WHERE instance_id = mine AND conversation_id = ANY(conversations)
) THEN
    UPDATE memoryapp_drawer d SET search = NULL
    FROM unnest(conversations, positions) AS first (conversation_id, position)
    JOIN conversations_message m
        ON m.conversation_id = first.conversation_id AND m.position > first.position
    WHERE m.instance_id = mine AND d.instance_id = mine AND d.message_id = m.id
        AND d.search IS NOT NULL;
END IF;
"""

#: One lock per instance, taken by every transaction that files or deletes: a closet must not be
#: deleted while another drawer is put into it. The words of a message are also in the search text
#: of the next drawer. When a message is deleted, the search text of all later drawers is cleared,
#: since it is no longer known which of them was the next one. Every message has a drawer or an
#: `Unfiled`.
CREATE_TRIGGERS = f"""
{
    function(
        "keepsake_arrive",
        ["arrived"],
        _ARRIVE,
        variables="messages bigint[]; conversations bigint[]; others boolean[];",
    )
}
{function("keepsake_file", ["filed"], _FILE, variables="messages bigint[];")}
{function("keepsake_unfile", ["gone"], _UNFILE, variables="closets bigint[]; messages bigint[];")}
{function("keepsake_clear_rooms", ["gone"], _CLEAR_ROOMS, variables="rooms bigint[];")}
{function("keepsake_clear_wings", ["gone"], _CLEAR_WINGS, variables="wings bigint[];")}
{
    function(
        "keepsake_forget_message",
        ["gone"],
        _FORGET_MESSAGE,
        variables="messages bigint[]; conversations bigint[]; positions integer[];",
    )
}
CREATE TRIGGER arrive AFTER INSERT ON conversations_message REFERENCING NEW TABLE AS arrived
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_arrive();
CREATE TRIGGER file AFTER INSERT ON memoryapp_drawer REFERENCING NEW TABLE AS filed
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_file();
CREATE TRIGGER forget_message AFTER DELETE ON conversations_message
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_forget_message();
CREATE TRIGGER unfile AFTER DELETE ON memoryapp_drawer REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_unfile();
CREATE TRIGGER clear_rooms AFTER DELETE ON memoryapp_closet REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_clear_rooms();
CREATE TRIGGER clear_wings AFTER DELETE ON memoryapp_room REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION keepsake_clear_wings();
"""
DROP_TRIGGERS = """
DROP FUNCTION keepsake_arrive CASCADE;
DROP FUNCTION keepsake_file CASCADE;
DROP FUNCTION keepsake_unfile CASCADE;
DROP FUNCTION keepsake_clear_rooms CASCADE;
DROP FUNCTION keepsake_clear_wings CASCADE;
DROP FUNCTION keepsake_forget_message CASCADE;
"""
