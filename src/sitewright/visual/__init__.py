"""Pages as people see them: rendered, cut into blocks, and matched block by block."""
