"""The tables of what is remembered.

Indexes and constraints stand with their tables. Added one by one, as Django writes them, they take
five times as long: for each, it builds all models anew.
"""

import uuid

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.core.serializers.json
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.text
import django.utils.timezone
import pgvector.django.halfvec
from django.conf import settings
from django.db import migrations, models
from pgvector.django import VectorExtension

import conversations.search
import instances.models.fields
import memoryapp.models.memory
import memoryapp.telemetry.logs
from memoryapp.models.memory import CREATE_OWN_TAGS, DROP_OWN_TAGS


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("conversations", "0001_initial"),
        ("instances", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        VectorExtension(),
        migrations.RunSQL(CREATE_OWN_TAGS, DROP_OWN_TAGS),
        migrations.CreateModel(
            name="Relation",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("end_user", models.CharField(max_length=200)),
                ("predicate", models.CharField(max_length=100)),
                ("value", models.CharField(max_length=500)),
                ("valid_from", models.DateField(null=True)),
                ("valid_to", models.DateField(null=True)),
                ("dated", models.BooleanField()),
                ("ended", models.BooleanField()),
                ("single_valued", models.BooleanField()),
                ("confidence", models.PositiveSmallIntegerField()),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ]
                    ),
                ),
                ("said_at", models.DateTimeField()),
                (
                    "statements",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), size=None
                    ),
                ),
            ],
            options={
                "db_table": "memoryapp_relation",
                "ordering": ["predicate", "valid_from", "id"],
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Version",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("end_user", models.CharField(max_length=200)),
                ("content", models.TextField()),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("general", "General"),
                            ("preference", "Preference"),
                            ("fact", "Fact"),
                            ("event", "Event"),
                            ("relationship", "Relationship"),
                            ("decision", "Decision"),
                        ],
                        max_length=20,
                    ),
                ),
                ("importance", models.PositiveSmallIntegerField()),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=50), size=None
                    ),
                ),
                ("key", models.CharField(max_length=100)),
                ("value", models.CharField(max_length=500)),
                ("valid_until", models.DateField(null=True)),
                ("expires_at", models.DateTimeField(null=True)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("conversation", "conversation"),
                            ("tool_call", "tool result"),
                            ("auto_discovery", "found by the assistant"),
                            ("user_explicit", "asked to remember"),
                            ("manual", "added by hand"),
                            ("api", "API"),
                            ("import", "import"),
                        ],
                        max_length=20,
                    ),
                ),
                ("tier", models.PositiveSmallIntegerField()),
                ("approved_at", models.DateTimeField(null=True)),
                ("confidence", models.PositiveSmallIntegerField(null=True)),
                ("said_at", models.DateTimeField()),
                ("valid_from", models.DateTimeField()),
                ("replaced_at", models.DateTimeField(null=True)),
                ("search", django.contrib.postgres.search.SearchVectorField()),
            ],
            options={
                "db_table": "memoryapp_version",
                "ordering": ["memory", "valid_from"],
                "managed": False,
            },
        ),
        migrations.CreateModel(
            name="Palace",
            fields=[
                (
                    "instance",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="palace",
                        serialize=False,
                        to="instances.instance",
                    ),
                ),
                ("last_wing", models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Answer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "answering"),
                            ("done", "answered"),
                            ("searched", "answered by the search"),
                            ("stopped", "stopped"),
                            ("failed", "failed"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("cut_off", models.BooleanField(default=False)),
                ("stop_requested", models.BooleanField(default=False)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("public_id", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("heartbeat_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="instances.instance",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="conversations.message",
                    ),
                ),
                (
                    "replaces",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="conversations.message",
                    ),
                ),
                (
                    "reply",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="answer",
                        to="conversations.message",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "running")),
                        fields=["heartbeat_at"],
                        name="answer_running",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["running", "done", "searched", "stopped", "failed"])
                        ),
                        name="answer_state",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("public_id", ""), _negated=True),
                        fields=("instance", "public_id"),
                        name="answer_public_id_once",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("conversation",),
                        name="answer_one_running",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="EmbeddingSpace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=400)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "name"), name="space_once"),
                    models.UniqueConstraint(fields=("id", "instance"), name="space_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EmbeddingJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("fill_in", "Fill In"), ("reembed", "Reembed")], max_length=10
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("running", "Running"),
                            ("held", "Held"),
                            ("done", "Done"),
                            ("cancelled", "Cancelled"),
                        ],
                        default="running",
                        max_length=10,
                    ),
                ),
                ("target", models.JSONField(blank=True, null=True)),
                ("former", models.JSONField(blank=True, null=True)),
                ("compares", models.BooleanField(default=True)),
                ("verdict", models.JSONField(blank=True, null=True)),
                ("total", models.PositiveIntegerField(default=0)),
                ("done", models.PositiveIntegerField(default=0)),
                (
                    "refused",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "refused_drawers",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "refused_documents",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                ("batch", models.PositiveSmallIntegerField(default=64)),
                ("rate", models.PositiveIntegerField(default=0)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("kept_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("heartbeat_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
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
                        related_name="embedding_jobs",
                        to="instances.instance",
                    ),
                ),
                (
                    "former_space",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memoryapp.embeddingspace",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["running", "held", "done", "cancelled"])),
                        name="embedding_job_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("kind", "fill_in"), ("target__isnull", True)),
                            models.Q(("kind", "reembed"), ("target__isnull", False)),
                            _connector="OR",
                        ),
                        name="embedding_job_target",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["running", "held"])),
                        fields=("instance", "kind"),
                        name="embedding_job_one_open",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Entity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("project", "Project"),
                            ("place", "Place"),
                            ("organisation", "Organisation"),
                            ("item", "Item"),
                            ("other", "Other"),
                        ],
                        default="other",
                        max_length=12,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("slug", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="entities",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "entities",
                "ordering": ["slug", "pk"],
                "indexes": [
                    models.Index(fields=["instance", "end_user", "slug"], name="entity_by_slug"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                ["person", "project", "place", "organisation", "item", "other"],
                            )
                        ),
                        name="entity_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True),
                            models.Q(("slug", ""), _negated=True),
                        ),
                        name="entity_named",
                    ),
                    models.UniqueConstraint(fields=("id", "instance"), name="entity_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="IdempotentRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key_digest", models.CharField(max_length=64)),
                ("request_digest", models.CharField(max_length=64)),
                ("attempts", models.PositiveIntegerField(default=1)),
                ("result", models.JSONField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_until", models.DateTimeField()),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["created_at"], name="idempotent_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "key_digest"), name="idempotent_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Memory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("shared_by", models.CharField(blank=True, max_length=200, null=True)),
                ("content", models.TextField()),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("general", "General"),
                            ("preference", "Preference"),
                            ("fact", "Fact"),
                            ("event", "Event"),
                            ("relationship", "Relationship"),
                            ("decision", "Decision"),
                        ],
                        default="general",
                        max_length=20,
                    ),
                ),
                (
                    "importance",
                    models.PositiveSmallIntegerField(
                        default=5,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(10),
                        ],
                    ),
                ),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=50),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("key", models.CharField(blank=True, max_length=100)),
                ("value", models.CharField(blank=True, max_length=500)),
                ("valid_until", models.DateField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                ("said_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("batch", models.UUIDField(blank=True, null=True)),
                ("verified_at", models.DateTimeField(blank=True, null=True)),
                ("pinned_at", models.DateTimeField(blank=True, null=True)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("conversation", "conversation"),
                            ("tool_call", "tool result"),
                            ("auto_discovery", "found by the assistant"),
                            ("user_explicit", "asked to remember"),
                            ("manual", "added by hand"),
                            ("api", "API"),
                            ("import", "import"),
                        ],
                        default="manual",
                        max_length=20,
                    ),
                ),
                ("confidence", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("assessed", models.BooleanField(default=False)),
                (
                    "importance_by",
                    models.CharField(
                        choices=[
                            ("rules", "Rules"),
                            ("source", "Source"),
                            ("model", "Model"),
                            ("person", "Person"),
                        ],
                        default="rules",
                        max_length=10,
                    ),
                ),
                ("external_id", models.CharField(blank=True, max_length=300)),
                (
                    "labels",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=210),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("metadata", models.JSONField(blank=True, default=dict)),
                (
                    "feedback",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "None"),
                            ("positive", "positive"),
                            ("negative", "negative"),
                            ("very_negative", "very negative"),
                        ],
                        default="",
                        max_length=20,
                    ),
                ),
                ("feedback_reason", models.CharField(blank=True, max_length=1000)),
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
                ("stale_since", models.DateTimeField(blank=True, null=True)),
                ("recall_count", models.PositiveIntegerField(default=0)),
                (
                    "recalled",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.ExpressionWrapper(
                            models.Q(("recall_count__gt", 0)), output_field=models.BooleanField()
                        ),
                        output_field=models.BooleanField(),
                    ),
                ),
                ("last_recalled_at", models.DateTimeField(blank=True, null=True)),
                ("stored_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "search",
                    models.GeneratedField(
                        db_persist=True,
                        expression=conversations.search.SearchVector(
                            models.F("instance_id"), models.F("language"), models.F("content")
                        ),
                        output_field=django.contrib.postgres.search.SearchVectorField(),
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memories",
                        to="instances.instance",
                    ),
                ),
                ("approved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ],
                        default=1,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["search"], name="memory_search"
                    ),
                    models.Index(
                        fields=["instance", "-created_at", "-id"],
                        include=(
                            "category",
                            "origin",
                            "end_user",
                            "importance",
                            "recalled",
                            "stale_since",
                            "valid_until",
                            "expires_at",
                        ),
                        name="memory_list",
                    ),
                    models.Index(
                        fields=["instance", "category", "-created_at", "-id"],
                        name="memory_category",
                    ),
                    models.Index(
                        fields=["instance", "origin", "-created_at", "-id"],
                        name="memory_origin",
                    ),
                    models.Index(
                        fields=["instance", "end_user", "-created_at", "-id"],
                        name="memory_person",
                    ),
                    models.Index(
                        fields=["instance", "-importance", "-created_at", "-id"],
                        name="memory_importance",
                    ),
                    models.Index(
                        fields=["instance", "-updated_at", "-id"], name="memory_last_changed"
                    ),
                    models.Index(
                        fields=["instance", "end_user", "-updated_at"], name="memory_of_person"
                    ),
                    models.Index(
                        condition=models.Q(("shared_by__isnull", False)),
                        fields=["instance", "shared_by"],
                        name="memory_shared_by",
                    ),
                    models.Index(fields=["instance", "stored_at"], name="memory_growth"),
                    models.Index(
                        models.F("instance"),
                        django.db.models.functions.text.MD5(
                            django.db.models.functions.text.Lower("content")
                        ),
                        name="memory_same_text",
                    ),
                    models.Index(
                        condition=models.Q(("key", ""), _negated=True),
                        fields=["instance", "end_user", "key"],
                        name="memory_key",
                    ),
                    models.Index(
                        condition=models.Q(("stale_since__isnull", False)),
                        fields=["instance", "-created_at", "-id"],
                        name="memory_stale",
                    ),
                    models.Index(
                        condition=models.Q(("pinned_at__isnull", False)),
                        fields=["instance", "end_user", "pinned_at"],
                        name="memory_pinned",
                    ),
                    models.Index(
                        condition=models.Q(("valid_until__isnull", False)),
                        fields=["instance", "valid_until"],
                        include=("category", "expires_at"),
                        name="memory_end_day",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("importance__lte", 3), ("key", ""), ("recalled", False)
                        ),
                        fields=["instance", "-created_at", "-id"],
                        include=("category", "updated_at"),
                        name="memory_unused",
                    ),
                    models.Index(
                        condition=models.Q(("batch", None), _negated=True),
                        fields=["instance", "batch"],
                        name="memory_batch",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        memoryapp.models.memory.OwnTags(models.F("instance_id"), models.F("tags")),
                        name="memory_tags",
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["labels"], name="memory_labels"
                    ),
                    models.Index(
                        condition=models.Q(("assessed", False)),
                        fields=["instance"],
                        name="memory_not_assessed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "category__in",
                                [
                                    "general",
                                    "preference",
                                    "fact",
                                    "event",
                                    "relationship",
                                    "decision",
                                ],
                            )
                        ),
                        name="memory_category",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 1), ("importance__lte", 10)),
                        name="memory_importance",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("importance_by__in", ["rules", "source", "model", "person"])
                        ),
                        name="memory_importance_by",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "origin__in",
                                [
                                    "conversation",
                                    "tool_call",
                                    "auto_discovery",
                                    "user_explicit",
                                    "manual",
                                    "api",
                                    "import",
                                ],
                            )
                        ),
                        name="memory_origin",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("content", ""), _negated=True),
                        name="memory_content_not_empty",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("confidence", None), ("confidence__lte", 100), _connector="OR"
                        ),
                        name="memory_confidence",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("key", ""), ("value", "")),
                            models.Q(
                                models.Q(("key", ""), _negated=True),
                                models.Q(("value", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="memory_fact",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("expires_at", None), ("valid_until__isnull", False), _connector="OR"
                        ),
                        name="memory_end",
                    ),
                    models.UniqueConstraint(fields=("id", "instance"), name="memory_in_instance"),
                    models.UniqueConstraint(
                        condition=models.Q(("external_id", ""), _negated=True),
                        fields=("instance", "external_id"),
                        name="memory_external_id_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tier__in", [1, 2, 3, 4, 5])), name="memory_tier"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("feedback__in", ["", "positive", "negative", "very_negative"])
                        ),
                        name="memory_feedback",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryCount",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("all", "All"),
                            ("person", "Person"),
                            ("tag", "Tag"),
                            ("label", "Label"),
                            ("end", "End"),
                            ("mark", "Mark"),
                            ("vector", "Vector"),
                        ],
                        max_length=10,
                    ),
                ),
                ("value", models.CharField(blank=True, max_length=210)),
                ("category", models.CharField(max_length=20)),
                ("origin", models.CharField(blank=True, max_length=20)),
                ("importance", models.PositiveSmallIntegerField(default=0)),
                ("recalled", models.BooleanField(default=False)),
                ("stale", models.BooleanField(default=False)),
                ("number", models.IntegerField()),
                ("folded", models.BooleanField(default=False)),
                (
                    "instance",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="memory_counts",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["instance", "kind", "value"],
                        include=("category", "number"),
                        name="count_of",
                    ),
                    models.Index(
                        condition=models.Q(("folded", False)),
                        fields=["instance"],
                        name="count_to_fold",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kind__in",
                                ["all", "person", "tag", "label", "end", "mark", "vector"],
                            )
                        ),
                        name="count_kind",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryMark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("no_vector", "No Vector"), ("changed", "Changed")],
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "instance",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
                (
                    "memory",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="marks",
                        to="memoryapp.memory",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["instance", "kind", "created_at", "memory"], name="mark_list"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["no_vector", "changed"])),
                        name="mark_kind",
                    ),
                    models.UniqueConstraint(
                        fields=("instance", "kind", "memory"), name="mark_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryEmbedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
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
                    "memory",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "memory"), name="embedding_once_a_space"
                    ),
                    models.UniqueConstraint(
                        fields=("id", "instance"), name="embedding_in_instance"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Contradiction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("resolved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="contradictions",
                        to="instances.instance",
                    ),
                ),
                (
                    "memory",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "resolved_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("resolved_at", None)),
                        fields=["instance", "-created_at"],
                        name="contradiction_unresolved",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("memory", "other"), name="contradiction_once"),
                    models.CheckConstraint(
                        condition=models.Q(("memory__lt", models.F("other"))),
                        name="contradiction_in_order",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Likeness",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("similarity", models.FloatField(blank=True, null=True)),
                ("nearest", models.BooleanField(default=False)),
                ("same", models.BooleanField(default=False)),
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
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryapp.embeddingspace",
                    ),
                ),
                (
                    "embedding",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="likenesses",
                        to="memoryapp.memoryembedding",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryapp.memoryembedding",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("nearest", True)),
                        fields=["instance", "space"],
                        include=("similarity",),
                        name="likeness_spread",
                    ),
                    models.Index(
                        condition=models.Q(("same", True)),
                        fields=["instance", "space"],
                        name="likeness_twins",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("embedding", "other", "instance"), name="likeness_once"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("nearest", True)),
                        fields=("embedding",),
                        name="likeness_one_nearest",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("nearest", True),
                                ("other", None),
                                ("same", False),
                                ("similarity", None),
                            ),
                            models.Q(("other__isnull", False), ("similarity__isnull", False)),
                            _connector="OR",
                        ),
                        name="likeness_of_two",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemorySource",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("stored_new", "learned here"),
                            ("updated_existing", "changed here"),
                            ("edited", "edited by hand"),
                            ("duplicate_exact", "said again"),
                            ("undone", "changed here, and undone"),
                            ("heard", "different value here, not used"),
                        ],
                        default="stored_new",
                        max_length=20,
                    ),
                ),
                ("via", models.CharField(blank=True, max_length=20)),
                (
                    "batches",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), blank=True, default=list, size=None
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        blank=True,
                        null=True,
                        related_name="memory_sources",
                        to="conversations.conversation",
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
                    "memory",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sources",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="memory_sources",
                        to="conversations.message",
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("conversation", None), _negated=True),
                        fields=("memory", "conversation", "message"),
                        name="source_once",
                        nulls_distinct=False,
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "action__in",
                                [
                                    "stored_new",
                                    "updated_existing",
                                    "edited",
                                    "duplicate_exact",
                                    "undone",
                                    "heard",
                                ],
                            )
                        ),
                        name="source_action",
                    ),
                ],
                "indexes": [
                    models.Index(fields=["instance", "created_at"], name="source_by_time"),
                    models.Index(fields=["instance", "via"], name="source_by_door"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MemoryRevision",
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
                ("content", models.TextField()),
                (
                    "category",
                    models.CharField(
                        choices=[
                            ("general", "General"),
                            ("preference", "Preference"),
                            ("fact", "Fact"),
                            ("event", "Event"),
                            ("relationship", "Relationship"),
                            ("decision", "Decision"),
                        ],
                        max_length=20,
                    ),
                ),
                ("importance", models.PositiveSmallIntegerField()),
                (
                    "tags",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=50),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("key", models.CharField(blank=True, max_length=100)),
                ("value", models.CharField(blank=True, max_length=500)),
                ("valid_until", models.DateField(blank=True, null=True)),
                ("expires_at", models.DateTimeField(blank=True, null=True)),
                (
                    "origin",
                    models.CharField(
                        choices=[
                            ("conversation", "conversation"),
                            ("tool_call", "tool result"),
                            ("auto_discovery", "found by the assistant"),
                            ("user_explicit", "asked to remember"),
                            ("manual", "added by hand"),
                            ("api", "API"),
                            ("import", "import"),
                        ],
                        default="manual",
                        max_length=20,
                    ),
                ),
                ("confidence", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("assessed", models.BooleanField(default=False)),
                (
                    "importance_by",
                    models.CharField(
                        choices=[
                            ("rules", "Rules"),
                            ("source", "Source"),
                            ("model", "Model"),
                            ("person", "Person"),
                        ],
                        default="rules",
                        max_length=10,
                    ),
                ),
                ("metadata", models.JSONField(blank=True, default=dict)),
                ("said_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("batch", models.UUIDField(blank=True, null=True)),
                ("valid_from", models.DateTimeField()),
                ("replaced_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("edited", "edited by hand"),
                            ("extracted", "changed by a later message"),
                            ("saved", "changed by a newer version"),
                            ("restored", "restored"),
                            ("heard", "other value, not used"),
                            ("merged", "merged with a later message"),
                            ("replaced", "replaced by a later message"),
                            ("joined", "merged with another memory"),
                            ("of_another", "version of a memory that was merged into this one"),
                        ],
                        max_length=20,
                    ),
                ),
                ("statement", models.TextField(blank=True)),
                ("statement_as", models.JSONField(blank=True, default=dict)),
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
                    "memory",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="revisions",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="memoryapp.memorysource",
                    ),
                ),
                ("approved_at", models.DateTimeField(blank=True, null=True)),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ],
                        default=1,
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("importance__gte", 1), ("importance__lte", 10)),
                        name="revision_importance",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "category__in",
                                [
                                    "general",
                                    "preference",
                                    "fact",
                                    "event",
                                    "relationship",
                                    "decision",
                                ],
                            )
                        ),
                        name="revision_category",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("importance_by__in", ["rules", "source", "model", "person"])
                        ),
                        name="revision_importance_by",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "origin__in",
                                [
                                    "conversation",
                                    "tool_call",
                                    "auto_discovery",
                                    "user_explicit",
                                    "manual",
                                    "api",
                                    "import",
                                ],
                            )
                        ),
                        name="revision_origin",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tier__in", [1, 2, 3, 4, 5])), name="revision_tier"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SuppressionRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("memory_id", models.BigIntegerField(db_index=True)),
                ("words", models.BinaryField()),
                ("names", models.BinaryField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("via", models.CharField(max_length=20)),
                ("kept_out", models.PositiveIntegerField(default=0)),
                ("last_kept_out_at", models.DateTimeField(blank=True, null=True)),
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
                        related_name="suppression_rules",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(fields=["instance", "end_user"], name="suppression_rule_of"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RecallLog",
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
                ("hits", models.JSONField(blank=True, default=list)),
                (
                    "placement",
                    models.CharField(
                        choices=[
                            ("user_message", "In the user’s message (recommended)"),
                            ("system_message", "In the system message"),
                        ],
                        default="user_message",
                        max_length=20,
                    ),
                ),
                ("problem", instances.models.fields.TranslatableTextField(blank=True)),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="recalls",
                        to="memoryapp.answer",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("placement__in", ["user_message", "system_message"])),
                        name="recall_placement",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RevisionEmbedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
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
                    "revision",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="memoryapp.memoryrevision",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("revision", "space"), name="revision_embedding_once_a_space"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("extraction", "reading for facts"), ("mining", "filing turns")],
                        default="extraction",
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "waiting"),
                            ("running", "being read"),
                            ("succeeded", "read"),
                            ("failed", "failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("with_model", models.BooleanField(default=True)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                (
                    "request_id",
                    models.CharField(
                        blank=True, default=memoryapp.telemetry.logs.request_id, max_length=64
                    ),
                ),
                ("first_position", models.PositiveIntegerField(blank=True, null=True)),
                ("last_position", models.PositiveIntegerField(blank=True, null=True)),
                ("stored", models.PositiveIntegerField(default=0)),
                ("updated", models.PositiveIntegerField(default=0)),
                ("repeated", models.PositiveIntegerField(default=0)),
                ("filed", models.PositiveIntegerField(default=0)),
                (
                    "rejected",
                    instances.models.fields.TranslatableJSONField(blank=True, default=list),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state__in", ["queued", "running"])),
                        fields=["due_at"],
                        name="run_to_do",
                    ),
                    models.Index(fields=["instance", "state"], name="run_by_state"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["queued", "running", "succeeded", "failed"])
                        ),
                        name="run_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["extraction", "mining"])), name="run_kind"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "queued")),
                        fields=("conversation", "kind"),
                        name="run_one_queued",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("state", "running")),
                        fields=("conversation", "kind"),
                        name="run_one_running",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="SavedFilter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=60)),
                ("query", models.TextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_filters",
                        to="instances.instance",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_filters",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "user", "name"), name="saved_filter_name_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Summary",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("text", models.TextField(blank=True)),
                ("made_from", models.PositiveIntegerField(default=0)),
                ("left_out", models.PositiveSmallIntegerField(default=0)),
                ("newest_memory", models.BigIntegerField(default=0)),
                ("written_at", models.DateTimeField(blank=True, null=True)),
                ("model", models.CharField(blank=True, max_length=200)),
                ("version", models.PositiveIntegerField(default=0)),
                ("due_at", models.DateTimeField(blank=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="summaries",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "summaries",
                "indexes": [
                    models.Index(
                        condition=models.Q(
                            models.Q(("due_at", None), _negated=True),
                            models.Q(("lease_until", None), _negated=True),
                            _connector="OR",
                        ),
                        fields=["due_at"],
                        name="summary_due",
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "end_user"), name="summary_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="RefusedProposal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("content", models.TextField()),
                ("as_memory", models.JSONField(default=dict)),
                ("reason", models.CharField(max_length=20)),
                ("words", instances.models.fields.TranslatableTextField()),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused",
                        to="instances.instance",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="refused",
                        to="conversations.message",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="refused",
                        to="memoryapp.run",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["instance", "end_user"], name="refused_of_person")
                ],
            },
        ),
        migrations.CreateModel(
            name="SuppressedStatement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("memory_id", models.BigIntegerField(db_index=True)),
                ("digest", models.BinaryField()),
                ("whole", models.BooleanField()),
                ("words", models.BinaryField(blank=True)),
                ("names", models.BinaryField(blank=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="suppressed_statements",
                        to="instances.instance",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="suppressed_statements",
                        to="conversations.message",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("message", "memory_id"), name="suppressed_statement_once"
                    ),
                ],
                "indexes": [
                    models.Index(
                        fields=["instance", "end_user", "digest"], name="suppressed_statement_text"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="MutedMessage",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="muted",
                        serialize=False,
                        to="conversations.message",
                    ),
                ),
                ("content", models.TextField(blank=True)),
                ("caption", models.TextField(blank=True)),
                ("tool_calls", models.JSONField(blank=True, default=list)),
                ("taken_out", models.JSONField(blank=True, default=list)),
                ("filing", models.JSONField(blank=True, default=dict)),
                ("title", models.CharField(blank=True, max_length=300)),
                ("muted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ArchivedMemory",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("memory_id", models.BigIntegerField(unique=True)),
                ("content", models.TextField()),
                ("category", models.CharField(max_length=20)),
                ("rows", models.JSONField()),
                ("archived_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("via", models.CharField(blank=True, max_length=20)),
                ("batch", models.UUIDField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="archived",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-archived_at", "-id"],
                "indexes": [
                    models.Index(fields=["instance", "-archived_at", "-id"], name="archived_list"),
                    models.Index(fields=["archived_at"], name="archived_age"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ProposedDeletion",
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
                ("memory_id", models.BigIntegerField()),
                ("memory_updated_at", models.DateTimeField()),
                (
                    "decision",
                    models.CharField(
                        blank=True,
                        choices=[("forgotten", "Forgotten"), ("kept", "Kept")],
                        max_length=10,
                    ),
                ),
                ("decided_at", models.DateTimeField(blank=True, null=True)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="proposed_deletions",
                        to="memoryapp.answer",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("answer", "memory_id"), name="proposed_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("decided_at", None), ("decision", "")),
                            models.Q(
                                ("decided_at__isnull", False),
                                ("decision__in", ["forgotten", "kept"]),
                            ),
                            _connector="OR",
                        ),
                        name="proposal_decision",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ToolRun",
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
                ("name", models.CharField(max_length=100)),
                ("outcome", instances.models.fields.TranslatableTextField()),
                ("ok", models.BooleanField(default=True)),
                (
                    "memory_ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                ("milliseconds", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tool_runs",
                        to="memoryapp.answer",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Unfiled",
            fields=[
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="unfiled",
                        serialize=False,
                        to="conversations.message",
                    ),
                ),
                ("stays_out", models.BooleanField(default=False)),
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
                "indexes": [
                    models.Index(
                        fields=["instance", "stays_out", "message"], name="unfiled_in_instance"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Usage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("chat", "Chat"),
                            ("memory_extract", "Reading conversations"),
                            ("memory_merge", "Merging memories"),
                            ("memory_assess", "Rating memories"),
                            ("memory_summary", "Writing summaries"),
                            ("memory_mine", "Filing messages"),
                            ("memory_rerank", "Ranking search results"),
                            ("memory_embed", "Making vectors"),
                        ],
                        max_length=20,
                    ),
                ),
                ("model", models.CharField(max_length=200)),
                ("host", models.CharField(blank=True, max_length=260)),
                ("end_user", models.CharField(blank=True, max_length=200, null=True)),
                ("people", models.PositiveIntegerField(blank=True, null=True)),
                ("prompt_tokens", models.PositiveIntegerField(default=0)),
                ("completion_tokens", models.PositiveIntegerField(default=0)),
                (
                    "cost",
                    models.DecimalField(blank=True, decimal_places=10, max_digits=18, null=True),
                ),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("error_kind", models.CharField(blank=True, max_length=20)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="usage",
                        to="instances.instance",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        to="memoryapp.run",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "usage",
                "ordering": ["-at", "-id"],
                "indexes": [
                    models.Index(fields=["instance", "source", "-at"], name="usage_latest"),
                    models.Index(fields=["instance", "at"], include=("cost",), name="usage_spent"),
                    models.Index(fields=["instance", "end_user", "-at"], name="usage_about"),
                    models.Index(
                        condition=models.Q(("error_kind", ""), _negated=True),
                        fields=["instance", "at"],
                        name="usage_failed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "source__in",
                                [
                                    "chat",
                                    "memory_extract",
                                    "memory_merge",
                                    "memory_assess",
                                    "memory_summary",
                                    "memory_mine",
                                    "memory_rerank",
                                    "memory_embed",
                                ],
                            )
                        ),
                        name="usage_source",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="VectorIndex",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "of",
                    models.CharField(
                        choices=[
                            ("memory", "memories"),
                            ("drawer", "turns"),
                            ("document", "documents"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("building", "being built"),
                            ("ready", "in use"),
                            ("doubted", "found too little, to be built anew"),
                        ],
                        default="building",
                        max_length=10,
                    ),
                ),
                ("dimensions", models.PositiveSmallIntegerField()),
                ("rows", models.PositiveIntegerField(default=0)),
                ("effort", models.PositiveSmallIntegerField(default=100)),
                (
                    "checks",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.PositiveSmallIntegerField(),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("checked_at", models.DateTimeField(blank=True, null=True)),
                ("built_at", models.DateTimeField(blank=True, null=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="vector_indexes",
                        to="instances.instance",
                    ),
                ),
                (
                    "space",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="indexes",
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("space", "of"), name="vector_index_once"),
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["building", "ready", "doubted"])),
                        name="vector_index_state",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("of__in", ["memory", "drawer", "document"])),
                        name="vector_index_of",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Wing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("number", models.PositiveIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("person", "Person"),
                            ("project", "Project"),
                            ("topic", "Topic"),
                            ("agent", "Agent"),
                        ],
                        default="topic",
                        max_length=10,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("slug", models.CharField(max_length=200)),
                (
                    "aliases",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("last_room", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="wings",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("kind__in", ["person", "project", "topic", "agent"])),
                        name="wing_kind",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True),
                            models.Q(("slug", ""), _negated=True),
                        ),
                        name="wing_named",
                    ),
                    models.UniqueConstraint(
                        fields=("instance", "end_user", "slug"), name="wing_slug_once"
                    ),
                    models.UniqueConstraint(fields=("instance", "number"), name="wing_number_once"),
                    models.UniqueConstraint(fields=("id", "instance"), name="wing_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Room",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("last_drawer", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "conversation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rooms",
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
                    "wing",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rooms",
                        to="memoryapp.wing",
                    ),
                ),
            ],
            options={
                "ordering": ["number"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("wing", "conversation"), name="room_once", nulls_distinct=False
                    ),
                    models.UniqueConstraint(fields=("wing", "number"), name="room_number_once"),
                    models.UniqueConstraint(fields=("id", "instance"), name="room_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Closet",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("slug", models.CharField(max_length=200)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
                (
                    "room",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="closets",
                        to="memoryapp.room",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("room", "slug"), name="closet_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True),
                            models.Q(("slug", ""), _negated=True),
                        ),
                        name="closet_named",
                    ),
                    models.UniqueConstraint(fields=("id", "instance"), name="closet_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Drawer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("shared_with", models.CharField(blank=True, max_length=200, null=True)),
                ("note", models.TextField(blank=True)),
                ("wing_number", models.PositiveIntegerField()),
                ("room_number", models.PositiveIntegerField()),
                ("number", models.PositiveIntegerField()),
                (
                    "people",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "places",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "items",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "times",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                ("said_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("filed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("search", django.contrib.postgres.search.SearchVectorField(null=True)),
                (
                    "closet",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawers",
                        to="memoryapp.closet",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawers",
                        to="instances.instance",
                    ),
                ),
                (
                    "message",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drawer",
                        to="conversations.message",
                    ),
                ),
            ],
            options={
                "ordering": ["wing_number", "room_number", "number"],
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["search"], name="drawer_search"
                    ),
                    models.Index(fields=["instance", "said_at"], name="drawer_said_at"),
                    models.Index(
                        fields=["instance", "end_user", "said_at", "id"], name="drawer_person"
                    ),
                    models.Index(
                        condition=models.Q(("search", None)),
                        fields=["instance"],
                        name="drawer_without_words",
                    ),
                    models.Index(
                        condition=models.Q(("shared_with__isnull", False)),
                        fields=["instance", "shared_with"],
                        name="drawer_shared",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("message", None), models.Q(("note", ""), _negated=True)),
                            models.Q(("message__isnull", False), ("note", "")),
                            _connector="OR",
                        ),
                        name="drawer_turn_or_note",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("message", None), ("shared_with", None), _connector="OR"
                        ),
                        name="drawer_shared_note",
                    ),
                    models.UniqueConstraint(
                        fields=("instance", "wing_number", "room_number", "number"),
                        name="drawer_pointer_once",
                    ),
                    models.UniqueConstraint(fields=("id", "instance"), name="drawer_in_instance"),
                ],
            },
        ),
        migrations.CreateModel(
            name="MutedNote",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("note", models.TextField()),
                ("taken_out", models.JSONField(default=dict)),
                ("muted_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "drawer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="muted_note",
                        to="memoryapp.drawer",
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
            ],
            options={
                "indexes": [models.Index(fields=["muted_at"], name="muted_note_age")],
            },
        ),
        migrations.CreateModel(
            name="DrawerEmbedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
                (
                    "drawer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="memoryapp.drawer",
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
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "drawer"), name="drawer_embedding_once_a_space"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="StoredDocument",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "namespace",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(db_collation="C", max_length=200), size=None
                    ),
                ),
                ("key", models.CharField(db_collation="C", max_length=255)),
                ("body", models.TextField()),
                ("size", models.PositiveIntegerField()),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("version", models.PositiveIntegerField(default=1)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("updated_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("search", django.contrib.postgres.search.SearchVectorField()),
                (
                    "instance",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stored_documents",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["namespace", "key", "id"],
                "indexes": [
                    django.contrib.postgres.indexes.GinIndex(
                        fields=["search"], name="stored_document_search"
                    ),
                    django.contrib.postgres.indexes.GinIndex(
                        django.contrib.postgres.indexes.OpClass(
                            django.db.models.functions.comparison.Cast("body", models.JSONField()),
                            name="jsonb_path_ops",
                        ),
                        name="stored_document_values",
                    ),
                    models.Index(
                        fields=["instance"], include=("size",), name="stored_document_sizes"
                    ),
                    models.Index(fields=["instance", "end_user"], name="stored_document_person"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "namespace", "key"), name="stored_document_once"
                    ),
                    models.UniqueConstraint(
                        fields=("id", "instance"), name="stored_document_in_instance"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("namespace__len__gte", 1)),
                        name="stored_document_namespace",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="DocumentEmbedding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("embedding", pgvector.django.halfvec.HalfVectorField()),
                (
                    "document",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="embeddings",
                        to="memoryapp.storeddocument",
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
                    "space",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        to="memoryapp.embeddingspace",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("space", "document"), name="document_embedding_once_a_space"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Mention",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("slug", models.CharField(max_length=200)),
                (
                    "drawer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="memoryapp.drawer",
                    ),
                ),
                (
                    "entity",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="memoryapp.entity",
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
                    "memory",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mentions",
                        to="memoryapp.memory",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["instance", "slug"], name="mention_by_slug"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("name", ""), _negated=True),
                            models.Q(("slug", ""), _negated=True),
                        ),
                        name="mention_named",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("drawer", None), ("memory", None), _connector="OR"),
                        name="mention_one_source",
                    ),
                    models.UniqueConstraint(
                        fields=("entity", "slug", "drawer", "memory"),
                        name="mention_once",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Statement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("predicate", models.CharField(max_length=100)),
                ("value", models.CharField(blank=True, max_length=500)),
                ("since", models.DateField()),
                ("dated", models.BooleanField(default=False)),
                ("ends", models.BooleanField(default=False)),
                ("single_valued", models.BooleanField(default=False)),
                ("confidence", models.PositiveSmallIntegerField(default=70)),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ],
                        default=1,
                    ),
                ),
                ("said_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "drawer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="statements",
                        to="memoryapp.drawer",
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
                    "memory",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="statements",
                        to="memoryapp.memory",
                    ),
                ),
                (
                    "object",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="named_in",
                        to="memoryapp.entity",
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="said_of",
                        to="memoryapp.entity",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        fields=["instance", "subject", "predicate"], name="statement_windows"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("object", None), models.Q(("value", ""), _negated=True)),
                            models.Q(("object__isnull", False), ("value", "")),
                            _connector="OR",
                        ),
                        name="statement_object_or_value",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("predicate", ""), _negated=True),
                        name="statement_predicate",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("drawer", None), ("memory", None), _connector="OR"),
                        name="statement_one_source",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("confidence__lte", 100)), name="statement_confidence"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tier__in", [1, 2, 3, 4, 5])), name="statement_tier"
                    ),
                    models.UniqueConstraint(
                        fields=(
                            "subject",
                            "predicate",
                            "object",
                            "value",
                            "since",
                            "ends",
                            "drawer",
                            "memory",
                        ),
                        name="statement_once",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Withdrawn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "drawer",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withdrawn",
                        to="memoryapp.drawer",
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
                    "memory",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="withdrawn",
                        to="memoryapp.memory",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "withdrawn",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("drawer", None), ("memory__isnull", False)),
                            models.Q(("drawer__isnull", False), ("memory", None)),
                            _connector="OR",
                        ),
                        name="withdrawn_one_source",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Activity",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "action",
                    models.CharField(
                        choices=[
                            ("created", "added"),
                            ("updated", "changed"),
                            ("imported", "imported"),
                            ("deleted", "deleted"),
                            ("archived", "moved to the bin"),
                            ("unarchived", "restored from the bin"),
                            ("restored", "earlier version restored"),
                            ("joined_up", "merged"),
                            ("pinned", "pinned"),
                            ("unpinned", "unpinned"),
                            ("rated", "rated"),
                            ("confirmed", "confirmed"),
                            ("undone", "undone"),
                            ("rolled_back", "source rolled back"),
                            ("undeleted", "deletion undone"),
                            ("approved", "statement approved in review"),
                            ("rejected", "statement rejected in review"),
                            ("shared", "sharing proposed"),
                            ("shared_with_group", "shared with a group"),
                            ("conversation_shared", "conversation shared with a group"),
                            ("note_shared", "note shared with a group"),
                            ("sharing_ended", "no longer shared"),
                            ("review_undone", "decision in review undone"),
                            ("relation_added", "relation added"),
                            ("relation_withdrawn", "relation removed"),
                            ("entity_renamed", "entity renamed"),
                            ("entities_merged", "entities merged"),
                            ("relations_learned", "relations learned"),
                            ("settings", "settings changed"),
                            ("key_made", "API key created"),
                            ("key_revoked", "API key revoked"),
                            ("connected", "app connected"),
                            ("disconnected", "app disconnected"),
                            ("joined", "member added"),
                            ("left", "member removed"),
                            ("invited", "member invited"),
                            ("uninvited", "invitation withdrawn"),
                            ("role_changed", "role changed"),
                            ("password_link", "password link created"),
                            ("password_reset", "password reset"),
                            ("filed", "messages filed"),
                            ("unfiled", "messages deleted from the palace"),
                            ("reorganised", "palace reorganised"),
                            ("noted", "note written"),
                            ("documents_stored", "documents stored"),
                            ("documents_deleted", "documents deleted"),
                            ("summed_up", "summary written"),
                            ("marked_stale", "marked as stale"),
                            ("marked_fresh", "no longer stale"),
                            ("erased", "person erased"),
                            ("ids_joined", "ids joined"),
                            ("hold_set", "legal hold set"),
                            ("hold_lifted", "legal hold lifted"),
                            ("retention_set", "retention rule added"),
                            ("retention_removed", "retention rule removed"),
                            ("expired", "deleted by a retention rule"),
                            ("file_exported", "person exported"),
                            ("bundle_exported", "instance exported"),
                            ("revealed", "secret shown"),
                        ],
                        max_length=20,
                    ),
                ),
                ("via", models.CharField(max_length=20)),
                ("memory_id", models.BigIntegerField(blank=True, null=True)),
                ("count", models.PositiveIntegerField(default=1)),
                ("batch", models.UUIDField(blank=True, null=True)),
                ("about", models.CharField(blank=True, max_length=150)),
                (
                    "changes",
                    models.JSONField(
                        blank=True,
                        default=list,
                        encoder=django.core.serializers.json.DjangoJSONEncoder,
                    ),
                ),
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
                    "conversation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="activity",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "activity",
                "ordering": ["-at", "-id"],
                "indexes": [
                    models.Index(fields=["instance", "-at"], name="activity_list"),
                    models.Index(fields=["instance", "memory_id"], name="activity_of_memory"),
                    models.Index(
                        condition=models.Q(("batch", None), _negated=True),
                        fields=["instance", "batch"],
                        name="activity_of_batch",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "action__in",
                                [
                                    "created",
                                    "updated",
                                    "imported",
                                    "deleted",
                                    "archived",
                                    "unarchived",
                                    "restored",
                                    "joined_up",
                                    "pinned",
                                    "unpinned",
                                    "rated",
                                    "confirmed",
                                    "undone",
                                    "rolled_back",
                                    "undeleted",
                                    "approved",
                                    "rejected",
                                    "shared",
                                    "shared_with_group",
                                    "conversation_shared",
                                    "note_shared",
                                    "sharing_ended",
                                    "review_undone",
                                    "relation_added",
                                    "relation_withdrawn",
                                    "entity_renamed",
                                    "entities_merged",
                                    "relations_learned",
                                    "settings",
                                    "key_made",
                                    "key_revoked",
                                    "connected",
                                    "disconnected",
                                    "joined",
                                    "left",
                                    "invited",
                                    "uninvited",
                                    "role_changed",
                                    "password_link",
                                    "password_reset",
                                    "filed",
                                    "unfiled",
                                    "reorganised",
                                    "noted",
                                    "documents_stored",
                                    "documents_deleted",
                                    "summed_up",
                                    "marked_stale",
                                    "marked_fresh",
                                    "erased",
                                    "ids_joined",
                                    "hold_set",
                                    "hold_lifted",
                                    "retention_set",
                                    "retention_removed",
                                    "expired",
                                    "file_exported",
                                    "bundle_exported",
                                    "revealed",
                                ],
                            )
                        ),
                        name="activity_action",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Erasure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                (
                    "state",
                    models.CharField(
                        choices=[("running", "under way"), ("done", "done")],
                        default="running",
                        max_length=10,
                    ),
                ),
                (
                    "ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(blank=True, max_length=200),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "hashes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=64), default=list, size=None
                    ),
                ),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("asked_by", models.CharField(max_length=200)),
                ("via", models.CharField(max_length=20)),
                ("with_rules", models.BooleanField(default=False)),
                ("counts", models.JSONField(blank=True, default=dict)),
                ("certificate", models.JSONField(blank=True, default=dict)),
                ("listed_at", models.DateTimeField(blank=True, null=True)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="erasures",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-asked_at", "-id"],
                "indexes": [models.Index(fields=["instance", "-asked_at"], name="erasure_list")],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("state__in", ["running", "done"])), name="erasure_state"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("state", "done"), _negated=True), ("ids", []), _connector="OR"
                        ),
                        name="erasure_done_without_ids",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="LegalHold",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                (
                    "scope",
                    models.CharField(
                        choices=[
                            ("person", "a person"),
                            ("conversation", "a conversation"),
                            ("period", "a period"),
                            ("instance", "the whole instance"),
                        ],
                        max_length=20,
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("begins_at", models.DateTimeField(blank=True, null=True)),
                ("ends_at", models.DateTimeField(blank=True, null=True)),
                ("set_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("set_by_name", models.CharField(max_length=200)),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                ("lifted_by_name", models.CharField(blank=True, max_length=200)),
                (
                    "conversation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="legal_holds",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="legal_holds",
                        to="instances.instance",
                    ),
                ),
                (
                    "set_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-set_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("lifted_at", None)),
                        fields=["instance"],
                        name="active_holds",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("scope__in", ["person", "conversation", "period", "instance"])
                        ),
                        name="hold_scope",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("scope", "period"), _negated=True),
                            models.Q(
                                ("begins_at__isnull", False),
                                ("ends_at__gt", models.F("begins_at")),
                            ),
                            _connector="OR",
                        ),
                        name="hold_period",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditForwarding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField(default=0)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="audit_forwarding_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="AuditRecord",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.BigIntegerField(editable=False, null=True, unique=True)),
                ("digest", models.CharField(blank=True, editable=False, max_length=64)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("action", models.CharField(max_length=40)),
                ("actor_id", models.BigIntegerField(blank=True, null=True)),
                ("actor", models.CharField(blank=True, max_length=200)),
                ("via", models.CharField(max_length=20)),
                ("address", models.CharField(blank=True, max_length=45)),
                ("instance_name", models.CharField(blank=True, max_length=60)),
                ("is_private", models.BooleanField(default=False)),
                ("kind", models.CharField(blank=True, max_length=20)),
                ("object_id", models.BigIntegerField(blank=True, null=True)),
                ("count", models.PositiveIntegerField(default=1)),
                ("detail", models.CharField(blank=True, max_length=300)),
                ("end_user", models.CharField(blank=True, max_length=200, null=True)),
                ("person", models.CharField(blank=True, max_length=64)),
                (
                    "instance",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("number", None)), fields=["id"], name="audit_unchained"
                    ),
                    django.contrib.postgres.indexes.BrinIndex(fields=["at"], name="audit_at"),
                    models.Index(fields=["instance", "-id"], name="audit_of_instance"),
                    models.Index(
                        condition=models.Q(("end_user", None), _negated=True),
                        fields=["instance", "end_user"],
                        name="audit_of_person",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("digest", ""), ("number", None)),
                            models.Q(("number__gt", 0), models.Q(("digest", ""), _negated=True)),
                            _connector="OR",
                        ),
                        name="audit_chained_whole",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="RetentionRule",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kept",
                    models.CharField(
                        choices=[
                            ("memories", "Memories"),
                            ("messages", "Messages"),
                            ("documents", "Documents"),
                            ("activity", "Activity log"),
                            ("usage", "Usage log"),
                        ],
                        max_length=20,
                    ),
                ),
                ("days", models.PositiveIntegerField()),
                (
                    "category",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("general", "General"),
                            ("preference", "Preference"),
                            ("fact", "Fact"),
                            ("event", "Event"),
                            ("relationship", "Relationship"),
                            ("decision", "Decision"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ],
                        null=True,
                    ),
                ),
                (
                    "origin",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("conversation", "conversation"),
                            ("tool_call", "tool result"),
                            ("auto_discovery", "found by the assistant"),
                            ("user_explicit", "asked to remember"),
                            ("manual", "added by hand"),
                            ("api", "API"),
                            ("import", "import"),
                        ],
                        max_length=20,
                    ),
                ),
                ("tag", models.CharField(blank=True, max_length=50)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="retention_rules",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["kept", "days", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "kept__in",
                                ["memories", "messages", "documents", "activity", "usage"],
                            )
                        ),
                        name="retention_kept",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("days__gte", 1), ("days__lte", 36500)),
                        name="retention_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kept", "memories"),
                            models.Q(("category", ""), ("origin", ""), ("tag", ""), ("tier", None)),
                            _connector="OR",
                        ),
                        name="retention_of_memories",
                    ),
                    models.UniqueConstraint(
                        fields=("instance", "kept", "category", "tier", "origin", "tag"),
                        name="retention_rule_once",
                        nulls_distinct=False,
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GoldenQuestion",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("text", models.CharField(max_length=2000)),
                ("end_user", models.CharField(blank=True, max_length=200)),
                (
                    "memories",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "messages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="golden_questions",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
            },
        ),
        migrations.CreateModel(
            name="GoldenRound",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                (
                    "cause",
                    models.CharField(
                        choices=[
                            ("nightly", "nightly"),
                            ("by_hand", "asked by hand"),
                            ("settings", "after a change of settings"),
                            ("trial", "trial of settings"),
                        ],
                        max_length=10,
                    ),
                ),
                ("settings", models.JSONField(default=dict)),
                ("results", models.JSONField(default=dict)),
                ("asked", models.PositiveIntegerField(default=0)),
                ("first", models.PositiveIntegerField(default=0)),
                ("shown", models.PositiveIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="golden_rounds",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("finished_at__isnull", False)),
                        fields=["instance", "-created_at"],
                        name="golden_rounds_finished",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("cause__in", ["nightly", "by_hand", "settings", "trial"])
                        ),
                        name="golden_round_cause",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("finished_at", None), models.Q(("cause", "trial"), _negated=True)
                        ),
                        fields=("instance",),
                        name="golden_round_one_open",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HeldStatement",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("content", models.TextField(blank=True)),
                (
                    "tier",
                    models.PositiveSmallIntegerField(
                        choices=[
                            (1, "document"),
                            (2, "tool"),
                            (3, "assistant"),
                            (4, "user"),
                            (5, "person"),
                        ]
                    ),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("instruction", "gives the assistant an instruction"),
                            ("secret", "states a password or another secret"),
                            ("contradiction", "may contradict a memory"),
                            ("tier", "everything from this kind of source waits"),
                            ("sensitive", "is about a sensitive area of a person’s life"),
                            ("shared", "is to be shared with a group"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "contradicts",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                ("as_memory", models.JSONField(default=dict)),
                ("via", models.CharField(blank=True, max_length=20)),
                ("batch", models.UUIDField(blank=True, null=True)),
                ("digest", models.CharField(max_length=64)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("rejected_at", models.DateTimeField(blank=True, null=True)),
                (
                    "conversation",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="conversations.conversation",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="instances.instance",
                    ),
                ),
                (
                    "drawer",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="memoryapp.drawer",
                    ),
                ),
                (
                    "message",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="held",
                        to="conversations.message",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("rejected_at", None)),
                        fields=["instance", "-id"],
                        name="held_waiting",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "digest"), name="held_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "reason__in",
                                [
                                    "instruction",
                                    "secret",
                                    "contradiction",
                                    "tier",
                                    "sensitive",
                                    "shared",
                                ],
                            )
                        ),
                        name="held_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tier__in", [1, 2, 3, 4, 5])), name="held_tier"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="WebhookDelivery",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("uid", models.UUIDField(default=uuid.uuid4, unique=True)),
                (
                    "event",
                    models.CharField(
                        choices=[
                            ("memory.learned", "Memory learned"),
                            ("memory.changed", "Memory changed"),
                            ("memory.forgotten", "Memory forgotten"),
                            ("statement.held", "Statement held for review"),
                            ("webhook.test", "Test"),
                        ],
                        max_length=30,
                    ),
                ),
                (
                    "ids",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.BigIntegerField(), blank=True, default=list, size=None
                    ),
                ),
                (
                    "end_users",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=200),
                        blank=True,
                        default=list,
                        size=None,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("delivered", "delivered"),
                            ("failed", "failed"),
                            ("obsolete", "not needed any more"),
                        ],
                        default="waiting",
                        max_length=20,
                    ),
                ),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tried_at", models.DateTimeField(blank=True, null=True)),
                ("status", models.PositiveSmallIntegerField(blank=True, null=True)),
                ("duration_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("error", instances.models.fields.TranslatableTextField(blank=True)),
                (
                    "instance",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
                (
                    "webhook",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="deliveries",
                        to="instances.webhook",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "webhook deliveries",
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["webhook", "-id"], name="delivery_list"),
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["instance", "webhook", "due_at"],
                        name="delivery_waiting",
                    ),
                    models.Index(fields=["created_at"], name="delivery_age"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "event__in",
                                [
                                    "memory.learned",
                                    "memory.changed",
                                    "memory.forgotten",
                                    "statement.held",
                                    "webhook.test",
                                ],
                            )
                        ),
                        name="delivery_event",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["waiting", "delivered", "failed", "obsolete"])
                        ),
                        name="delivery_state",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="KeyRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "door",
                    models.CharField(
                        choices=[
                            ("v1", "/v1"),
                            ("rest", "REST"),
                            ("mcp", "MCP"),
                            ("mem0", "mem0"),
                        ],
                        max_length=10,
                    ),
                ),
                ("client", models.CharField(blank=True, max_length=60)),
                ("end_user", models.CharField(blank=True, max_length=200)),
                ("kept", models.PositiveIntegerField(default=0)),
                (
                    "remark",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", ""),
                            ("client_task", "the client’s own task"),
                            ("store_false", "the client said store: false"),
                            ("no_person", "refused: it named no person"),
                            ("memory_off", "not learned from: memory is off"),
                            ("nothing_new", "nothing new"),
                            ("held", "left out, or held for review"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="key_requests",
                        to="instances.instance",
                    ),
                ),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requests",
                        to="instances.apikey",
                    ),
                ),
            ],
            options={
                "ordering": ["-id"],
                "indexes": [
                    models.Index(fields=["key", "-id"], name="key_request_list"),
                    models.Index(fields=["at"], name="key_request_age"),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("door__in", ["v1", "rest", "mcp", "mem0"])),
                        name="key_request_door",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "remark__in",
                                [
                                    "",
                                    "client_task",
                                    "store_false",
                                    "no_person",
                                    "memory_off",
                                    "nothing_new",
                                    "held",
                                ],
                            )
                        ),
                        name="key_request_remark",
                    ),
                ],
            },
        ),
    ]
