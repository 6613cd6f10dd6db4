"""The proof manager: one question that many workers answer together, over a tree of questions that the store keeps."""
