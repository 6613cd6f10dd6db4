"""Claims of foreign files, checked by what a service knows and by searches."""
