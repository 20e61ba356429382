from django.urls import path

from memoryapp.web.conversations import imports, views

urlpatterns = [
    path("conversations", views.conversations, name="conversations"),
    path("conversations/import", imports.upload, name="import_new"),
    path("conversations/imports/<int:pk>", imports.show, name="import"),
    path("conversations/imports/<int:pk>/rows", imports.choose, name="import_rows"),
    path("conversations/imports/<int:pk>/confirm", imports.confirm, name="import_confirm"),
    path("conversations/imports/<int:pk>/cancel", imports.cancel, name="import_cancel"),
    path("conversations/imports/<int:pk>/dismiss", imports.dismiss, name="import_dismiss"),
    path("conversations/imports/<int:pk>/left-out.txt", imports.left_out, name="import_left_out"),
    path("conversations/<int:pk>", views.conversation, name="conversation"),
    path("conversations/<int:pk>/rename", views.rename, name="conversation_rename"),
]
