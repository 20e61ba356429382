"""The run without anything installed: supervisor, web server and worker of ``manage.py run``."""
