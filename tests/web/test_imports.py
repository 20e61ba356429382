"""Importing a file of conversations on the screen, up to what it brought."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from conversations.models import Conversation, Import, Message
from instances.models import Instance, User
from memoryapp.tasks import bring_in

URL = "/conversations/import?instance=desk"
HTMX = {"HX-Request": "true"}

LINES = [
    {
        "conversation": "a",
        "id": "1",
        "role": "user",
        "content": "I moved to Lyon.",
        "title": "Move",
    },
    {"conversation": "a", "id": "2", "role": "assistant", "content": "How nice."},
    {"conversation": "b", "id": "1", "role": "user", "content": "I keep bees."},
]


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Settings) -> Path:
    """Where uploaded files go."""
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


def jsonl(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def upload(client: Client, content: bytes, name: str = "talks.jsonl") -> Import:
    """Choose a file and press Import; return the row that it makes."""
    response = client.post(URL, {"file": SimpleUploadedFile(name, content)})
    assert response.status_code == 302, response.context["form"].errors
    import_ = Import.objects.latest("pk")
    assert response["Location"] == f"/conversations/imports/{import_.pk}"
    return import_


def work(import_: Import) -> Import:
    """What the worker does."""
    bring_in(import_id=import_.pk)
    import_.refresh_from_db()
    return import_


def test_a_file_is_taken_in_and_handed_to_the_worker(
    as_alice: Client,
    alice: User,
    instance: Instance,
    uploads: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    content = jsonl(*LINES)
    with django_capture_on_commit_callbacks() as callbacks:
        import_ = upload(as_alice, content)
    assert len(callbacks) == 1
    assert (import_.instance, import_.by, import_.filename) == (instance, alice, "talks.jsonl")
    assert (import_.state, import_.bytes_total) == ("queued", len(content))
    assert Path(import_.file.path).read_bytes() == content
    assert uploads in Path(import_.file.path).parents
    page = as_alice.get(import_.get_absolute_url()).content.decode()
    assert "Waiting for the worker" in page
    assert 'hx-trigger="every' in page


def test_in_the_end_it_counts_what_came_in(as_alice: Client, instance: Instance) -> None:
    import_ = work(upload(as_alice, jsonl(*LINES)))
    assert import_.state == "succeeded"
    page = as_alice.get(import_.get_absolute_url()).content.decode()
    assert "All in" in page
    assert "<dt>Conversations</dt><dd>2</dd>" in page
    assert "<dt>New messages</dt><dd>3</dd>" in page
    assert "<dt>Left out</dt><dd>0</dd>" in page
    assert 'value="100"' in page
    assert "hx-trigger" not in page.split('id="import"')[1].split("</div>")[0]
    assert set(Conversation.objects.values_list("instance", flat=True)) == {instance.pk}
    assert (
        "I moved to <mark>Lyon</mark>"
        in as_alice.get("/conversations?instance=desk&q=lyon").content.decode()
    )


def test_importing_twice_adds_nothing_twice(as_alice: Client, instance: Instance) -> None:
    work(upload(as_alice, jsonl(*LINES)))
    again = work(upload(as_alice, jsonl(*LINES)))
    assert (again.messages_added, again.messages_known) == (0, 3)
    assert Message.objects.count() == 3
    page = as_alice.get(again.get_absolute_url()).content.decode()
    assert "<dt>Known before</dt><dd>3</dd>" in page


def test_what_is_left_out_is_told_with_the_reason(as_alice: Client, instance: Instance) -> None:
    content = jsonl(LINES[0], {"conversation": "a", "role": "user"}, LINES[1])
    import_ = work(upload(as_alice, content))
    assert (import_.state, import_.messages_added, import_.skipped_count) == ("succeeded", 2, 1)
    page = as_alice.get(import_.get_absolute_url()).content.decode()
    assert "What was left out, and why" in page
    assert "line 2" in page.lower()


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"Dear diary, today I\n", "format of this file is not known"), (b"\x89PNG\r\n\x1a\n", "")],
)
def test_a_file_of_another_kind_fails_with_words(
    content: bytes, said: str, as_alice: Client, instance: Instance
) -> None:
    import_ = work(upload(as_alice, content, "notes.txt"))
    assert import_.state == "failed"
    assert said in import_.error
    page = as_alice.get(import_.get_absolute_url()).content.decode()
    assert "Not imported" in page
    assert 'class="notice bad"' in page
    assert not Message.objects.exists()
    # The list of conversations says so too, since that is where one looks for them.
    assert "notes.txt: failed" in as_alice.get("/conversations?instance=desk").content.decode()


def test_progress_comes_as_a_page_or_as_a_fragment(as_alice: Client, instance: Instance) -> None:
    import_ = Import.objects.create(
        instance=instance, filename="x.json", state="running", bytes_total=200, bytes_read=50
    )
    page = as_alice.get(import_.get_absolute_url()).content.decode()
    fragment = as_alice.get(import_.get_absolute_url(), headers=HTMX).content.decode()
    assert "<html" in page
    assert "<html" not in fragment
    for html in (page, fragment):
        assert 'value="25"' in html
        assert "Coming in" in html


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"file": ""}, "This field is required."),
        ({"file": "text, not a file"}, "This field is required."),
        ({"file": SimpleUploadedFile("empty.jsonl", b"")}, "The submitted file is empty."),
    ],
    ids=["nothing", "text", "empty"],
)
def test_without_a_file_it_says_so(
    data: dict[str, Any], said: str, as_alice: Client, instance: Instance
) -> None:
    response = as_alice.post(URL, data)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Import.objects.exists()


def test_the_form_says_beforehand_when_nothing_will_be_learned(
    as_alice: Client, instance: Instance
) -> None:
    assert "Memory is off for Support desk" in as_alice.get(URL).content.decode()
    instance.memory_enabled = True
    instance.save()
    assert "No language model is set up" in as_alice.get(URL).content.decode()
    instance.provider = "ollama"
    instance.save()
    assert 'class="notice"' not in as_alice.get(URL).content.decode()


def test_a_file_name_is_text_and_cannot_leave_the_folder(
    as_alice: Client, instance: Instance, uploads: Path
) -> None:
    name = "..\\../<script>alert(1)<x>.jsonl"
    import_ = upload(as_alice, jsonl(*LINES), name)
    assert uploads in Path(import_.file.path).resolve().parents
    for url in (import_.get_absolute_url(), URL, "/conversations?instance=desk"):
        assert "<script>alert" not in as_alice.get(url).content.decode()


def test_deleting_the_instance_deletes_its_files(
    as_alice: Client, instance: Instance, uploads: Path
) -> None:
    path = Path(upload(as_alice, jsonl(*LINES)).file.path)
    as_alice.post("/instances/desk/delete", {"slug": "desk"})
    assert not Import.objects.exists()
    assert not path.exists()
