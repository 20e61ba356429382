"""Completes the entry of the MCP registry: who publishes it, and which bundle.

``python integrations/mcp-registry/registry_entry.py https://github.com/owner/name dist``
"""

import hashlib
import json
import re
import sys
from pathlib import Path

TEMPLATE = Path(__file__).with_name("server.json")


def write(repository: str, folder: Path) -> Path:
    """Write `server.json` beside the bundle, as released in *repository*; return its path."""
    named = re.fullmatch(r"https://github\.com/([\w.-]+)/([\w.-]+)", repository)
    if not named:
        raise SystemExit(
            f"{repository} is no address of a repository: write https://github.com/owner/name"
        )
    entry = json.loads(TEMPLATE.read_text(encoding="utf-8"))
    version = entry["version"]
    bundle = folder / f"keepsake-{version}.mcpb"
    entry["name"] = "io.github.{}/{}".format(*named.groups())
    entry["repository"] = {"url": repository, "source": "github"}
    entry["packages"][0] |= {
        "identifier": f"{repository}/releases/download/v{version}/{bundle.name}",
        "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest(),
    }
    written = folder / "server.json"
    text = json.dumps(entry, indent=2, ensure_ascii=False, sort_keys=True)
    written.write_text(f"{text}\n", encoding="utf-8")
    return written


if __name__ == "__main__":
    print(write(sys.argv[1], Path(sys.argv[2])))
