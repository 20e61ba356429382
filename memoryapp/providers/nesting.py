"""How deeply a value of JSON is nested."""


def depth_within(value: object, most: int) -> bool:
    """True if *value* has at most *most* levels of lists and objects."""
    if not isinstance(value, dict | list):
        return True
    inside = value.values() if isinstance(value, dict) else value
    return most > 0 and all(depth_within(each, most - 1) for each in inside)
