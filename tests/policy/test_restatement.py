"""Whether a text states a fact in so many words."""

from memoryapp.policy.restatement import stating


def test_rows_that_state_a_fact_are_found_among_many() -> None:
    rows = {
        1: ("ana", "Ana keeps a cat called Miso, and a dog."),
        2: ("ana", "Ana keeps a dog called Rex."),
        3: ("bea", "Ana keeps a cat called Miso."),
        4: ("ana", "PAINTS"),
        5: ("ana", "Paints boats."),
    }
    assert stating(rows, [("ana", ["Ana keeps a cat called Miso."])]) == {1}
    # A single word tells little.
    assert stating(rows, [("ana", ["Paints"])]) == {4}
    assert stating(rows, []) == set()
