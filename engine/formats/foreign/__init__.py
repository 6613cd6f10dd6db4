"""Files in which others have solved games: what they claim of positions. Nothing of it is believed."""
