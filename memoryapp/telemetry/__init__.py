"""Telemetry of the running application: heartbeats, log lines, metrics."""
