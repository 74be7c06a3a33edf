"""The methods of five papers to the letter: one module a paper, sections cited."""
