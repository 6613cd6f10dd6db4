"""Settings of `proofbase serve`: flags before environment variables before one TOML file before what is built in."""
