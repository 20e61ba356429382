"""A question prepared for search: its words, its analysis, its vectors, and its need of memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from conversations.models import Role
from conversations.sanitizer import sanitize
from conversations.search import SearchTerms, TextQuery, without_operators
from instances.models import Instance, RecallProfile
from memoryapp.embeddings.embedder import Vectors, embed, embedding_problem
from memoryapp.language.shortening import one_line
from memoryapp.language.words import (
    content_words,
    function_words_of,
    is_english,
    languages_of_question,
)
from memoryapp.policy.memory_need import Need, need_of
from memoryapp.policy.quotation import unenclosed, unmarked
from memoryapp.recall.query_analysis import AnalysedQuery, analyse, is_about_talk, named_in
from memoryapp.recall.retrieval import Searchable, searchable_in
from memoryapp.telemetry.timings import QUESTIONS

#: Seconds to wait for a vector before searching by words alone.
QUERY_TIMEOUT_SECONDS = 2.5
#: Seconds for which a provider that has just failed is not called again.
RETRY_AFTER_SECONDS = 15


@dataclass(frozen=True)
class RecallQuery:
    """A question to an instance, prepared for search."""

    instance: Instance
    #: None if the question contains no words to search for.
    words: TextQuery | None
    analysed: AnalysedQuery
    searchable: Searchable
    #: The vectors of its forms: the first for memories, the last for messages.
    vectors: Vectors
    profile: str
    today: date
    need: Need = Need.NAMED
    #: True if it is in another language than English.
    is_foreign: bool = False
    #: True for a message of a chat, which may need no memory; False for a typed search.
    is_message: bool = False

    @property
    def is_weighted(self) -> bool:
        """True if results are scored by signals; else they are fused by rank."""
        return self.profile != RecallProfile.RRF

    @property
    def every_nature(self) -> bool:
        """True if questions, requests and small talk are results as well: it asks what was said, or
        searches for exact words.
        """
        exact = self.words is not None and not self.words.is_plain
        return exact or self.analysed.about_talk

    @property
    def wants_health(self) -> bool:
        """True if what may harm somebody belongs to the answer: it asks about food, drink or
        medicine, is no task, and searches for no exact words.
        """
        exact = self.words is not None and not self.words.is_plain
        least = Need.OPEN if self.is_message else Need.PERSON
        return self.is_weighted and self.analysed.about_intake and not exact and self.need >= least

    @property
    def wants_current(self) -> bool:
        """True if what is current answers it: it asks neither of a day or past events, nor for
        what was said.
        """
        asked = self.analysed
        return not (asked.dates or asked.about_talk or asked.of_past_events)

    @property
    def wants_replies(self) -> bool:
        """True if a reply answers it better than the question before it: it does not ask what the
        user has asked or said.
        """
        return not self.analysed.about_talk or self.analysed.role == Role.ASSISTANT

    @classmethod
    def prepare(
        cls,
        instance: Instance,
        question: str,
        profile: str | None = None,
        *,
        end_user: str | None = None,
        only_relevant: bool = False,
        is_message: bool = False,
    ) -> "RecallQuery | None":
        """Prepare *question* for *profile*; None if it is empty. With ``only_relevant``, one that
        needs no memory gets no vectors. That of a chat (``is_message``) holds no search operators.
        """
        question = unmarked(one_line(sanitize(question)))
        if is_message:
            question = unenclosed(question).strip()
        if not question:
            return None
        profile = profile or instance.recall_profile
        today = instance.date_of(timezone.now())
        languages = languages_of_question(question, instance.language)
        ignored = function_words_of(question, instance.language)
        asked = languages
        if not is_message and not content_words(question, ignored):
            # "C++" is no French article.
            ignored, asked = frozenset(), (instance.language,)
        words = TextQuery.parse(
            without_operators(question) if is_message else question,
            instance_id=instance.pk,
            languages=_own_first(instance.search_languages, asked),
            ignored=ignored,
            is_typed=not is_message,
        )
        searchable = searchable_in(instance, words)
        need = need_of(
            question,
            names_known=bool(named_in(question, searchable.participants, languages)),
            language=instance.language,
        )
        is_foreign = not is_english(question, instance.language)
        if words is not None and not words.is_plain:
            question = SearchTerms.parse(question).wanted or question
        if profile == RecallProfile.RRF:
            about_talk = is_about_talk(question, languages)
            analysed = AnalysedQuery(question, question, about_talk=about_talk)
        else:
            analysed = analyse(
                question,
                participants=searchable.participants,
                languages=languages,
                today=today,
            )
        # Memories are compared with the question as asked, messages with the form in which the
        # person it names would ask it. Only forms that are compared with something are embedded.
        forms = [question] if searchable.memories or not searchable.drawers else []
        forms += [analysed.in_first_person] if searchable.drawers else []
        if only_relevant and need is Need.NONE:
            vectors = Vectors("", None)
        else:
            vectors = embedded_question(instance, *dict.fromkeys(forms), end_user=end_user)
        return cls(
            instance,
            words,
            analysed,
            searchable,
            vectors,
            profile,
            today,
            need,
            is_foreign,
            is_message,
        )


def _own_first(present: Sequence[str], asked: Sequence[str]) -> list[str]:
    """The languages *present*, that of the question before others: its stop words count."""
    return sorted(present, key=lambda language: language not in asked)


@QUESTIONS.time()
def embedded_question(instance: Instance, *forms: str, end_user: str | None = None) -> Vectors:
    """Embed the question about *end_user* in each of its *forms*, or report why there are no
    vectors.
    """
    # After one timeout, the next searches use words alone at once.
    problem = embedding_problem(instance, within=RETRY_AFTER_SECONDS)
    if problem:
        return Vectors("", None, problem)
    return embed(
        instance,
        forms,
        about=None if end_user is None else [end_user],
        as_questions=True,
        timeout=QUERY_TIMEOUT_SECONDS,
    )
