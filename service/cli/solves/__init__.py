"""What `proofbase solve` does with a service: it runs the jobs and prints their outcome."""
