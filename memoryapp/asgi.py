"""The ASGI application: ``uvicorn memoryapp.asgi:application``."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")
# Each request has a thread of its own here, and a connection that belongs to a thread ends with it:
# only a pool keeps any. It takes a third off the time of an empty page.
os.environ.setdefault("DATABASE_POOL", "20")

application = get_asgi_application()
