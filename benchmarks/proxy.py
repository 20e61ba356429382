"""``python -m benchmarks.proxy --upstream URL --keepsake URL --key ks_… [--json]``: what does
memory add to the time to the first token?

Asks a language model directly, and through `/v1` of a Keepsake whose instance uses the same one, in
turn, so that whatever else the machines do meets both alike. Each question is new, so that each
begins a conversation, is recalled for, and stored.
"""

import argparse
import json
import os
import time
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING

from benchmarks.metrics import percentile

if TYPE_CHECKING:
    from openai import OpenAI

Figures = dict[str, dict[str, float]]


def compare(direct: "OpenAI", through: "OpenAI", *, model: str, rounds: int) -> Figures:
    """Return, for both ways and for what the second one adds, milliseconds to the first token of
    *model*, at the 50th and the 95th percentile.
    """
    times: dict[str, list[float]] = {"direct": [], "through Keepsake": []}
    for number in range(rounds + 1):
        for way, client in (("direct", direct), ("through Keepsake", through)):
            took = first_token(client, model)
            if number:  # The first round only opens connections.
                times[way].append(took)
    figures = {
        way: {f"p{p}": round(percentile(taken, p / 100), 1) for p in (50, 95)}
        for way, taken in times.items()
    }
    both = figures["through Keepsake"], figures["direct"]
    figures["added"] = {name: round(both[0][name] - both[1][name], 1) for name in both[0]}
    return figures


def first_token(client: "OpenAI", model: str) -> float:
    """Ask a question, and return the milliseconds until the first piece of the reply."""
    question = f"What should I not cook tonight? ({uuid.uuid4()})"
    begin = time.perf_counter()
    took = 0.0
    with client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": question}], stream=True
    ) as stream:
        for chunk in stream:
            if not took and chunk.choices and chunk.choices[0].delta.content:
                took = (time.perf_counter() - begin) * 1000
    return took


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--upstream", required=True, help="base URL of the language model")
    parser.add_argument("--keepsake", required=True, help="base URL of Keepsake, ending in /v1")
    parser.add_argument("--key", required=True, help="a key that may read and write")
    parser.add_argument("--model", required=True, help="as the language model's server calls it")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--json", action="store_true", help="figures in the last line")
    options = parser.parse_args(arguments)
    from openai import OpenAI

    direct = OpenAI(base_url=options.upstream, api_key=os.environ.get("OPENAI_API_KEY", "none"))
    through = OpenAI(base_url=options.keepsake, api_key=options.key)
    figures = compare(direct, through, model=options.model, rounds=options.rounds)
    for way, measured in figures.items():
        print(f"{way:18}" + "".join(f"{p} {ms:8.1f} ms   " for p, ms in measured.items()))
    if options.json:
        print(json.dumps(figures))


if __name__ == "__main__":
    main()
