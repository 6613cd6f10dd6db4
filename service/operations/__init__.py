"""What operators see of a server, and do with it: readiness, metrics, a port for both, several processes."""
