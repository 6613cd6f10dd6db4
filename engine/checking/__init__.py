"""The local check of records and of certificates in Python; `checker.py` is a second one, by the rules alone."""
