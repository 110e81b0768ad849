"""Runs one Yosys script in this process: `python yosys_child.py SCRIPT`; a Yosys ERROR ends it with status 1."""

import sys

from pyosys import libyosys


def main() -> None:
    with open(sys.argv[1]) as stream:
        commands = stream.read().splitlines()
    design = libyosys.Design()
    for command in commands:
        if command.strip():
            libyosys.run_pass(command, design)


if __name__ == "__main__":
    main()
