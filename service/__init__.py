"""The service: use cases over a store and the engine, served by gRPC or called in process (docs/service.md).

`proofbase.service.client.connect` is the door for programs.
"""
