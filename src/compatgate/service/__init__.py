"""The contract as a service: HTTP and MCP, both thin over one pool of processes that do the work.

Nothing here is imported by the command line before `serve` or `mcp` runs.
"""
