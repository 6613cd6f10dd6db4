"""What programs that talk to language models ask of a store: answers that are proved, or say that nothing is known."""
