"""The use cases, pure but for what they are given: the command line and the Python API are thin over them."""

from compatgate.app.classifying import classify, contains
from compatgate.app.demonstration import demo
from compatgate.app.gating import gate

__all__ = ["classify", "contains", "demo", "gate"]
