"""Numbers, ages and days that follow from what was said, in another notation."""

from datetime import date

import pytest

from memoryapp.policy.gate import RefusalReason, SaidLine, Source, refusal


def reason(proposed: str, said: str) -> RefusalReason | None:
    source = Source([SaidLine(said, said_on=date(2024, 1, 15))])
    refused = refusal(proposed, source, said_in=[0])
    return refused.reason if refused else None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user got 7 of 9 questions right.", "I got 7/9 of the quiz questions right"),
        ("The user swims from 6 to 8 AM.", "I swim 6-8 AM before work"),
        ("The user works from 17:00 to 21:00.", "I work from 5 pm to 9 pm"),
        ("The user works from 5 to 9 PM.", "I work 17:00-21:00 these days"),
        ("The choir rehearses at 7 PM.", "Our choir rehearses at 7:00pm"),
        ("The user's course took 4 months.", "My course lasted for four months"),
        ("The user earns 52,000 dollars a year.", "I earn about $52,000 a year"),
        ("The user raised the score from 40% to 75% within 3 weeks.", "My score rose from 40% to "
         "75% over 3 weeks"),
        ("The user reached a score of 80% in maths.", "I want a 100% score in maths and have "
         "reached 80% so far"),
        ("The user is 71 years old.", "I'm 71 and retired"),
        ("Der Nutzer ist 71 Jahre alt.", "Ich bin 71 und in Rente"),
        ("L'utente ha 71 anni.", "Ho 71 anni, sono in pensione"),
    ],
)  # fmt: skip
def test_numbers_in_another_notation_pass(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user has 3 hens.", "I have 2 hens and 3 ducks"),
        ("The user has 3 hens and 2 ducks.", "I have 2 hens and 3 ducks"),
        ("The user is 72 years old.", "I'm 71 and retired"),
        ("The user swims from 6 to 9 AM.", "I swim 6-8 AM before work"),
        ("The user works from 17:00 to 22:00.", "I work from 5 pm to 9 pm"),
        ("The user's course took 5 months.", "My course lasted for four months"),
    ],
)
def test_other_numbers_do_not(proposed: str, said: str) -> None:
    assert reason(proposed, said) is RefusalReason.NUMBER


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user finished stage 1 on 29 March 2024.", "We're done with stage 1 on March 29, "
         "stage 2 is due by April 19"),
        ("The user has exams on 4, 6 and 11 June 2024.", "My exams are on June 4, 6, and 11, 2024"),
        ("The user is in Rome from 3 to 17 April 2024.", "I'm in Rome from April 3 to April 17"),
        ("The user is in Rome from 3 to 17 April 2024.", "I'm going to be in Rome April 3-17"),
        ("The user's lessons begin on 19 February 2024.", "My lessons begin on the 19th of "
         "February"),
        ("The user moved a lesson from 6 to 8 April 2024.", "I moved my lesson from April 6 to "
         "April 8"),
        ("Der Nutzer ist vom 3. bis 17. April 2024 in Rom.", "Vom 3. bis 17. April sind wir in "
         "Rom"),
        ("L'utente è a Roma dal 3 al 17 aprile 2024.", "Siamo a Roma dal 3 al 17 aprile"),
        ("The user painted the fence on 15 January 2024.", "I painted the fence all day. We're "
         "going to the zoo tomorrow"),
    ],
)  # fmt: skip
def test_days_that_follow_pass(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user has exams on 4, 7 and 11 June 2024.", "My exams are on June 4, 6, and 11, 2024"),
        ("The user is in Rome from 3 to 18 April 2024.", "I'm in Rome from April 3 to April 17"),
        ("The user goes to the zoo on 15 January 2024.", "I painted the fence all day. We're "
         "going to the zoo next month"),
        ("The user had a party on 2 May 2024.", "I met Ana on May 3 and 2 friends came along"),
    ],
)  # fmt: skip
def test_other_days_do_not(proposed: str, said: str) -> None:
    assert reason(proposed, said) in (RefusalReason.DATE, RefusalReason.NUMBER)


@pytest.mark.parametrize(
    ("proposed", "said"),
    [
        ("The user met Jo, who is 80.", "I met Jo, who's 80, over coffee, and I'm wondering how "
         "to thank her, do you have any tips?"),
        ("The user is Nora, a tax adviser.", "I'm Nora, a tax adviser, and I'm trying to learn "
         "Rust, can you help me?"),
        ("The user has never been to a trade fair.", "I'm going to the trade fair in Graz, Laura "
         "told me of it, but I've never been to one"),
        ("The user has not decided yet where to ski.", "I'm planning to ski, I have yet to decide "
         "where though"),
        ("The user no longer watches basketball.", "I used to watch basketball, but now I am a "
         "fan of tennis"),
        ("The user hopes for a raise of $900.", "I'm worried that this is not enough to get me a "
         "$900 raise"),
        ("The user has the flu for the first time.", "Ah no it's my first time having the flu"),
    ],
)  # fmt: skip
def test_what_a_sentence_tells_beside_it_passes(proposed: str, said: str) -> None:
    assert reason(proposed, said) is None


@pytest.mark.parametrize(
    ("proposed", "said", "why"),
    [
        (
            "The user does not have never been to Graz.",
            "I've never been to Graz",
            RefusalReason.NEGATION,
        ),
        ("The user no longer does not smoke.", "I do not smoke", RefusalReason.NEGATION),
        (
            "The user knows who the mayor is.",
            "I live in Graz, who is the mayor?",
            RefusalReason.QUESTION,
        ),
    ],
)
def test_what_denies_twice_or_was_asked_does_not(
    proposed: str, said: str, why: RefusalReason
) -> None:
    assert reason(proposed, said) is why
