import uuid

import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.deletion
import django.db.models.functions.datetime
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import conversations.models.imports
import conversations.search
import instances.models.fields
from conversations.search_functions import (
    CREATE_ASKED_BIGRAMS_FUNCTION,
    CREATE_BIGRAMS_FUNCTION,
    CREATE_CHARACTERS_FUNCTION,
    CREATE_PARSABLE_FUNCTION,
    CREATE_TSVECTOR_FUNCTION,
    DROP_ASKED_BIGRAMS_FUNCTION,
    DROP_BIGRAMS_FUNCTION,
    DROP_CHARACTERS_FUNCTION,
    DROP_PARSABLE_FUNCTION,
    DROP_TSVECTOR_FUNCTION,
)
from instances.constraints import within_instance


class Migration(migrations.Migration):
    initial = True

    # Those of other packages come first: each of their changes to a table that knows people renders
    # every model that refers to people anew, which took most of the time of a first start.
    dependencies = [
        ("instances", "0001_initial"),
        ("account", "0009_emailaddress_unique_primary_email"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("mfa", "0003_authenticator_type_uniq"),
        ("oauth2_provider", "0022_refreshtoken_token_family_index"),
        ("sessions", "0001_initial"),
        ("socialaccount", "0006_alter_socialaccount_extra_data"),
        ("usersessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(CREATE_PARSABLE_FUNCTION, DROP_PARSABLE_FUNCTION),
        migrations.RunSQL(CREATE_BIGRAMS_FUNCTION, DROP_BIGRAMS_FUNCTION),
        migrations.RunSQL(CREATE_ASKED_BIGRAMS_FUNCTION, DROP_ASKED_BIGRAMS_FUNCTION),
        migrations.RunSQL(CREATE_CHARACTERS_FUNCTION, DROP_CHARACTERS_FUNCTION),
        migrations.RunSQL(CREATE_TSVECTOR_FUNCTION, DROP_TSVECTOR_FUNCTION),
        migrations.CreateModel(
            name="Conversation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=300)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("chat", "Chat"),
                            ("api", "API"),
                            ("openai", "OpenAI client"),
                            ("import", "Imported"),
                            ("mem0", "mem0 client"),
                        ],
                        default="api",
                        max_length=10,
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("shared_with", models.CharField(blank=True, max_length=200, null=True)),
                ("external_id", models.CharField(blank=True, max_length=300)),
                ("without_memory", models.BooleanField(default=False)),
                ("watermark", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_activity_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="instances.agent",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conversations",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-last_activity_at", "-id"],
                "indexes": [
                    models.Index(
                        models.F("instance"),
                        models.OrderBy(models.F("last_activity_at"), descending=True),
                        models.OrderBy(models.F("id"), descending=True),
                        name="conversation_list",
                    ),
                    models.Index(
                        condition=models.Q(("without_memory", True)),
                        fields=["instance"],
                        name="conversation_without_memory",
                    ),
                    models.Index(
                        condition=models.Q(("shared_with__isnull", False)),
                        fields=["instance", "shared_with"],
                        name="conversation_shared",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("instance", "external_id"),
                        name="conversation_external_id_once",
                    ),
                    models.UniqueConstraint(
                        fields=("id", "instance"), name="conversation_in_instance"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("origin__in", ["chat", "api", "openai", "import", "mem0"])
                        ),
                        name="conversation_origin",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Import",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("filename", models.CharField(max_length=300)),
                (
                    "file",
                    models.FileField(
                        blank=True, upload_to=conversations.models.imports.upload_name
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("uploaded", "Waiting to be checked"),
                            ("checking", "Being checked"),
                            ("ready", "Ready to import"),
                            ("queued", "Waiting to be imported"),
                            ("running", "Importing"),
                            ("succeeded", "Import complete"),
                            ("failed", "Import failed"),
                            ("cancelled", "Import cancelled"),
                        ],
                        default="uploaded",
                        max_length=10,
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("conversations", "Conversations"),
                            ("memories", "Memories"),
                            ("either", "Either"),
                        ],
                        default="conversations",
                        max_length=20,
                    ),
                ),
                ("holds_both", models.BooleanField(default=False)),
                ("format", models.CharField(blank=True, max_length=200)),
                ("batch", models.UUIDField(default=uuid.uuid4, editable=False)),
                ("keep_apart", models.BooleanField(default=True)),
                ("read", models.BooleanField(default=False)),
                ("bytes_total", models.BigIntegerField(default=0)),
                ("bytes_read", models.BigIntegerField(default=0)),
                ("items_total", models.PositiveIntegerField(default=0)),
                ("conversations", models.PositiveIntegerField(default=0)),
                ("messages_added", models.PositiveIntegerField(default=0)),
                ("messages_known", models.PositiveIntegerField(default=0)),
                ("memories_new", models.PositiveIntegerField(default=0)),
                ("memories_changed", models.PositiveIntegerField(default=0)),
                ("memories_known", models.PositiveIntegerField(default=0)),
                ("memories_otherwise", models.PositiveIntegerField(default=0)),
                ("first_at", models.DateTimeField(blank=True, null=True)),
                ("last_at", models.DateTimeField(blank=True, null=True)),
                ("titles", models.JSONField(blank=True, default=list)),
                ("columns", models.JSONField(blank=True, default=dict)),
                (
                    "skipped",
                    instances.models.fields.TranslatableJSONField(blank=True, default=list),
                ),
                ("skipped_count", models.PositiveIntegerField(default=0)),
                (
                    "reasons",
                    instances.models.fields.TranslatableJSONField(blank=True, default=dict),
                ),
                ("calls", models.PositiveIntegerField(default=0)),
                ("prompt_tokens", models.BigIntegerField(default=0)),
                ("completion_tokens", models.BigIntegerField(default=0)),
                ("lines_done", models.PositiveIntegerField(default=0)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("dismissed", models.BooleanField(default=False)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                ("rolled_back_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="instances.instance",
                    ),
                ),
                ("restores_tiers", models.BooleanField(default=False)),
                ("unattended", models.BooleanField(default=False)),
                ("memories_held", models.PositiveIntegerField(default=0)),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "state__in",
                                [
                                    "uploaded",
                                    "checking",
                                    "ready",
                                    "queued",
                                    "running",
                                    "succeeded",
                                    "failed",
                                    "cancelled",
                                ],
                            )
                        ),
                        name="import_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["conversations", "memories", "either"])),
                        name="import_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CountedTexts",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "instance",
                        "table",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("table", models.CharField(max_length=63)),
                ("texts", models.PositiveIntegerField()),
                ("counted_at", models.DateTimeField()),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
            options={"verbose_name_plural": "counted texts"},
        ),
        migrations.CreateModel(
            name="WordCount",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "instance",
                        "table",
                        "stem",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("table", models.CharField(max_length=63)),
                ("stem", models.CharField(max_length=250)),
                ("texts", models.PositiveIntegerField()),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Message",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.PositiveIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("user", "User"),
                            ("assistant", "Assistant"),
                            ("system", "System"),
                            ("tool", "Tool"),
                        ],
                        max_length=10,
                    ),
                ),
                ("author", models.CharField(blank=True, max_length=200)),
                ("content", models.TextField()),
                ("caption", models.TextField(blank=True)),
                ("tool_name", models.CharField(blank=True, max_length=200)),
                ("tool_calls", models.JSONField(blank=True, default=list)),
                ("external_id", models.CharField(blank=True, max_length=300)),
                ("metadata", models.JSONField(blank=True, default=dict)),
                (
                    "nature",
                    models.CharField(
                        choices=[
                            ("statement", "Statement"),
                            ("question", "Question"),
                            ("request", "Request"),
                            ("ack", "Small talk"),
                        ],
                        default="statement",
                        max_length=10,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        choices=[
                            ("arabic", "Arabic"),
                            ("armenian", "Armenian"),
                            ("basque", "Basque"),
                            ("catalan", "Catalan"),
                            ("danish", "Danish"),
                            ("dutch", "Dutch"),
                            ("english", "English"),
                            ("estonian", "Estonian"),
                            ("finnish", "Finnish"),
                            ("french", "French"),
                            ("german", "German"),
                            ("greek", "Greek"),
                            ("hindi", "Hindi"),
                            ("hungarian", "Hungarian"),
                            ("indonesian", "Indonesian"),
                            ("irish", "Irish"),
                            ("italian", "Italian"),
                            ("lithuanian", "Lithuanian"),
                            ("nepali", "Nepali"),
                            ("norwegian", "Norwegian"),
                            ("portuguese", "Portuguese"),
                            ("romanian", "Romanian"),
                            ("russian", "Russian"),
                            ("serbian", "Serbian"),
                            ("spanish", "Spanish"),
                            ("swedish", "Swedish"),
                            ("tamil", "Tamil"),
                            ("turkish", "Turkish"),
                            ("yiddish", "Yiddish"),
                            ("simple", "Any other (words as they are)"),
                        ],
                        default="english",
                        max_length=20,
                    ),
                ),
                ("sent_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "search",
                    models.GeneratedField(
                        db_persist=True,
                        expression=conversations.search.SearchVector(
                            models.F("instance_id"),
                            models.F("language"),
                            django.db.models.functions.text.Concat(
                                models.F("author"),
                                models.Value(" "),
                                models.F("content"),
                                models.Value(" "),
                                models.F("caption"),
                                output_field=models.TextField(),
                            ),
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
                (
                    "api_key",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="instances.apikey",
                    ),
                ),
                (
                    "trust",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ],
                        default=4,
                    ),
                ),
                ("batch", models.UUIDField(blank=True, editable=False, null=True)),
            ],
            options={
                "ordering": ["conversation", "position"],
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["search"], name="message_search"
                    ),
                    models.Index(
                        condition=models.Q(("author", ""), _negated=True),
                        fields=["instance", "author"],
                        name="message_author",
                    ),
                    models.Index(
                        condition=models.Q(("batch__isnull", False)),
                        fields=["instance", "batch"],
                        name="message_of_import",
                    ),
                    models.Index(
                        condition=models.Q(("external_id__startswith", "transcript:")),
                        fields=["instance", "external_id"],
                        name="message_link",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("conversation", "position"), name="message_position"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("conversation", "external_id"),
                        name="message_external_id_once",
                    ),
                    models.UniqueConstraint(fields=("id", "instance"), name="message_in_instance"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["user", "assistant", "system", "tool"])),
                        name="message_role",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("position__gte", 1)), name="message_position_from_1"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("trust__in", [1, 2, 3, 4, 5])), name="message_trust"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("nature__in", ["statement", "question", "request", "ack"])
                        ),
                        name="message_nature",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportedConversation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
                (
                    "import_run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="conversations.import",
                    ),
                ),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="conversations.conversation",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("import_run", "conversation"), name="imported_conversation_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="import",
            name="brought",
            field=models.ManyToManyField(
                related_name="imports",
                through="conversations.ImportedConversation",
                to="conversations.conversation",
            ),
        ),
        within_instance(
            "conversations_importedconversation", "conversation_id", "conversations_conversation"
        ),
        migrations.CreateModel(
            name="UploadPart",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("number", models.PositiveIntegerField()),
                ("content", models.BinaryField()),
                (
                    "written_at",
                    models.DateTimeField(db_default=django.db.models.functions.datetime.Now()),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "name", "number"), name="upload_part_once_a_file"
                    )
                ],
            },
        ),
        # Files are compressed, or read once: to compress their parts takes longer than to write them.
        migrations.RunSQL(
            "ALTER TABLE conversations_uploadpart ALTER COLUMN content SET STORAGE EXTERNAL",
            migrations.RunSQL.noop,
        ),
        within_instance("conversations_conversation", "agent_id", "instances_agent"),
        within_instance("conversations_message", "conversation_id", "conversations_conversation"),
    ]
