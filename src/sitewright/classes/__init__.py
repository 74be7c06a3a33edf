"""Page classes: which pages of a site are made alike, and how the classes link to each other."""
