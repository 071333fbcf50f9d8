"""Run the command line; `--version` is answered before anything heavy is imported."""

import sys


def main() -> None:
    """Run the `compatgate` command and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        from compatgate._version import __version__

        print(f"compatgate {__version__}")
        return
    from compatgate.cli import run

    sys.exit(run())


if __name__ == "__main__":
    main()
