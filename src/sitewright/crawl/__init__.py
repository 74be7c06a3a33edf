"""Which page comes next: queues, waves, a rule to stop, and crawls with a target."""
