"""Developer tasks: run each with `uv run python -m tasks.NAME`."""
