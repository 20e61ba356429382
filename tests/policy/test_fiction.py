"""What stands in a frame of fiction: tables of cases."""

import pytest

from memoryapp.policy.fiction import without_fiction


@pytest.mark.parametrize(
    "text",
    [
        "Let's roleplay! I am a wizard. I live in a tower.",
        "Can we do a quick role play? I am a wizard. I live in a tower.",
        "OK, let's pretend. I am a wizard. I live in a tower.",
        "Imagine I am a wizard. I live in a tower.",
        "Suppose I earn 3,000 a month. I have two children.",
        "In my novel, I am a wizard. I live in a tower.",
        "In a dream I was a wizard. I lived in a tower.",
        "My D&D character is a wizard. I live in a tower.",
        "I'm drafting a monologue in the first person. I live in a tower.",
        "Use this sample user profile:\nI am a retired sailor. I live in Cork.",
        "You are the dragon and I'm the wizard. I live in a tower.",
        "Here are the lyrics of the song:\n\nI live in a tower. I have a crown.",
        "Chapter 3\nI live in a tower.",
        "[Verse 1]\nI live in a tower.",
        "Machen wir ein Rollenspiel. Ich bin ein Zauberer. Ich wohne in einem Turm.",
        "Stell dir vor, ich bin ein Zauberer. Ich wohne in einem Turm.",
        "In meinem Roman bin ich ein Zauberer. Ich wohne in einem Turm.",
        "Ich schreibe eine Erzählung in der Ich-Form. Ich wohne in einem Turm.",
        "Hier ist eine Testpersona:\nIch bin Kapitän. Ich wohne in Cork.",
        "Mein Gedicht:\nIch wohne in einem Turm.",
        "Faisons un jeu de rôle. Je suis magicien. J'habite dans une tour.",
        "Imagine que je suis magicien. J'habite dans une tour.",
        "Dans mon roman, je suis magicien. J'habite dans une tour.",
        "J'écris un texte à la première personne. J'habite dans une tour.",
        "Voici un utilisateur fictif :\nJe suis marin. J'habite à Cork.",
        "Hagamos un juego de rol. Soy un mago. Vivo en una torre.",
        "Imagina que soy un mago. Vivo en una torre.",
        "En mi novela soy un mago. Vivo en una torre.",
        "Escribo un relato en primera persona. Vivo en una torre.",
        "Este es un perfil de prueba:\nSoy marinero. Vivo en Cork.",
        "Facciamo un gioco di ruolo. Sono un mago. Vivo in una torre.",
        "Immagina che io sia un mago. Vivo in una torre.",
        "Nel mio romanzo sono un mago. Vivo in una torre.",
        "Scrivo un racconto in prima persona. Vivo in una torre.",
        "Ecco un utente di prova:\nSono un marinaio. Vivo a Cork.",
        "I dreamed that I was a wizard. I live in a tower.",
        "Last night I had a strange dream. I live in a tower.",
        "Ich habe geträumt, dass ich Zauberer bin. Ich wohne in einem Turm.",
        "Neulich habe ich geträumt, ich wäre Zauberer. Ich wohne in einem Turm.",
        "Heute Nacht hatte ich einen Albtraum. Ich wohne in einem Turm.",
        "J'ai rêvé que j'étais magicien. J'habite dans une tour.",
        "Soñé que era mago. Vivo en una torre.",
        "Ho sognato di essere un mago. Vivo in una torre.",
        "Sonhei que era mago. Moro numa torre.",
        "An example for the form:\nI am a wizard. I live in a tower.",
        "Ein Beispiel für das Formular:\nIch bin Zauberer. Ich wohne in einem Turm.",
        "Un exemple pour le formulaire :\nJe suis magicien. J'habite dans une tour.",
        "Un ejemplo para el formulario:\nSoy mago. Vivo en una torre.",
        "Un esempio per il modulo:\nSono un mago. Vivo in una torre.",
    ],
)
def test_frame_holds_to_the_end(text: str) -> None:
    assert without_fiction(text) == ""


@pytest.mark.parametrize(
    ("frame", "own"),
    [
        ("Imagine I am a wizard. I live in a tower.", "OK, back to reality: I live in Kiel."),
        ("In my story I am a wizard. I have an owl.", "Anyway, in real life I live in Kiel."),
        ("Let's roleplay. I am a wizard.", "OK, end of story. I live in Kiel."),
        ("In meinem Roman bin ich Zauberer.", "Zurück zur Realität: Ich wohne in Kiel."),
        ("Stell dir vor, ich zaubere.", "Na gut, im echten Leben wohne ich in Kiel."),
        ("Dans mon roman, je suis magicien.", "Mais dans la vraie vie, j'habite à Lyon."),
        ("En mi novela soy un mago.", "Bueno, en la vida real vivo en Soria."),
        ("Nel mio romanzo sono un mago.", "Ma nella vita reale vivo a Lecce."),
        ("I dreamed that I was a wizard.", "Then I woke up. I live in Kiel."),
        ("Ich habe geträumt, dass ich zaubere.", "Dann bin ich aufgewacht. Ich wohne in Kiel."),
    ],
)
@pytest.mark.parametrize("gap", [" ", "\n", "\n\n"])
def test_frame_is_left(frame: str, own: str, gap: str) -> None:
    before = "I have two sons."
    # What leaves it, up to a colon or a comma, tells nothing.
    kept = without_fiction(f"{before} {frame}{gap}{own}").removeprefix(before).strip()
    assert own.endswith(kept)
    assert len(kept.split()) >= 3


@pytest.mark.parametrize(
    "text",
    [
        "I am writing a novel about wizards. I live in Kiel.",
        "I work in the game industry. I can imagine moving.",
        "I play role-playing games on Fridays. I live in Kiel.",
        "Role-playing games are my hobby. I live in Kiel.",
        "In my book club we read a lot. I live in Kiel.",
        "My hero is my grandmother. I live in Kiel.",
        "My story: I was born in Kiel. I have two sons.",
        "Favourite song: Yellow. I live in Kiel.",
        "My dream job is baker. I live in Kiel.",
        "I work with test data. I live in Kiel.",
        "Ich schreibe einen Roman. Ich wohne in Kiel.",
        "Mein Charakter ist ruhig. Ich wohne in Kiel.",
        "Im Spiel gestern habe ich zwei Tore geschossen. Ich wohne in Kiel.",
        "J'écris un roman. J'habite à Lyon.",
        "Dans la pièce il y a un chat. J'habite à Lyon.",
        "Escribo una novela. Vivo en Soria.",
        "Supongo que me mudaré. Vivo en Soria.",
        "Scrivo un romanzo. Vivo a Lecce.",
        "Il mio lavoro nel cinema va bene. Vivo a Lecce.",
        "Imagine my surprise! I live in Kiel.",
        "Stell dir meine Überraschung vor! Ich wohne in Kiel.",
        "Imagine ma surprise ! J'habite à Lyon.",
        "¡Imagínate mi sorpresa! Vivo en Soria.",
        "Immagina la mia sorpresa! Vivo a Lecce.",
        "I dreamed of becoming a baker. I live in Kiel.",
        "I had a dream job in Kiel. I live there.",
        "I have always had a dream. I live in Kiel.",
        "Ich träume von einem Haus. Ich wohne in Kiel.",
    ],
)
def test_what_only_sounds_like_fiction_stays(text: str) -> None:
    assert without_fiction(text) == text
