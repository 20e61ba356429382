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
        help_text=_("Answers in the chat. Leave empty to use the model that reads conversations."),
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
        help_text=_(
            "Look up related memories before each answer, and let the assistant search them. "
            "Works even when nothing new is learned."
        ),
    )
    summary_enabled = models.BooleanField(
        _("Summaries of people"),
        default=True,
        help_text=_(
            "After something new is learned, summarise all that is known about the person, and "
            "give it to the assistant before each answer. One model call each time. You find the "
            "summary on the person’s profile."
        ),
    )
    tools_for_clients = models.BooleanField(
        _("Memory tools for OpenAI clients"),
        default=False,
        help_text=_(
            "Clients of the OpenAI-compatible API always get related memories. With this on, "
            "the model can also search and save memories while it answers, unseen by the client."
        ),
    )
    top_k = models.PositiveSmallIntegerField(
        _("Memories per answer"),
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text=_("The most memories and messages that it is shown at once, 1 to 20."),
    )
    turns_enabled = models.BooleanField(
        _("Past messages, word for word"),
        default=True,
        help_text=_(
            "Also show the assistant what was said, where that answers better than what was "
            "learned from it. Secrets and identifiers are removed, as in memories."
        ),
    )
    context_placement = models.CharField(
        _("Place of memories"),
        max_length=20,
        choices=ContextPlacement,
        default=ContextPlacement.USER_MESSAGE,
        help_text=_(
            "In the user’s message, memories have no authority over the model, and answers cost "
            "less because providers can cache the conversation. The system message is for models "
            "that overlook them otherwise."
        ),
    )
    recall_profile = models.CharField(
        _("Ranking"),
        max_length=10,
        choices=RecallProfile,
        default=RecallProfile.DEFAULT,
        help_text=_("The order of search results, and of what the assistant is shown."),
    )
    #: The weights of signals in ranking, by name, that differ from the measured ones.
    recall_weights = models.JSONField(default=dict, blank=True)
    rerank_enabled = models.BooleanField(
        _("Rerank"),
        default=False,
        help_text=_(
            "Before each answer, let a language model read the first 20 results and move the best "
            "5 to the top. One more call of at most 5 seconds; if it fails, the order stays. Does "
            "not apply to your own searches."
        ),
    )
    rerank_model = models.CharField(
        _("Reranking model"),
        max_length=200,
        blank=True,
        help_text=_("Leave empty to use the model that reads conversations."),
    )

    class Meta:
        abstract = True
