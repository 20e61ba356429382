"""The languages whose words search can stem."""

#: The text search configurations that every PostgreSQL has.
_STEMMED = """
arabic armenian basque catalan danish dutch english estonian finnish french german greek hindi
hungarian indonesian irish italian lithuanian nepali norwegian portuguese romanian russian serbian
spanish swedish tamil turkish yiddish
"""
LANGUAGES = [
    *((name, name.capitalize()) for name in _STEMMED.split()),
    ("simple", "Any other (words as they are)"),
]
