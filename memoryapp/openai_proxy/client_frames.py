"""What client programs write themselves: the openings, tags and words by which it is known.

Each entry stands for texts that one client has in its code, and is tried by a request in
`tests/openai_proxy/client_requests.py`. Texts that the people of a client may write themselves are
recognised by their form: see `client_tasks`.
"""

import re

#: The work for which clients send a prompt of their own, whatever the rest of the request is.
TASK_OPENINGS: dict[str, re.Pattern[str]] = {
    "Open WebUI, emoji": re.compile(r"Your task is to reflect the speaker's\b"),
    # As instructions, it stands before a conversation with a person.
    "Open WebUI, voice": re.compile(r"You are a friendly, concise voice assistant participating"),
    "Open WebUI, several models": re.compile(r"You have been provided with a set of responses\b"),
    "Open WebUI, choice of tools": re.compile(r'History:\s{1,4}[A-Z]{4,9}: """'),
    "Claude Code and Roo, compaction": re.compile(r"Your task is to create a detailed summary of"),
    "Zed, summary": re.compile(r"Generate a detailed summary of this conversation\b"),
    "Qwen Code, notes": re.compile(r"Managed memory directory:"),
    "Gemini CLI, next speaker": re.compile(r"Analyze \*only\* the content and structure of your"),
    "Gemini CLI, compression": re.compile(r"First, reason in your scratchpad\b"),
}
#: The same as instructions, to which the messages are the material.
TASK_INSTRUCTIONS: dict[str, re.Pattern[str]] = {
    "Claude Code, name": re.compile(r"You are naming a coding session\b"),
    "Claude Code, topic": re.compile(r"Analyze if this message indicates a new conversation topic"),
    "Claude Code and opencode, compaction": re.compile(
        r"You are a helpful AI assistant tasked with summarizing conversations"
    ),
    "HuggingChat, name": re.compile(r"You are a summarization AI\b"),
    "aider, commit": re.compile(r"You are an expert software engineer that generates concise, one"),
}
#: A question to a list of tools, in the instructions: Open WebUI's choice of tools.
TOOL_QUESTION, TOOL_LIST = "Query: ", '"parameters"'

#: What clients say in a person's name, as whole messages; they write the answers to it, too.
CONTEXT_OPENINGS: dict[str, re.Pattern[str]] = {
    "Gemini CLI and Qwen Code": re.compile(
        r"This is (?:the )?[\w .-]{0,40}\. ?We are setting up the context for our chat"
    ),
    "aider, no files": re.compile(r"I am not sharing (?:any|the full contents of any) files\b"),
    "aider, files": re.compile(r"I have \*?added these files to the chat\b"),
    "aider, map": re.compile(r"Here are summaries of some files present in my git repo"),
    "aider, repository": re.compile(r"I am working with you on code in a git repo"),
    "aider, files to read": re.compile(r"Here are some READ ONLY files\b"),
    "aider, summary": re.compile(r"I spoke to you previously about a number of things"),
    "aider, other code": re.compile(r"I switched to a new code base\b"),
    "Codex": re.compile(r"# AGENTS\.md instructions\b"),
}
#: The same, to which a model answers.
REMARK_OPENINGS: dict[str, re.Pattern[str]] = {
    "Cline": re.compile(r"\[ERROR\] You did not use a tool in your previous response"),
}
#: Tags of what clients put into, or send as, a person's message.
REMINDER_TAGS = (
    "system-reminder",
    "environment_context",
    "environment_details",
    "session_context",
    "user_instructions",
    "ide_opened_file",
    "ide_selection",
)
#: Tags in which clients put what a person has written.
SAID_TAGS = ("task", "feedback", "user_message", "user_query")

#: CrewAI: what stands before and after the task.
CREW_BEGINS, CREW_ENDS = "Current Task:", "This is the expected criteria for your final answer"
#: DSPy: the name of a field, and what stands after the fields.
FIELD = re.compile(r"^\[\[ ## (\w{1,60}) ## \]\][ \t]{0,8}$", re.MULTILINE)
FIELDS_END = "Respond with the corresponding output fields"
#: Fields for what is shown to the model, not asked.
SHOWN_FIELDS = frozenset(
    "context contexts passages documents docs sources evidence history trajectory examples".split()
)

#: Open WebUI and others: a prompt around documents.
DOCUMENTS_TASK = "### Task:"
DOCUMENTS_BEGIN, DOCUMENTS_END = "<context>", "</context>"
QUERY_BEGINS, QUERY_ENDS = "<user_query>", "</user_query>"

#: Tags and headings of a chat inside a prompt.
CHAT_TAG = re.compile(
    r"<(chat_history|chat_log|chat|conversation_history|conversation|dialogue|dialog|history"
    r"|messages|transcript|session)>",
    re.IGNORECASE,
)
CHAT_HEADING = re.compile(
    r"^(?:#{1,6} )?(?:chat ?history|chat|conversation|messages?|(?:gesprächs|chat)verlauf"
    r"|unterhaltung|conversazione|conversación|对话|聊天记录|here's the conversation)"
    r" ?[:：][ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
#: What a person and an assistant say in such a chat.
PERSONS_LINE = re.compile(
    r"^(?:# )?(?:user|human)(?:[:：]|[ \t]{0,8}$)", re.IGNORECASE | re.MULTILINE
)
ASSISTANTS_LINE = re.compile(
    r"^(?:# )?(?:assistant|ai)(?:[:：]|[ \t]{0,8}$)", re.IGNORECASE | re.MULTILINE
)
ROLE_FIELD = re.compile(r'"role": ?"(?:user|assistant)"')

#: Beginnings of words that mean a chat, in the languages of the clients.
_CHAT = (
    r"(?:\b(?:chat|conversation|conversaci|conversazion|thread|session|dialog|discussion"
    r"|gespräch|unterhaltung|charla|échange|бесед|разговор|диалог|чат)"
    r"|对话|對話|会话|會話|聊天|这句话|会話|チャット)"
)
#: The same for a title.
_TITLE = (
    r"(?:\b(?:titl(?:e|ing)|headline|titel|überschrift|betitel|titol|intitol|título|titul|titre"
    r"|intitul|заголов)|标题|標題|主题|题目|名称|タイトル)"
)
#: A title of a chat: in one sentence, in either order; and a name for it.
CHAT_TITLE = re.compile(
    rf"{_TITLE}[^.!?。\n]{{0,90}}{_CHAT}|{_CHAT}[^.!?。\n]{{0,90}}{_TITLE}"
    r"|\bnam(?:e|ing) (?:this|the|a) (?:\w{1,20} )?(?:chat|conversation|thread|session)\b"
    r"|\b(?:chat|conversation|thread|session) a name\b",
    re.IGNORECASE,
)
#: A title of what a person has asked first.
FIRST_MESSAGE_TITLE = re.compile(rf"{_TITLE}[^.!?。\n]{{0,60}}\bfirst message\b", re.IGNORECASE)
#: A chat in short.
CHAT_SUMMARY = re.compile(
    rf"(?:\b(?:summar|zusammenfass|fass|riass|resum|résum)|总结|總結|摘要|要約)[^.!?。\n]{{0,60}}{_CHAT}",
    re.IGNORECASE,
)
#: What a title may be: so many words, nothing else.
LIMIT = re.compile(
    r"(?:\d|\b(?:two|three|four|five|six|seven|eight|ten|zwei|drei|vier|fünf|sechs|sieben|due|tre"
    r"|quattro|cinque|sei|dos|tres|cuatro|cinco|seis|deux|trois|quatre|cinq|six)\b|[二三四五六八十])"
    r"[ -]?(?:word|character|wört|wort|zeichen|parol|caratter|palabra|car[aá]cter|mot|caractère"
    r"|слов|个字|个词|字)"
    r"|\b(?:only|nothing else|without any|no (?:quot|punct|expl|pre)|omit|nur|nichts anderes|ohne"
    r"|solo|soltanto|senza|sólo|solamente|únicamente|sin|seulement|uniquement|sans|только|json)"
    r"|只|仅|不要|直接|のみ",
    re.IGNORECASE,
)
#: The work that clients have done on a chat that they quote.
PURPOSE = re.compile(
    rf"{_TITLE}"
    r"|\b(?:tags?|follow[- _]?ups?|emojis?|autocomplet|search quer|topics?|summar|keywords?"
    r"|schlagw[oö]rt|stichw[oö]rt|anschlussfrage|folgefrage|zusammenfass|suchanfrage|them(?:a|en)\b"
    r"|etichett|riassu|argoment|domande successive|ricerc"
    r"|etiquet|resum|temas?\b|preguntas siguientes|búsqueda"
    r"|étiquet|résum|sujets?\b|questions de suivi|recherche)"
    r"|标签|标籤|总结|總結|摘要|后续问题|话题|关键词|搜索|要約",
    re.IGNORECASE,
)
#: Words about a chat, for prompts that quote one.
ABOUT_CHAT = re.compile(rf"{_CHAT}|\bmessages?\b|消息", re.IGNORECASE)
#: Words with which a person speaks of themselves; a client's instructions have none.
FIRST_PERSON = re.compile(
    r"\b(?:i(?![.\w/-])|i[’'](?:m|ve)|my|mine|ich|mich|mein\w{0,2}|io|mio|mia|miei|mie|yo|mis?"
    r"|je(?! nach)|moi|mon|ma|mes)\b|我",
    re.IGNORECASE,
)
