"""How jobs run in this process, and how the processes that share a store share its jobs."""
