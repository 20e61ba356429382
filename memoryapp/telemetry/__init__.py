"""What an operator sees of the running application: heartbeats, log lines, metrics."""
