"""The known providers: their addresses, their usual models, and where to create keys."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class Preset:
    """The initial values of a provider's form."""

    label: "StrOrPromise"
    base_url: str
    #: How to prepare it; ``%(model)s`` stands for the model that a form is about.
    help: "StrOrPromise"
    #: A fast, cheap model, since it reads every conversation.
    chat_model: str = ""
    #: Empty if the provider has none.
    embedding_model: str = ""
    needs_key: bool = True
    #: False if the provider ignores ``response_format``, so that the schema goes into the prompt.
    structured_output: bool = True

    @property
    def about_chat_model(self) -> str:
        """How to prepare the provider for its language model."""
        return self.help % {"model": self.chat_model}

    @property
    def about_embedding_model(self) -> str:
        """How to prepare the provider for its embedding model."""
        return self.help % {"model": self.embedding_model}

    @property
    def address_help(self) -> str:
        """Help for the address: must it be entered, and which?"""
        if self.base_url:
            return _("Optional. Leave empty to use the provider’s usual address.")
        return _("Required. Usually ends in /v1, such as http://localhost:8080/v1.")

    @property
    def chat_model_help(self) -> str:
        """Help for the language model: must it be named?"""
        return _model_help(self.chat_model)

    @property
    def embedding_model_help(self) -> str:
        """Help for the embedding model: must it be named?"""
        return _model_help(self.embedding_model)


def _model_help(usual: str) -> str:
    if usual:
        return _("Optional. Leave empty to use %(model)s.") % {"model": usual}
    return _("Required. Choose a model that the server offers, or type its name.")


PRESETS: Mapping[str, Preset] = {
    "openai": Preset(
        label="OpenAI",
        base_url="https://api.openai.com/v1",
        chat_model="gpt-6-luna",
        embedding_model="text-embedding-3-small",
        help=gettext_lazy("Create a key at platform.openai.com/api-keys. It starts with sk-."),
    ),
    "openrouter": Preset(
        label="OpenRouter",
        base_url="https://openrouter.ai/api/v1",
        chat_model="openai/gpt-6-luna",
        embedding_model="openai/text-embedding-3-small",
        help=gettext_lazy("Create a key at openrouter.ai/settings/keys. It starts with sk-or-."),
    ),
    "anthropic": Preset(
        label="Anthropic",
        base_url="https://api.anthropic.com/v1",
        chat_model="claude-haiku-5-5",
        help=gettext_lazy(
            "Create a key at platform.claude.com. It starts with sk-ant-. "
            "Anthropic has no embeddings: choose another provider for those."
        ),
        structured_output=False,
    ),
    "bedrock": Preset(
        label="Amazon Bedrock",
        base_url="https://bedrock-mantle.us-east-1.api.aws/v1",
        chat_model="openai.gpt-oss-120b",
        help=gettext_lazy(
            "Enter the address with your region in place of us-east-1. "
            "Create a long-term API key in the Bedrock console."
        ),
    ),
    "ollama": Preset(
        label="Ollama",
        base_url="http://localhost:11434/v1",
        chat_model="gemma3:4b",
        embedding_model="nomic-embed-text",
        needs_key=False,
        help=gettext_lazy(
            "Needs no key. Download a model first, for example with: ollama pull %(model)s"
        ),
    ),
    "custom": Preset(
        label=gettext_lazy("Another OpenAI-compatible server"),
        base_url="",
        needs_key=False,
        help=gettext_lazy(
            "Any server with an OpenAI-compatible API. Leave the key empty if it needs none."
        ),
    ),
}
