"""Jobs: work that takes longer than a call. The runner, the kinds of jobs, and how the store keeps them."""
