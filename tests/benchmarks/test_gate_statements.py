"""The written statements about BEAM and REALTALK, and how the gate benchmark takes them."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from benchmarks import gate, gate_statements
from benchmarks.datasets.sample import BrokenData
from benchmarks.gate_cases import CORRUPTED, TRUE, Case, cases

BEAM = {
    "1": [
        ["2", "The user met Tom in Lisbon on 7 May 2023."],
        ["2 4", "The user has 3 kids and does not drive."],
    ],
    "2": [["2", "The user bought a boat in July 2023."]],
    "9": [["2", "The user of a chat that is not there."]],
}
REALTALK = {
    "Chat_1_Mia_Tom": [
        ["D1:1", "Mia visited Oslo on May 7, 2023."],
        ["D1:2", "Tom has 2 dogs."],
    ]
}


def write_beam(folder: Path, name: str, *said: str) -> None:
    chat = folder / name
    (chat / "probing_questions").mkdir(parents=True)
    (chat / "probing_questions" / "probing_questions.json").write_text("{}")
    turns = [
        {"role": ("assistant", "user")[number % 2 == 0], "id": number, "content": text}
        for number, text in enumerate(said, 2)
    ]
    (chat / "chat.json").write_text(
        json.dumps([{"batch_number": 1, "time_anchor": "May-08-2023", "turns": [turns]}])
    )


@pytest.fixture
def beam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, monkeypatch, {"beam": BEAM})
    folder = tmp_path / "beam"
    said = ("I met Tom in Lisbon yesterday.", "How nice!", "I have 3 kids and I do not drive.")
    write_beam(folder, "1", *said)
    write_beam(folder, "2", "I will buy a boat in June.")
    write_beam(folder, "3", "Nobody wrote anything down about this one.")
    return folder


@pytest.fixture
def realtalk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    write(tmp_path, monkeypatch, {"realtalk": REALTALK})
    folder = tmp_path / "realtalk"
    folder.mkdir()
    said = [("Mia", "I was in Oslo yesterday.", "a fjord"), ("tom", "I have 2 dogs at home.", "")]
    (folder / "Chat_1_Mia_Tom.json").write_text(
        json.dumps(
            {
                "name": {"speaker_1": "Mia", "speaker_2": "tom"},
                "session_1": [
                    {
                        "speaker": who,
                        "dia_id": f"D1:{number}",
                        "clean_text": text,
                        "blip_caption": caption,
                        "date_time": "08.05.2023, 20:02:02",
                    }
                    for number, (who, text, caption) in enumerate(said, 1)
                ],
            }
        )
    )
    return folder


def write(folder: Path, monkeypatch: pytest.MonkeyPatch, statements: object) -> None:
    path = folder / "statements.json"
    path.write_text(json.dumps(statements))
    monkeypatch.setattr(gate_statements, "STATEMENTS", path)


def texts(made: Sequence[Case], of_class: str, kind: str) -> list[str]:
    return [case.text for case in made if (case.of_class, case.kind) == (of_class, kind)]


def test_a_chat_has_a_user_and_an_assistant_without_names(beam: Path) -> None:
    one, two = gate_statements.read(beam)

    assert one.speakers == ("The user", "The assistant")
    assert [(t.id, t.speaker, t.role, t.named) for t in one.turns] == [
        ("2", "The user", "user", False),
        ("3", "The assistant", "assistant", False),
        ("4", "The user", "user", False),
    ]
    assert one.turns[0].said_on == date(2023, 5, 8)
    assert [fact.cited for fact in one.facts] == [["2"], ["2", "4"]]
    assert [fact.date for fact in (*one.facts, *two.facts)] == ["7 May 2023", "", "July 2023"]


def test_people_have_their_names_and_pictures(realtalk: Path) -> None:
    (one,) = gate_statements.read(realtalk)

    assert set(one.speakers) == {"Mia", "Tom"}
    assert one.turns[0].text == "I was in Oslo yesterday. [shared a picture: a fjord]"
    assert [fact.person for fact in one.facts] == ["Mia", "Tom"]
    assert all(turn.named for turn in one.turns)


def test_a_dated_statement_is_also_made_with_another_date(realtalk: Path) -> None:
    made = list(cases(gate_statements.read(realtalk)))

    assert texts(made, TRUE, "dated fact") == ["Mia visited Oslo on May 7, 2023."]
    (other,) = texts(made, CORRUPTED, "date")
    assert other.startswith("Mia visited Oslo on 202")
    assert "2023-05-07" not in other


def test_the_person_of_a_chat_is_changed_to_the_assistant(beam: Path) -> None:
    made = list(cases(gate_statements.read(beam)))

    assert "The assistant met Tom in Lisbon on 7 May 2023." in texts(made, CORRUPTED, "person")
    # What is put in as the last message is the user's, whoever spoke before.
    assert {c.window[-1].role for c in made if c.kind in ("command", "standing wish")} == {"user"}


def test_figures_of_a_folder(beam: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert gate.main(["--data", str(beam), "--json"]) == 0

    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    # One of two: July was not said.
    assert figures["dated_kept"] == 0.5
    assert {"kept", "dated_kept", "refused", "negations_refused"} <= set(figures)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("She moved on 7 May 2023.", "7 May 2023"),
        ("She moved on May 7, 2023.", "May 7, 2023"),
        ("She moved on 2023-05-07.", "2023-05-07"),
        ("She moved in May 2023.", "May 2023"),
        ("She won the final of 2023 in May.", ""),
    ],
)
def test_dates_in_statements(text: str, found: str) -> None:
    assert gate_statements.date_in(text) == found


def test_a_turn_that_is_not_there_is_an_error(
    beam: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, monkeypatch, {"beam": {"1": [["77", "The user likes tea."]]}})

    with pytest.raises(BrokenData, match="no turn 77"):
        gate_statements.read(beam)
    with pytest.raises(SystemExit):
        gate.main(["--data", str(beam)])


def test_a_folder_of_another_data_set_is_an_error(
    beam: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, monkeypatch, {"realtalk": REALTALK})

    with pytest.raises(BrokenData, match="no statements about BEAM"):
        gate_statements.read(beam)


def test_the_statements_are_sentences_of_their_own_and_enough_are_dated() -> None:
    of_all = json.loads(gate_statements.STATEMENTS.read_bytes())
    rows = [row for of_data in of_all.values() for rows in of_data.values() for row in rows]

    assert {name: len(of_data) for name, of_data in of_all.items()} == {"beam": 10, "realtalk": 5}
    assert len({text for _, text in rows}) == len(rows) > 300
    assert all(ids.strip() and text.endswith(".") and "  " not in text for ids, text in rows)
    assert sum(bool(gate_statements.date_in(text)) for _, text in rows) >= 80
