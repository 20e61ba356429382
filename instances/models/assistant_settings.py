"""How the assistant of an instance answers."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from instances.models.choices import ContextPlacement, RecallProfile


class AssistantSettings(models.Model):
    """The settings of the card "Assistant"."""

    chat_model = models.CharField(
        "Model",
        max_length=200,
        blank=True,
        help_text="Who answers in the chat. Empty: the same model that reads conversations.",
    )
    instructions = models.TextField(
        "Instructions",
        max_length=20_000,
        blank=True,
        help_text="What the assistant is told first: who it is, and how it answers.",
    )
    recall_enabled = models.BooleanField(
        "Recall",
        default=True,
        help_text="Before each answer, look up what memory holds about the message, and let the "
        "assistant search it. Works whether or not anything new is learned.",
    )
    summary_enabled = models.BooleanField(
        "Summary of each person",
        default=True,
        help_text="After something new was learned, write a short portrait of the person from all "
        "that is remembered, and tell it to the assistant before each answer. One call to the "
        "language model each time; you find it on the person’s profile.",
    )
    tools_for_clients = models.BooleanField(
        "Memory tools for OpenAI clients",
        default=False,
        help_text="Clients of OpenAI’s API are given what memory holds in any case. On: while it "
        "answers them, the model may also search and save by itself, unseen by them.",
    )
    top_k = models.PositiveSmallIntegerField(
        "Memories at once",
        default=5,
        validators=[MinValueValidator(1), MaxValueValidator(20)],
        help_text="How many memories and turns it is shown at most with each message: 1 to 20.",
    )
    turns_enabled = models.BooleanField(
        "Turns, word for word",
        default=True,
        help_text="Show the assistant also what was said, where that answers better than what was "
        "learned from it. Secrets and identifiers are taken out of it as out of memories.",
    )
    context_placement = models.CharField(
        "Where recalled memories stand",
        max_length=20,
        choices=ContextPlacement,
        default=ContextPlacement.USER_MESSAGE,
        help_text="In the user’s message, they have no authority over the model, and answers cost "
        "less, since providers can reuse what they have read of the conversation. In the system "
        "message: for models that overlook them otherwise.",
    )
    recall_profile = models.CharField(
        "Ranking",
        max_length=10,
        choices=RecallProfile,
        default=RecallProfile.DEFAULT,
        help_text="How what is found is put in order, in search as in what the assistant is shown.",
    )
    #: The weights of signals in ranking, by name, that differ from the measured ones.
    recall_weights = models.JSONField(default=dict, blank=True)
    rerank_enabled = models.BooleanField(
        "Rerank",
        default=False,
        help_text="Before each answer, let a language model read the first 20 that were found and "
        "put the best 5 in front. One more call, of 5 seconds at most; when it fails, the order "
        "stays as it was. Search on the screens does without.",
    )
    rerank_model = models.CharField(
        "Model that reranks",
        max_length=200,
        blank=True,
        help_text="Empty: the same model that reads conversations.",
    )

    class Meta:
        abstract = True
