# SPDX-License-Identifier: Apache-2.0
"""Prints "CHAPTER EXERCISE ENTRY" for every exercise of every chapters/*/chapter.toml.

Meson asks at configure time, so that an exercise is listed in chapter.toml and nowhere else. The
loader (grader/workbook/) validates the files; this only says which stubs to build, and fails on names
that could not be file names or identifiers.
"""
import pathlib
import re
import sys

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib

NAME = re.compile(r"[A-Za-z0-9_]+\Z")


def main(root):
    for path in sorted(pathlib.Path(root, "chapters").glob("*/chapter.toml")):
        try:
            exercises = tomllib.loads(path.read_text(encoding="utf-8")).get("exercise", [])
            rows = [(path.parent.name, e["id"], e["entry"]) for e in exercises]
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as fault:
            sys.exit(f"{path}: {fault}")
        for row in rows:
            if not all(isinstance(name, str) and NAME.match(name) for name in row):
                sys.exit(f"{path}: chapter, id and entry must be plain names, not {row}")
            print(*row)


if __name__ == "__main__":
    main(sys.argv[1])
