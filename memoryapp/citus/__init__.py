"""The tables on a cluster of Citus: content divided among its workers by instance."""
