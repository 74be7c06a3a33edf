"""Pages from anywhere: a live site, a folder, an archive."""
