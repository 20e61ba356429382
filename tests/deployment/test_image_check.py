"""What `make image-check` takes from the pages is there, though it is not run with the tests."""

from tests.deployment.files import PROJECT, without_programs
from tests.deployment.image_check import base_images, pages

DEPLOY, BACKUP = ((PROJECT / "docs" / f"{name}.md").read_text() for name in ("deploy", "backup"))


def test_every_command_is_found() -> None:
    assert pages.first_command(DEPLOY) == "install -m 600 .env.example .env"
    assert pages.alone_command(DEPLOY).startswith("docker run --detach --name keepsake ")
    assert pages.upgrade_command(DEPLOY).startswith("docker compose up")
    make, restore, clear = pages.backup_commands(BACKUP)
    assert "pg_dump" in make and "pg_restore" in restore and "dropdb" in clear
    assert pages.list_command(BACKUP).endswith("erasures.jsonl .")
    assert pages.place_list_command(BACKUP).endswith("erasures.jsonl < erasures.jsonl")
    secrets = pages.secret_commands((PROJECT / ".env.example").read_text())
    assert secrets.keys() == {"SECRET_KEY", "ENCRYPTION_KEY", "POSTGRES_PASSWORD"}


def test_each_published_image_has_a_stand_in() -> None:
    assert base_images.published().keys() == base_images.STAND_IN_FOR.keys()
    names = {name.rpartition("/")[2] for name in base_images.STAND_IN_FOR.values()}
    assert {file.stem for file in base_images.STAND_INS.glob("*.Dockerfile")} == names


def test_without_an_engine_it_says_so_and_fails_nothing() -> None:
    assert without_programs("tests.deployment.image_check").startswith(
        "left out: no container engine"
    )
