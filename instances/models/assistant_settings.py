"""How the assistant of an instance answers."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from instances.models.choices import ContextPlacement, RecallProfile


class AssistantSettings(models.Model):
    """The settings of the card "Assistant"."""

    chat_model = models.CharField(
        _("Model"),
        max_length=200,
        blank=True,
        help_text=_("Empty: the model that reads conversations."),
    )
    instructions = models.TextField(
        _("Instructions"),
        max_length=20_000,
        blank=True,
        help_text=_("Who the assistant is and how it answers."),
    )
    recall_enabled = models.BooleanField(
        _("Recall"),
        default=True,
        help_text=_("Look up related memories before each answer."),
    )
    summary_enabled = models.BooleanField(
        _("Summaries of people"),
        default=True,
        help_text=_(
            "A few sentences about the person before each answer. One model call after each change."
        ),
    )
    tools_for_clients = models.BooleanField(
        _("Memory tools for OpenAI clients"),
        default=False,
        help_text=_(
            "The model can search and save memories while it answers, unseen by the client."
        ),
    )
    top_k = models.PositiveSmallIntegerField(
        _("Memories per answer"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("1 to 20."),
    )
    turns_enabled = models.BooleanField(
        _("Past messages, word for word"),
        default=True,
        help_text=_("Also what was said, where that answers better. Secrets are removed."),
    )
    context_placement = models.CharField(
        _("Place of memories"),
        max_length=20,
        choices=ContextPlacement,
        default=ContextPlacement.USER_MESSAGE,
        help_text=_("The system message is for models that overlook memories elsewhere."),
    )
    recall_profile = models.CharField(
        _("Ranking"),
        max_length=10,
        choices=RecallProfile,
        default=RecallProfile.DEFAULT,
        help_text=_("The order of results."),
    )
    #: The weights of signals in ranking, by name, that differ from the measured ones.
    recall_weights = models.JSONField(default=dict, blank=True)
    rerank_enabled = models.BooleanField(
        _("Rerank"),
        default=False,
        help_text=_("A model moves the best 5 of 20 results to the top. One more call an answer."),
    )
    rerank_model = models.CharField(
        _("Reranking model"),
        max_length=200,
        blank=True,
        help_text=_("Empty: the model that reads conversations."),
    )

    class Meta:
        abstract = True
