"""Commands for those who keep a store: `proofbase store info|copy|compact|check|fingerprint`."""
