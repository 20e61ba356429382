"""Database triggers that keep the rows of the palace consistent on every insert and delete."""

#: One lock per instance, taken by every transaction that files or deletes: a closet must not be
#: deleted while another drawer is put into it. The words of a message are also in the search text
#: of the next drawer. When a message is deleted, the search text of all later drawers is cleared,
#: since it is no longer known which of them was the next one. Every message has a drawer or an
#: `Unfiled`.
CREATE_TRIGGERS = """
CREATE FUNCTION keepsake_unfile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1 FROM memoryapp_palace WHERE instance_id IN (SELECT instance_id FROM gone)
        ORDER BY instance_id FOR UPDATE;
    DELETE FROM memoryapp_closet c
        WHERE (c.id, c.instance_id) IN (SELECT closet_id, instance_id FROM gone)
        AND NOT EXISTS (
            SELECT FROM memoryapp_drawer d
            WHERE d.closet_id = c.id AND d.instance_id = c.instance_id
        );
    INSERT INTO memoryapp_unfiled (message_id, instance_id, stays_out)
        SELECT m.id, m.instance_id, false FROM gone
        JOIN conversations_message m
            ON m.id = gone.message_id AND m.instance_id = gone.instance_id
        ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;
CREATE FUNCTION keepsake_clear_rooms() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memoryapp_room r
        WHERE (r.id, r.instance_id) IN (SELECT room_id, instance_id FROM gone)
        AND NOT EXISTS (
            SELECT FROM memoryapp_closet c WHERE c.room_id = r.id AND c.instance_id = r.instance_id
        );
    RETURN NULL;
END $$;
CREATE FUNCTION keepsake_clear_wings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memoryapp_wing w
        WHERE (w.id, w.instance_id) IN (SELECT wing_id, instance_id FROM gone)
        AND NOT EXISTS (
            SELECT FROM memoryapp_room r WHERE r.wing_id = w.id AND r.instance_id = w.instance_id
        );
    RETURN NULL;
END $$;
CREATE FUNCTION keepsake_forget_message() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memoryapp_unfiled u USING gone
        WHERE u.message_id = gone.id AND u.instance_id = gone.instance_id;
    -- Where the whole conversation goes, its rooms have gone by now.
    IF NOT EXISTS (
        SELECT FROM memoryapp_room r JOIN gone USING (conversation_id, instance_id)
    ) THEN
        RETURN NULL;
    END IF;
    UPDATE memoryapp_drawer d SET search = NULL FROM conversations_message m
    WHERE d.message_id = m.id AND d.instance_id = m.instance_id AND d.search IS NOT NULL
        AND EXISTS (
            SELECT FROM gone WHERE gone.conversation_id = m.conversation_id
            AND gone.instance_id = m.instance_id AND gone.position < m.position
        );
    RETURN NULL;
END $$;
CREATE FUNCTION keepsake_arrive() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO memoryapp_unfiled (message_id, instance_id, stays_out)
        SELECT a.id, a.instance_id, a.role NOT IN ('user', 'assistant') OR coalesce((
            SELECT c.without_memory FROM conversations_conversation c
            WHERE c.id = a.conversation_id AND c.instance_id = a.instance_id
        ), false) FROM arrived a;
    RETURN NULL;
END $$;
CREATE FUNCTION keepsake_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM memoryapp_unfiled u USING filed
        WHERE u.message_id = filed.message_id AND u.instance_id = filed.instance_id;
    RETURN NULL;
END $$;
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
