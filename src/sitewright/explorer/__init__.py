"""The explorer: a local web page over a project, to see its results and correct them."""
