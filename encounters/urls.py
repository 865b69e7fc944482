"""The addresses of the table: one for each page, and one for each verb of a fight."""

from django.urls import include, path

from encounters import (
    bin_views,
    campaign_views,
    door_views,
    entry_views,
    forms,
    gm_views,
    link_views,
    log_views,
    player_views,
    settings_views,
    summary_views,
)

# Each part of an address is looked at once, and what is asked for most comes first: to find a verb
# at the end of so many would take longer than to find out what it is about.
CAMPAIGN = [
    path("", campaign_views.campaign, name="campaign"),
    path("heroes/", campaign_views.add_heroes, name="add-heroes"),
    path("heroes/<int:pk>/", campaign_views.change_hero, name="change-hero"),
    path("settings/", settings_views.campaign_settings, name="settings"),
    path("players-see/", settings_views.players_see, name="players-see"),
    path("links/", link_views.new_link, name="new-link"),
    path("code/", link_views.code, name="players-code"),
    path("links/<int:pk>/", link_views.change_link, name="change-link"),
    path("links/<int:pk>/rotate/", link_views.rotate_link, name="rotate-link"),
    path("links/<int:pk>/revoke/", link_views.revoke_link, name="revoke-link"),
    path("links/<int:pk>/card/", link_views.card, name="link-card"),
    path("encounters/", campaign_views.new_encounter, name="new-encounter"),
]
ENCOUNTER = [
    path("", gm_views.board, name="board"),
    *(path(f"{form.verb}/", gm_views.act(form), name=form.verb) for form in forms.VERBS),
    path("players/", gm_views.players, name="players-panel"),
    path("rename/", campaign_views.rename_encounter, name="rename-encounter"),
    path("duplicate/", campaign_views.duplicate_encounter, name="duplicate"),
    path("settings/", settings_views.fight_settings, name="fight-settings"),
    path("creatures/", gm_views.suggestions, name="suggestions"),
    path("combatant/<int:number>/", gm_views.edit_combatant, name="combatant"),
    path("combatant/<int:number>/attack/", gm_views.attack_with, name="attack-with"),
    path("summary/", summary_views.summary, name="summary"),
    path("carry-hit-points/", summary_views.carry_hit_points, name="carry-hit-points"),
    path("log/", log_views.log, name="log"),
    path("log.txt", log_views.log_as, {"format": "txt"}, name="log-text"),
    path("log.md", log_views.log_as, {"format": "md"}, name="log-markdown"),
    path("at/<int:number>/", log_views.past, name="past"),
]

urlpatterns = [
    path("e/<uuid:uuid>/", include(ENCOUNTER)),
    path("j/<str:token>", player_views.page, name="player"),
    path("j/<str:token>/board", player_views.board, name="player-board"),
    path("J/<str:token>", player_views.page, name="player-capitals"),  # as some scanners give it
    path("J/<str:token>/board", player_views.board, name="player-board-capitals"),
    path("c/<uuid:uuid>/", include(CAMPAIGN)),
    path("", door_views.root, name="home"),
    path("tv", door_views.door, {"view": "tv"}, name="tv"),
    path("quick-fight/", campaign_views.quick_fight, name="quick-fight"),
    path("about/", campaign_views.about, name="about"),
    path("theme/", campaign_views.choose_theme, name="theme"),
    path("bin/<str:kind>/<int:pk>/throw-away/", bin_views.throw_away, name="throw-away"),
    path("bin/<str:kind>/<int:pk>/restore/", bin_views.restore, name="restore"),
    path("entry/", entry_views.explain, name="entry"),
    path("entry/leave/", entry_views.leave, name="leave-entry"),
    path("entry/leave-others/", entry_views.leave_others, name="leave-others"),
    path("entry/<str:secret>/", entry_views.enter, name="enter"),
]
