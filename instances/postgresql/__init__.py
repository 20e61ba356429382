"""Django's PostgreSQL, with what partitioned tables ask for."""
