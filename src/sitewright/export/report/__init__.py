"""`report.html`: one self-contained page for people."""
