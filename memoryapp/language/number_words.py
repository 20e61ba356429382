"""Numbers in words. Pure."""

_NUMBERS = (*range(2, 21), *range(30, 100, 10), 100, 1_000, 1_000_000)


def cardinals(words: str) -> dict[str, int]:
    """The numbers that *words* are: from two to twenty, the tens, a hundred, a thousand and a
    million, in order, with other forms of a word behind a slash.
    """
    return {
        word: number
        for number, forms in zip(_NUMBERS, words.split(), strict=True)
        for word in forms.split("/")
    }


def up_to_twelve(numbers: dict[str, int]) -> dict[str, int]:
    """Of *numbers*, those that count weeks or months."""
    return {word: number for word, number in numbers.items() if number <= 12}
