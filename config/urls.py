"""All addresses. Pages are the table's; the language is chosen for the browser, not by address."""

from django.urls import include, path
from django.views.i18n import set_language

from encounters import error_views

urlpatterns = [
    path("language/", set_language, name="set_language"),
    path("robots.txt", error_views.robots),
    path("", include("encounters.urls")),
]

handler400 = error_views.bad_request
handler403 = error_views.forbidden
handler404 = error_views.not_found
handler500 = error_views.broken
