"""Who may do what: roles of calls, tokens and certificates, and what each client may use up. Knows no gRPC."""
