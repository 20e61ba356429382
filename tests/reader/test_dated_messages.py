"""Messages with a date each: the day that their facts name, and the one on which they are over."""

import re
from datetime import date

import pytest

from memoryapp.policy.gate.check import refusal
from memoryapp.policy.gate.source import SaidLine, Source
from memoryapp.reader import Spoken, read
from memoryapp.reader.dates import corrected, dated
from memoryapp.reader.languages import LANGUAGES
from memoryapp.reader.last_days import last_day
from tests.reader.test_languages import texts

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
#: By language and by the day on which they are said: a message, what its fact has of the date (the
#: first day, or the month or year where it names no day; "-" if it keeps its words), and the last
#: day ("-" for none).
MESSAGES = {
    ("english", "2026-07-16"): """
I have a dentist appointment on august 4.|2026-08-04|2026-08-04
My sister's graduation dinner is on September 5 at 7 pm.|2026-09-05|2026-09-05
I broke my wrist on October 3.|2025-10-03|-
We're in Lisbon from August 3 to 17.|2026-08-03|2026-08-17
I'll be on leave 3-17 August.|2026-08-03|2026-08-17
My flight to Rome leaves next Friday at 6:40.|2026-07-17|2026-07-17
My driving test is on Friday next week.|2026-07-24|2026-07-24
I'm hiking in Wales this weekend.|2026-07-18|2026-07-19
My rent is due on the last day of next week.|2026-07-26|2026-07-26
I stopped smoking on the last day of May.|2026-05-31|-
My lease ends on the last day of July.|2026-07-31|2026-07-31
My lucky number is the 7th.|-|-
I have an interview at Siemens in three days.|2026-07-19|2026-07-19
My appointment with the notary is on the 22nd.|2026-07-22|2026-07-22
I'm seeing the physiotherapist tomorrow afternoon.|2026-07-17|2026-07-17
I'm house-sitting for my aunt until the end of August.|2026|2026-08-31
I'm on a juice fast for ten days from Monday.|2026-07-20|2026-07-29
I play badminton every Tuesday.|-|-
I've been working as a welder for six years.|-|-
I moved here in May 2019.|May 2019|-
I climbed Ben Nevis last summer.|summer of 2025|-
My father died three years ago.|2023|-
My mum's birthday is on March 9.|-|-
I take my pills at 8 in the morning.|-|-
My therapist appointment is on Friday, no wait, Thursday next week.|2026-07-23|2026-07-23
""",
    ("english", "2026-12-28"): """
My surgery is on January 14.|2027-01-14|2027-01-14
I started a new job at Lidl on December 1.|2026-12-01|-
I have a blood test on Wednesday at 7:15.|2026-12-30|2026-12-30
My parents are visiting me from 30 December to 6 January.|2026-12-30|2027-01-06
I'm flying to Oslo the day after tomorrow.|2026-12-30|2026-12-30
My train leaves tonight at midnight.|2026-12-28|2026-12-28
I must hand in my thesis by the 15th of January.|2027-01-15|2027-01-15
I have my eye exam a week from Thursday.|2027-01-07|2027-01-07
My contract ends in February.|February 2027|2027-02-28
I had my wisdom teeth out last Tuesday.|2026-12-22|-
I ran the Boston marathon on April 20, 2015.|2015-04-20|-
My daughter was born on 12 June 2018.|12 June 2018|-
I'm babysitting my niece on Saturday and Sunday.|2027-01-02|2027-01-03
My lease runs through March 31.|2027-03-31|2027-03-31
I have choir practice on thursdays.|-|-
I quit smoking on New Year's Eve 2020.|2020|-
""",
    ("german", "2026-07-16"): """
Ich habe am 4. August einen Zahnarzttermin.|2026-08-04|2026-08-04
meine prüfung ist am 5. september um 9 uhr.|2026-09-05|2026-09-05
Ich habe mir am 3. Oktober das Handgelenk gebrochen.|2025-10-03|-
Wir sind vom 3. bis 17. August in Lissabon.|2026-08-03|2026-08-17
Ich habe 3.–17. August Urlaub.|2026-08-03|2026-08-17
Mein Flug nach Rom geht nächsten Freitag um 6:40 Uhr.|2026-07-17|2026-07-17
Meine Fahrprüfung ist am Freitag nächster Woche.|2026-07-24|2026-07-24
Ich gehe dieses Wochenende im Harz wandern.|2026-07-18|2026-07-19
Meine Miete ist am letzten Tag der nächsten Woche fällig.|2026-07-26|2026-07-26
Ich habe in drei Tagen ein Vorstellungsgespräch bei Siemens.|2026-07-19|2026-07-19
Mein Notartermin ist am 22.|2026-07-22|2026-07-22
Ich gehe morgen Nachmittag zur Physiotherapie.|2026-07-17|2026-07-17
Ich hüte bis Ende August das Haus meiner Tante.|2026|2026-08-31
Ich mache ab Montag zehn Tage lang eine Saftkur.|2026-07-20|2026-07-29
Ich spiele jeden Dienstag Badminton.|-|-
Ich arbeite seit sechs Jahren als Schweißer.|-|-
Ich bin im Mai 2019 hierher gezogen.|Mai 2019|-
Letzten Sommer war ich auf der Zugspitze.|Sommer 2025|-
Mein Vater ist vor drei Jahren gestorben.|2023|-
Meine Mutter hat am 9. März Geburtstag.|-|-
Ich nehme meine Tabletten um 8 Uhr morgens.|-|-
Mein Termin beim Arzt ist am Freitag, nein, am Donnerstag nächster Woche.|2026-07-23|2026-07-23
""",
    ("german", "2026-12-28"): """
Meine Operation ist am 14. Januar.|2027-01-14|2027-01-14
Ich habe am 1. Dezember bei Lidl angefangen.|2026-12-01|-
Ich habe Mittwoch um 7:15 Uhr eine Blutabnahme.|2026-12-30|2026-12-30
Meine Eltern besuchen mich vom 30. Dezember bis zum 6. Januar.|2026-12-30|2027-01-06
Ich fliege übermorgen nach Oslo.|2026-12-30|2026-12-30
Mein Reisepass läuft am 3.2.2027 ab.|2027-02-03|2027-02-03
Ich habe Diabetes Typ 1.|-|-
Mein Zug fährt heute um Mitternacht.|2026-12-28|2026-12-28
Ich muss meine Arbeit bis zum 15. Januar abgeben.|2027-01-15|2027-01-15
Mein Augenarzttermin ist Donnerstag in einer Woche.|2027-01-07|2027-01-07
Mein Vertrag endet im Februar.|Februar 2027|2027-02-28
Mir wurden letzten Dienstag die Weisheitszähne gezogen.|2026-12-22|-
Ich bin am 20. April 2015 den Marathon in Boston gelaufen.|2015-04-20|-
Meine Tochter wurde am 12. Juni 2018 geboren.|12. Juni 2018|-
Ich passe am Samstag und Sonntag auf meine Nichte auf.|2027-01-02|2027-01-03
Mein Mietvertrag läuft bis zum 31. März.|2027-03-31|2027-03-31
Ich habe donnerstags Chorprobe.|-|-
Ich bin nächste Woche in Köln auf Messe.|2027-01-04|2027-01-10
""",
    ("french", "2026-07-16"): """
J'ai rendez-vous chez le dentiste le 4 août.|2026-08-04|2026-08-04
Mon examen est le 5 septembre à 9h.|2026-09-05|2026-09-05
Je me suis cassé le poignet le 3 octobre.|2025-10-03|-
Nous sommes à Lisbonne du 3 au 17 août.|2026-08-03|2026-08-17
Je suis en congé du samedi 1er au dimanche 16 août.|2026-08-01|2026-08-16
Mon vol pour Rome part vendredi prochain à 6h40.|2026-07-17|2026-07-17
Mon permis, je le passe vendredi de la semaine prochaine.|2026-07-24|2026-07-24
Je fais une randonnée dans le Vercors ce week-end.|2026-07-18|2026-07-19
Je dois payer mon loyer le dernier jour de la semaine prochaine.|2026-07-26|2026-07-26
J'ai un entretien chez Siemens dans trois jours.|2026-07-19|2026-07-19
Mon rendez-vous chez le notaire est le 22.|2026-07-22|2026-07-22
Je vais chez le kiné demain après-midi.|2026-07-17|2026-07-17
Je garde la maison de ma tante jusqu'à fin août.|2026|2026-08-31
Je fais une cure de jus pendant dix jours à partir de lundi.|2026-07-20|2026-07-29
Je joue au badminton tous les mardis.|-|-
Je travaille comme soudeur depuis six ans.|-|-
J'ai emménagé ici en mai 2019.|mai 2019|-
J'ai fait le mont Blanc l'été dernier.|été 2025|-
Mon père est mort il y a trois ans.|2023|-
L'anniversaire de ma mère est le 9 mars.|-|-
Je prends mes comprimés à 8 heures du matin.|-|-
Mon rendez-vous chez la psy est vendredi, non, jeudi de la semaine prochaine.|2026-07-23|2026-07-23
""",
    ("french", "2026-12-28"): """
Mon opération est le 14 janvier.|2027-01-14|2027-01-14
J'ai commencé chez Lidl le 1er décembre.|2026-12-01|-
J'ai une prise de sang mercredi à 7h15.|2026-12-30|2026-12-30
Mes parents viennent chez moi du 30 décembre au 6 janvier.|2026-12-30|2027-01-06
Je prends l'avion pour Oslo après-demain.|2026-12-30|2026-12-30
Mon passeport expire le 03/02/2027.|2027-02-03|2027-02-03
Mon train part ce soir à minuit.|2026-12-28|2026-12-28
Mon contrat se termine en février.|février 2027|2027-02-28
On m'a enlevé les dents de sagesse mardi dernier.|2026-12-22|-
J'ai couru le marathon de Boston le 20 avril 2015.|2015-04-20|-
Ma fille est née le 12 juin 2018.|12 juin 2018|-
Je garde ma nièce samedi et dimanche.|2027-01-02|2027-01-03
Mon bail court jusqu'au 31 mars.|2027-03-31|2027-03-31
J'ai chorale le jeudi.|-|-
Je suis à Cologne la semaine prochaine pour un salon.|2027-01-04|2027-01-10
""",
    ("spanish", "2026-07-16"): """
Tengo cita con el dentista el 4 de agosto.|2026-08-04|2026-08-04
Mi examen es el 5 de septiembre a las 9.|2026-09-05|2026-09-05
Me rompí la muñeca el 3 de octubre.|2025-10-03|-
Estamos en Lisboa del 3 al 17 de agosto.|2026-08-03|2026-08-17
Estoy de vacaciones entre el 3 y el 17 de agosto.|2026-08-03|2026-08-17
Mi vuelo a Roma sale el próximo viernes a las 6:40.|2026-07-17|2026-07-17
Mi examen de conducir es el viernes de la semana que viene.|2026-07-24|2026-07-24
Este fin de semana voy de excursión a Picos de Europa.|2026-07-18|2026-07-19
Tengo que pagar el alquiler el último día de la próxima semana.|2026-07-26|2026-07-26
Tengo una entrevista en Siemens dentro de tres días.|2026-07-19|2026-07-19
Mi cita con el notario es el 22.|2026-07-22|2026-07-22
Voy al fisioterapeuta mañana por la tarde.|2026-07-17|2026-07-17
Cuido la casa de mi tía hasta finales de agosto.|2026|2026-08-31
Hago una dieta de zumos durante diez días desde el lunes.|2026-07-20|2026-07-29
Juego al bádminton todos los martes.|-|-
Me mudé aquí en mayo de 2019.|mayo de 2019|-
El verano pasado subí al Teide.|verano de 2025|-
Mi padre murió hace tres años.|2023|-
El cumpleaños de mi madre es el 9 de marzo.|-|-
Tomo mis pastillas a las 8 de la mañana.|-|-
Mi cita con la psicóloga es el viernes, no, el jueves de la semana que viene.|2026-07-23|2026-07-23
""",
    ("spanish", "2026-12-28"): """
Mi operación es el 14 de enero.|2027-01-14|2027-01-14
Empecé a trabajar en Lidl el 1 de diciembre.|2026-12-01|-
Tengo un análisis de sangre el miércoles a las 7:15.|2026-12-30|2026-12-30
Mis padres me visitan del 30 de diciembre al 6 de enero.|2026-12-30|2027-01-06
Vuelo a Oslo pasado mañana.|2026-12-30|2026-12-30
Mi pasaporte caduca el 03/02/2027.|2027-02-03|2027-02-03
Mi tren sale esta noche a las doce.|2026-12-28|2026-12-28
Mi contrato termina en febrero.|febrero de 2027|2027-02-28
Me sacaron las muelas del juicio el martes pasado.|2026-12-22|-
Corrí el maratón de Boston el 20 de abril de 2015.|2015-04-20|-
Mi hija nació el 12 de junio de 2018.|12 de junio de 2018|-
Cuido a mi sobrina el sábado y el domingo.|2027-01-02|2027-01-03
Mi contrato de alquiler dura hasta el 31 de marzo.|2027-03-31|2027-03-31
Tengo coro los jueves.|-|-
La semana que viene estoy en Colonia en una feria.|2027-01-04|2027-01-10
""",
    ("italian", "2026-07-16"): """
Ho un appuntamento dal dentista il 4 agosto.|2026-08-04|2026-08-04
Il mio esame è il 5 settembre alle 9.|2026-09-05|2026-09-05
Mi sono rotto il polso il 3 ottobre.|2025-10-03|-
Siamo a Lisbona dal 3 al 17 agosto.|2026-08-03|2026-08-17
Sono in ferie da lunedì 3 a venerdì 14 agosto.|2026-08-03|2026-08-14
Il mio volo per Roma parte venerdì prossimo alle 6:40.|2026-07-17|2026-07-17
Il mio esame di guida è venerdì della prossima settimana.|2026-07-24|2026-07-24
Questo fine settimana faccio un'escursione in Dolomiti.|2026-07-18|2026-07-19
Devo pagare l'affitto l'ultimo giorno della prossima settimana.|2026-07-26|2026-07-26
Ho un colloquio alla Siemens tra tre giorni.|2026-07-19|2026-07-19
Il mio appuntamento dal notaio è il 22.|2026-07-22|2026-07-22
Vado dal fisioterapista domani pomeriggio.|2026-07-17|2026-07-17
Curo la casa di mia zia fino a fine agosto.|2026|2026-08-31
Faccio una cura di succhi per dieci giorni da lunedì.|2026-07-20|2026-07-29
Gioco a badminton ogni martedì.|-|-
Lavoro come saldatore da sei anni.|-|-
Mi sono trasferito qui nel maggio 2019.|maggio 2019|-
L'estate scorsa ho scalato il Gran Sasso.|estate del 2025|-
Mio padre è morto tre anni fa.|2023|-
Il compleanno di mia madre è il 9 marzo.|-|-
Prendo le mie pastiglie alle 8 del mattino.|-|-
Il mio appuntamento dal prete è venerdì, anzi no, giovedì prossimo.|2026-07-23|2026-07-23
""",
    ("italian", "2026-12-28"): """
La mia operazione è il 14 gennaio.|2027-01-14|2027-01-14
Ho iniziato a lavorare alla Lidl il primo dicembre.|2026-12-01|-
Ho gli esami del sangue mercoledì alle 7:15.|2026-12-30|2026-12-30
I miei genitori mi vengono a trovare dal 30 dicembre al 6 gennaio.|2026-12-30|2027-01-06
Volo a Oslo dopodomani.|2026-12-30|2026-12-30
Il mio passaporto scade il 03/02/2027.|2027-02-03|2027-02-03
A aprile vado in Giappone.|aprile 2027|2027-04-30
Il mio treno parte stasera a mezzanotte.|2026-12-28|2026-12-28
Devo consegnare la tesi entro il 15 gennaio.|2027-01-15|2027-01-15
La mia visita oculistica è giovedì tra una settimana.|2027-01-07|2027-01-07
Il mio contratto finisce a febbraio.|febbraio 2027|2027-02-28
Mi hanno tolto i denti del giudizio martedì scorso.|2026-12-22|-
Ho corso la maratona di Boston il 20 aprile 2015.|2015-04-20|-
Mia figlia è nata il 12 giugno 2018.|12 giugno 2018|-
Guardo mia nipote sabato e domenica.|2027-01-02|2027-01-03
Il mio contratto d'affitto dura fino al 31 marzo.|2027-03-31|2027-03-31
Ho il coro il giovedì.|-|-
La settimana prossima sono a Colonia per una fiera.|2027-01-04|2027-01-10
""",
    ("english", "2026-03-04"): """
I'm giving a talk at PyCon on Saturday morning at 10.|2026-03-07|2026-03-07
My brother arrives from Canada on Monday the 9th.|2026-03-09|2026-03-09
We're renovating our kitchen until April 20.|2026-04-20|2026-04-20
I had my appendix removed on february 11.|2026-02-11|-
My gym membership runs out at the end of March.|March 2026|2026-03-31
I have to renew my ID by next Wednesday.|2026-03-11|2026-03-11
My kids are at their grandparents' from March 28 through April 6.|2026-03-28|2026-04-06
I'm on call next week.|2026-03-09|2026-03-15
I met my wife in the summer of 2011.|2011|-
My dog Bruno has a vet appointment Thursday at 4.|2026-03-05|2026-03-05
I'm getting my braces off on Tuesday, sorry, Wednesday next week.|2026-03-11|2026-03-11
I go to physio on Mondays and Thursdays.|-|-
My grandmother turns 90 on May 30.|2026-05-30|2026-05-30
""",
    ("english", "2026-10-09"): """
I'm flying to Tokyo on the 3rd of November at noon.|2026-11-03|2026-11-03
I'm at my mother-in-law's from tomorrow until Tuesday.|2026-10-10|2026-10-13
My visa is valid until June 2027.|June 2027|2027-06-30
I started taking iron tablets two days ago.|2026-10-07|-
I'm running the Berlin half marathon on April 4 next year.|2027-04-04|2027-04-04
""",
    ("german", "2026-03-04"): """
Ich halte Samstag um 10 einen Vortrag in Ulm.|2026-03-07|2026-03-07
Mein Bruder kommt am Montag, dem 9., aus Kanada.|2026-03-09|2026-03-09
Wir renovieren bis zum 20. April unsere Küche.|2026-04-20|2026-04-20
Mir wurde am 11. Februar der Blinddarm entfernt.|2026-02-11|-
Meine Mitgliedschaft im Fitnessstudio läuft Ende März aus.|März 2026|2026-03-31
Ich muss bis nächsten Mittwoch meinen Ausweis verlängern.|2026-03-11|2026-03-11
Meine Kinder sind vom 28.3. bis 6.4. bei den Großeltern.|2026-03-28|2026-04-06
Ich habe nächste Woche Bereitschaft.|2026-03-09|2026-03-15
Ich habe meine Frau im Sommer 2011 kennengelernt.|2011|-
Mein Hund Bruno hat Donnerstag um 16 Uhr einen Tierarzttermin.|2026-03-05|2026-03-05
Ich habe morgen um 8 Uhr ein Gespräch mit meinem Chef.|2026-03-05|2026-03-05
Meine Oma wird am 30. Mai 90.|2026-05-30|2026-05-30
""",
    ("german", "2026-10-09"): """
Meine Abschlussprüfung ist am 15.12.2026.|2026-12-15|2026-12-15
Ich fliege am 3.11. nach Tokio.|2026-11-03|2026-11-03
Ich bin von morgen bis Dienstag bei meiner Schwiegermutter.|2026-10-10|2026-10-13
Mein Visum ist bis Juni 2027 gültig.|Juni 2027|2027-06-30
Ich nehme seit vorgestern Eisentabletten.|2026-10-07|-
Ich wohne im 3. Stock. Am 12. Oktober bekomme ich neue Möbel.|2026-10-12|2026-10-12
Ich laufe nächstes Jahr am 4. April den Halbmarathon in Berlin.|2027-04-04|2027-04-04
""",
    ("french", "2026-03-04"): """
Je donne une conférence à Lille samedi matin.|2026-03-07|2026-03-07
Mon frère arrive du Canada lundi 9 mars.|2026-03-09|2026-03-09
Nous refaisons notre cuisine jusqu'au 20 avril.|2026-04-20|2026-04-20
J'ai été opérée de l'appendicite le 11 février.|2026-02-11|-
Mon abonnement à la salle de sport se termine fin mars.|mars 2026|2026-03-31
Je dois renouveler ma carte d'identité d'ici mercredi prochain.|2026-03-11|2026-03-11
Mes enfants sont chez leurs grands-parents du 28 mars au 6 avril.|2026-03-28|2026-04-06
Je suis d'astreinte la semaine prochaine.|2026-03-09|2026-03-15
J'ai rencontré ma femme à l'été 2011.|2011|-
Mon numéro préféré est le 7.|-|-
Mon chien Bruno a rendez-vous chez le véto jeudi à 16h.|2026-03-05|2026-03-05
On m'enlève mes bagues mardi, pardon, mercredi.|2026-03-11|2026-03-11
Mon père est mort le 12 novembre.|2025-11-12|-
Ma grand-mère fête ses 90 ans le 30 mai.|2026-05-30|2026-05-30
""",
    ("french", "2026-10-09"): """
Mon examen final est le 15/12/2026.|2026-12-15|2026-12-15
Je pars à Tokyo le 3 novembre à midi.|2026-11-03|2026-11-03
Je suis chez ma belle-mère de demain à mardi.|2026-10-10|2026-10-13
Mon visa est valable jusqu'en juin 2027.|juin 2027|2027-06-30
Je prends du fer depuis avant-hier.|2026-10-07|-
Je passe le permis au mois de novembre.|novembre 2026|2026-11-30
Je cours le semi de Berlin le 4 avril de l'année prochaine.|2027-04-04|2027-04-04
""",
    ("spanish", "2026-03-04"): """
Doy una charla en Vigo el sábado por la mañana.|2026-03-07|2026-03-07
Mi hermano llega de Canadá el lunes 9.|2026-03-09|2026-03-09
Estamos reformando la cocina hasta el 20 de abril.|2026-04-20|2026-04-20
Me quitaron el apéndice el 11 de febrero.|2026-02-11|-
Mi abono del gimnasio caduca a finales de marzo.|marzo de 2026|2026-03-31
Mis hijos están con sus abuelos del 28 de marzo al 6 de abril.|2026-03-28|2026-04-06
Estoy de guardia la semana que viene.|2026-03-09|2026-03-15
Conocí a mi mujer en el verano de 2011.|2011|-
Mi número favorito es el 7.|-|-
Mi perro Bruno tiene veterinario el jueves a las 16:00.|2026-03-05|2026-03-05
Me quitan los brackets el martes, perdón, el miércoles.|2026-03-11|2026-03-11
Mi padre murió el 12 de noviembre.|2025-11-12|-
Mi abuela cumple 90 años el 30 de mayo.|2026-05-30|2026-05-30
""",
    ("spanish", "2026-10-09"): """
Mi examen final es el 15/12/2026.|2026-12-15|2026-12-15
Vuelo a Tokio el 3 de noviembre a mediodía.|2026-11-03|2026-11-03
Estoy en casa de mi suegra desde mañana hasta el martes.|2026-10-10|2026-10-13
Mi visado es válido hasta junio de 2027.|junio de 2027|2027-06-30
Tomo hierro desde anteayer.|2026-10-07|-
Mañana tengo entrevista con el banco.|2026-10-10|2026-10-10
Corro la media maratón de Berlín el 4 de abril del año que viene.|2027-04-04|2027-04-04
""",
    ("italian", "2026-03-04"): """
Tengo una conferenza a Bari sabato mattina.|2026-03-07|2026-03-07
Il mio numero preferito è il 7.|-|-
Mio fratello arriva dal Canada lunedì 9.|2026-03-09|2026-03-09
Stiamo rifacendo la cucina fino al 20 aprile.|2026-04-20|2026-04-20
Mi hanno tolto l'appendice l'11 febbraio.|2026-02-11|-
Il mio abbonamento in palestra scade a fine marzo.|marzo 2026|2026-03-31
Devo rinnovare la carta d'identità entro mercoledì prossimo.|2026-03-11|2026-03-11
I miei figli sono dai nonni dal 28 marzo al 6 aprile.|2026-03-28|2026-04-06
Sono di turno la settimana prossima.|2026-03-09|2026-03-15
Ho conosciuto mia moglie nell'estate del 2011.|2011|-
Il mio cane Bruno ha il veterinario giovedì alle 16.|2026-03-05|2026-03-05
Mi tolgono l'apparecchio martedì, scusa, mercoledì.|2026-03-11|2026-03-11
Mio padre è morto il 12 novembre.|2025-11-12|-
Mia nonna compie 90 anni il 30 maggio.|2026-05-30|2026-05-30
""",
    ("italian", "2026-10-09"): """
Siamo arrivati in Italia il 20 dicembre con un visto.|2025-12-20|-
Il mio esame finale è il 15/12/2026.|2026-12-15|2026-12-15
Volo a Tokyo il 3 novembre a mezzogiorno.|2026-11-03|2026-11-03
Sono da mia suocera da domani a martedì.|2026-10-10|2026-10-13
Il mio visto è valido fino a giugno 2027.|giugno 2027|2027-06-30
Prendo il ferro da ieri.|2026-10-08|-
L'8 dicembre vado a Napoli da mia sorella.|2026-12-08|2026-12-08
Corro la mezza maratona di Berlino il 4 aprile dell'anno prossimo.|2027-04-04|2027-04-04
""",
}


every_message = pytest.mark.parametrize(
    ("language", "day", "message"),
    [
        (language, day, message)
        for (language, day), messages in MESSAGES.items()
        for message in messages.strip().splitlines()
    ],
)


@every_message
def test_message_with_a_date(language: str, day: str, message: str) -> None:
    known, said_on = LANGUAGES[language], date.fromisoformat(day)
    said, first, last = message.rsplit("|", 2)
    text = corrected(said, known, said_on)
    told, _ = dated(text, known, said_on)
    days = _DAY.findall(told)
    if first == "-":
        assert told == said
    elif _DAY.fullmatch(first):
        assert days[0] == first
    else:
        assert not days
        assert first.lower() in told.lower()
    assert str(last_day(text, known, said_on)) == ("None" if last == "-" else last)


@every_message
def test_gate_takes_dates_that_follow(language: str, day: str, message: str) -> None:
    said, said_on = message.rsplit("|", 2)[0], date.fromisoformat(day)
    source = Source([SaidLine(said, said_on=said_on)])
    for fact in read([Spoken(1, "user", said, said_on)], usual_language=language):
        assert refusal(fact.text, source, said_in=[0], valid_until=fact.last_day) is None


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        ("english", "I moved to Leeds in September last year.",
         "The user moved to Leeds in September 2024."),
        ("english", "Last year in May I moved to Leeds.", "In May 2024 the user moved to Leeds."),
        ("english", "I moved to Leeds in May, and next year I will go to Spain.",
         "The user moved to Leeds in May 2024, and in 2026 the user will go to Spain."),
        ("german", "Wir heiraten im Juni nächsten Jahres.", "Der Nutzer heiratet im Juni 2026."),
        ("german", "Ich bin letztes Jahr im September nach Ulm gezogen.",
         "Der Nutzer ist im September 2024 nach Ulm gezogen."),
        ("spanish", "me mudo a Lugo en septiembre del año que viene",
         "El usuario se muda a Lugo en septiembre de 2026."),
        ("french", "on se marie en juin de l'année prochaine",
         "L'utilisateur se marie en juin 2026."),
        ("italian", "a settembre dell'anno scorso mi sono trasferito a Lecco",
         "A settembre 2024 l'utente si è trasferito a Lecco."),
        ("italian", "l'anno scorso a settembre mi sono trasferito a Lecco",
         "A settembre 2024 l'utente si è trasferito a Lecco."),
        ("italian", "mi trasferisco a Dublino ad agosto",
         "L'utente si trasferisce a Dublino ad agosto 2025."),
    ],
)  # fmt: skip
def test_month_and_the_year_beside_it_are_one_moment(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == [fact]
