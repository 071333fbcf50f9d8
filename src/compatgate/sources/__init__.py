"""Where schemas, tools and snapshots come from."""

from compatgate.sources.files import Loader, load
from compatgate.sources.shapes import Kind, Loaded, recognise

__all__ = ["Kind", "Loaded", "Loader", "load", "recognise"]
