"""What the built-in reader makes of messages in French, Spanish and Italian."""

import pytest

from tests.builtin_reader.test_languages import texts


@pytest.mark.parametrize(
    ("language", "said", "fact"),
    [
        # "We" are the user.
        ("french", "Nous habitons à Rennes avec nos deux filles.",
         "L'utilisateur habite à Rennes avec ses deux filles."),
        ("french", "Nous nous marions le 14 juin à Vannes.",
         "L'utilisateur se marie le 2025-06-14 à Vannes."),
        ("french", "Nous sommes végétariens.", "L'utilisateur est végétarien."),
        ("french", "On a acheté une crêperie à Dinan l'an dernier, notre crêperie marche bien.",
         "L'utilisateur a acheté une crêperie à Dinan en 2024, sa crêperie marche bien."),
        ("french", "On vient d'adopter un lévrier qui s'appelle Tango.",
         "L'utilisateur vient d'adopter un lévrier qui s'appelle Tango."),
        ("french", "Avec ma femme on fait du tandem le dimanche.",
         "Avec la femme de l'utilisateur l'utilisateur fait du tandem le dimanche."),
        ("spanish", "Somos vegetarianos.", "El usuario es vegetariano."),
        ("spanish", "El año pasado compramos una casa en Soria.",
         "En 2024 el usuario compró una casa en Soria."),
        ("spanish", "En junio compramos una casa en Soria.",
         "En junio de 2025 el usuario compra una casa en Soria."),
        ("spanish", "Mi novia Sonia y yo nos casamos el 14 de junio en Ronda.",
         "La novia del usuario, Sonia, y el usuario se casan el 2025-06-14 en Ronda."),
        ("italian", "Siamo vegetariani.", "L'utente è vegetariano."),
        ("italian", "Siamo arrivati in Italia il 3 ottobre 2020.",
         "L'utente è arrivato in Italia il 2020-10-03."),
        ("italian", "Andiamo in vacanza in Corsica dal 5 al 19 luglio.",
         "L'utente va in vacanza in Corsica dal 2025-07-05 al 2025-07-19."),
        ("italian", "Io e mia moglie Sonia ci sposiamo il 14 giugno a Ravello.",
         "La moglie dell'utente, Sonia, e l'utente si sposano il 2025-06-14 a Ravello."),
        # Verbs are conjugated by their endings.
        ("spanish", "Suspendí el examen de contabilidad.",
         "El usuario suspendió el examen de contabilidad."),
        ("spanish", "Colecciono sellos y postales antiguas.",
         "El usuario colecciona sellos y postales antiguas."),
        ("spanish", "Defiendo la tesis el 16 de mayo en Salamanca.",
         "El usuario defiende la tesis el 2025-05-16 en Salamanca."),
        ("italian", "Colleziono francobolli e cartoline antiche.",
         "L'utente colleziona francobolli e cartoline antiche."),
        ("spanish", "Mis padres se divorciaron cuando yo tenía diez años.",
         "Los padres del usuario se divorciaron cuando el usuario tenía diez años."),
        # Somebody does something to the user.
        ("french", "Mon médecin m'a prescrit du Levothyrox hier.",
         "Le médecin de l'utilisateur lui a prescrit du Levothyrox le 2025-03-11."),
        ("french", "On m'a retiré la vésicule le 15 janvier.",
         "On a retiré à l'utilisateur la vésicule le 2025-01-15."),
        ("french", "La dentiste ne m'a pas opéré hier.",
         "La dentiste n'a pas opéré l'utilisateur le 2025-03-11."),
        ("spanish", "La semana pasada me operaron de la rodilla.",
         "En la semana del 2025-03-03 al usuario le operaron de la rodilla."),
        ("spanish", "La médica me recetó Eutirox ayer.",
         "La médica le recetó al usuario Eutirox el 2025-03-11."),
        ("spanish", "Mi hermana me regaló una panificadora por mi cumpleaños.",
         "La hermana del usuario le regaló una panificadora por su cumpleaños."),
        ("italian", "Il 25 gennaio mi hanno messo due stent.",
         "Il 2025-01-25 all'utente hanno messo due stent."),
        ("italian", "La settimana scorsa mi hanno operato al ginocchio.",
         "Nella settimana del 2025-03-03 hanno operato l'utente al ginocchio."),
        ("french", "Notre voisin nous a prêté sa remorque hier.",
         "Le voisin de l'utilisateur lui a prêté sa remorque le 2025-03-11."),
        ("spanish", "El fisio me aconsejó nadar dos veces por semana.",
         "El fisio le aconsejó al usuario nadar dos veces por semana."),
        # An article joins the preposition before it.
        ("spanish", "La semana pasada operaron a mi padre del corazón.",
         "En la semana del 2025-03-03 operaron al padre del usuario del corazón."),
        ("french", "Je vis dans la maison de mes parents à Brest.",
         "L'utilisateur vit dans la maison de ses parents à Brest."),
        ("italian", "La badante di mia nonna si chiama Oksana.",
         "La badante della nonna dell'utente si chiama Oksana."),
        ("french", "La dentiste de mon fils part à la retraite en juin.",
         "La dentiste du fils de l'utilisateur part à la retraite en juin 2025."),
        ("english", "The vet is operating on our cat Miso on Monday.",
         "The vet is operating on the user's cat Miso on 2025-03-17."),
        # Stands beside a request, of which it is the reason, or of a relative in it.
        ("french", "Comme je suis daltonien, évite le rouge dans les graphiques.",
         "L'utilisateur est daltonien."),
        ("italian", "Siccome sono daltonico, non usare il rosso nei grafici.",
         "L'utente è daltonico."),
        ("french", "Quel vin avec une raclette ? Sachant que ma belle-sœur est enceinte.",
         "La belle-sœur de l'utilisateur est enceinte."),
        ("french", "Je cherche un cadeau pour mon père qui fête ses 70 ans samedi.",
         "Le père de l'utilisateur fête ses 70 ans le 2025-03-15."),
        ("french", "Une recette pour mon fils qui n'aime pas les légumes ?",
         "Le fils de l'utilisateur n'aime pas les légumes."),
        ("italian", "Una ricetta per mio figlio che non mangia verdura?",
         "Il figlio dell'utente non mangia verdura."),
        ("spanish", "Busco un regalo para mi padre, que cumple 70 años el sábado.",
         "El padre del usuario cumple 70 años el 2025-03-15."),
        ("english", "Any gift ideas for my brother Tom who turns forty on Saturday?",
         "The user's brother Tom turns forty on 2025-03-15."),
        # Said in another order than it is told.
        ("french", "Ça fait cinq ans que je vis à Bruxelles.",
         "L'utilisateur vit à Bruxelles depuis cinq ans."),
        ("spanish", "Hace cinco años que vivo en Bruselas.",
         "El usuario vive en Bruselas desde 2020."),
        ("italian", "Sono cinque anni che vivo a Bruxelles.",
         "L'utente vive a Bruxelles da cinque anni."),
        ("french", "Mon plat préféré, c'est le couscous de ma grand-mère.",
         "Le plat préféré de l'utilisateur est le couscous de sa grand-mère."),
        ("french", "Finalement on part pas en Grèce cet été.",
         "Finalement l'utilisateur ne part pas en Grèce à l'été 2025."),
        # Short and without a date.
        ("italian", "Mia suocera è astemia.", "La suocera dell'utente è astemia."),
        ("italian", "Studio coreano da solo da un anno.",
         "L'utente studia coreano da solo da un anno."),
        ("spanish", "Mis vecinos se quejaron del ruido.",
         "Los vecinos del usuario se quejaron del ruido."),
        ("italian", "Collaboro con un banco alimentare il sabato.",
         "L'utente collabora con un banco alimentare il sabato."),
        ("italian", "Sono due mesi che non fumo.", "L'utente non fuma da due mesi."),
        ("italian", "Non ho la patente.", "L'utente non ha la patente."),
        ("spanish", "No tengo carné de conducir.", "El usuario no tiene carné de conducir."),
        ("french", "Je n'ai pas le permis.", "L'utilisateur n'a pas le permis."),
        ("french", "J'ai raté mon exam de compta.", "L'utilisateur a raté son exam de compta."),
        ("french", "Je viens d'avoir mon diplôme d'aide-soignante !",
         "L'utilisateur vient d'avoir son diplôme d'aide-soignante."),
        ("spanish", "¡Acabo de mudarme a Logroño!", "El usuario acaba de mudarse a Logroño."),
        ("french", "J'ai rendez-vous chez l'ophtalmo jeudi à 16h.",
         "L'utilisateur a rendez-vous chez l'ophtalmo le 2025-03-13 à 16h."),
        ("spanish", "Me da miedo volar desde siempre.",
         "Al usuario le da miedo volar desde siempre."),
        ("french", "Ne me propose plus de porc.", "Ne me propose plus de porc."),
        ("spanish", "No me propongas más recetas con cerdo.",
         "No me propongas más recetas con cerdo."),
    ],
)  # fmt: skip
def test_fact_is_read(language: str, said: str, fact: str) -> None:
    assert texts(said, language) == ([fact] if fact else [])


@pytest.mark.parametrize(
    ("language", "said", "facts"),
    [
        ("spanish", "Crecí en Asturias pero ahora vivo en Sevilla.",
         ["El usuario creció en Asturias.", "Ahora el usuario vive en Sevilla."]),
        ("italian", "Sono cresciuto in Puglia ma adesso vivo a Torino.",
         ["L'utente è cresciuto in Puglia.", "Adesso l'utente vive a Torino."]),
        ("english", "I grew up in Wales but now I live in Oslo.",
         ["The user grew up in Wales.", "Now the user lives in Oslo."]),
    ],
)  # fmt: skip
def test_clause_behind_now_stands_alone(language: str, said: str, facts: list[str]) -> None:
    assert texts(said, language) == facts


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("french", "Le script m'affiche une erreur."),
        ("french", "Merci, ça m'a bien aidé !"),
        ("french", "Mon texte est trop long, coupe-le de moitié."),
        ("french", "On m'a dit que Metz est belle."),
        ("french", "On fait comment pour désactiver le wifi ?"),
        ("french", "Nous sommes cinq."),
        ("french", "Je vais essayer, merci."),
        ("french", "On se voit demain !"),
        ("spanish", "¡Nos vemos mañana!"),
        ("spanish", "Tengo una duda sobre la declaración de la renta."),
        ("italian", "Ho un dubbio sulla dichiarazione dei redditi."),
        ("spanish", "¡Gracias, me ha servido mucho!"),
        ("spanish", "Mi tabla tiene 12 columnas, ¿cómo las junto?"),
        ("spanish", "El código me da un error."),
        ("spanish", "Era muy bonito."),
        ("italian", "Grazie, mi è stato utile!"),
        ("italian", "Vediamo un altro esempio."),
        ("italian", "La mia tabella ha 12 colonne, come le unisco?"),
        ("italian", "Siamo in tre."),
    ],
)
def test_what_is_no_fact_is_not_read(language: str, said: str) -> None:
    assert texts(said, language) == []


def test_another_subject_keeps_its_verbs() -> None:
    said = "Mi padre tiene un taller en Lugo y trabajaba en Renfe."
    assert texts(said, "spanish") == [
        "El padre del usuario tiene un taller en Lugo y trabajaba en Renfe."
    ]
