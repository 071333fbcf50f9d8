"""Changes: what differs between two tools, place by place, and what each edit means for callers."""
