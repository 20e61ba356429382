"""The ASGI application: ``uvicorn memoryapp.asgi:application``."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryapp.settings")

application = get_asgi_application()
