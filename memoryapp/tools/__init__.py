"""What a model may do with the memory by itself: one verb a module.

`run` takes a call as the model made it. Whatever is wrong with it goes back to the model, in words
that let it do better; the text of memories goes to the model and nowhere else.
"""

from memoryapp.tools.calling import run, schemas
from memoryapp.tools.save import NAME as SAVE
from memoryapp.tools.scope import Result, Scope
from memoryapp.tools.search import NAME as SEARCH

__all__ = ["SAVE", "SEARCH", "Result", "Scope", "run", "schemas"]
