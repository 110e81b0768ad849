"""Child of `word.py`: `python word_child.py miter.smt2` runs bitwuzla on a script and prints its answers."""

import sys

import bitwuzla


def main() -> None:
    options = bitwuzla.Options()
    options.set(bitwuzla.Option.PRODUCE_MODELS, True)
    error = bitwuzla.Parser(bitwuzla.TermManager(), options).parse(sys.argv[1])
    if error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
