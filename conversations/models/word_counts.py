"""How many texts of a large instance hold each word, by table; see `conversations.word_counts`.

Both tables are keyed by the instance and the name of the table that holds the texts.
"""

from django.db import models

from instances.models import Instance
from instances.models.content_keys import InstanceContent

#: Longer words are not counted.
MAX_STEM_CHARACTERS = 250


class CountedTexts(InstanceContent):
    """The texts of one table in one instance whose words have been counted."""

    pk = models.CompositePrimaryKey("instance", "table")
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    table = models.CharField(max_length=63)
    #: How many there were.
    texts = models.PositiveIntegerField()
    counted_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "counted texts"

    def __str__(self) -> str:
        return f"{self.texts} of {self.table} in {self.instance_id}"


class WordCount(InstanceContent):
    """How many of these texts hold a word. A rare word has no row."""

    pk = models.CompositePrimaryKey("instance", "table", "stem")
    instance = models.ForeignKey(
        Instance, on_delete=models.CASCADE, related_name="+", db_index=False
    )
    table = models.CharField(max_length=63)
    #: A tsquery: the stem of the word, quoted, or the beginning of words without spaces.
    stem = models.CharField(max_length=MAX_STEM_CHARACTERS)
    texts = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.stem}: {self.texts}"
