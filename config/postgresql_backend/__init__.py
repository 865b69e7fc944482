"""Django's PostgreSQL, for connections that are kept from request to request."""
