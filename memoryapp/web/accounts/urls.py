from django.urls import path

from memoryapp.web.accounts import links, views

urlpatterns = [
    path("server/people", views.people, name="people"),
    path("server/people/invite", views.invite, name="person_invite"),
    path("server/people/<int:pk>", views.person, name="person"),
    path("server/people/<int:pk>/link", views.make_link, name="person_link"),
    path("server/people/<int:pk>/link/withdraw", views.withdraw_link, name="person_link_withdraw"),
    path("server/people/<int:pk>/instances", views.add_to_instance, name="person_add"),
    path("server/people/<int:pk>/delete", views.delete, name="person_delete"),
    path("server/people/<int:pk>/<slug:what>", views.change, name="person_change"),
    path("accounts/set-password", links.password_link, name="password_link"),
]
