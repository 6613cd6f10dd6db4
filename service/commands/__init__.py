"""The use cases, one a file. They take an `Application` and plain arguments, and know nothing of any transport."""
