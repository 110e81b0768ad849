"""The verbs of the command line, one module each, all of one shape.

`add(verbs)` adds the verb's parser to argparse's subparsers, with `run(arguments) -> int` (the exit status) as its
default `run`.
"""
