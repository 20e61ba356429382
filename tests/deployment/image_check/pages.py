"""The commands of the pages that the check follows."""

import re


def first_command(deploy: str) -> str:
    """Return the command that makes ``.env``."""
    return _only(r"^1\. `(install .+?)`", deploy)


def alone_command(deploy: str) -> str:
    """Return the command that runs the image by itself, in one line."""
    _, run = blocks(deploy, "One container")
    return " ".join(run.replace("\\\n", " ").split())


def upgrade_command(deploy: str) -> str:
    """Return the command for a new version of the code."""
    return _only(r"`git pull`, then `(docker compose .+?)`", deploy)


def backup_commands(backup: str) -> tuple[str, str, str]:
    """Return the commands that make a backup, that restore it, and that clear up afterwards."""
    section = backup.partition("## With `docker compose`")[2].partition("\n## ")[0]
    make, restore, clear = re.findall(r"^```\n(.+?)^```$", section, re.MULTILINE | re.DOTALL)
    return make, restore, clear


def list_command(backup: str) -> str:
    """Return the command that copies the list of erasures."""
    return _only(r"`(docker compose cp .+?)`", backup)


def place_list_command(backup: str) -> str:
    """Return the command that puts a copy of the list of erasures onto a new machine."""
    return _only(r"^ +(docker compose run .+ < erasures\.jsonl)$", backup)


def secret_commands(example: str) -> dict[str, str]:
    """Return the commands that make the secrets of ``.env``, by their names."""
    found = re.findall(r"^# (openssl [^:\n]+).*\n(\w+)=$", example, re.MULTILINE)
    return {name: command for command, name in found}


def blocks(page: str, heading: str) -> list[str]:
    """Return the blocks of code below a heading, without the indentation of a list."""
    (section,) = re.findall(rf"^#+ {re.escape(heading)}$\n(.+?)(?=^#|\Z)", page, re.M | re.S)
    found = re.findall(r"^( *)```\n(.+?)^ *```$", section, re.MULTILINE | re.DOTALL)
    return [re.sub(rf"^{indent}", "", block, flags=re.MULTILINE) for indent, block in found]


def _only(pattern: str, page: str) -> str:
    (command,) = re.findall(pattern, page, re.MULTILINE)
    return str(command)
