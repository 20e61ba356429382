"""The SQL of a search, written by hand: the ORM sends a vector each time that it is used, and takes
as long to write a statement as PostgreSQL takes to execute it.
"""

#: What an instance has to search, with one index lookup for each author of messages.
SEARCHABLE = """
WITH RECURSIVE name (author) AS (
    (SELECT author FROM conversations_message
        WHERE instance_id = %s AND author <> '' AND author > '' ORDER BY author LIMIT 1)
    UNION ALL
    SELECT (SELECT m.author FROM conversations_message m
        WHERE m.instance_id = %s AND m.author <> '' AND m.author > name.author
        ORDER BY m.author LIMIT 1)
    FROM name WHERE name.author IS NOT NULL
)
SELECT (SELECT count(*) FROM (SELECT FROM memoryapp_memory WHERE instance_id = %s LIMIT %s) AS m),
    (SELECT count(*) FROM (SELECT FROM memoryapp_drawer WHERE instance_id = %s LIMIT %s) AS d),
    ARRAY(SELECT message_id FROM memoryapp_unfiled WHERE instance_id = %s LIMIT %s),
    ARRAY(SELECT author FROM name WHERE author IS NOT NULL LIMIT %s),
    words.*
FROM ({words}) AS words
"""

#: The WITH clause of the statements over memories and messages: the rows found by similarity and by
#: words. PostgreSQL cannot estimate their number, and would choose bad joins, so they are combined
#: without joins. For the same reason, the similarity of a row that was found only by words is
#: looked up row by row: a join would read the vectors of all rows.
LISTED = """
{question},
near (id, distance) AS MATERIALIZED ({near}),
{words},
listed AS (
    SELECT id, bool_or(is_near) AS is_near, min(distance) AS distance,
        bool_or(has_words) AS has_words, coalesce(max(share), 0) AS share,
        coalesce(max(covered), 0) AS covered
    FROM (
        SELECT id, true AS is_near, distance, false AS has_words, NULL::float AS share,
            NULL::float AS covered
            FROM near
        UNION ALL SELECT id, false, NULL, true, share, covered FROM best
        UNION ALL SELECT id, false, NULL, false, share, covered FROM scored
            WHERE (id IN (SELECT id FROM near)) IS TRUE
        UNION ALL SELECT unnest(%s::bigint[]), false, NULL, false, NULL, NULL
    ) AS row GROUP BY id
)
"""

# Each table is told the instance, as a value of its own: so PostgreSQL reads one partition of it.

#: Messages and notes, except those of one conversation.
MESSAGES = """
WITH {listed}
SELECT m.id, d.id, (coalesce(m.sent_at, d.said_at) AT TIME ZONE %s)::date, m.author, m.role,
    m.conversation_id, m.position, m.nature,
    is_near, -coalesce(distance, (
        SELECT embedding <#> (SELECT vector FROM question) FROM memoryapp_drawerembedding own
        WHERE own.drawer_id = d.id AND own.instance_id = %s
            AND own.space_id = (SELECT id FROM space)
    )),
    has_words, share, covered
FROM listed
{joins}
WHERE m.conversation_id IS DISTINCT FROM %s OR m.id IS NULL
"""

OF_DRAWERS = """
JOIN memoryapp_drawer d ON d.id = listed.id AND d.instance_id = %s
LEFT JOIN conversations_message m ON m.id = d.message_id AND m.instance_id = d.instance_id
"""
OF_MESSAGES = """
JOIN conversations_message m ON m.id = listed.id AND m.instance_id = %s
LEFT JOIN memoryapp_drawer d ON d.message_id = m.id AND d.instance_id = m.instance_id
"""

#: Memories, how often each was stated, and the candidate messages that it was learned from. What
#: came with a merged memory that said something else does not count.
MEMORIES = """
WITH {listed},
learned AS (
    SELECT memory_id AS id, array_agg(message_id) AS messages FROM memoryapp_memorysource
    WHERE message_id = ANY(%s) AND instance_id = %s AND action <> %s GROUP BY memory_id
)
SELECT m.id,
    is_near, -coalesce(distance, (
        SELECT embedding <#> (SELECT vector FROM question) FROM memoryapp_memoryembedding own
        WHERE own.memory_id = m.id AND own.instance_id = %s
            AND own.space_id = (SELECT id FROM space)
    )),
    has_words, share, covered,
    (m.created_at AT TIME ZONE %s)::date, m.importance, m.category,
    CASE WHEN m.category = %s THEN (
        SELECT count(*) FROM memoryapp_memorysource s
        WHERE s.memory_id = m.id AND s.instance_id = %s AND s.action <> ALL(%s) AND NOT EXISTS (
            SELECT FROM memoryapp_memoryrevision r
            WHERE r.memory_id = m.id AND r.instance_id = s.instance_id
                AND r.statement_as @> '{{"repeats": false}}'
                AND r.statement_as -> 'sources' @> to_jsonb(s.id)
        )
    ) END,
    m.valid_until, m.expires_at, m.stale_since IS NOT NULL, m.tier, m.importance_by,
    learned.messages
FROM listed
JOIN memoryapp_memory m ON m.id = listed.id AND m.instance_id = %s
LEFT JOIN learned ON learned.id = listed.id
"""
