import uuid

import django.contrib.auth.models
import django.contrib.auth.validators
import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
import oauth2_provider.generators
import oauth2_provider.models
from django.conf import settings
from django.db import migrations, models

import instances.models.choices
import instances.models.fields
import instances.models.memory_settings
import instances.models.outgoing
import instances.provider_urls


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    # The tables of django-oauth-toolkit are here instead of there.
    run_before = [
        ("oauth2_provider", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "username",
                    models.CharField(
                        error_messages={"unique": "A user with that username already exists."},
                        help_text="Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.",
                        max_length=150,
                        unique=True,
                        validators=[django.contrib.auth.validators.UnicodeUsernameValidator()],
                        verbose_name="username",
                    ),
                ),
                (
                    "first_name",
                    models.CharField(blank=True, max_length=150, verbose_name="first name"),
                ),
                (
                    "last_name",
                    models.CharField(blank=True, max_length=150, verbose_name="last name"),
                ),
                (
                    "email",
                    models.EmailField(blank=True, max_length=254, verbose_name="email address"),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False,
                        help_text="Designates whether the user can log into this admin site.",
                        verbose_name="staff status",
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Designates whether this user should be treated as active. Unselect this instead of deleting accounts.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="date joined"
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True,
                        choices=[("en", "English"), ("de", "Deutsch"), ("it", "Italiano")],
                        max_length=5,
                    ),
                ),
                (
                    "password_reset_at",
                    models.DateTimeField(blank=True, editable=False, null=True),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "verbose_name": "user",
                "verbose_name_plural": "users",
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(
                        django.db.models.functions.text.Upper("username"),
                        name="username_once_in_any_case",
                    )
                ],
            },
            managers=[
                ("objects", django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name="FailedSignIns",
            fields=[
                (
                    "key",
                    models.CharField(max_length=64, primary_key=True, serialize=False),
                ),
                ("failures", models.PositiveIntegerField(default=0)),
                (
                    "counted_at",
                    models.DateTimeField(db_index=True, default=django.utils.timezone.now),
                ),
                ("refused_until", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Instance",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60, unique=True)),
                ("name", models.CharField(max_length=100)),
                (
                    "created_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "memory_enabled",
                    models.BooleanField(
                        default=False,
                        help_text="Off: nothing new is learned; what is known is still recalled.",
                        verbose_name="Memory",
                    ),
                ),
                (
                    "extract_when",
                    models.CharField(
                        choices=[
                            ("after_response", "After every response"),
                            ("stale", "When a conversation has gone quiet"),
                            ("by_hand", "Only by hand"),
                        ],
                        default="after_response",
                        help_text="Any conversation can be read at once, too.",
                        max_length=20,
                        verbose_name="When to read conversations",
                    ),
                ),
                (
                    "builtin_reader",
                    models.BooleanField(
                        default=True,
                        help_text="Finds plain statements without a model, in five languages.",
                        verbose_name="Built-in reader",
                    ),
                ),
                (
                    "guidance",
                    models.TextField(
                        blank=True,
                        help_text="Told to the model that reads; the built-in reader cannot follow it.",
                        max_length=500,
                        verbose_name="What matters",
                    ),
                ),
                (
                    "palace_enabled",
                    models.BooleanField(
                        default=True,
                        help_text="Files every message by subject. A model names subjects, one small call each.",
                        verbose_name="Palace",
                    ),
                ),
                (
                    "stale_minutes",
                    models.PositiveSmallIntegerField(
                        default=30,
                        help_text="1 to 1440.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(1440),
                        ],
                        verbose_name="Idle minutes",
                    ),
                ),
                (
                    "looks_recorded",
                    models.BooleanField(
                        default=False,
                        help_text="Who opens or searches what, in the audit log.",
                        verbose_name="Record who looks",
                    ),
                ),
                (
                    "pii_policy",
                    models.CharField(
                        choices=[
                            ("redact", "Redact"),
                            ("reject", "Reject the memory"),
                            ("off", "Keep"),
                        ],
                        default="redact",
                        help_text="Passwords, keys, card, phone and account numbers, addresses of e-mail and IP.",
                        max_length=10,
                        verbose_name="Secrets and identifiers",
                    ),
                ),
                (
                    "provider",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "None yet"),
                            ("openai", "OpenAI"),
                            ("openrouter", "OpenRouter"),
                            ("anthropic", "Anthropic"),
                            ("bedrock", "Amazon Bedrock"),
                            ("ollama", "Ollama"),
                            ("custom", "Another OpenAI-compatible server"),
                        ],
                        default="",
                        help_text="Any server with an OpenAI-compatible API works.",
                        max_length=20,
                        verbose_name="Provider",
                    ),
                ),
                (
                    "base_url",
                    models.CharField(
                        blank=True,
                        help_text="Such as http://localhost:8080/v1.",
                        max_length=300,
                        validators=[instances.provider_urls.validate_base_url],
                        verbose_name="Address",
                    ),
                ),
                (
                    "fast_model",
                    models.CharField(
                        blank=True,
                        help_text="A small, fast model is enough.",
                        max_length=200,
                        verbose_name="Model",
                    ),
                ),
                (
                    "chat_model",
                    models.CharField(
                        blank=True,
                        help_text="Empty: the model that reads conversations.",
                        max_length=200,
                        verbose_name="Model",
                    ),
                ),
                (
                    "instructions",
                    models.TextField(
                        blank=True,
                        help_text="Who the assistant is and how it answers.",
                        max_length=20000,
                        verbose_name="Instructions",
                    ),
                ),
                (
                    "recall_enabled",
                    models.BooleanField(
                        default=True,
                        help_text="Look up related memories before each answer.",
                        verbose_name="Recall",
                    ),
                ),
                (
                    "summary_enabled",
                    models.BooleanField(
                        default=True,
                        help_text="A few sentences about the person before each answer. One model call after each change.",
                        verbose_name="Summaries of people",
                    ),
                ),
                (
                    "top_k",
                    models.PositiveSmallIntegerField(
                        default=5,
                        help_text="1 to 20.",
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(20),
                        ],
                        verbose_name="Memories per answer",
                    ),
                ),
                (
                    "turns_enabled",
                    models.BooleanField(
                        default=True,
                        help_text="Also what was said, where that answers better. Secrets are removed.",
                        verbose_name="Past messages, word for word",
                    ),
                ),
                (
                    "context_placement",
                    models.CharField(
                        choices=[
                            ("user_message", "In the user’s message (recommended)"),
                            ("system_message", "In the system message"),
                        ],
                        default="user_message",
                        help_text="The system message is for models that overlook memories elsewhere.",
                        max_length=20,
                        verbose_name="Place of memories",
                    ),
                ),
                (
                    "recall_profile",
                    models.CharField(
                        choices=[("default", "Measured (recommended)"), ("rrf", "Plain (RRF)")],
                        default="default",
                        help_text="The order of results.",
                        max_length=10,
                        verbose_name="Ranking",
                    ),
                ),
                ("recall_weights", models.JSONField(blank=True, default=dict)),
                (
                    "rerank_enabled",
                    models.BooleanField(
                        default=False,
                        help_text="A model moves the best 5 of 20 results to the top. One more call an answer.",
                        verbose_name="Rerank",
                    ),
                ),
                (
                    "rerank_model",
                    models.CharField(
                        blank=True,
                        help_text="Empty: the model that reads conversations.",
                        max_length=200,
                        verbose_name="Reranking model",
                    ),
                ),
                (
                    "tools_for_clients",
                    models.BooleanField(
                        default=False,
                        help_text="The model can search and save memories while it answers, unseen by the client.",
                        verbose_name="Memory tools for OpenAI clients",
                    ),
                ),
                ("model_abilities", models.JSONField(default=dict, editable=False)),
                ("measuring_since", models.DateTimeField(editable=False, null=True)),
                (
                    "prompt_price",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="In any currency.",
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="Price per million input tokens",
                    ),
                ),
                (
                    "completion_price",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="In any currency.",
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="Price per million output tokens",
                    ),
                ),
                (
                    "embedding_price",
                    models.DecimalField(
                        blank=True,
                        decimal_places=4,
                        help_text="The built-in embedder is free.",
                        max_digits=10,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="Price per million embedded tokens",
                    ),
                ),
                (
                    "monthly_cap",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        help_text="Once reached, background work waits for the next month. Empty: no cap.",
                        max_digits=12,
                        null=True,
                        validators=[django.core.validators.MinValueValidator(0)],
                        verbose_name="Monthly cap",
                    ),
                ),
                (
                    "decay_days",
                    models.PositiveIntegerField(
                        blank=True,
                        default=90,
                        help_text="Unused memories rank a little lower after this. Empty: never.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(3650),
                        ],
                        verbose_name="Stale after (days)",
                    ),
                ),
                (
                    "embedding_provider",
                    models.CharField(
                        choices=[
                            ("multilingual", "Built in: multilingual"),
                            ("builtin", "Built in: small, for English"),
                            ("openai", "OpenAI"),
                            ("openrouter", "OpenRouter"),
                            ("ollama", "Ollama"),
                            ("custom", "Another OpenAI-compatible server"),
                        ],
                        default=instances.models.choices.default_embedder,
                        help_text="Independent of the language model.",
                        max_length=20,
                        verbose_name="Provider",
                    ),
                ),
                (
                    "embedding_base_url",
                    models.CharField(
                        blank=True,
                        help_text="Only for other servers.",
                        max_length=300,
                        validators=[instances.provider_urls.validate_base_url],
                        verbose_name="Address",
                    ),
                ),
                (
                    "embedding_model",
                    models.CharField(
                        blank=True,
                        help_text="Only for other servers.",
                        max_length=200,
                        verbose_name="Model",
                    ),
                ),
                (
                    "embedding_dimensions",
                    models.PositiveIntegerField(blank=True, editable=False, null=True),
                ),
                (
                    "embedding_key",
                    models.CharField(default="embedding_api_key", editable=False, max_length=40),
                ),
                (
                    "dedup_exact",
                    models.FloatField(
                        default=0.98,
                        help_text="A new fact that says the same is dropped.",
                        validators=[
                            django.core.validators.MinValueValidator(0.5),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="Duplicate above",
                    ),
                ),
                (
                    "dedup_update",
                    models.FloatField(
                        default=0.9,
                        help_text="A rewording replaces the old version.",
                        validators=[
                            django.core.validators.MinValueValidator(0.5),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="Rewording above",
                    ),
                ),
                (
                    "merge_with_model",
                    models.BooleanField(
                        default=False,
                        help_text="The model decides about facts that are close. You can undo every merge.",
                        verbose_name="Merge with the model",
                    ),
                ),
                (
                    "dedup_merge",
                    models.FloatField(
                        default=0.7,
                        help_text="If merging is on.",
                        validators=[
                            django.core.validators.MinValueValidator(0.5),
                            django.core.validators.MaxValueValidator(1.0),
                        ],
                        verbose_name="Ask the model above",
                    ),
                ),
                (
                    "single_valued_keys",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=100),
                        blank=True,
                        default=list,
                        help_text="Beside home_city and employer; separated by commas.",
                        size=None,
                        verbose_name="Single-value keys",
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default="UTC",
                        help_text="“Tomorrow” in a conversation becomes a date in this time zone.",
                        max_length=60,
                        validators=[instances.models.memory_settings.validate_time_zone],
                        verbose_name="Time zone",
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
                        help_text="For short texts, and languages that are not detected.",
                        max_length=20,
                        verbose_name="Default language",
                    ),
                ),
                (
                    "further_languages",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20),
                        blank=True,
                        default=list,
                        editable=False,
                        size=None,
                    ),
                ),
                ("has_aliases", models.BooleanField(default=False, editable=False)),
                ("has_groups", models.BooleanField(default=False, editable=False)),
                (
                    "private_to",
                    models.ForeignKey(
                        blank=True,
                        help_text="Set on a private instance: the one person who can see it.",
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="private_instances",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "health_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Illness, treatment, disability, pregnancy.",
                        max_length=10,
                        verbose_name="Health",
                    ),
                ),
                (
                    "religion_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Faith, its practice, or the lack of it.",
                        max_length=10,
                        verbose_name="Religion",
                    ),
                ),
                (
                    "politics_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Votes, parties, unions, opinions.",
                        max_length=10,
                        verbose_name="Politics",
                    ),
                ),
                (
                    "sexuality_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Orientation, identity, sex life.",
                        max_length=10,
                        verbose_name="Sexuality",
                    ),
                ),
                (
                    "finances_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Income, savings, debts, benefits.",
                        max_length=10,
                        verbose_name="Finances",
                    ),
                ),
                (
                    "minors_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Keep"),
                            ("local", "Keep, for models here only"),
                            ("hold", "Hold for review"),
                            ("refuse", "Never keep"),
                        ],
                        default="keep",
                        help_text="Anybody below 18.",
                        max_length=10,
                        verbose_name="Minors",
                    ),
                ),
                (
                    "own_areas",
                    models.JSONField(blank=True, default=list, verbose_name="Areas of your own"),
                ),
                (
                    "sending_rules",
                    models.JSONField(blank=True, default=list, verbose_name="What models see"),
                ),
                (
                    "assistant_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Hold suspicious ones"),
                            ("hold", "Hold all for review"),
                            ("ignore", "Ignore"),
                        ],
                        default="keep",
                        max_length=10,
                        verbose_name="From the assistant",
                    ),
                ),
                (
                    "document_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Hold suspicious ones"),
                            ("hold", "Hold all for review"),
                            ("ignore", "Ignore"),
                        ],
                        default="keep",
                        help_text="Suspicious: it gives orders or contradicts a person. It waits under Review.",
                        max_length=10,
                        verbose_name="From documents",
                    ),
                ),
                (
                    "tool_handling",
                    models.CharField(
                        choices=[
                            ("keep", "Hold suspicious ones"),
                            ("hold", "Hold all for review"),
                            ("ignore", "Ignore"),
                        ],
                        default="keep",
                        max_length=10,
                        verbose_name="From tools",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("extract_when__in", ["after_response", "stale", "by_hand"])
                        ),
                        name="instance_extract_when",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("pii_policy__in", ["redact", "reject", "off"])),
                        name="instance_pii_policy",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "provider__in",
                                [
                                    "",
                                    "openai",
                                    "openrouter",
                                    "anthropic",
                                    "bedrock",
                                    "ollama",
                                    "custom",
                                ],
                            )
                        ),
                        name="instance_provider",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "embedding_provider__in",
                                [
                                    "multilingual",
                                    "builtin",
                                    "openai",
                                    "openrouter",
                                    "ollama",
                                    "custom",
                                ],
                            )
                        ),
                        name="instance_embedding_provider",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "language__in",
                                [
                                    "arabic",
                                    "armenian",
                                    "basque",
                                    "catalan",
                                    "danish",
                                    "dutch",
                                    "english",
                                    "estonian",
                                    "finnish",
                                    "french",
                                    "german",
                                    "greek",
                                    "hindi",
                                    "hungarian",
                                    "indonesian",
                                    "irish",
                                    "italian",
                                    "lithuanian",
                                    "nepali",
                                    "norwegian",
                                    "portuguese",
                                    "romanian",
                                    "russian",
                                    "serbian",
                                    "spanish",
                                    "swedish",
                                    "tamil",
                                    "turkish",
                                    "yiddish",
                                    "simple",
                                ],
                            )
                        ),
                        name="instance_language",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("dedup_exact__gte", models.F("dedup_update")),
                            ("dedup_exact__lte", 1.0),
                            ("dedup_update__gte", 0.5),
                        ),
                        name="instance_dedup_thresholds",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("dedup_merge__gte", 0.5), ("dedup_merge__lte", models.F("dedup_exact"))
                        ),
                        name="instance_dedup_merge",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("recall_profile__in", ["default", "rrf"])),
                        name="instance_recall_profile",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("context_placement__in", ["user_message", "system_message"])
                        ),
                        name="instance_context_placement",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("top_k__gte", 1), ("top_k__lte", 20)),
                        name="instance_top_k",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("stale_minutes__gte", 1), ("stale_minutes__lte", 1440)),
                        name="instance_stale_minutes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("monthly_cap", None), ("monthly_cap__gte", 0), _connector="OR"
                        ),
                        name="instance_monthly_cap",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("decay_days", None), ("decay_days__gte", 1), _connector="OR"
                        ),
                        name="instance_decay_days",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("assistant_handling__in", ["keep", "hold", "ignore"])),
                        name="instance_assistant_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("tool_handling__in", ["keep", "hold", "ignore"])),
                        name="instance_tool_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("document_handling__in", ["keep", "hold", "ignore"])),
                        name="instance_document_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("health_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_health_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("religion_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_religion_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("politics_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_politics_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("sexuality_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_sexuality_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("finances_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_finances_handling",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("minors_handling__in", ["keep", "local", "hold", "refuse"])
                        ),
                        name="instance_minors_handling",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Membership",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("member", "Member"),
                            ("manager", "Manager"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to="instances.instance"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "user"), name="membership_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["viewer", "member", "manager"])),
                        name="membership_role",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="CircuitBreaker",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("server", models.CharField(max_length=300)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(default=django.utils.timezone.now)),
                ("said", instances.models.fields.TranslatableTextField(blank=True)),
                ("wait_seconds", models.PositiveSmallIntegerField(default=0)),
                ("retry_at", models.DateTimeField(blank=True, null=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="circuit_breakers",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["server"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("instance", "server"), name="circuit_breaker_once"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="MembershipInvitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("username", models.CharField(max_length=150)),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("viewer", "Viewer"),
                            ("member", "Member"),
                            ("manager", "Manager"),
                        ],
                        default="member",
                        max_length=10,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("declined_at", models.DateTimeField(null=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="invitations",
                        to="instances.instance",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["username"],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "username"), name="invited_once"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["viewer", "member", "manager"])),
                        name="invited_role",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PasswordLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires_at", models.DateTimeField()),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="password_link",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="HashKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("token", instances.models.fields.EncryptedTextField(editable=False)),
                (
                    "instance",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.instance",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Secret",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        choices=[
                            ("chat_api_key", "Language model key"),
                            ("embedding_api_key", "Embedding key"),
                            ("other_embedding_api_key", "Embedding key of another model"),
                        ],
                        max_length=40,
                    ),
                ),
                ("token", instances.models.fields.EncryptedTextField(editable=False)),
                ("server", models.CharField(editable=False, max_length=300)),
                ("ending", models.CharField(editable=False, max_length=4)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="secrets",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "name"), name="secret_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "name__in",
                                ["chat_api_key", "embedding_api_key", "other_embedding_api_key"],
                            )
                        ),
                        name="secret_name",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ApiKey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("prefix", models.CharField(editable=False, max_length=9)),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                (
                    "scopes",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("read", "Read"),
                                ("write", "Write"),
                                ("delete", "Delete"),
                                ("forget", "Forget"),
                                ("people", "Export and erase people"),
                                ("webhooks", "Webhooks"),
                            ],
                            max_length=10,
                        ),
                        size=None,
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
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
                        related_name="api_keys",
                        to="instances.instance",
                    ),
                ),
                (
                    "trust",
                    models.PositiveSmallIntegerField(
                        choices=[(4, "user"), (3, "assistant"), (2, "tool"), (1, "document")],
                        default=4,
                        verbose_name="What comes with it counts as",
                    ),
                ),
                ("end_user", models.CharField(blank=True, max_length=200, verbose_name="Person")),
                (
                    "reach",
                    models.CharField(
                        choices=[
                            ("all", "The person’s own and shared ones"),
                            ("own", "Only the person’s own"),
                        ],
                        default="all",
                        max_length=10,
                        verbose_name="Is told",
                    ),
                ),
                (
                    "keeps_unstored",
                    models.BooleanField(
                        default=False,
                        help_text="For clients that always say so, such as Home Assistant’s OpenAI "
                        "integration.",
                        verbose_name="Learn even if the client says store: false",
                    ),
                ),
                (
                    "requires_person",
                    models.BooleanField(
                        default=False,
                        help_text="Requests that do not say whom they are about are refused, not "
                        "shared by all.",
                        verbose_name="Require a person",
                    ),
                ),
            ],
            options={
                "ordering": ["-created_at", "-id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "scopes__contained_by",
                                ["read", "write", "delete", "forget", "people", "webhooks"],
                            ),
                            ("scopes__len__gt", 0),
                        ),
                        name="api_key_scopes",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("trust__in", [4, 3, 2, 1])), name="api_key_trust"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("reach__in", ["all", "own"])), name="api_key_reach"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Agent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=60)),
                ("name", models.CharField(max_length=100)),
                (
                    "instructions",
                    models.TextField(
                        blank=True,
                        help_text="Added to those of the instance: what is special about this agent.",
                        max_length=20000,
                        verbose_name="Instructions",
                    ),
                ),
                (
                    "recall_enabled",
                    models.BooleanField(
                        default=True,
                        help_text="When off, this agent answers without memories and cannot search them. What it is told is still read and filed, as set under Memory.",
                        verbose_name="Recall",
                    ),
                ),
                (
                    "reach",
                    models.CharField(
                        choices=[
                            ("all", "The person’s own and shared ones"),
                            ("own", "Only the person’s own"),
                            ("shared", "Only shared ones"),
                        ],
                        default="all",
                        help_text="Memories are shared in groups.",
                        max_length=10,
                        verbose_name="Is told",
                    ),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="agents",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "slug"), name="agent_slug_once"),
                    models.UniqueConstraint(fields=("id", "instance"), name="agent_in_instance"),
                    models.CheckConstraint(
                        condition=models.Q(("reach__in", ["all", "own", "shared"])),
                        name="agent_reach",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="AllowedAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        error_messages={"unique": "This address is on the list already."},
                        help_text="A host name, an IP address or a network such as 10.0.0.0/8; a port may follow: ollama:11434.",
                        max_length=300,
                        unique=True,
                        validators=[instances.models.outgoing.validate_entry],
                        verbose_name="Address",
                    ),
                ),
                (
                    "note",
                    models.CharField(
                        blank=True,
                        help_text="What it is, and why.",
                        max_length=200,
                        verbose_name="Note",
                    ),
                ),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "added_by",
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
                "ordering": ["address"],
            },
        ),
        migrations.CreateModel(
            name="OutgoingConnections",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "mode",
                    models.CharField(
                        choices=[
                            ("public", "Public addresses, and those on the list"),
                            ("listed", "Only those on the list"),
                            ("everything", "Everything, private networks too"),
                        ],
                        default="public",
                        max_length=20,
                    ),
                ),
                ("changed_at", models.DateTimeField(blank=True, null=True)),
                (
                    "changed_by",
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
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("id", 1)), name="outgoing_connections_once"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("mode__in", ["public", "listed", "everything"])),
                        name="outgoing_connections_mode",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="instance",
            name="members",
            field=models.ManyToManyField(
                related_name="instances",
                through="instances.Membership",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.CreateModel(
            name="Group",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=100, verbose_name="Name")),
                ("shared_id", models.CharField(max_length=200, verbose_name="Id")),
                ("everyone", models.BooleanField(default=False, verbose_name="Everyone")),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "agents",
                    models.ManyToManyField(blank=True, related_name="groups", to="instances.agent"),
                ),
                (
                    "instance",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="groups",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["name", "id"],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "shared_id"), name="group_id_once"),
                    models.CheckConstraint(
                        condition=models.Q(("shared_id", ""), _negated=True),
                        name="group_has_an_id",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="GroupMember",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("end_user", models.CharField(max_length=200)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="instances.group",
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
                "ordering": ["end_user"],
                "indexes": [models.Index(fields=["instance", "end_user"], name="group_of_member")],
                "constraints": [
                    models.UniqueConstraint(fields=("group", "end_user"), name="group_member_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="EndUserAlias",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("alias", models.CharField(max_length=200)),
                ("end_user", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
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
                        related_name="aliases",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "end user aliases",
                "ordering": ["alias"],
                "indexes": [models.Index(fields=["instance", "end_user"], name="alias_of")],
                "constraints": [
                    models.UniqueConstraint(fields=("instance", "alias"), name="alias_once"),
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(("alias", ""), _negated=True),
                            models.Q(("alias", models.F("end_user")), _negated=True),
                        ),
                        name="alias_of_another_id",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RefreshToken",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("token", models.TextField(verbose_name="token")),
                (
                    "token_checksum",
                    oauth2_provider.models.TokenChecksumField(
                        max_length=64, verbose_name="token checksum"
                    ),
                ),
                (
                    "token_family",
                    models.UUIDField(
                        blank=True, editable=False, null=True, verbose_name="token family"
                    ),
                ),
                (
                    "resource",
                    oauth2_provider.models.ResourceJSONField(
                        blank=True, default=list, verbose_name="resource"
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="updated")),
                ("revoked", models.DateTimeField(null=True, verbose_name="revoked")),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="DeviceGrant",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("device_code", models.CharField(max_length=100, verbose_name="device code")),
                ("user_code", models.CharField(max_length=100, verbose_name="user code")),
                ("scope", models.TextField(blank=True, verbose_name="scope")),
                ("interval", models.IntegerField(default=5, verbose_name="interval")),
                ("expires", models.DateTimeField(verbose_name="expires")),
                (
                    "status",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("authorized", "Authorized"),
                            ("authorization-pending", "Authorization pending"),
                            ("expired", "Expired"),
                            ("denied", "Denied"),
                        ],
                        default="authorization-pending",
                        max_length=64,
                        verbose_name="status",
                    ),
                ),
                (
                    "client_id",
                    models.CharField(db_index=True, max_length=100, verbose_name="client ID"),
                ),
                ("last_checked", models.DateTimeField(auto_now=True, verbose_name="last checked")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(app_label)s_%(class)s",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="OAuthClient",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "client_id",
                    models.CharField(
                        db_index=True,
                        default=oauth2_provider.generators.generate_client_id,
                        max_length=255,
                        unique=True,
                        verbose_name="client ID",
                    ),
                ),
                (
                    "redirect_uris",
                    models.TextField(
                        blank=True,
                        help_text="Allowed URIs list, space separated",
                        verbose_name="redirect URIs",
                    ),
                ),
                (
                    "post_logout_redirect_uris",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="Allowed Post Logout URIs list, space separated",
                        verbose_name="post logout redirect URIs",
                    ),
                ),
                (
                    "client_type",
                    models.CharField(
                        choices=[("confidential", "Confidential"), ("public", "Public")],
                        max_length=32,
                        verbose_name="client type",
                    ),
                ),
                (
                    "authorization_grant_type",
                    models.CharField(
                        choices=[
                            ("authorization-code", "Authorization code"),
                            ("urn:ietf:params:oauth:grant-type:device_code", "Device Code"),
                            ("implicit", "Implicit"),
                            ("password", "Resource owner password-based"),
                            ("client-credentials", "Client credentials"),
                            ("openid-hybrid", "OpenID connect hybrid"),
                        ],
                        max_length=44,
                        verbose_name="authorization grant type",
                    ),
                ),
                (
                    "client_secret",
                    oauth2_provider.models.ClientSecretField(
                        blank=True,
                        db_index=True,
                        default=oauth2_provider.generators.generate_client_secret,
                        help_text="Client secret for authentication",
                        max_length=255,
                        verbose_name="client secret",
                    ),
                ),
                (
                    "hash_client_secret",
                    models.BooleanField(default=True, verbose_name="hash client secret"),
                ),
                ("name", models.CharField(blank=True, max_length=255, verbose_name="name")),
                (
                    "skip_authorization",
                    models.BooleanField(default=False, verbose_name="skip authorization"),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "algorithm",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("", "No OIDC support"),
                            ("RS256", "RSA with SHA-2 256"),
                            ("HS256", "HMAC with SHA-2 256"),
                        ],
                        default="",
                        max_length=5,
                        verbose_name="algorithm",
                    ),
                ),
                (
                    "allowed_origins",
                    models.TextField(
                        blank=True,
                        default="",
                        help_text="Allowed origins list to enable CORS, space separated",
                        verbose_name="allowed origins",
                    ),
                ),
                (
                    "registration_source",
                    models.CharField(
                        choices=[
                            ("manual", "Manual"),
                            ("dcr", "Dynamic Client Registration"),
                            ("cimd", "Client ID Metadata Document"),
                        ],
                        default="manual",
                        help_text="How this application was registered (manual, DCR per RFC 7591, or CIMD)",
                        max_length=32,
                        verbose_name="registration source",
                    ),
                ),
                (
                    "registered_from",
                    models.CharField(blank=True, default="", editable=False, max_length=64),
                ),
                (
                    "cimd_expires_at",
                    models.DateTimeField(
                        blank=True,
                        default=None,
                        help_text="When the cached Client ID Metadata Document should be re-fetched",
                        null=True,
                        verbose_name="CIMD expires at",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(app_label)s_%(class)s",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="IDToken",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                (
                    "jti",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, unique=True, verbose_name="JWT Token ID"
                    ),
                ),
                ("expires", models.DateTimeField(verbose_name="expires")),
                ("scope", models.TextField(blank=True, verbose_name="scope")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(app_label)s_%(class)s",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "application",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
                        verbose_name="application",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AuthorizationCode",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("code", models.CharField(max_length=255, unique=True, verbose_name="code")),
                ("expires", models.DateTimeField(verbose_name="expires")),
                ("redirect_uri", models.TextField(verbose_name="redirect URI")),
                ("scope", models.TextField(blank=True, verbose_name="scope")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "code_challenge",
                    models.CharField(
                        blank=True, default="", max_length=128, verbose_name="code challenge"
                    ),
                ),
                (
                    "code_challenge_method",
                    models.CharField(
                        blank=True,
                        choices=[("plain", "plain"), ("S256", "S256")],
                        default="",
                        max_length=10,
                        verbose_name="code challenge method",
                    ),
                ),
                (
                    "nonce",
                    models.CharField(blank=True, default="", max_length=255, verbose_name="nonce"),
                ),
                ("claims", models.TextField(blank=True, verbose_name="claims")),
                (
                    "resource",
                    oauth2_provider.models.ResourceJSONField(
                        blank=True, default=list, verbose_name="resource"
                    ),
                ),
                ("redeemed_at", models.DateTimeField(null=True)),
                ("token_family", models.UUIDField(null=True)),
                (
                    "key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="instances.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(app_label)s_%(class)s",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "application",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
                        verbose_name="application",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AccessToken",
            fields=[
                ("id", models.BigAutoField(primary_key=True, serialize=False)),
                ("token", models.TextField(verbose_name="token")),
                (
                    "token_checksum",
                    oauth2_provider.models.TokenChecksumField(
                        db_index=True, max_length=64, unique=True, verbose_name="token checksum"
                    ),
                ),
                ("expires", models.DateTimeField(verbose_name="expires")),
                ("scope", models.TextField(blank=True, verbose_name="scope")),
                (
                    "resource",
                    oauth2_provider.models.ResourceJSONField(
                        blank=True, default=list, verbose_name="resource"
                    ),
                ),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="updated")),
                (
                    "key",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="access_tokens",
                        to="instances.apikey",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="%(app_label)s_%(class)s",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="user",
                    ),
                ),
                (
                    "id_token",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="access_token",
                        to=settings.OAUTH2_PROVIDER_ID_TOKEN_MODEL,
                        verbose_name="ID token",
                    ),
                ),
                (
                    "application",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
                        verbose_name="application",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="apikey",
            name="client",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="api_keys",
                to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="apikey",
            constraint=models.UniqueConstraint(
                condition=models.Q(("revoked_at", None)),
                fields=("client", "created_by", "instance"),
                name="api_key_connection_once",
            ),
        ),
        migrations.AddField(
            model_name="refreshtoken",
            name="access_token",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="refresh_token",
                to=settings.OAUTH2_PROVIDER_ACCESS_TOKEN_MODEL,
                verbose_name="access token",
            ),
        ),
        migrations.AddField(
            model_name="refreshtoken",
            name="application",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                to=settings.OAUTH2_PROVIDER_APPLICATION_MODEL,
                verbose_name="application",
            ),
        ),
        migrations.AddField(
            model_name="refreshtoken",
            name="key",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="refresh_tokens",
                to="instances.apikey",
            ),
        ),
        migrations.AddField(
            model_name="refreshtoken",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="%(app_label)s_%(class)s",
                to=settings.AUTH_USER_MODEL,
                verbose_name="user",
            ),
        ),
        migrations.AddField(
            model_name="accesstoken",
            name="source_refresh_token",
            field=models.OneToOneField(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="refreshed_access_token",
                to=settings.OAUTH2_PROVIDER_REFRESH_TOKEN_MODEL,
                verbose_name="source refresh token",
            ),
        ),
        migrations.AddConstraint(
            model_name="devicegrant",
            constraint=models.UniqueConstraint(
                fields=("device_code",), name="instances_devicegrant_unique_device_code"
            ),
        ),
        migrations.AddIndex(
            model_name="refreshtoken",
            index=models.Index(fields=["token_family"], name="instances_r_token_f_1ee10e_idx"),
        ),
        migrations.AlterUniqueTogether(
            name="refreshtoken",
            unique_together={("token_checksum", "revoked")},
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=1000, verbose_name="Address")),
                (
                    "events",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(
                            choices=[
                                ("memory.learned", "A memory is learned"),
                                ("memory.changed", "A memory is changed"),
                                ("memory.forgotten", "A memory is forgotten"),
                                ("statement.held", "A statement waits for review"),
                            ],
                            max_length=30,
                        ),
                        size=None,
                    ),
                ),
                ("enabled", models.BooleanField(default=True, verbose_name="Send events")),
                ("token", instances.models.fields.EncryptedTextField(editable=False)),
                (
                    "former_token",
                    instances.models.fields.EncryptedTextField(blank=True, editable=False),
                ),
                ("former_until", models.DateTimeField(blank=True, null=True)),
                ("created_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("failures", models.PositiveIntegerField(default=0)),
                ("failing_since", models.DateTimeField(blank=True, null=True)),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                ("paused_at", models.DateTimeField(blank=True, null=True)),
                ("lease_until", models.DateTimeField(blank=True, null=True)),
                ("claims", models.PositiveIntegerField(default=0)),
                (
                    "created_by",
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
                        related_name="webhooks",
                        to="instances.instance",
                    ),
                ),
            ],
            options={
                "ordering": ["created_at", "id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            (
                                "events__contained_by",
                                [
                                    "memory.learned",
                                    "memory.changed",
                                    "memory.forgotten",
                                    "statement.held",
                                ],
                            ),
                            ("events__len__gt", 0),
                        ),
                        name="webhook_events",
                    )
                ],
            },
        ),
    ]
