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
    "Codex, compaction": [
        *TALK,
        user("You are performing a CONTEXT CHECKPOINT COMPACTION. Write down what is to be done."),
    ],
    "Cline, compaction": [
        *TALK,
        user('<explicit_instructions type="condense">\nShorten it.\n</explicit_instructions>'),
    ],
    "opencode, continuation": [
        *TALK,
        user("Provide a detailed prompt for continuing our conversation, with all files."),
    ],
    "OpenHands, summary": [
        user(
            "You are maintaining a context-aware state summary of events.\n\n"
            f"<EVENT id=1>\n{SAID}\n</EVENT>\n\nNow the summary."
        )
    ],
    "Roo Code, prompt": [
        user(f"Generate an enhanced version of this prompt (reply with nothing else):\n\n{SAID}")
    ],
    "Jan, title": [user(f'Summarize in a 10-word Title. The title alone. "{SAID}"')],
    "Page Assist, title": [
        user(f"Here is the query:\n\n---\n\n{SAID}\n\n---\n\nA title for it, 3-5 words, ONLY.")
    ],
    "Dify, name": [
        user(f"You need to decompose the user's input into parts. JSON.\n\nUser Input:\n{SAID}")
    ],
    "Dify, questions": [
        user(
            f"Human: {SAID}\nAssistant: Noted.\nThree questions that come next, 20 characters each."
        )
    ],
    "Cherry Studio, translation": [
        user(
            "You are a translation expert. Your only task is to translate text enclosed with "
            f"<text> into German.\n\n<text>\n{SAID}\n</text>"
        )
    ],
    "Zed, commit": [
        user("You are an expert at writing Git commits. Write one.\n\n+ I live in Bari.")
    ],
    "Copilot, commit": [
        system(
            "You are an AI programming assistant, helping people with the best commit messages."
        ),
        user("# CHANGES:\n+ I live in Bari."),
    ],
    "Copilot, title": [
        system(
            "You make brief titles. A request comes, you reply with a title of 8 words or fewer."
        ),
        user(f"A title for the following request, please:\n\n{SAID}"),
    ],
    "Copilot, compaction": [
        system("Your task is a detailed summary of the whole conversation, to continue with it."),
        *TALK,
        user("Summarize the conversation history so far, above all the last calls."),
    ],
    "opencode, summary of what was done": [
        system("Summarize what was done in this conversation, as in a pull request."),
        *TALK,
    ],
    "Hermes, name": [system("You name chat sessions. Write one name."), user(SAID)],
    "Goose, description": [
        *TALK,
        user("A concise description of this session in 4 words or less, without commentary."),
    ],
    "mem0, changes": [
        user(
            "You are a smart memory manager which controls the memory of a bot.\n\n"
            f"```\n[{{'id': '0', 'text': '{SAID}'}}]\n```"
        )
    ],
    "mem0, facts": [
        system("You are a Personal Information Organizer. Take down facts as JSON."),
        user(f"Input:\nuser: {SAID}\nassistant: Noted.\n"),
    ],
    "LibreChat, memory": [
        system("Call `set_memory` to keep what is important about the user."),
        user(f"# Current Chat:\n\nUser: {SAID}\nAssistant: Noted."),
    ],
    "RAGFlow, question": [
        system(
            "## Role\nA helper.\n\n## Task\nWrite the full question that follows the conversation."
            f"\n\n**Conversation:**\n\nUSER: {SAID}\nASSISTANT: Noted."
        ),
        user("Output: "),
    ],
    "LangChain, question": [
        user(
            "Given this conversation, make the last question a standalone question.\n\n"
            f"Chat History: Human: {SAID}\nAssistant: Noted.\nInput: Where do I live?\nQuestion:"
        )
    ],
    "LangChain, question behind a conversation": [
        system("From the chat history and the last question, formulate a standalone question."),
        *TALK,
        user("I live in Bari. What does she eat there?"),
    ],
    "LangChain, names": [
        user(
            "Extract all proper nouns from the last line of the conversation.\n\n"
            f"Conversation history (for reference only):\nHuman: {SAID}\nAI: Noted.\nOutput:"
        )
    ],
    "LobeChat, summary": [
        system("You sum up conversations: a summary of what stands in <chat_history>."),
        user(
            f"<chat_history>\n<user>{SAID}</user>\n<assistant>Noted.</assistant>\n</chat_history>"
            "\n\nAt most 400 tokens."
        ),
    ],
    "Adaptive Memory, facts": [
        system("You are a memory manager: facts of the conversation with a user, as JSON."),
        user(f"-2. user ```{SAID}```\n-1. assistant ```Noted.```"),
    ],
    "SillyTavern, summary": [
        system("You are Bob."),
        *TALK,
        system("Summarize the events of the story so far in 200 words."),
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
    "NextChat, title in Portuguese": [
        *TALK,
        user("Um título de quatro palavras para a nossa conversa, sem pontuação."),
    ],
    "NextChat, title in Russian": [
        *TALK,
        user("Заголовок из пяти слов, резюмирующий нашу беседу, без кавычек."),
    ],
    "NextChat, title in Japanese": [*TALK, user("この会話の主題を5文字で、説明は不要です。")],
    "NextChat, summary in Portuguese": [*TALK, system("Resuma a discussão em 200 palavras.")],
    "NextChat, summary in Japanese": [*TALK, system("会話を200字以内で簡潔にまとめてください。")],
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
    Scaffold(
        "Cursor",
        [
            user(
                f"<additional_data>\nDogs.\n</additional_data>\n<user_query>\n{SAID}\n</user_query>"
            )
        ],
        [SAID],
    ),
    Scaffold(
        "Copilot",
        [
            user(
                '<attachments>\n<attachment id="a">\nDogs.\n</attachment>\n</attachments>\n'
                "<context>\nIt is June.\n</context>\n"
                "<reminderInstructions>\nUse tabs.\n</reminderInstructions>\n"
                f"<userRequest>\n{SAID}\n</userRequest>"
            )
        ],
        [SAID],
    ),
    Scaffold(
        "Cline",
        [
            user(
                f"[ask_followup_question for 'What is it\ncalled?'] Result:\n<answer>\n{SAID}\n"
                "</answer>\n<environment_details>\nTime\n</environment_details>"
            ),
            assistant("Noted."),
            user("[read_file for 'dog.txt'] Result:\n<content>\nMy dog is called Rex.\n</content>"),
            assistant("Read."),
            user(
                [
                    text("[execute_command for 'cat dog.txt'] Result:"),
                    text("My dog is called Rex."),
                    text("[attempt_completion] Result:"),
                    text(f"The user is not content.\n<feedback>\n{SAID}\n</feedback>"),
                ]
            ),
            assistant("Sorry."),
            user(
                "The user denied this operation and provided the following feedback:\n"
                f"<feedback>\n{SAID}\n</feedback>"
            ),
        ],
        [SAID, SAID, SAID],
        ("Noted.", "Read.", "Sorry."),
    ),
    Scaffold(
        "aider, more files",
        [
            user("I added these files to the chat: dog.py\nSay which others you need."),
            assistant("Ok."),
            user("I edited the files myself."),
            assistant("Ok."),
            user("I committed the changes with git hash 1a2b & commit msg: My dog is called Rex."),
            assistant("Ok."),
            user("I ran this command:\n\ncat dog.txt\n\nIt said:\n\nMy dog is called Rex."),
            assistant("Ok."),
            user("I didn't see any properly formatted edits in your reply?!"),
            assistant("Sorry."),
            user(SAID),
        ],
        [SAID],
        ("Sorry.",),
    ),
    Scaffold(
        "Claude Code",
        [
            user("This session is being continued from a previous conversation. My dog is Rex."),
            assistant("Going on."),
            user("Caveat: The messages below were generated by the user with local commands."),
            user("<command-name>/init</command-name><command-message>init</command-message>"),
            user("<local-command-stdout>My dog is called Rex.</local-command-stdout>"),
            user("<bash-stdout>My dog is called Rex.</bash-stdout><bash-stderr></bash-stderr>"),
            user("[Request interrupted by user for tool use]"),
            user(f"<command-name>/say</command-name>\n<command-args>{SAID}</command-args>"),
        ],
        [SAID],
        ("Going on.",),
    ),
    Scaffold(
        "Codex",
        [
            user("Another language model started to solve this problem and produced this: Rex."),
            user("<turn_aborted>\nIt was stopped.\n</turn_aborted>"),
            user(SAID),
        ],
        [SAID],
    ),
    Scaffold(
        "opencode",
        [
            user("Continue if you have next steps, or stop and ask for more."),
            assistant("Done."),
            user(SAID),
        ],
        [SAID],
        ("Done.",),
    ),
    Scaffold(
        "smolagents and SWE-agent",
        [user(SAID), assistant("Code."), user("Observation:\nMy dog is called Rex.")],
        [SAID],
        ("Code.",),
    ),
    Scaffold(
        "OpenClaw",
        [
            user("A new session was started via /new or /reset. Greet the person."),
            assistant("Hello."),
            user("Read HEARTBEAT.md if it exists, and follow it."),
            assistant("HEARTBEAT_OK"),
            user(
                'Conversation info (untrusted metadata):\n```json\n{\n  "sender": "Ana"\n}\n```\n\n'
                'Sender (untrusted metadata):\n```json\n{\n  "name": "Ana"\n}\n```\n\n'
                f"[Thu 2026-03-05 16:29 GMT+8] {SAID}"
            ),
        ],
        [SAID],
        ("Hello.", "HEARTBEAT_OK"),
    ),
    Scaffold(
        "Letta",
        [
            user(f'{{"type": "user_message", "message": "{SAID}", "time": "2026-03-05"}}'),
            assistant("Noted."),
            user('{"type": "heartbeat", "reason": "My dog is called Rex.", "time": "2026-03-05"}'),
        ],
        [SAID],
        ("Noted.",),
    ),
]
