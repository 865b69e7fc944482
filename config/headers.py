"""The headers of every page, in two sets: the GM's side and the players' pages (`/j/…`).

`config.middleware` puts them on Django's answers; the live streams, which no middleware sees,
take them from here.
"""

from django.conf import settings

_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; form-action {form_action}; base-uri 'none'; "
    "frame-ancestors 'none'; manifest-src 'self'"
)

_EVERYWHERE = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

GM_HEADERS = {
    **_EVERYWHERE,
    "Content-Security-Policy": _CSP.format(form_action="'self'"),
    # Django's CSRF check over HTTPS needs a referrer when a browser sends no Origin.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}

PLAYER_HEADERS = {
    **_EVERYWHERE,
    "Content-Security-Policy": _CSP.format(form_action="'none'"),
    "Referrer-Policy": "no-referrer",  # the address is the players' only key
    "Cache-Control": "private, no-store",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
}


def transport_security() -> dict[str, str]:
    """What binds browsers to HTTPS, as the settings have it, for what no middleware sees."""
    if not settings.SECURE_HSTS_SECONDS:
        return {}
    parts = [f"max-age={settings.SECURE_HSTS_SECONDS}"]
    parts += ["includeSubDomains"] if settings.SECURE_HSTS_INCLUDE_SUBDOMAINS else []
    parts += ["preload"] if settings.SECURE_HSTS_PRELOAD else []
    return {"Strict-Transport-Security": "; ".join(parts)}


def is_player_path(path: str) -> bool:
    """Whether a path belongs to the players; QR codes may carry it in capitals."""
    return path[:3].lower() == "/j/"
