"""The services over HTTP: Connect with JSON or protobuf, URLs to read from, events and downloads (docs/http.md)."""
