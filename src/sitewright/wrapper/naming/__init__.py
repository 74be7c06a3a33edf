"""What fields are called, and which words of a page never name one."""
