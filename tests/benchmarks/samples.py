"""Small invented files in the exact formats of the public data sets."""

from typing import Any

LOCOMO: dict[str, Any] = {
    "sample_id": "workshop",
    "qa": [
        {
            "question": "What did Ines carve?",
            "answer": "A heron",
            "evidence": ["D1:1"],
            "category": 4,
        },
        {
            "question": "When did Pavel buy the lathe?",
            "answer": 2023,
            "evidence": ["D:2:01"],
            "category": 2,
        },
        {
            "question": "What do both own?",
            "answer": "Tools",
            "evidence": ["D1:1; D2:1"],
            "category": 1,
        },
        {
            "question": "Who painted the harbour?",
            "evidence": ["D1:2"],
            "category": 5,
            "adversarial_answer": "Ines",
        },
        {
            "question": "What is without evidence?",
            "answer": "This",
            "evidence": ["D9:9"],
            "category": 4,
        },
    ],
    "conversation": {
        "speaker_a": "Ines",
        "speaker_b": "Pavel",
        "session_1_date_time": "9:00 am on 3 April, 2023",
        "session_1": [
            {"speaker": "Ines", "dia_id": "D1:1", "text": "I carved a heron out of lime wood."},
            {
                "speaker": "Pavel",
                "dia_id": "D1:2",
                "text": "",
                "img_url": ["https://example.org/harbour.jpg"],
                "blip_caption": "a harbour, painted",
            },
        ],
        "session_2_date_time": "7:30 pm on 9 April, 2023",
        "session_2": [
            {"speaker": "Pavel", "dia_id": "D2:1", "text": "Yesterday I bought a lathe."},
            {"speaker": "Ines", "dia_id": "D2:2", "text": "Lovely weather today."},
        ],
        "session_3_date_time": "8:00 am on 12 April, 2023",
    },
    "observation": {},
    "session_summary": {},
    "event_summary": {},
}


def _message(speaker: str, id: str, text: str, at: str, **more: Any) -> dict[str, Any]:
    return {
        "clean_text": text,
        "speaker": speaker,
        "date_time": at,
        "img_file": [],
        "img_url": [],
        "dia_id": id,
    } | more


#: The ids of its second session continue those of the first, as in some files.
REALTALK: dict[str, Any] = {
    "name": {"speaker_1": "Noor", "speaker_2": "Tomas B."},
    "session_1": [
        _message("Noor", "D1:1", "hey! how was the ferry", "29.12.2023, 22:42:04"),
        _message(
            "Tomas B.", "D1:2", "Stormy, we docked at Kiel at 3am lol", "29.12.2023, 22:44:10"
        ),
        _message(
            "Tomas B.",
            "D1:3",
            "look",
            "29.12.2023, 22:45:00",
            img_file=["a.jpg"],
            img_url=["https://example.org/a.jpg"],
            blip_caption="a ferry in a harbour at night",
        ),
    ],
    "events_session_1": {"Noor": [], "Tomas B.": ["docks at Kiel"]},
    "session_1_date_time": "29.12.2023, 22:42:04",
    "session_2": [
        _message("Noor", "D1:4", "I start the pottery class on monday", "30.12.2023, 09:01:00"),
        _message("Tomas B.", "D1:6", "Nice!! bring me a mug", "30.12.2023, 09:02:30"),
    ],
    "events_session_2": {"Noor": ["starts a pottery class"], "Tomas B.": []},
    "session_2_date_time": "30.12.2023, 09:01:00",
    "qa": [
        {
            "question": "Where did Tomas dock?",
            "answer": "Kiel",
            "evidence": ["D1:2."],
            "category": 1,
        },
        {
            "question": "When did Noor start pottery?",
            "answer": "1 January 2024",
            "evidence": ["D1:4-D1:6"],
            "category": 2,
        },
        {
            "question": "Would Tomas like a teapot?",
            "answer": "Likely",
            "evidence": ["D 1:6", "D1;3", "D7"],
            "category": 3,
        },
        {"question": "What else?", "answer": "Nothing", "evidence": [""], "category": 3},
    ],
}

#: As in the chat.json of a folder.
BEAM_CHAT: list[dict[str, Any]] = [
    {
        "batch_number": 1,
        "turns": [
            [
                {
                    "role": "user",
                    "id": 0,
                    "time_anchor": "March-15-2024",
                    "index": "1,1",
                    "question_type": "main_question",
                    "content": "I plan to plant 14 plum trees along the creek. ->-> 1,1",
                },
                {"role": "assistant", "id": 1, "content": "Plums need drained soil. " * 40},
            ],
            [
                {
                    "role": "user",
                    "id": 2,
                    "question_type": "followup_question",
                    "content": "The nursery is called Greenacre.",
                },
                {"role": "assistant", "id": 3, "content": "Noted, Greenacre."},
            ],
        ],
        "time_anchor": None,
    },
    {
        "batch_number": 2,
        "turns": [
            [
                {
                    "role": "user",
                    "id": 4,
                    "time_anchor": "April-02-2024",
                    "index": "2,1",
                    "question_type": "main_question",
                    "content": "We planted 16 plum trees in the end. ->-> 2,1, 2",
                },
                {"role": "assistant", "id": 5, "content": "Sixteen it is."},
            ]
        ],
        "time_anchor": None,
    },
]

BEAM_QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "abstention": [
        {
            "question": "What did the nursery charge?",
            "ideal_response": "The chat does not say.",
            "difficulty": "medium",
            "why_unanswerable": "No price is given.",
            "rubric": ["says that there is no price"],
        }
    ],
    "event_ordering": [
        {
            "question": "In which order did I speak of the trees?",
            "answer": "Planning, then planting",
            "source_chat_ids": [[0], [4, 0]],
            "rubric": ["planning", "planting"],
        }
    ],
    "information_extraction": [
        {
            "question": "Which nursery do I buy the trees from?",
            "answer": "Greenacre",
            "source_chat_ids": [2, "--"],
            "rubric": ["Greenacre"],
        },
        {
            "question": "What was cut off?",
            "answer": "Something",
            "source_chat_ids": [99],
            "rubric": ["Something"],
        },
    ],
    "knowledge_update": [
        {
            "question": "How many plum trees are there?",
            "answer": "16",
            "source_chat_ids": {"original_info": [0], "updated_info": [4]},
            "rubric": ["16"],
        }
    ],
}

#: As in a row of the data set: batches are lists, and the questions are text.
BEAM_ROW: dict[str, Any] = {
    "conversation_id": "7",
    "conversation_seed": {"category": "Gardening", "title": "Plum trees"},
    "chat": [[message for turn in batch["turns"] for message in turn] for batch in BEAM_CHAT],
    "probing_questions": repr(BEAM_QUESTIONS),
}

LONGMEMEVAL: list[dict[str, Any]] = [
    {
        "question_id": "e47becba",
        "question_type": "single-session-user",
        "question": "What breed is my dog?",
        "answer": "A whippet",
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 11:05"],
        "haystack_session_ids": ["sharegpt_yywfIrx_0", "answer_280352e9"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "Write a haiku on tide pools."},
                {"role": "assistant", "content": "Salt light in small rooms."},
            ],
            [
                {
                    "role": "user",
                    "content": "How much exercise does a dog such as my whippet need?",
                    "has_answer": True,
                },
                {"role": "assistant", "content": "An hour a day.", "has_answer": False},
                {"role": "user", "content": "Thanks.", "has_answer": False},
            ],
        ],
        "answer_session_ids": ["answer_280352e9"],
    },
    {
        "question_id": "1568498a",
        "question_type": "single-session-assistant",
        "question": "Which bridge did you tell me to draw first?",
        "answer": "The rope bridge",
        "question_date": "2023/06/01 (Thu) 08:00",
        "haystack_dates": ["2023/05/22 (Mon) 10:00"],
        "haystack_session_ids": ["answer_ultrachat_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "What should I draw?", "has_answer": False},
                {
                    "role": "assistant",
                    "content": "Begin with the rope bridge, then the viaduct.",
                    "has_answer": True,
                },
            ]
        ],
        "answer_session_ids": ["answer_ultrachat_1"],
    },
    {
        "question_id": "031748ae_abs",
        "question_type": "knowledge-update",
        "question": "How many hives does my neighbour keep?",
        "answer": 0,
        "question_date": "2023/06/02 (Fri) 17:59",
        "haystack_dates": ["2023/05/23 (Tue) 12:30"],
        "haystack_session_ids": ["answer_8748f791_abs_1"],
        "haystack_sessions": [
            [
                {"role": "user", "content": "I keep four hives.", "has_answer": True},
                {"role": "assistant", "content": "Four is plenty.", "has_answer": False},
            ]
        ],
        "answer_session_ids": ["answer_8748f791_abs_1"],
    },
]
