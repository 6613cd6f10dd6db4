"""The service: use cases over a store and the engine, served by gRPC or called in process (docs/service.md).

Programs begin with `proofbase.service.client.connect`. Layers, from the top: `cli`; `client` and `server`; `rpc`;
`application` and `convert`; `commands`; `jobs`; `positions` and `resources`; `answers`, `errors` and `limits`.
"""
