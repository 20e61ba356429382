"""Messages as people type them in haste: clauses that run on, wishes, habits, corrections."""

import pytest

from tests.builtin_reader.test_everyday import texts

#: A message, and the facts behind arrows below it.
ENGLISH = """
As a diabetic I always carry glucose tablets, what should I pack for a hike?
> As a diabetic the user always carries glucose tablets.
since the divorce I live with my mum in Leeds, how do I apply for housing benefit
> Since the divorce the user lives with their mum in Leeds.
wanna get my motorbike licence next spring, how long does the training take
> The user wants to get their motorbike licence in the spring of 2026.
I'd love to learn Portuguese.
> The user would love to learn Portuguese.
I usually skip breakfast
> The user usually skips breakfast.
i practise the cello four times a week
> The user practises the cello four times a week.
we're getting a divorce
> The user is getting a divorce.
no sorry i meant my flight is on the 14th
> The user's flight is on 2025-03-14.
my pronouns are they/them
> The user's pronouns are they/them.
my blood type is A positive
> The user's blood type is A positive.
mum's 70th is on June 3rd
> The user's mum's 70th is on 2025-06-03.
me and Tom went to Rome in May
> Tom and the user went to Rome in May 2024.
I gave up smoking in May, starting a new job at Aldi on the 2nd of January.
> The user gave up smoking in May 2024, starting a new job at Aldi on 2026-01-02.
I am flat-footed and weigh about 95 kg.
> The user is flat-footed and weighs about 95 kg.
Could you please keep your answers short?
Same here, I love it.
I'm at the airport right now, what can I eat here?
I've got two eggs and some spinach in the fridge, what can I cook?
"""
GERMAN = """
Gestern bin ich nach Kiel gefahren und habe meine Oma besucht.
> Am 2025-03-11 ist der Nutzer nach Kiel gefahren und hat seine Oma besucht.
seit der scheidung wohne ich wieder bei meiner mutter in passau, wie beantrage ich wohngeld
> Seit der scheidung wohnt der Nutzer wieder bei seiner mutter in passau.
Als Diabetiker muss ich aufpassen, welche Snacks kann ich mitnehmen?
> Als Diabetiker muss der Nutzer aufpassen.
mein sohn kommt im september in die schule, worauf muss man da achten
> Der Sohn des Nutzers kommt im September 2025 in die schule.
Vergiss bitte nicht, dass ich gegen Penicillin allergisch bin.
> Der Nutzer ist gegen Penicillin allergisch.
Vergiss nicht, dass ich am 3. Mai nach Kiel ziehe und keine Nüsse esse.
> Der Nutzer zieht am 2025-05-03 nach Kiel und isst keine Nüsse.
Denk bitte daran, dass meine Frau vegan ist.
> Die Frau des Nutzers ist vegan.
Merk dir bitte, dass mein Sohn Asthma hat und keine Milch verträgt.
> Der Sohn des Nutzers hat Asthma und verträgt keine Milch.
Vergiss nicht, dass ich jeden Tag um 6 aufstehe.
> Der Nutzer steht jeden Tag um 6 auf.
wir fahren jedes jahr nach dänemark
> Der Nutzer fährt jedes jahr nach dänemark.
Ich hab zum 31. Januar gekündigt und fang im Februar bei Siemens an
> Der Nutzer hat zum 2026-01-31 gekündigt und fängt im Februar 2026 bei Siemens an.
Ich würde gern bis Sommer eine 7a schaffen
> Der Nutzer würde gern bis Sommer eine 7a schaffen.
meine schwägerin hat uns ihren hund dagelassen
> Die Schwägerin des Nutzers hat dem Nutzer ihren hund dagelassen.
Nein, falsch, ich wohne in Frankfurt an der Oder
> Der Nutzer wohnt in Frankfurt an der Oder.
Ich bin Diabetikerin Typ 1. Mein Blindenhund heißt Momo.
> Der Nutzer ist Diabetikerin Typ 1.
> Der Blindenhund des Nutzers heißt Momo.
ich hab grad voll hunger, schnelles rezept für pfannkuchen?
hab noch zucchini und feta im kühlschrank, was koch ich heute?
"""


def cases(table: str) -> list[tuple[str, list[str]]]:
    """The messages of *table* with their facts."""
    found = list[tuple[str, list[str]]]()
    for line in table.strip().splitlines():
        if line.startswith("> "):
            found[-1][1].append(line[2:])
        else:
            found.append((line, []))
    return found


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        (language, *case)
        for language, table in (("english", ENGLISH), ("german", GERMAN))
        for case in cases(table)
    ],
)
def test_facts_of_typed_messages(language: str, said: str, facts: list[str]) -> None:
    assert texts(said, language) == facts
