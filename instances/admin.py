"""Django's admin: people and groups. Everything else has a screen of its own."""

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin

from instances.models import User

admin.site.site_header = "Keepsake: people"
admin.site.site_title = "Keepsake"
admin.site.register(User, UserAdmin)
