"""The built-in embedding model in a process of its own, which all processes of one home share.

It is started by the first one that needs a vector, and ends when it is no longer used. Nothing here
imports Django.
"""

import os

# The library that runs the model would report its use to its maker, with an id of this machine. It
# reads this once, when it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
