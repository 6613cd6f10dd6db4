"""The use cases, one a file, in a folder for each service of the protocol: solutions, jobs, transfer.

A command takes the resources, the runner of jobs or whatever else it needs, and plain arguments. It knows nothing of
any transport.
"""
