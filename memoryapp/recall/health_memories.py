"""Memories of what may harm somebody: candidates of every question about food or medicine.

"What shall I cook tonight?" and "I am allergic to walnuts" are not similar, and of thousands of
memories, forty others are nearer to the question.
"""

from memoryapp.models.memory_choices import ImportanceBy
from memoryapp.reader.languages.topics import HEALTH
from memoryapp.reader.ratings import tells_of_health
from memoryapp.recall.search_scope import SearchScope

#: Memories that are looked at, the most important ones: others of this importance are about homes
#: and work.
MAX_LOOKED_AT = 200
#: Memories that are taken: more would crowd out what else was asked for.
MAX_TAKEN = 20


def health_memories(scope: SearchScope) -> list[int]:
    """The ids of the memories in *scope* that tell what may harm somebody, the most important and
    latest first; not those to which a file or a program has given their importance.
    """
    important = scope.memories.filter(importance__gte=HEALTH)
    ours = important.exclude(importance_by=ImportanceBy.SOURCE).order_by("-importance", "-pk")
    language = scope.instance.language
    return [
        pk
        for pk, content in ours.values_list("pk", "content")[:MAX_LOOKED_AT]
        if tells_of_health(content, usual_language=language)
    ][:MAX_TAKEN]
