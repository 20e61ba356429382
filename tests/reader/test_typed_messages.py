"""Messages as people type them in haste: clauses that run on, wishes, habits, corrections."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read
from tests.reader.test_everyday import DAY, texts

#: A message, and the facts behind arrows below it.
ENGLISH = """
i live in leeds i work as a nurse on nights, whats a good blackout blind
> The user lives in leeds.
> The user works as a nurse on nights.
since the divorce i work as a cleaner
> Since the divorce the user works as a cleaner.
my dog's name is Biscuit btw, shes a 3 year old whippet
> The user's dog's name is Biscuit.
> The user's dog is a 3 year old whippet.
We've just adopted a cat from the shelter. He's called Mango and he's afraid of men.
> The user has just adopted a cat from the shelter.
> The user's cat is called Mango.
> The user's cat is afraid of men.
I have a brother. He lives in Oslo.
> The user has a brother.
> The user's brother lives in Oslo.
My sister's friend is a nurse. She works nights.
> The user's sister's friend is a nurse.
My interview is on the 19th not the 18th.
> The user's interview is on 2025-03-19 not 2025-03-18.
our anniversary is 22 August, ten years this year
> The user's anniversary is 22 August, ten years in 2025.
My gran used to live in Cork but she's in a home in Limerick these days.
> The user's gran used to live in Cork.
> The user's gran is in a home in Limerick these days.
I'm down to 3 days a week at the library since January.
> The user is down to 3 days a week at the library since January 2025.
The dentist moved my appointment to Monday 24 March at 8:15.
> The dentist moved the user's appointment to 2025-03-24 at 8:15.
I swapped shifts, so now I'm off on Friday.
> The user swapped shifts, so now the user is off on 2025-03-14.
Anyway I've got type 1 diabetes so what can I snack on before a run
> The user has got type 1 diabetes.
I'm coeliac so can I eat spelt?
> The user is coeliac.
My wife's Brazilian and we speak Portuguese with the kids.
> The user's wife is Brazilian.
> The user speaks Portuguese with the kids.
I'm allergic to cats but we've got two anyway lol
> The user is allergic to cats but has got two anyway.
Had my appendix out when I was 12.
> The user had their appendix out when the user was 12.
Been vegetarian since uni but I do eat fish now.
> The user has been vegetarian since uni.
> The user does eat fish now.
ok forget what I said about Tuesdays, choir is on Thursdays now
> The user's choir is on Thursdays now.
Quick one: I switched from oat milk to soy because oat makes me bloated.
> The user switched from oat milk to soy because oat makes the user bloated.
I'd rather you didn't use emojis.
> I'd rather you didn't use emojis.
don't call me mate
> Don't call me mate.
I've booked us a week in Crete from 14 June, any must sees?
> The user has booked themselves a week in Crete from 2025-06-14.
Was laid off from Nokia in January.
> The user was laid off from Nokia in January 2025.
I quit the gym last week cause it was too expensive.
> The user quit the gym in the week of 2025-03-03.
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
My dad passed away last March. I took over his bakery and I get up at 3am six days a week.
> The user's dad passed away in March 2024.
> The user took over their dad's bakery.
> The user gets up at 3am six days a week.
My sister is in hospital. I'm looking after her kids until Friday.
> The user's sister is in hospital.
> The user is looking after their sister's kids until 2025-03-14.
My sister is in hospital. My aunt told her kids yesterday.
> The user's sister is in hospital.
> The user's aunt told her kids on 2025-03-11.
we don't drink coffee at home anymore, me and Tom gave it up for lent, what's an alternative
> The user doesn't drink coffee at home anymore.
I walk to work every day and cook on sundays.
> The user walks to work every day and cooks on sundays.
could you please keep your answers short, I'm a bus driver
> Could you please keep your answers short.
> The user is a bus driver.
mum's 70th is on June 3rd and I'd love to throw her a surprise party, got any theme ideas
> The user's mum's 70th is on 2025-06-03 and the user would love to throw her a surprise party.
what can I cook tonight I'm vegan and my wife is coeliac
> The user is vegan.
> The user's wife is coeliac.
I work nights I'm a nurse and my son is 4 can you suggest a bedtime routine
> The user works nights.
> The user is a nurse.
> The user's son is 4.
we've got a newborn and neither of us is sleeping
> The user has got a newborn and neither of them is sleeping.
my lease ends on april 30th and im thinking of moving in with my boyfriend Dan, he lives in Cardiff
> The user's lease ends on 2025-04-30.
> The user's boyfriend Dan lives in Cardiff.
ah ok I had that wrong, Priya is my manager and Ewan is the team lead
> Priya is the user's manager and Ewan is the team lead.
my partner's coeliac and my mum's been ill since May
> The user's partner is coeliac.
> The user's mum has been ill since May 2024.
turns out the MOT is due on the 9th of December, could you update that
> The user's MOT is due on 2025-12-09.
The flight to Porto leaves on 18 July.
> The user's flight to Porto leaves on 2025-07-18.
The flight to Porto takes two hours.
last day at the hospital is Jan 15 and then I am in Rome
> The user's last day at the hospital is 2026-01-15 and then the user is in Rome.
hmm I don't really like that version, more casual please
I'm so tired and I have a meeting at 3 tomorrow.
> The user has a meeting at 3 on 2025-03-13.
I've had a cough since the trip to Rome in October.
> The user has had a cough since the trip to Rome in October 2024.
I recently read a book about whales.
> The user recently read a book about whales.
I put my dog down yesterday and cut my hair.
> The user put their dog down on 2025-03-11 and cut their hair.
I read every night and cook.
> The user reads every night and cooks.
I saw how counselling and support groups improved my life.
> The user saw how counselling and support groups improved their life.
For me I get up early every day.
> The user gets up early every day.
My very dear old dad lives in Rome. He is allergic to nuts.
> The user's very dear old dad lives in Rome.
> The user's dad is allergic to nuts.
My brother-in-law is a chef. He lives in Rome.
> The user's brother-in-law is a chef.
> The user's brother-in-law lives in Rome.
My mother-in-law is ill, she lives in Leeds.
> The user's mother-in-law is ill.
> The user's mother-in-law lives in Leeds.
My ex-wife is a chef. She lives in Rome.
> The user's ex-wife is a chef.
Sorry to bother you, but I'm moving to Leeds in May.
> The user is moving to Leeds in May 2025.
Not sure if this matters but I'm left-handed.
> The user is left-handed.
I was wondering if you could help, I have a bad back and sit all day.
> The user has a bad back and sits all day.
I'd like to get down to 70 kilos by my wedding on 12 September
> The user would like to get down to 70 kilos by their wedding on 2025-09-12.
I'd like to get some advice
my boss wants the report by thursday 5pm
> The user's boss wants the report by 2025-03-13 5pm.
I have a headache, what helps?
we are out of milk, what can i use instead in pancakes
I need to be at work in ten minutes, quick breakfast?
i'm on a plane on the 20th so push the call to the 21st, 10am works
> The user is on a plane on 2025-03-20.
no, I didn't mean the Baltic, we're going to the North Sea in August
> The user is going to the North Sea in August 2025.
I have ADHD.
> The user has ADHD.
I quit my job.
> The user quit their job.
We had a baby.
> The user had a baby.
I used to smoke.
> The user used to smoke.
I play the drums.
> The user plays the drums.
I liked the film.
I tried your recipe.
I want to move the file to another folder
I want to run the script every time the server starts
I'd like to open a port in the firewall
I want to get a list of users
I passed the list to the function
I joined the two tables
I have CSV files
I want to stop the loop
my flight, as I said, is on Friday
> The user's flight is on 2025-03-14.
Same here, I love it.
I'm at the airport right now, what can I eat here?
I've got two eggs and some spinach in the fridge, what can I cook?
"""
GERMAN = """
Leider habe ich eine Nussallergie.
> Der Nutzer hat eine Nussallergie.
Jedenfalls wohne ich jetzt in Bonn.
> Der Nutzer wohnt jetzt in Bonn.
Übrigens habe ich nächste Woche einen Termin?
Ne, vergiss das mit Dienstag, die Chorprobe ist jetzt donnerstags
> Die Chorprobe des Nutzers ist jetzt donnerstags.
Der Zahnarzt hat meinen Termin auf Montag, den 24. März verschoben
> Der Zahnarzt hat den Termin des Nutzers auf 2025-03-24 verschoben.
Mein Flug wurde auf Sonntag den 16. um 6 Uhr verlegt
> Der Flug des Nutzers wurde auf 2025-03-16 um 6 Uhr verlegt.
Das Vorstellungsgespräch ist am 19. nicht am 18.
> Das Vorstellungsgespräch des Nutzers ist am 2025-03-19 nicht am 2025-03-18.
Mein Hund heißt Bruno btw, er ist 4 und hasst Staubsauger
> Der Hund des Nutzers heißt Bruno.
> Der Hund des Nutzers ist 4 und hasst Staubsauger.
Wir haben einen Hund. Er heißt Max und hat Angst vor Gewitter.
> Der Nutzer hat einen Hund.
> Der Hund des Nutzers heißt Max und hat Angst vor Gewitter.
Ich hab Zöliakie also kann ich Dinkel essen?
> Der Nutzer hat Zöliakie.
Übrigens hab ich den Job bei Bosch gekriegt, Start ist am 1. Mai
> Der Nutzer hat den Job bei Bosch gekriegt, Start ist am 2025-05-01.
Am liebsten esse ich Sushi
> Am liebsten isst der Nutzer Sushi.
Ich hätte lieber kurze Antworten ohne Aufzählungen
> Ich hätte lieber kurze Antworten ohne Aufzählungen.
Sag bitte du zu mir
> Sag bitte du zu mir.
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
Ich bin gegen Nüsse allergisch.
> Der Nutzer ist gegen Nüsse allergisch.
Zahnarzttermin ist übrigens am 24. März um 9 Uhr, nicht wie gesagt am 23.
> Der Zahnarzttermin des Nutzers ist am 2025-03-24 um 9 Uhr, nicht am 2025-03-23.
Termin beim Orthopäden morgen um 10
> Der Termin des Nutzers beim Orthopäden ist am 2025-03-13 um 10.
Vorstellungsgespräch bei Bosch am 3. April.
> Das Vorstellungsgespräch des Nutzers bei Bosch ist am 2025-04-03.
Zahnarzttermin am 24. März absagen
Ich habe ADHS.
> Der Nutzer hat ADHS.
Ich habe gekündigt.
> Der Nutzer hat gekündigt.
Ich habe früher geraucht.
> Der Nutzer hat früher geraucht.
Ich trage eine Brille.
> Der Nutzer trägt eine Brille.
Ich habe den Text gelesen.
Ich will die Spalte nach rechts ziehen.
Ich möchte benachrichtigt werden.
Ich habe PDF Dateien.
Nee, ich meinte nicht die Ostsee, wir fahren an die Nordsee vom 3. bis 10. August.
> Der Nutzer fährt an die Nordsee vom 2025-08-03 bis 2025-08-10.
Ich habe am Freitag 15 Uhr einen Termin.
> Der Nutzer hat am 2025-03-14 15 Uhr einen Termin.
Ich hätte da mal eine Frage: ich bin Lehrer in Kiel, wie viel Urlaub habe ich?
> Der Nutzer ist Lehrer in Kiel.
Ich wollte nur kurz sagen, dass ich jetzt in Ulm wohne.
> Der Nutzer wohnt jetzt in Ulm.
Falls das wichtig ist: ich bin Linkshänder.
> Der Nutzer ist Linkshänder.
Ich wollte fragen, ob du mir helfen kannst, ich bin Imker in Aalen.
> Der Nutzer ist Imker in Aalen.
Seit ich Schichtarbeit mache schlafe ich total schlecht
> Seit der Nutzer Schichtarbeit macht, schläft der Nutzer total schlecht.
ich bin gerade etwas im stress, mach es kurz
wir haben heute 30 grad, was koche ich da
Mein Knie ist seit der OP im Oktober immer noch dick.
> Das Knie des Nutzers ist seit der OP im Oktober 2024 immer noch dick.
Stimmt nicht ganz: der Flug nach Porto geht am 18. Juli. Kannst du die Packliste anpassen?
> Der Flug des Nutzers nach Porto geht am 2025-07-18.
Der Flug nach Porto dauert zwei Stunden.
Meine Tochter Emilia (8) hat Zöliakie. Hast du Kuchenideen?
> Die Tochter des Nutzers, Emilia (8), hat Zöliakie.
Ich versuche seit Januar mit dem Rauchen aufzuhören und kaue gerade Kaugummi.
> Der Nutzer versucht seit Januar 2025 mit dem Rauchen aufzuhören und kaut gerade Kaugummi.
Ich versuche den Fehler zu finden.
bin grad im zug und hab schlechtes netz, fass mir mal kurz die nachrichten zusammen
Mein Bruder ist Koch, er wohnt inzwischen in Wien. Wie fange ich den Brief an?
> Der Bruder des Nutzers ist Koch.
> Der Bruder des Nutzers wohnt inzwischen in Wien.
Ich hab dieses Jahr die 3b in Mainz, die Kinder sind total wild. Spielideen?
> Der Nutzer hat 2025 die 3b in Mainz.
kannst du mir bei einer bewerbung helfen ich bin gelernte erzieherin
> Der Nutzer ist gelernte erzieherin.
ich hab grad voll hunger, schnelles rezept für pfannkuchen?
hab noch zucchini und feta im kühlschrank, was koch ich heute?
"""


def test_reminder_before_a_colon_asks_for_all_behind_it() -> None:
    said = "Merk dir bitte: ich trinke meinen Kaffee schwarz"
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language="german")
    assert fact.is_asked_for


@pytest.mark.parametrize(
    ("language", "said", "category"),
    [
        ("english", "I've been in a wheelchair since last May.", "fact"),
        ("german", "Wir haben seit März eine Solaranlage.", "fact"),
        ("english", "I play bass in a band called The Hats.", "fact"),
        ("english", "I've lived in Oslo since 2015.", "fact"),
        ("english", "I moved last May.", "event"),
    ],
)
def test_what_is_so_since_a_day_is_no_event(language: str, said: str, category: str) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert fact.label.category == category


@pytest.mark.parametrize(
    ("language", "said", "last_day"),
    [
        ("english", "my flight is on the 14th not the 15th", date(2025, 3, 14)),
        ("german", "Mein Termin ist am 24. März, nicht am 23. Mai.", date(2025, 3, 24)),
        ("french", "Mon vol est le 14 mars, pas le 15 mai.", date(2025, 3, 14)),
        ("spanish", "Mi vuelo es el 14 de marzo, no el 15 de mayo.", date(2025, 3, 14)),
        ("italian", "Il mio volo è il 14 marzo, non il 15 maggio.", date(2025, 3, 14)),
    ],
)
def test_plan_does_not_end_on_a_day_that_is_denied(
    language: str, said: str, last_day: date
) -> None:
    (fact,) = read([Spoken(1, "user", said, DAY)], usual_language=language)
    assert fact.last_day == last_day


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
