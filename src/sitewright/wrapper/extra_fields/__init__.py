"""Fields beside those of columns: in a line, under a heading, in a script."""
