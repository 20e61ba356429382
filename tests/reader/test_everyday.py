"""Messages as people type and say them, beside requests, and what is read of them."""

from datetime import date

import pytest

from memoryapp.reader import Spoken, read

#: A Wednesday.
DAY = date(2025, 3, 12)


def texts(said: str, language: str) -> list[str]:
    found = read([Spoken(1, "user", said, DAY)], usual_language=language)
    return [fact.text for fact in found]


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        (
            "english",
            "hey so um i started this new job at a bakery last monday and i have to get up at "
            "three every day it's killing me",
            ["The user started a new job at a bakery on 2025-03-10."],
        ),
        ("english", "Quick one: I'm coeliac, is soy sauce ok?", ["The user is coeliac."]),
        (
            "english",
            "we're moving to Utrecht in August because my wife got a position at the university "
            "there",
            [
                "The user is moving to Utrecht in August 2025 because their wife got a position "
                "at the university there."
            ],
        ),
        (
            "english",
            "I teach year 4 at a primary school in Hull and need a fun fractions activity",
            [
                "The user teaches year 4 at a primary school in Hull and needs a fun fractions "
                "activity."
            ],
        ),
        (
            "english",
            "No, I said I have two daughters, not two sons.",
            ["The user has two daughters, not two sons."],
        ),
        (
            "english",
            "Meeting with the bank on Tuesday at 10. What should I bring?",
            ["The user has a meeting with the bank on 2025-03-18 at 10."],
        ),
        (
            "english",
            "My ex and I share custody, so the kids are with me every other week. Can you make a "
            "chore chart?",
            [
                "The user's ex and the user share custody, so the kids are with the user every "
                "other week."
            ],
        ),
        (
            "english",
            "I've been vegan for about six years but my husband eats everything",
            ["The user has been vegan for about six years.", "The user's husband eats everything."],
        ),
        (
            "english",
            "Being a single mum with twins, I never get time to cook. Give me 15 minute meals.",
            ["The user is a single mum with twins.", "The user never gets time to cook."],
        ),
        (
            "english",
            "Thanks! By the way my name's Rosalind but everyone calls me Roz.",
            ["The user's name is Rosalind but everyone calls the user Roz."],
        ),
        (
            "english",
            "as someone with ADHD how do i get through a four hour exam",
            ["The user has ADHD."],
        ),
        (
            "english",
            "My budget is 800 pounds a month for rent, where in Sheffield could I look?",
            ["The user's budget is 800 pounds a month for rent."],
        ),
        (
            "english",
            "Currently living in Porto, originally from Krakow",
            ["The user is currently living in Porto, originally from Krakow."],
        ),
        (
            "english",
            "My daughter Ines has her first communion on 18 May, what could she wear?",
            ["The user's daughter Ines has her first communion on 2025-05-18."],
        ),
        (
            "english",
            "How far is it from Bergen to Oslo by train? My sister lives in Bergen.",
            ["The user's sister lives in Bergen."],
        ),
        (
            "english",
            "My flight leaves on Saturday at 6:40 from Gatwick.",
            ["The user's flight leaves on 2025-03-15 at 6:40 from Gatwick."],
        ),
        ("english", "I'm not a morning person.", ["The user is not a morning person."]),
        (
            "english",
            "My doctor put me on blood thinners in February, can I still eat kale?",
            ["The user's doctor put the user on blood thinners in February 2025."],
        ),
        (
            "english",
            "My son doesn't eat vegetables, what can I hide in pasta sauce?",
            ["The user's son doesn't eat vegetables."],
        ),
        (
            "english",
            "The kids are 6 and 9 and they love dinosaurs.",
            ["The user's kids are 6 and 9.", "The user's kids love dinosaurs."],
        ),
        (
            "english",
            "I'm a big fan of Studio Ghibli, my favourite is Totoro.",
            ["The user is a big fan of Studio Ghibli.", "The user's favourite is Totoro."],
        ),
        (
            "english",
            "I got laid off in December and I've been freelancing since.",
            ["The user got laid off in December 2024 and has been freelancing since."],
        ),
        (
            "english",
            "i cant eat gluten or dairy, what can i bake for a school fair",
            ["The user can't eat gluten or dairy."],
        ),
        (
            "english",
            "My hobby is restoring old radios.",
            ["The user's hobby is restoring old radios."],
        ),
        (
            "english",
            "me and my brother are driving through Norway in July",
            ["The user's brother and the user are driving through Norway in July 2025."],
        ),
        (
            "english",
            "You should know that I'm colour blind, so no red-green charts please.",
            ["The user is colour blind."],
        ),
        (
            "english",
            "Our anniversary is on the 22nd of March and I have no plan yet",
            ["The user's anniversary is on the 22nd of March."],
        ),
        (
            "english",
            "Is 38.5 a fever? My toddler feels hot. She's 18 months.",
            ["The user's toddler is 18 months."],
        ),
        (
            "english",
            "My niece Freya starts university in Durham in October, any gift ideas?",
            ["The user's niece Freya starts university in Durham in October 2025."],
        ),
        (
            "english",
            "I can only meet on weekday evenings after 6.",
            ["The user can only meet on weekday evenings after 6."],
        ),
        (
            "english",
            "my son wants to become a vet, what subjects should he take",
            ["The user's son wants to become a vet."],
        ),
        (
            "english",
            "Hi, Priya here, dentist from Leicester with two boys",
            ["The user's name is Priya.", "The user is a dentist from Leicester with two boys."],
        ),
        (
            "english",
            "I can't lift anything heavy because of a slipped disc.",
            ["The user can't lift anything heavy because of a slipped disc."],
        ),
        (
            "english",
            "My passport runs out in June and we fly on the 3rd of May.",
            ["The user's passport runs out in June 2025.", "The user flies on 2025-05-03."],
        ),
        (
            "english",
            "We don't have a garden, only a north-facing balcony. What grows there?",
            ["The user doesn't have a garden, only a north-facing balcony."],
        ),
        (
            "english",
            "My therapist suggested journaling. How do I begin?",
            ["The user's therapist suggested journaling."],
        ),
        (
            "english",
            "my boyfriend proposed on saturday, need wedding budget tips",
            ["The user's boyfriend proposed on 2025-03-08."],
        ),
        ("english", "I've never been on a plane.", ["The user has never been on a plane."]),
        (
            "english",
            "please stop using bullet points in your answers",
            ["Please stop using bullet points in your answers."],
        ),
        (
            "german",
            "ich fahr am samstag mit meinem bruder nach prag, was sollten wir uns ansehen",
            ["Der Nutzer fährt am 2025-03-15 mit seinem bruder nach prag."],
        ),
        (
            "german",
            "Hallo! Ich bin Mechthild, 67, und frisch verwitwet.",
            [
                "Der Nutzer heißt Mechthild.",
                "Der Nutzer ist 67.",
                "Der Nutzer ist frisch verwitwet.",
            ],
        ),
        (
            "german",
            "Wir ziehen im August nach Utrecht, weil meine Frau dort eine Stelle an der Uni hat.",
            [
                "Der Nutzer zieht im August 2025 nach Utrecht, weil seine Frau dort eine Stelle "
                "an der Uni hat."
            ],
        ),
        (
            "german",
            "Ich geh dreimal die Woche ins Fitnessstudio.",
            ["Der Nutzer geht dreimal die Woche ins Fitnessstudio."],
        ),
        (
            "german",
            "mein hund ist 13 und sieht kaum noch was",
            ["Der Hund des Nutzers ist 13 und sieht kaum noch was."],
        ),
        (
            "german",
            "Ich komm ursprünglich aus Bautzen, leb aber seit zehn Jahren in Basel.",
            ["Der Nutzer kommt ursprünglich aus Bautzen, lebt aber seit zehn Jahren in Basel."],
        ),
        (
            "german",
            "Übrigens: meine Freundin heißt Svenja und ist Tierärztin.",
            ["Die Freundin des Nutzers heißt Svenja und ist Tierärztin."],
        ),
        (
            "german",
            "Ich besitze eine kleine Fahrradwerkstatt mit zwei Angestellten und brauche eine "
            "Stellenanzeige.",
            [
                "Der Nutzer besitzt eine kleine Fahrradwerkstatt mit zwei Angestellten und "
                "braucht eine Stellenanzeige."
            ],
        ),
        (
            "german",
            "Mein Budget liegt bei 800 Euro warm, wo in Leipzig könnte ich suchen?",
            ["Das Budget des Nutzers liegt bei 800 Euro warm."],
        ),
        (
            "german",
            "Mein Sohn Jannis hat morgen seine Führerscheinprüfung.",
            ["Der Sohn des Nutzers, Jannis, hat am 2025-03-13 seine Führerscheinprüfung."],
        ),
        (
            "german",
            "mein chef will dass ich ab april das projekt in lissabon leite und ich hab totale "
            "panik",
            [
                "Der Chef des Nutzers will dass der Nutzer ab april das projekt in lissabon "
                "leitet und der Nutzer hat totale panik."
            ],
        ),
        (
            "german",
            "mein mann und ich haben getrennte schlafzimmer weil er schnarcht",
            ["Der Mann des Nutzers und der Nutzer haben getrennte schlafzimmer weil er schnarcht."],
        ),
        (
            "german",
            "wohn jetzt in ner WG in Ehrenfeld mit zwei jungs",
            ["Der Nutzer wohnt jetzt in einer WG in Ehrenfeld mit zwei jungs."],
        ),
        (
            "german",
            "Unser Auto wurde letzte Nacht vor dem Haus gestohlen, was müssen wir tun?",
            ["Das Auto des Nutzers wurde am 2025-03-11 nachts vor dem Haus gestohlen."],
        ),
        (
            "german",
            "Die Kinder sind jede zweite Woche bei mir.",
            ["Die Kinder des Nutzers sind jede zweite Woche bei dem Nutzer."],
        ),
        (
            "german",
            "Ich trag eine Brille und hab -4 Dioptrien, passen da Skibrillen drüber?",
            ["Der Nutzer trägt eine Brille und hat -4 Dioptrien."],
        ),
        (
            "german",
            "also ich hab drei katzen und eine davon kratzt ständig am sofa was hilft da",
            ["Der Nutzer hat drei katzen."],
        ),
        (
            "german",
            "Bin 1,62 groß und wieg 58 Kilo, wie viel Eiweiß brauch ich?",
            ["Der Nutzer ist 1,62 groß und wiegt 58 Kilo."],
        ),
        (
            "german",
            "Mein Großer kommt im September in die Schule.",
            ["Der Große des Nutzers kommt im September 2025 in die Schule."],
        ),
        (
            "german",
            "Meine Nachbarin Frau Yilmaz hat uns zum Essen eingeladen, was bringt man mit?",
            ["Die Nachbarin des Nutzers, Frau Yilmaz, hat den Nutzer zum Essen eingeladen."],
        ),
        (
            "german",
            "mein sohn will nur nudeln essen, hast du ideen?",
            ["Der Sohn des Nutzers will nur nudeln essen."],
        ),
        (
            "german",
            "Meine Oma liegt seit Sonntag im Krankenhaus, was kann ich ihr mitbringen?",
            ["Die Oma des Nutzers liegt seit 2025-03-09 im Krankenhaus."],
        ),
        (
            "german",
            "Bin letzte Woche von Android auf iPhone umgestiegen, wo sind meine Fotos?",
            ["Der Nutzer ist in der Woche vom 2025-03-03 von Android auf iPhone umgestiegen."],
        ),
        (
            "german",
            "Mein Mann kocht bei uns, ich kann nur Nudeln.",
            ["Der Mann des Nutzers kocht bei dem Nutzer.", "Der Nutzer kann nur Nudeln."],
        ),
        (
            "german",
            "bin auf nem bauernhof bei Husum groß geworden, leb aber seit 20 jahren in hamburg",
            [
                "Der Nutzer ist auf einem bauernhof bei Husum groß geworden, lebt aber seit 20 "
                "jahren in hamburg."
            ],
        ),
        (
            "german",
            "Ich bin Autistin und Telefonieren stresst mich.",
            ["Der Nutzer ist Autistin und Telefonieren stresst den Nutzer."],
        ),
        (
            "german",
            "Meine Cousine lässt sich scheiden und ich helf ihr am Samstag beim Umzug",
            ["Die Cousine des Nutzers lässt sich scheiden."],
        ),
        (
            "german",
            "Wegen eines Bandscheibenvorfalls darf ich nicht schwer heben.",
            ["Wegen eines Bandscheibenvorfalls darf der Nutzer nicht schwer heben."],
        ),
        (
            "german",
            "Mein Pass läuft im Juni ab und wir fliegen am 3. Mai.",
            ["Der Pass des Nutzers läuft im Juni 2025 ab.", "Der Nutzer fliegt am 2025-05-03."],
        ),
        (
            "german",
            "hab im dezember meine doktorarbeit abgegeben und such jetzt ne stelle",
            [
                "Der Nutzer hat im Dezember 2024 seine doktorarbeit abgegeben und sucht jetzt eine "
                "stelle."
            ],
        ),
        (
            "german",
            "Meine Therapeutin hat mir Tagebuchschreiben empfohlen. Wie fang ich an?",
            ["Die Therapeutin des Nutzers hat dem Nutzer Tagebuchschreiben empfohlen."],
        ),
        ("german", "Ich bin noch nie geflogen.", ["Der Nutzer ist noch nie geflogen."]),
        (
            "german",
            "Unter uns: ich kann den Mann meiner Schwester nicht ausstehen.",
            ["Der Nutzer kann den Mann seiner Schwester nicht ausstehen."],
        ),
        (
            "german",
            "bitte keine aufzählungen mehr in deinen antworten",
            ["Bitte keine aufzählungen mehr in deinen antworten."],
        ),
        (
            "english",
            "Sold the last of the dairy herd in 2019, only keep a few sheep now.",
            ["The user sold the last of the dairy herd in 2019, only keeps a few sheep now."],
        ),
        (
            "english",
            "Both my knees are titanium so ladders are out.",
            ["Both the user's knees are titanium so ladders are out."],
        ),
        (
            "english",
            "Farmed 140 acres near Hexham for forty odd years. Is there a grant for hedges?",
            ["The user farmed 140 acres near Hexham for forty odd years."],
        ),
        (
            "english",
            "My grandson's taking over the tenancy from Lady Day, what needs signing?",
            ["The user's grandson is taking over the tenancy from Lady Day."],
        ),
        (
            "english",
            "I don't do smartphones, so keep it to things I can print.",
            ["The user doesn't do smartphones."],
        ),
        (
            "english",
            "my mum took my xbox away bc i failed maths",
            ["The user's mum took their xbox away because the user failed maths."],
        ),
        (
            "english",
            "Our fiscal year ends on 31 March, so the forecast has to be locked by then.",
            [
                "The user's fiscal year ends on 2025-03-31, so the forecast has to be locked by "
                "then."
            ],
        ),
        (
            "english",
            "One of my direct reports, Gwen, is going on maternity leave in May. Draft a cover "
            "plan.",
            ["One of the user's direct reports, Gwen, is going on maternity leave in May 2025."],
        ),
        (
            "english",
            "My visa expires on 30 June and I still don't have a appointment at the office",
            [
                "The user's visa expires on 2025-06-30.",
                "The user still doesn't have a appointment at the office.",
            ],
        ),
        (
            "english",
            "I look after my mother, who has vascular dementia. How do I get her to drink more?",
            ["The user looks after their mother.", "The user's mother has vascular dementia."],
        ),
        (
            "english",
            "Dad had a second stroke on Sunday and can't swallow properly.",
            ["The user's Dad had a second stroke on 2025-03-09 and can't swallow properly."],
        ),
        (
            "english",
            "okay so um my name is Doug and uh I drive a truck between Tulsa and Amarillo",
            ["The user's name is Doug.", "The user drives a truck between Tulsa and Amarillo."],
        ),
        (
            "english",
            "I quit smoking uh back in January so don't suggest coffee breaks outside",
            ["The user quit smoking back in January 2025."],
        ),
        (
            "english",
            "May I trouble you for a suggestion? My goddaughter Beatrice is to be married in Bath "
            "on the 14th of June, and I have been asked to give a reading.",
            [
                "The user's goddaughter Beatrice is to be married in Bath on 2025-06-14.",
                "The user has been asked to give a reading.",
            ],
        ),
        (
            "english",
            "I should perhaps mention that I am rather hard of hearing, and telephone calls are "
            "difficult for me.",
            ["The user is rather hard of hearing, and telephone calls are difficult for the user."],
        ),
        (
            "english",
            "I told you I was diabetic, but it turns out I'm only prediabetic.",
            ["The user is only prediabetic."],
        ),
        (
            "english",
            "planning to run the Dublin marathon in october, where do i begin",
            ["The user is planning to run the Dublin marathon in October 2025."],
        ),
        (
            "english",
            "I'm terrified of dogs ever since I was bitten as a kid",
            ["The user is terrified of dogs ever since the user was bitten as a kid."],
        ),
        (
            "english",
            "Both of my boys have nut allergies.",
            ["Both of the user's boys have nut allergies."],
        ),
        (
            "english",
            "mum's in hospital since tuesday with pneumonia",
            ["The user's mum is in hospital since 2025-03-11 with pneumonia."],
        ),
        (
            "english",
            "A colleague of mine is retiring in June, what do we write in the card?",
            ["A colleague of the user's is retiring in June 2025."],
        ),
        (
            "english",
            "I revise best early in the morning",
            ["The user revises best early in the morning."],
        ),
        (
            "english",
            "I'd be grateful for a low-salt menu, as my father has heart failure.",
            ["The user's father has heart failure."],
        ),
        (
            "english",
            "Having grown up on a boat, I get seasick on land.",
            ["Having grown up on a boat, the user gets seasick on land."],
        ),
        (
            "english",
            "my daughter, who is 14, wants a tattoo",
            ["The user's daughter wants a tattoo.", "The user's daughter is 14."],
        ),
        (
            "english",
            "we lost our dog in january and my son won't sleep alone",
            ["The user lost their dog in January 2025.", "The user's son won't sleep alone."],
        ),
        ("english", "I don't drive, so keep it reachable by bus.", ["The user doesn't drive."]),
        (
            "english",
            "I sing alto in a gospel choir on Wednesdays",
            ["The user sings alto in a gospel choir on Wednesdays."],
        ),
        (
            "german",
            "Auf meiner Station fehlen gerade vier Leute, wie schreib ich eine "
            "Überlastungsanzeige?",
            ["Auf der Station des Nutzers fehlen gerade vier Leute."],
        ),
        (
            "german",
            "Mir tun nach jeder Schicht die Füße weh.",
            ["Dem Nutzer tun nach jeder Schicht die Füße weh."],
        ),
        (
            "german",
            "Der Enkel übernimmt im Juli den Hof. Was muss beim Notar unterschrieben werden?",
            ["Der Enkel des Nutzers übernimmt im Juli 2025 den Hof."],
        ),
        (
            "german",
            "seit wir umgezogen sind hab ich hier null freunde",
            ["Seit der Nutzer umgezogen ist, hat der Nutzer hier null freunde."],
        ),
        (
            "german",
            "Unser Geschäftsjahr endet am 30. September.",
            ["Das Geschäftsjahr des Nutzers endet am 2025-09-30."],
        ),
        (
            "german",
            "Eine meiner Mitarbeiterinnen, Frau Dogan, geht im Mai in Elternzeit. Bitte entwirf "
            "einen Vertretungsplan.",
            ["Eine der Mitarbeiterinnen des Nutzers, Frau Dogan, geht im Mai 2025 in Elternzeit."],
        ),
        (
            "german",
            "Uns ist letzte Woche der größte Kunde abgesprungen.",
            ["Dem Nutzer ist in der Woche vom 2025-03-03 der größte Kunde abgesprungen."],
        ),
        (
            "german",
            "Papa hatte am Sonntag den zweiten Schlaganfall und kann nicht mehr schlucken.",
            [
                "Der Papa des Nutzers hatte am 2025-03-09 den zweiten Schlaganfall und kann nicht "
                "mehr schlucken."
            ],
        ),
        (
            "german",
            "Für die Pflege hab ich meine Stelle in der Bücherei aufgegeben.",
            ["Für die Pflege hat der Nutzer seine Stelle in der Bücherei aufgegeben."],
        ),
        (
            "german",
            "also die Sache ist die ich hab Schlafapnoe und soll mit so ner Maske schlafen aber "
            "die drückt",
            ["Der Nutzer hat Schlafapnoe und soll mit so einer Maske schlafen aber die drückt."],
        ),
        (
            "german",
            "Sehr geehrter Assistent, ich bin pensionierte Rektorin und leite den Gartenbauverein "
            "unseres Dorfes.",
            ["Der Nutzer ist pensionierte Rektorin und leitet den Gartenbauverein seines Dorfes."],
        ),
        (
            "german",
            "Bei meiner besten Freundin Nele wurde gerade MS diagnostiziert.",
            ["Bei der besten Freundin des Nutzers, Nele, wurde gerade MS diagnostiziert."],
        ),
        (
            "german",
            "Mir wurde letztes Jahr die Gallenblase entfernt, darf ich Fondue essen?",
            ["Dem Nutzer wurde 2024 die Gallenblase entfernt."],
        ),
        (
            "german",
            "Uns gehört ein kleines Ferienhaus auf Usedom.",
            ["Dem Nutzer gehört ein kleines Ferienhaus auf Usedom."],
        ),
        (
            "german",
            "Ohne Brille sehe ich fast nichts.",
            ["Ohne Brille sieht der Nutzer fast nichts."],
        ),
        ("german", "Als Kind hatte ich Asthma.", ["Als Kind hatte der Nutzer Asthma."]),
        (
            "german",
            "Bei uns wohnt seit Januar ein Austauschschüler aus Chile.",
            ["Bei dem Nutzer wohnt seit Januar 2025 ein Austauschschüler aus Chile."],
        ),
        (
            "german",
            "Mich nervt der Lärm von der Baustelle nebenan.",
            ["Den Nutzer nervt der Lärm von der Baustelle nebenan."],
        ),
        (
            "german",
            "Auf meinem Balkon wachsen nur Kräuter.",
            ["Auf dem Balkon des Nutzers wachsen nur Kräuter."],
        ),
        (
            "german",
            "Ich pendle jeden Tag zwei Stunden von Celle nach Hamburg.",
            ["Der Nutzer pendelt jeden Tag zwei Stunden von Celle nach Hamburg."],
        ),
        (
            "german",
            "Alle meine Geschwister leben im Ausland.",
            ["Alle Geschwister des Nutzers leben im Ausland."],
        ),
        (
            "german",
            "Bei meinem Vater wurde Parkinson festgestellt.",
            ["Bei dem Vater des Nutzers wurde Parkinson festgestellt."],
        ),
        (
            "english",
            "As of last week I'm officially a homeowner.",
            ["As of the week of 2025-03-03 the user is officially a homeowner."],
        ),
        (
            "english",
            "I've got my driving test on Thursday morning",
            ["The user has got their driving test on 2025-03-13 in the morning."],
        ),
        ("english", "I'm on 40 mg of fluoxetine.", ["The user is on 40 mg of fluoxetine."]),
        (
            "german",
            "Ich ruf meine Mutter jeden Abend um sechs an.",
            ["Der Nutzer ruft seine Mutter jeden Abend um sechs an."],
        ),
        (
            "german",
            "hab mir nen gebrauchten transporter gekauft und jetzt ist das getriebe hin",
            [
                "Der Nutzer hat sich einen gebrauchten transporter gekauft und jetzt ist das "
                "getriebe hin."
            ],
        ),
        (
            "german",
            "Keiner meiner Eltern kann lesen.",
            ["Keiner der Eltern des Nutzers kann lesen."],
        ),
        (
            "german",
            "In meiner Familie schnarchen alle.",
            ["In der Familie des Nutzers schnarchen alle."],
        ),
    ],
)
def test_facts_of_everyday_messages(language: str, said: str, facts: list[str]) -> None:
    assert texts(said, language) == facts


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("english", "what time is it in Tokyo right now"),
        (
            "english",
            'write a short story where a girl called Mina says "I live with my aunt in Oslo"',
        ),
        ("english", "Make it shorter and keep the British spelling"),
        ("english", "What's a good beginner telescope under 300 euros"),
        ("english", "in my novel the main character is a widowed baker from Lyon"),
        ("english", "If I won the lottery I'd buy a boat."),
        ("english", "How should I answer my colleague? He writes: I am on leave until Monday."),
        ("english", "compare the iPhone 15 and the Pixel 8 for me"),
        ("english", "Rewrite this politely: I am not coming to your party."),
        ("german", "Wie lange braucht ein Ei, bis es hart ist?"),
        (
            "german",
            "Schreib eine Geschichte über einen Drachen, der in Bonn wohnt und Angst vor Feuer "
            "hat.",
        ),
        ("german", "Wer hat den Buchdruck erfunden?"),
        ("german", "Mein Kollege schreibt: Ich bin bis Montag im Urlaub. Was antworte ich?"),
        ("german", "Erklär mir Hypotheken, als wär ich fünf."),
        ("german", "Nimm bitte den zweiten Vorschlag"),
        ("german", "in meinem roman ist die hauptfigur eine bäckerin aus lyon"),
        ("german", "Vergleich mal das iPhone 15 mit dem Pixel 8"),
        ("german", "zurück zu meiner frage bitte"),
        (
            "english",
            "My friend asked me what the capital of Australia is and I said Sydney. Is that right?",
        ),
        ("german", "mach daraus ein haiku: mein wasserkocher ist kaputt und mein herz auch"),
        ("english", "My manager asked me how long the migration takes"),
        ("german", "Mein Chef hat mich gefragt, wie lange die Umstellung dauert"),
        ("english", "My sister wonders why leaves turn red"),
        ("german", "Mir fällt nichts mehr ein, mach du weiter."),
        ("english", "One of my favourite jokes please"),
    ],
)
def test_nothing_is_read_of_other_messages(language: str, said: str) -> None:
    assert texts(said, language) == []
