"""Work that takes longer than a call: what a job is, who runs it, and the kinds of work."""
