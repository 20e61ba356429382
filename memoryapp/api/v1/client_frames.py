"""Frames that client programs write around messages: openings, tags and words that tell them.

Each entry stands for texts that one client has in its code, and is tried by a request in
`tests/api/v1/client_requests.py`. Texts that the people of a client may write themselves are
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
    "Codex, compaction": re.compile(r"You are performing a CONTEXT CHECKPOINT COMPACTION\b"),
    "Cline, compaction": re.compile(
        r"<explicit_instructions type=\"(?:condense|summarize_task)\">"
    ),
    "opencode, continuation": re.compile(
        r"Provide a detailed prompt for continuing our conversation\b"
    ),
    "OpenHands, summary": re.compile(r"You are maintaining a context-aware state summary\b"),
    "Roo Code, prompt": re.compile(r"Generate an enhanced version of this prompt \(reply with"),
    "Jan, title": re.compile(r"Summarize in an? \w{1,9}-word Title\."),
    "Page Assist, title": re.compile(r"Here is the query:\s"),
    "Dify, name": re.compile(r"You need to decompose the user's input into\b"),
    "Cherry Studio, translation": re.compile(
        r"You are a translation expert\. Your only task is to translate text enclosed with <"
    ),
    "Zed, commit": re.compile(r"You are an expert at writing Git commits\b"),
    "mem0, changes": re.compile(r"You are a smart memory manager which controls the memory of a"),
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
    "Copilot, commit": re.compile(
        r"You are an AI programming assistant, helping [^.\n]{0,60}commit"
    ),
    "Hermes, name": re.compile(r"You name chat sessions\b"),
    "mem0, facts": re.compile(r"You are a Personal Information Organizer\b"),
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
    "aider, more files": re.compile(r"I added (?:this file|these files) to the chat: "),
    "aider, edits": re.compile(r"I (?:updated the files|edited the files myself)\.\s{0,4}\Z"),
    "aider, commit": re.compile(r"I committed the changes with git hash\b"),
    "aider, command": re.compile(r"I ran this command:\n"),
    "Codex": re.compile(r"# AGENTS\.md instructions\b"),
}
#: The same, to which a model answers.
REMARK_OPENINGS: dict[str, re.Pattern[str]] = {
    "Cline": re.compile(r"\[ERROR\] You did not use a tool in your previous response"),
    "aider, no edits": re.compile(r"I didn't see any properly formatted edits in your reply\b"),
    "Claude Code, summary": re.compile(r"This session is being continued from a previous convers"),
    "Claude Code, commands": re.compile(r"Caveat: The messages below were generated by the user"),
    "Claude Code, interruption": re.compile(r"\[Request interrupted by user\b"),
    "Codex, summary": re.compile(r"Another language model started to solve this problem and prod"),
    "opencode, continuation": re.compile(r"Continue if you have next steps, or stop and ask for"),
    "smolagents and SWE-agent": re.compile(r"(?:Observation|OBSERVATION):\n"),
    "OpenClaw, heartbeat": re.compile(r"Read HEARTBEAT\.md if it exists\b"),
    "OpenClaw, beginning": re.compile(r"A new session was started via /new or /reset\b"),
}
#: Tags of what clients put into, or send as, a person's message.
REMINDER_TAGS = (
    "system-reminder",
    "system_reminder",
    "system_warning",
    "environment_context",
    "environment_details",
    "environment_info",
    "workspace_info",
    "session_context",
    "user_instructions",
    "reminderInstructions",
    "editorContext",
    "additional_data",
    "ide_opened_file",
    "ide_selection",
    "command-message",
    "command-name",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "turn_aborted",
    "tool_response",
    "tool_result",
    "tool_results",
    "function_results",
    "files_info",
)
#: The same between other marks: LobeChat, and Mistral's models.
REMINDER_MARKS = {
    "<!-- SYSTEM CONTEXT": "<!-- END SYSTEM CONTEXT -->",
    "[TOOL_RESULTS]": "[/TOOL_RESULTS]",
}
#: Tags in which clients put what a person has written.
SAID_TAGS = (
    "task",
    "feedback",
    "answer",
    "user_message",
    "user_query",
    "userRequest",
    "command-args",
)
#: How the result of a tool, or an answer, begins in the name of a person: Cline and others.
TOOL_RESULT = re.compile(
    r"\[[a-z]{1,20}(?:_[a-z]{1,20}){1,5}(?: for '|\] Result:)"
    r"|The user denied this operation and provided the following feedback:"
)
#: What stands last before the result itself.
BEFORE_RESULT = re.compile(r"\] Result:|the following feedback:")
#: OpenClaw: what it says of a message before it, and when it came.
METADATA = re.compile(
    r"(?:[A-Z][a-z ]{1,60} \(untrusted metadata\):\n```json\n[^`]{0,4000}\n```\s{1,4})+"
    r"(?:\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d[^\]\n]{0,12}\] )?"
    r"|\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [A-Z][^\]\n]{0,12}\] "
)
#: Letta: a message or an event, as an object with these fields.
EVENT_BEGINS, EVENT_FIELDS = '{"type": "', frozenset(("type", "time"))

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

#: LangChain, LlamaIndex, Haystack and Cherry Studio: a prompt around documents and a question.
PASSAGES_TASK = re.compile(
    r"Use the following (?:pieces of )?(?:retrieved )?context to answer\b"
    r"|Context information is below\.|Given the following information, answer the question"
    r"|Please answer the question based on the reference materials"
)
PASSAGES_QUESTION = re.compile(r"^(?:Question|Query|## My question is):", re.MULTILINE)
PASSAGES_ANSWER = re.compile(r"^(?:Answer:|Helpful Answer|## )", re.MULTILINE)

#: Tags and headings of a chat inside a prompt.
CHAT_TAG = re.compile(
    r"<(chat_history|chat_log|chat|conversation_history|conversation|dialogue|dialog|history"
    r"|messages|transcript|session)>",
    re.IGNORECASE,
)
CHAT_HEADING = re.compile(
    r"^(?:#{1,6} |\*\*|<)?(?:(?:current|previous|the) )?(?:chat ?history|chat"
    r"|conversation(?: history)?|messages?|(?:gesprächs|chat)verlauf|unterhaltung|gespräch"
    r"|conversazione|cronologia(?: chat)?"
    r"|conversación|historial|conversation|historique|conversa|histórico|对话|聊天记录|会話"
    r"|here's the conversation)(?: \([^)\n]{1,40}\))? ?(?:[:：]\*{0,2}|\*\*[:：]|>)[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
#: Marks before and behind the name of who speaks in such a chat, at the beginning of a line.
_BEFORE_ROLE = r"^(?:(?:new lines|chat history|conversation): )?(?:[#*-] |-?\d{1,3}\. )?\*{0,2}"
_BEHIND_ROLE = r"\*{0,2}(?:[:：]|[ \t]{0,8}$|[ \t]```)"
#: What a person and an assistant say in such a chat.
PERSONS_LINE = re.compile(
    rf"{_BEFORE_ROLE}(?:user|human|nutzer|benutzer|utente|usuario|usuário|utilisateur|用户|ユーザー)"
    rf"{_BEHIND_ROLE}",
    re.IGNORECASE | re.MULTILINE,
)
ASSISTANTS_LINE = re.compile(
    rf"{_BEFORE_ROLE}(?:assistant|ai|assistent|assistente|asistente|助手|アシスタント){_BEHIND_ROLE}",
    re.IGNORECASE | re.MULTILINE,
)
ROLE_FIELD = re.compile(r'"role": ?"(?:user|assistant)"|<(?:user|human|assistant)>')

#: Beginnings of words that mean a chat, in the languages of the clients.
_CHAT = (
    r"(?:\b(?:chat|conversation|conversaci|conversazion|conversas?\b|thread|session|dialog"
    r"|discussion|discussão|story so far|gespräch|unterhaltung|charla|échange"
    r"|бесед|разговор|диалог|чат)"
    r"|对话|對話|会话|會話|聊天|这句话|会話|チャット)"
)
#: The same for a title.
_TITLE = (
    r"(?:\b(?:titl(?:e|ing)|headline|titel|überschrift|betitel|titol|intitol|título|titul|titre"
    r"|intitul|заголов|(?:short|concise|brief) (?:description|phrase|name)\b)"
    r"|标题|標題|主题|主題|题目|名称|タイトル)"
)
#: A title of a chat: in one sentence, in either order; and a name for it.
CHAT_TITLE = re.compile(
    rf"{_TITLE}[^.!?。\n]{{0,90}}{_CHAT}|{_CHAT}[^.!?。\n]{{0,90}}{_TITLE}"
    r"|\bnam(?:e|ing) (?:this|the|a) (?:\w{1,20} )?(?:chat|conversation|thread|session)\b"
    r"|\b(?:chat|conversation|thread|session) a name\b",
    re.IGNORECASE,
)
#: A title of what a person has asked.
FIRST_MESSAGE_TITLE = re.compile(
    rf"{_TITLE}[^.!?。\n]{{0,60}}\b(?:first message"
    r"|(?:following|previous|given|user's) (?:query|question|request|prompt|message|input))\b"
    rf"|(?:message|query|request)[^.!?。\n]{{0,60}}{_TITLE}|\btitles for (?:\w{{1,20}} )?tasks\b",
    re.IGNORECASE,
)
#: A chat in short.
CHAT_SUMMARY = re.compile(
    rf"(?:\b(?:summar|zusammenfass|fass|riass|resum|résum)|总结|總結|摘要|要約)[^.!?。\n]{{0,60}}{_CHAT}"
    rf"|{_CHAT}[^.!?。\n]{{0,40}}(?:まとめ|要約|总结|总结|摘要)",
    re.IGNORECASE,
)
#: A question of a chat in words that can be understood without it, as programs search with.
STANDALONE_QUESTION = re.compile(
    r"\bstandalone (?:search )?(?:question|quer)"
    r"|\beigenständige\w{0,2} (?:frage|suchanfrage)|\bdomanda (?:autonoma|indipendente)"
    r"|\bpregunta (?:autónoma|independiente)|\bquestion (?:autonome|indépendante)"
    r"|\bpergunta (?:autônoma|independente)|独立的?问题",
    re.IGNORECASE,
)
#: What a title may be: so many words, nothing else.
LIMIT = re.compile(
    r"(?:\d|\b(?:two|three|four|five|six|seven|eight|ten|zwei|drei|vier|fünf|sechs|sieben|due|tre"
    r"|quattro|cinque|sei|dos|tres|cuatro|cinco|seis|deux|trois|quatre|cinq|six|dois|três"
    r"|четырех|четырёх|пяти|шести)\b|[二三四五六八十])"
    r"[ -]?(?:word|character|wört|wort|zeichen|parol|caratter|palabra|palavra|car[aá]cter|mot"
    r"|caractère|слов|个字|个词|文字|字)"
    r"|\b(?:only|nothing else|without any|no (?:quot|punct|expl|pre)|omit|nur|nichts anderes|ohne"
    r"|solo|soltanto|senza|sólo|solamente|únicamente|sin|sem|seulement|uniquement|sans|только|json)"
    r"|只|仅|不要|直接|のみ",
    re.IGNORECASE,
)
#: The work that clients have done on a chat that they quote.
PURPOSE = re.compile(
    rf"{_TITLE}"
    r"|\b(?:extract|proper nouns|questions? that|about the user|facts?\b|memor(?:y|ies)\b"
    r"|tags?|follow[- _]?ups?|emojis?|autocomplet|search quer|topics?|summar|keywords?"
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
