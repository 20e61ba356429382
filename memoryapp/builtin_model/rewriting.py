"""``python -m memoryapp.builtin_model.rewriting PACKAGE FILE SHA256``: writes the model as it is to
be loaded to standard output; see `integer_arithmetic`. The memory for it ends with the program.
"""

import sys

from memoryapp.builtin_model import files

#: The exit codes if the file of the model cannot be used.
MISSING, CHANGED = 3, 4


def main(package: str, name: str, sha256: str) -> int:
    """Write the model; return the exit code."""
    # Only here: the process that loads the model needs none of it.
    from memoryapp.builtin_model.integer_arithmetic import multiply_integers

    try:
        pieces = multiply_integers(files.read_checked(package, name, sha256))
    except files.UnusableFile as error:
        return MISSING if error.is_missing else CHANGED
    for piece in pieces:
        sys.stdout.buffer.write(piece)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
