"""What Django cannot say itself: triggers, views, and keys that do not leave the instance."""

from django.db import migrations

from instances.constraints import within_instance
from memoryapp.models.audit_records import CREATE_AUDIT_TRIGGERS, DROP_AUDIT_TRIGGERS
from memoryapp.models.graph import CREATE_GRAPH_TRIGGERS, DROP_GRAPH_TRIGGERS
from memoryapp.models.legal_holds import CREATE_HOLD_TRIGGERS, DROP_HOLD_TRIGGERS
from memoryapp.models.memory_count_sql import CREATE_COUNT_TRIGGERS, DROP_COUNT_TRIGGERS
from memoryapp.models.palace_triggers import CREATE_TRIGGERS, DROP_TRIGGERS
from memoryapp.models.relations import CREATE_RELATIONS, DROP_RELATIONS
from memoryapp.models.vectors import CREATE_INDEXES
from memoryapp.models.versions import CREATE_VIEW, DROP_VIEW
from memoryapp.models.webhook_deliveries import CREATE_WEBHOOK_TRIGGERS, DROP_WEBHOOK_TRIGGERS


class Migration(migrations.Migration):
    dependencies = [("memoryapp", "0001_initial")]

    operations = [
        migrations.RunSQL(CREATE_INDEXES, migrations.RunSQL.noop),
        migrations.RunSQL(CREATE_TRIGGERS, DROP_TRIGGERS),
        migrations.RunSQL(CREATE_VIEW, DROP_VIEW),
        within_instance("memoryapp_memoryembedding", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_memoryembedding", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_likeness", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_likeness", "embedding_id", "memoryapp_memoryembedding"),
        within_instance("memoryapp_likeness", "other_id", "memoryapp_memoryembedding"),
        within_instance("memoryapp_drawerembedding", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_drawerembedding", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_documentembedding", "document_id", "memoryapp_storeddocument"),
        within_instance("memoryapp_documentembedding", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_room", "wing_id", "memoryapp_wing"),
        within_instance("memoryapp_room", "conversation_id", "conversations_conversation"),
        within_instance("memoryapp_closet", "room_id", "memoryapp_room"),
        within_instance("memoryapp_drawer", "closet_id", "memoryapp_closet"),
        within_instance("memoryapp_drawer", "message_id", "conversations_message"),
        within_instance("memoryapp_unfiled", "message_id", "conversations_message"),
        migrations.RunSQL(CREATE_RELATIONS, DROP_RELATIONS),
        migrations.RunSQL(CREATE_GRAPH_TRIGGERS, DROP_GRAPH_TRIGGERS),
        within_instance("memoryapp_mention", "entity_id", "memoryapp_entity"),
        within_instance("memoryapp_mention", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_heldstatement", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_mention", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_statement", "subject_id", "memoryapp_entity"),
        within_instance("memoryapp_statement", "object_id", "memoryapp_entity"),
        within_instance("memoryapp_statement", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_statement", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_withdrawn", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_withdrawn", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_vectorindex", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_revisionembedding", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_embeddingjob", "space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_embeddingjob", "former_space_id", "memoryapp_embeddingspace"),
        within_instance("memoryapp_memoryrevision", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_memorysource", "memory_id", "memoryapp_memory"),
        within_instance("memoryapp_memorysource", "conversation_id", "conversations_conversation"),
        within_instance("memoryapp_memorysource", "message_id", "conversations_message"),
        within_instance("memoryapp_mutedmessage", "message_id", "conversations_message"),
        within_instance("memoryapp_mutednote", "drawer_id", "memoryapp_drawer"),
        within_instance("memoryapp_suppressedstatement", "message_id", "conversations_message"),
        within_instance("memoryapp_run", "conversation_id", "conversations_conversation"),
        within_instance("memoryapp_activity", "conversation_id", "conversations_conversation"),
        within_instance("memoryapp_answer", "conversation_id", "conversations_conversation"),
        within_instance("memoryapp_answer", "message_id", "conversations_message"),
        within_instance("memoryapp_answer", "reply_id", "conversations_message"),
        within_instance("memoryapp_answer", "replaces_id", "conversations_message"),
        migrations.RunSQL(CREATE_WEBHOOK_TRIGGERS, DROP_WEBHOOK_TRIGGERS),
        within_instance("memoryapp_memorymark", "memory_id", "memoryapp_memory"),
        migrations.RunSQL(CREATE_COUNT_TRIGGERS, DROP_COUNT_TRIGGERS),
        within_instance("memoryapp_legalhold", "conversation_id", "conversations_conversation"),
        migrations.RunSQL(CREATE_HOLD_TRIGGERS, DROP_HOLD_TRIGGERS),
        migrations.RunSQL(CREATE_AUDIT_TRIGGERS, DROP_AUDIT_TRIGGERS),
    ]
