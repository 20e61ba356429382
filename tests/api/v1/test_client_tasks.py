"""Requests that clients make for themselves, in any language, and what people say beside them."""

from typing import Any

import pytest

from memoryapp.api.v1 import client_frames as frames
from memoryapp.api.v1.client_tasks import is_client_task
from tests.api.v1.client_requests import CHAT, SAID, TALK, TASKS, assistant, system, user

#: Templates as people configure them: the structure of Open WebUI's, in words of their own.
INSTRUCTIONS = {
    "en": ("Task", "Say what comes next.", "Output", "Chat History"),
    "de": ("Aufgabe", "Finde einen kurzen Namen, je nach Sprache.", "Ausgabe", "Verlauf"),
    "it": ("Compito", "Proponi tre domande.", "Risultato", "Cronologia"),
    "es": ("Tarea", "Elige las etiquetas.", "Salida", "Historial"),
    "fr": ("Tâche", "Imagine une image de ce qui est dit.", "Sortie", "Historique"),
    "zh": ("任务", "写出三个后续问题。", "输出", "聊天记录"),
}
HISTORY = f"<chat_history>\n{CHAT}\n</chat_history>"


@pytest.mark.parametrize("language", INSTRUCTIONS)
@pytest.mark.parametrize(
    "template",
    [
        # A title, tags, questions, queries, pictures: the chat is last.
        '### {0}:\n{1}\n\n### {2}:\nJSON: {{ "a": [] }}\n\n### {3}:\n{history}',
        "## {0}\n{1}\n### {3}:\n{history}",
        "{1}\n\n{history}",
        # The format is last, or the chat first.
        '### {0}:\n{1}\n### {3}:\n{history}\n### {2}:\nJSON: {{ "a": [] }}',
        '### {0}:\n{1}\n{history}\nJSON: {{ "a": [] }}',
        # Completion of a text.
        "### {0}:\n{1}\n---\n### {3}:\n{history}\n<type>General</type>  \n"
        "<text>I live in</text>  \n#### {2}:\n",
        "### {0}:\n{1}\n### {3}:\n<chat_history>\n\n</chat_history>\n<type>General</type>\n"
        "<text>Do I live in</text>\n#### {2}:\n",
    ],
)
def test_templates_are_known_by_their_form(template: str, language: str) -> None:
    words = INSTRUCTIONS[language]
    assert is_client_task([user(template.format(*words, history=HISTORY))])
    # Whatever the model is told besides, and however long the chat is.
    long = f"<chat_history>\n{CHAT}\nUSER: {'Is it so? ' * 4_000}\n</chat_history>"
    assert is_client_task([system("Be kind."), user(template.format(*words, history=long))])


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a title for the conversation in five words.",
        "Einen Titel für diese Unterhaltung in fünf Wörtern, bitte.",
        "Trova un titolo per questa conversazione.",
        "Escribe un título para esta conversación.",
        "Donne un titre à cette conversation.",
        "请给这段对话写一个标题。",
        "Fasse das Gespräch in Stichwörtern zusammen.",
        "Riassumi la conversazione.",
        "Resume la conversación.",
        "Résume la conversation.",
        "总结这段对话。",
    ],
)
def test_work_on_a_chat_without_tags(prompt: str) -> None:
    assert is_client_task([user(f"{prompt}\n\n{CHAT}")])
    assert is_client_task([user([{"type": "text", "text": f"{prompt}\n\n{CHAT}"}])])


@pytest.mark.parametrize(
    ("heading", "person", "assistant_name"),
    [
        ("**Gesprächsverlauf:**", "Nutzer", "Assistent"),
        ("### Cronologia chat:", "UTENTE", "ASSISTENTE"),
        ("## Historial:", "Usuario", "Asistente"),
        ("Conversation:", "Utilisateur", "Assistant"),
        ("<Histórico>", "Usuário", "Assistente"),
        ("会話：", "ユーザー", "アシスタント"),
    ],
)
def test_chats_in_any_language(heading: str, person: str, assistant_name: str) -> None:
    chat = f"{person}: {SAID}\n{assistant_name}: Noted."
    assert is_client_task([user(f"Tags for the conversation, as JSON.\n\n{chat}")])
    assert is_client_task([user(f"Tags, as JSON, of a chat.\n\n{heading}\n{SAID}")])


@pytest.mark.parametrize("name", TASKS)
def test_work_of_each_client(name: str) -> None:
    assert is_client_task(TASKS[name])


@pytest.mark.parametrize("name", [*frames.TASK_OPENINGS, *frames.TASK_INSTRUCTIONS])
def test_each_opening_is_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for openings in (frames.TASK_OPENINGS, frames.TASK_INSTRUCTIONS):
        monkeypatch.delitem(openings, name, raising=False)
    assert not is_client_task(TASKS[name])


TEMPLATE = f"### Task:\nFind tags.\n### Output:\nJSON\n### Chat History:\n{HISTORY}"


@pytest.mark.parametrize(
    "messages",
    [
        [user("What is a good title for my novel?")],
        [user("Make a title for my essay, at most five words, nothing else.")],
        [user("Give this chat a title.")],
        [user("Create a title for a conversation between two pirates, 5 words at most.")],
        [user("Gib meinem Aufsatz einen Titel mit drei Wörtern.")],
        [user("给我的文章起一个标题，不要超过五个字。")],
        [user("Summarize our conversation so far.")],
        [user("My tags are called Ann and Bob. Summarize the messages.")],
        [user("### Task:\nClean the kitchen.")],
        [user("# My week\n\n## Monday\nI go to Bari.\n## Tuesday\nI come home.")],
        [user("### Aufgabe:\nIch wohne in Worms. Schreib mir einen Brief.\n### Ausgabe:\nText")],
        # A person shows a template, or a chat, and says something about it.
        [user(f"What is this prompt for?\n\n{TEMPLATE}")],
        [user(f"I found this in my log:\n{TEMPLATE}")],
        [user(f"{TEMPLATE}\n\nWhy does Open WebUI send this?")],
        [user(f"{TEMPLATE}\n#### Output:\n\nWhy does Open WebUI send this?")],
        [user(f"{TEMPLATE}\n\nI get this every day. Translate it into German.")],
        [user(f"{TEMPLATE}\n\nTranslate this prompt into German.")],
        [user(f"# Question\nWhy is this sent?\n\n{TEMPLATE}")],
        [user(TEMPLATE.replace(CHAT, "{{MESSAGES:END:2}}"))],
        [user(f"What did she mean by that?\n{HISTORY}")],
        [user(f"What do you think of this?\n\n{CHAT}")],
        [user(f"Summarize this chat for my boss:\n\n{CHAT}")],
        [user("<conversation>We should have a conversation about my job.</conversation>")],
        # A question with documents, in which there may be a chat.
        [user(f"### Task:\nAnswer.\n<context>\n{HISTORY}\n</context>\nWhere do I live?")],
        # People ask for a title, too, and say something of themselves.
        [*TALK, user("What would you call this conversation?")],
        [*TALK, user("I live in Bari now. Give this chat a short title, only two words.")],
        [*TALK, user("Ich heiße Ana. Gib dem Chat einen Titel ohne Satzzeichen.")],
        [*TALK, user("Write a title for the essay of Tom, five words.")],
        [*TALK, user("Summarize our conversation in 50 words.")],
        [user("A title for this chat, please."), assistant(CHAT), user("?")],
        # Instructions of assistants that speak with people.
        [system("You are a helpful assistant for titles of songs."), user("I live in Bari.")],
        [system("Answer every message in German, only."), user("I live in Bari.")],
        [system("You are Bob, a chat assistant. Use only short words."), user("I live in Bari.")],
        [system("Help people to find a title for their novel."), user("I live in Bari.")],
        [system("Sum up long conversations when asked."), user(f"Look at this:\n{CHAT}")],
        [system("You are a friendly, concise voice assistant participating."), user(SAID)],
        [system('Tools: [{"name": "clock", "parameters": {}}]'), user(SAID)],
        [*TALK, user(SAID), system("Answer in German.")],
        [system("Summarize conversations with customers when they ask."), *TALK, user(SAID)],
        [system("You extract facts about the user, and remember them."), user(SAID)],
        [
            system("You remember facts about the user."),
            user("What do you think of it?\nUser: Hello\nAssistant: Hello"),
        ],
        [system("You commit often, and help with commit messages."), user(SAID)],
        [user("Write a title for my message to Tom, only 5 words.\nI live in Bari.")],
        [user("How do I ask a standalone question in a survey about a conversation?")],
        [user("User: Hello\nAssistant: Hello\nI have many tags for it, only short ones.")],
        [user("Human: Hello\nAI: Hello\nWhich memories does it have?")],
        [user(f"Here it says: Managed memory directory: /srv. {SAID}")],
        [assistant(CHAT)],
        ["no message"],
        [user(None)],
        [],
    ],
)
def test_what_people_say_is_no_work_of_clients(messages: list[Any]) -> None:
    assert not is_client_task(messages)
