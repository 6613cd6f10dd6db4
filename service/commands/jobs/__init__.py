"""Starting, listing and controlling jobs."""
