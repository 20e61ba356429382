from django.urls import path

from conversations import views

urlpatterns = [
    path("conversations", views.conversations, name="conversations"),
    path("conversations/import", views.import_new, name="import_new"),
    path("conversations/imports/<int:pk>", views.import_progress, name="import"),
    path("conversations/<int:pk>", views.conversation, name="conversation"),
]
