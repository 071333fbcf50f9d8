"""The command line: it reads, asks the use cases, prints, and ends with their exit code."""

from compatgate.cli.running import run

__all__ = ["run"]
