"""The areas of a person's life whose statements can be kept out."""

from enum import StrEnum


class SensitiveArea(StrEnum):
    """An area that is recognised without a model."""

    #: Illness, treatment, disability, pregnancy, the mind; not sport, food, or work in a hospital.
    HEALTH = "health"
    #: Faith, its practice, or the lack of it; not a visit to a cathedral.
    RELIGION = "religion"
    #: Votes, parties, unions, opinions; not the news.
    POLITICS = "politics"
    #: Orientation, identity, sex life; not a marriage.
    SEXUALITY = "sexuality"
    #: Income, savings, debts, benefits; not prices, or work in a bank.
    FINANCES = "finances"
    #: Somebody below 18; not one's own childhood, or work in a school.
    MINORS = "minors"
