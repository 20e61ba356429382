"""Requests that a person can start from the menu of their client."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prompt:
    """A request to the assistant, in the words of the user."""

    title: str
    description: str
    text: str


PROMPTS = {
    "what_do_you_remember": Prompt(
        "What do you remember about me?",
        "Lists what is remembered, with its ids, so that you can correct it.",
        "Search your memory for what you know about me, and list it by topic, each fact with its "
        "id and the day on which I said it. Say which facts may be out of date.",
    ),
    "remember_this_conversation": Prompt(
        "Remember this conversation",
        "Saves what will still matter later.",
        "Save what I have said in this conversation that will still matter later: facts about me, "
        "preferences, decisions and plans with their dates, one fact per call. Do not save what "
        "you know already, and tell me what you have saved.",
    ),
    "catch_up": Prompt(
        "Where were we?",
        "Recalls the latest conversations on a topic.",
        "Search your memory for what we discussed last about the topic of this conversation, and "
        "sum it up: what was decided, what is open, and since when.",
    ),
}
