"""What the values of a field are: their types, and what they look like."""
