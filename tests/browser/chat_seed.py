"""Chats in all states, for the tests that visit all screens."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.browser.app_client import Keepsake, Person, wait_until
from tests.provider_fixtures import fact, numbered_lines
from tests.scripted_answers import said
from tests.scripted_provider import Request, Says, ScriptedProvider

UNREACHABLE_URL = "http://127.0.0.1:9/v1"
#: The prompt for which the model pauses in the middle of its reply.
COUNT_PROMPT = "Count as far as you can."
#: The prompts for which the model wants to forget one memory, or two.
FORGET_PROMPT = "I can eat peanuts again. Forget the allergy, please."
FORGET_TWO_PROMPT = "Forget the allergy and my sister."
LONG_WORD = "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselanhänger" * 2

PEANUTS = "The user is allergic to peanuts."
SISTER = "The user’s sister Ilse lives in Gent and cooks without flour."
_QUESTION = (
    "My sister Ilse comes to dinner on Sunday, with seven friends. She is coeliac. "
    f"What should I cook, and what not? And what is a {LONG_WORD}?"
)
_REPLY = f"""\
Happy to help. From what I remember, **the user is allergic to peanuts** [m%s], so leave out satay.

## A menu for eight

1. Roast squash soup with sage
2. Mushroom risotto, or a *baked* trout
   - without flour
   - with lemon
3. Plum crumble, with oats

| Course | Time | Serves | Notes that go on for quite a while |
|:--|--:|:-:|---|
| Soup | 40 min | 8 | Can be made the day before, and is better for it |
| Risotto | 55 min | 8 | {LONG_WORD} |

```python
def shopping(people: int) -> dict[str, float]:
    # What to buy for so many people, in kilograms: a line that is longer than any phone.
    return {{"squash": 0.25 * people, "rice": 0.08 * people}}
```

> Ask whether anybody else is coeliac.

A `{LONG_WORD}` is in [the dictionary](https://example.org/word), with ![a picture of it]\
(https://example.org/word.png). <b>This is not bold.</b>
"""
_COUNTING = "Here it is:\n\n```\n" + "".join(f"number {n}\n" for n in range(8)) + "```\n\nAnd so on"


@dataclass(frozen=True)
class SeedChats:
    """Slugs and addresses of the seeded chats."""

    #: Slugs: with an agent, a model and memories; with memory off and an unreachable model.
    lively: str
    quiet: str
    #: Addresses of chats: with every kind of content, and without an answer.
    full: str
    failed: str
    #: With a proposal to forget a memory, and to forget two.
    proposed: str
    proposed_two: str
    #: With one that a person may keep.
    kept: str


def create_seed_chats(admin: Person, app: Keepsake, model: ScriptedProvider) -> SeedChats:
    """Create the chats through the user interface."""
    lively, quiet = admin.new_instance("lively"), admin.new_instance("quiet")
    admin.remember(lively, PEANUTS, importance="10")
    admin.remember(lively, SISTER)
    model.reply_with(_reply(model))
    admin.save(lively, "memory", memory_enabled="on", extract_when="after_response")
    connection = {"provider": "custom", "fast_model": "scripted"}
    admin.save(lively, "language-model", base_url=model.base_url, **connection)
    admin.save(quiet, "language-model", base_url=UNREACHABLE_URL, **connection)
    admin.post(f"/instances/{lively}/settings/agents", {"agent-name": "Nora"})
    return SeedChats(
        lively=lively,
        quiet=quiet,
        full=_start_chat(admin, app, lively, _QUESTION, r"comes to dinner on Sunday\.\s*</a>"),
        failed=_start_chat(admin, app, quiet, "Is anybody there?", "notice bad"),
        proposed=_start_chat(admin, app, lively, FORGET_PROMPT, "Forget this memory"),
        kept=_start_chat(admin, app, lively, FORGET_PROMPT, "Forget this memory"),
        proposed_two=_start_chat(admin, app, lively, FORGET_TWO_PROMPT, "Forget these 2"),
    )


def _reply(model: ScriptedProvider) -> object:
    def hold(number: int) -> None:
        if number > 20:
            model.closing.wait(30)

    def reply(request: Request) -> object:
        if request.get("response_format"):
            return _read(request)
        *_, last = request["messages"]
        if said(last["content"]) == COUNT_PROMPT:
            return Says(_COUNTING, before=hold)
        asked = next(m["content"] for m in reversed(request["messages"]) if m["role"] == "user")
        if said(asked) in (FORGET_PROMPT, FORGET_TWO_PROMPT):
            if last["role"] != "user":
                return "I have asked you below whether to forget it. Nothing is forgotten so far."
            which = [PEANUTS, SISTER] if said(asked) == FORGET_TWO_PROMPT else [PEANUTS]
            return Says(calls=[("forget_memory", {"content": text}) for text in which])
        if last["role"] == "user":
            calls: list[tuple[str, object]] = [
                ("search_memory", {"query": "allergies and diets"}),
                ("save_memory", {"content": "The user plans a dinner for eight on Sunday."}),
                ("search_memory", {}),
            ]
            return Says("Let me see what I know.", calls)
        match = re.search(r"\[m(\d+)\][^\[]*peanuts", str(request["messages"]))
        return _REPLY % (match[1] if match else 1)

    return reply


def _read(request: Request) -> object:
    """Extract the fact about the sister."""
    about = [number for number, text in numbered_lines(request).items() if "My sister" in text]
    content = "The user’s sister Ilse is coeliac and comes to dinner on Sunday."
    return {"memories": [fact(number, content, category="relationship") for number in about]}


def _start_chat(admin: Person, app: Keepsake, instance: str, text: str, until: str) -> str:
    """Start a chat, wait until its page matches the pattern *until*, and return its address."""
    address = urlsplit(admin.post(f"/chat?instance={instance}", {"message": text}).url).path
    wait_until(lambda: re.search(until, admin.request.get(address).text()), app.output)
    return address
