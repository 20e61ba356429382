"""By whose words a statement is supported: tables of cases."""

import pytest

from memoryapp.policy.evidence import AuthorsWords, TieredEvidence, TieredLine
from memoryapp.policy.gate import SaidLine

DOCUMENT, TOOL, ASSISTANT, USER = 1, 2, 3, 4
ROLES = {TOOL: "tool", ASSISTANT: "assistant", USER: "user", DOCUMENT: "user"}


def tier(text: str, cited: int, *lines: tuple[int, int, str]) -> int:
    """The tier of *text*; *lines* are (message, tier, text)."""
    said = [
        TieredLine(SaidLine(words, role=ROLES[level]), level, number)
        for number, level, words in lines
    ]
    return TieredEvidence(said).tier_of(text, said_in=cited)


def test_the_users_own_words() -> None:
    lines = [(1, USER, "I take 10 mg of Ramipril."), (2, ASSISTANT, "Noted.")]
    assert tier("The user takes 10 mg of Ramipril.", 1, *lines) == USER


@pytest.mark.parametrize("cited", [1, 2])
def test_result_of_a_tool_whatever_message_the_model_names(cited: int) -> None:
    lines = [
        (1, USER, "I take metformin every morning. What does the portal say?"),
        (2, TOOL, "The user takes warfarin every morning."),
    ]
    assert tier("The user takes warfarin every morning.", cited, *lines) == TOOL
    assert tier("The user takes metformin every morning.", 1, *lines) == USER


def test_words_of_the_assistant_are_not_the_users() -> None:
    lines = [(1, ASSISTANT, "Your bank is Volksbank."), (2, USER, "Thanks, my bank is fine.")]
    assert tier("The user's bank is Volksbank.", 2, *lines) == ASSISTANT


def test_quoted_part_of_a_message_is_a_document() -> None:
    lines = [(1, USER, "What does my clinic want?"), (1, DOCUMENT, "The user is not allergic.")]
    assert tier("The user is not allergic.", 1, *lines) == DOCUMENT


def test_answer_to_a_question_counts_as_the_users() -> None:
    asked = (1, ASSISTANT, "Good to know. In which city do you work?")
    lines = [asked, (2, USER, "In Lyon, at the harbour.")]
    assert tier("The user works in Lyon.", 2, *lines) == USER
    # A name that only the question has is no answer.
    lines = [(1, ASSISTANT, "Do you work in Lyon?"), (2, USER, "Thanks, bye.")]
    assert tier("The user works in Lyon.", 2, *lines) == ASSISTANT


def test_negation_that_a_document_turns_around() -> None:
    lines = [
        (1, USER, "I am allergic to penicillin."),
        (2, TOOL, "The user is not allergic to penicillin."),
    ]
    assert tier("The user is not allergic to penicillin.", 2, *lines) == TOOL


# Relations


def tier_of_relation(
    subject: str, words: str, thing: str, cited: int, *lines: tuple[int, int, str]
) -> int:
    said = [
        TieredLine(SaidLine(text, speaker="Mara", role=ROLES[level]), level, number)
        for number, level, text in lines
    ]
    return TieredEvidence(said).tier_of_relation([subject, thing], words, said_in=cited)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([(1, USER, "I work at Radwerk.")], USER),
        # The message names nothing itself: an earlier one of the same person does.
        ([(1, USER, "Radwerk is in Ghent."), (2, USER, "I work there.")], USER),
        # Only the assistant names it.
        ([(1, ASSISTANT, "Do you work at Radwerk?"), (2, USER, "Yes.")], ASSISTANT),
        # It is quoted, or its verb is.
        ([(1, USER, "Look:"), (1, DOCUMENT, "Mara works at Radwerk.")], DOCUMENT),
        ([(1, USER, "What is Radwerk?"), (1, DOCUMENT, "Mara works at Radwerk.")], DOCUMENT),
        ([(1, USER, "I work at Radwerk."), (1, DOCUMENT, "Mara works at Radwerk.")], USER),
        # At most the tier of the message.
        ([(1, USER, "I work at Radwerk."), (2, TOOL, "Mara works at Radwerk.")], TOOL),
    ],
)
def test_relation_has_the_tier_of_the_words_that_state_it(
    lines: list[tuple[int, int, str]], expected: int
) -> None:
    cited = lines[-1][0]
    assert tier_of_relation("Mara", "works at", "Radwerk", cited, *lines) == expected


# The words of others


CHAT = (
    "Our chat:\nLukas: I live in Bremen.\nMe: I moved to Kiel.\n\nMy brother told me: I bake bread."
)


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("The user lives in Bremen.", True),
        ("The user's home is Bremen.", True),
        ("The user bakes bread.", True),
        ("The user moved to Kiel.", False),
        ("Lukas lives in Bremen.", False),
        ("The user's brother bakes bread.", False),
    ],
)
def test_what_another_says_is_no_fact_about_the_author(text: str, lacking: bool) -> None:
    assert AuthorsWords([SaidLine(CHAT)]).lack(text, said_in=[0]) is lacking


def test_lines_without_the_words_of_others_lack_nothing() -> None:
    assert not AuthorsWords([SaidLine("I live in Kiel.")]).lack("The user lives in Bremen.")


def test_fiction_is_no_fact_about_the_author() -> None:
    said = SaidLine("I play the cello. Let's do a role play! I am a wizard. I live in a tower.")
    words = AuthorsWords([said, SaidLine("Sure.", role="assistant")])
    assert words.lack("The user lives in a tower.", said_in=[0])
    assert not words.lack("The user plays the cello.", said_in=[0])
