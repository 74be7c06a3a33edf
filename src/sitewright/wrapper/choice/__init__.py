"""Which columns are kept: a linear model over what is known of them, and how many fit."""
