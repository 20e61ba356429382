"""Requests in the forms in which clients send them; where a text is not a client's fixed opening,
the words are this project's.
"""

from typing import Any, NamedTuple

SAID = "My cat is called Biscotto."
CHAT = f"USER: {SAID}\nASSISTANT: Noted."

Messages = list[dict[str, Any]]


def user(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def system(text: Any) -> dict[str, Any]:
    return {"role": "system", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


#: A conversation, behind which clients ask for its title.
TALK = [user(SAID), assistant("Noted.")]


def text(said: str) -> dict[str, str]:
    """One of several parts of a message."""
    return {"type": "text", "text": said}


class Scaffold(NamedTuple):
    """A conversation with texts of a client, what the person says in it, and what the model."""

    client: str
    messages: Messages
    said: list[str]
    replies: tuple[str, ...] = ()


#: The work of clients, by their names and its purpose.
TASKS: dict[str, Messages] = {
    "Open WebUI, emoji": [
        user(f"Your task is to reflect the speaker's mood by one emoji.\n\nMessage: ```{SAID}```")
    ],
    "Open WebUI, voice": [
        user("You are a friendly, concise voice assistant participating in a call.")
    ],
    "Open WebUI, several models": [
        user(
            f'You have been provided with a set of responses to: "{SAID}"\n\nMake one of them.\n\n'
            '"""Noted."""\n\n"""What a nice name."""'
        )
    ],
    "Open WebUI, choice of tools": [
        system('Tools: [{"name": "clock", "parameters": {}}]\nReturn JSON with those to call.'),
        user(f'History:\nUSER: """{SAID}"""\nQuery: What time is it?'),
    ],
    "Open WebUI, choice of tools at the beginning": [
        system('Tools: [{"name": "clock", "parameters": {}}]\nReturn JSON with those to call.'),
        user("Query: What time is it?"),
    ],
    "Claude Code and Roo, compaction": [
        *TALK,
        user("Your task is to create a detailed summary of what was said and done."),
    ],
    "Claude Code and opencode, compaction": [
        system("You are a helpful AI assistant tasked with summarizing conversations."),
        *TALK,
        user("Sum up the above."),
    ],
    "Claude Code, name": [
        system([text("x-billing: 1"), text("A CLI.")]),
        system("You are naming a coding session for a list."),
        user(SAID),
    ],
    "Claude Code, topic": [
        system("Analyze if this message indicates a new conversation topic, and name it."),
        user(SAID),
    ],
    "Zed, summary": [*TALK, user("Generate a detailed summary of this conversation. Begin.")],
    "Zed, title": [
        *TALK,
        user(
            "Generate a 3-7 word title for this conversation. No preamble like `Here is my "
            "suggestion` or `Title:`. DO NOT speak in the first person."
        ),
    ],
    "Qwen Code, notes": [
        *TALK,
        user("Managed memory directory: `/home/ana/.qwen`\n\nRead the conversation, write notes."),
    ],
    "Gemini CLI, next speaker": [
        *TALK,
        user("Analyze *only* the content and structure of your last answer: who is next?"),
    ],
    "Gemini CLI, compression": [
        system("You compress histories."),
        *TALK,
        user("First, reason in your scratchpad. Then write the snapshot."),
    ],
    "HuggingChat, name": [
        system("You are a summarization AI. Four words or less."),
        user("Who is the president?"),
        assistant("🇫🇷 President"),
        user(SAID),
    ],
    "HuggingChat, title": [
        system("You write titles for chat threads: 2–4 words about the first message. ONLY those."),
        user(f'User message: "{SAID}"'),
    ],
    "aider, commit": [
        system("You are an expert software engineer that generates concise, one-line messages."),
        user("diff --git a/cat.py b/cat.py"),
    ],
    "aider, history": [
        system("*Briefly* summarize this partial conversation about code."),
        user(f"# USER\n{SAID}\n# ASSISTANT\nNoted.\n"),
    ],
    "opencode, title": [
        system("You are a title generator. You output ONLY a thread title."),
        user("Generate a title for this conversation:\n"),
        user(f'"{SAID}"\n'),
    ],
    "crush, title": [
        system(
            "You write a short title based on the first message of a user, at most 50 characters."
        ),
        user(f"A title for the following content, please:\n\n{SAID}"),
    ],
    "Continue, title": [
        user(f"Reply with a title for the chat that is 3-4 words long, nothing more.\n\n{SAID}")
    ],
    "Chatbox, name": [
        user(
            "From the history, give this conversation a name.\nAt most 10 characters, no quotes."
            f"\n\nHere's the conversation:\n\n```\n{SAID}\n---------\nNoted.\n```\n\nThe name is:"
        )
    ],
    "LibreChat, title": [
        user(
            f"Give the conversation a title of 5 words.\n\nConversation:\nUser: {SAID}\nAI: Noted."
        )
    ],
    "LibreChat, title of the first message": [
        user(f"A title for the conversation. Only return the title.\n\nConversation:\nUser: {SAID}")
    ],
    "LobeChat, title": [
        system("You sum up conversations. Write a title that holds their essence."),
        user(f"user: {SAID}\nassistant: Noted.\n\nNow the title, in en-US."),
    ],
    "LobeChat, title in Chinese": [
        system("你是擅长总结的助理，请把用户的会话变成 10 个字以内的标题"),
        user("user: 我的猫叫饼干。\nassistant: 好的。\n\n现在写标题"),
    ],
    "Cherry Studio, title": [
        system("Turn the user's conversation into a title within 10 words, without symbols."),
        user('[{"role": "user", "mainText": "My cat is called Biscotto."}]'),
    ],
    "NextChat, title": [
        *TALK,
        user("A title of four to five words for our conversation, without punctuation or quotes."),
    ],
    "NextChat, title in Chinese": [*TALK, user("用四到五个字写出这句话的主题，不要解释，不要标点")],
    "NextChat, title in German": [
        *TALK,
        user("Bitte einen Titel aus vier Wörtern für unser Gespräch, ohne Satzzeichen."),
    ],
    "NextChat, title in Italian": [
        *TALK,
        user("Un titolo di quattro parole per la nostra conversazione, senza punteggiatura."),
    ],
    "NextChat, title in Spanish": [
        *TALK,
        user("Un título de cuatro palabras para nuestra conversación, sin puntuación."),
    ],
    "NextChat, title in French": [
        *TALK,
        user("Un titre de quatre mots pour notre conversation, sans ponctuation."),
    ],
    "NextChat, summary": [
        *TALK,
        system("Summarize the discussion in 200 words, as a prompt for later."),
    ],
}

#: Conversations with texts of clients, in the person's name or around what they say.
SCAFFOLDS = [
    Scaffold(
        "Gemini CLI and Qwen Code",
        [
            user("This is the Qwen Code. We are setting up the context for our chat.\nOS: linux"),
            assistant("Got it. Thanks for the context!"),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "Gemini CLI and Qwen Code",
        [
            user(
                [
                    text("This is the Gemini CLI. We are setting up the context for our chat."),
                    text(SAID),
                ]
            ),
        ],
        [SAID],
    ),
    Scaffold(
        "aider, no files",
        [
            system("Act as an expert software developer."),
            user("I am not sharing any files that you can edit yet."),
            assistant("Ok."),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "aider, files",
        [
            user("I am working with you on code in a git repository.\ncat.py:\n  class Cat"),
            assistant("Ok, I won't touch those files."),
            user("Here are summaries of some files present in my git repository.\ndog.py"),
            assistant("Ok."),
            user("Here are some READ ONLY files, for reference.\nREADME"),
            assistant("Ok."),
            user("I have *added these files to the chat*, so go on.\ncat.py\n```\nclass Cat\n```"),
            assistant("Ok, any changes I propose will be to those files."),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "aider, summary",
        [
            user("I spoke to you previously about a number of things.\nI asked for a cat."),
            assistant("Ok."),
            user("I switched to a new code base. Forget the old one."),
            assistant("Ok."),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "Codex",
        [
            user("# AGENTS.md instructions for /srv\n\n<INSTRUCTIONS>Use tabs.</INSTRUCTIONS>"),
            user("<environment_context><cwd>/srv</cwd></environment_context>"),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "Cline",
        [
            user(
                [
                    text(f"<task>\n{SAID}\n</task>"),
                    text("<environment_details>\nTime\n</environment_details>"),
                ]
            ),
            assistant("Noted."),
            user("[ERROR] You did not use a tool in your previous response! Please retry."),
            assistant("Sorry."),
            user(f"<feedback>\n{SAID}\n</feedback>"),
        ],
        [SAID, SAID],
        ("Noted.", "Sorry."),
    ),
    Scaffold(
        "CrewAI",
        [
            system("You are Researcher."),
            user(
                f"\nCurrent Task: {SAID}\n\n"
                "This is the expected criteria for your final answer: a word"
                "\nyou MUST return all of it.\n\nThis is the context you're working with:\nDogs."
            ),
        ],
        [SAID],
    ),
    Scaffold(
        "CrewAI",
        [user(f"{SAID}\n\nThis is the expected criteria for your final answer: a word")],
        [SAID],
    ),
    Scaffold(
        "DSPy",
        [
            system("Your input fields are: ..."),
            user(
                f"[[ ## context ## ]]\nDogs are called Rex.\n\n[[ ## question ## ]]\n{SAID}\n\n"
                "Respond with the corresponding output fields, starting with `[[ ## answer ## ]]`."
            ),
        ],
        [SAID],
    ),
    Scaffold(
        "Claude Code",
        [
            user(
                [
                    text("<system-reminder>Use tabs.</system-reminder>"),
                    text("<ide_opened_file>cat.py</ide_opened_file>"),
                    text(SAID),
                ]
            )
        ],
        [SAID],
    ),
    Scaffold(
        "Cursor",
        [user(f"<user_query>\n{SAID}\n</user_query>")],
        [SAID],
    ),
]
