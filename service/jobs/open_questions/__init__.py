"""What is kept of questions that are still open: estimates, and the searches that later ones go on with."""
