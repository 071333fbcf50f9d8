"""The command group with all of its commands: importing a module of commands adds them to the group."""

from __future__ import annotations

from compatgate.cli import commands, services, verdicts
from compatgate.cli.commands import main

MODULES = (commands, verdicts, services)

__all__ = ["MODULES", "main"]
