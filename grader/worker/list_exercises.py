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


PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)\Z", re.DOTALL)


def described(name, fault):
    """"FILE:LINE:COLUMN: REASON", as compilers print it; tomllib says the place last."""
    placed = PLACE.match(fault)
    return f"{name}:{placed[2]}:{placed[3]}: not TOML: {placed[1]}" if placed else f"{name}: not TOML: {fault}"


def main(root):
    for path in sorted(pathlib.Path(root, "chapters").glob("*/chapter.toml")):
        name = path.relative_to(root)
        try:
            exercises = tomllib.loads(path.read_text(encoding="utf-8")).get("exercise", [])
            rows = [(path.parent.name, e["id"], e["entry"]) for e in exercises]
        except tomllib.TOMLDecodeError as fault:
            sys.exit(described(name, str(fault)))
        except KeyError as fault:
            sys.exit(f"{name}: an exercise lacks the key {fault}")
        except (UnicodeDecodeError, TypeError, AttributeError) as fault:
            sys.exit(f"{name}: {fault}")
        for row in rows:
            if not all(isinstance(each, str) and NAME.match(each) for each in row):
                sys.exit(f"{name}: chapter, id and entry must be plain names, not {row}")
            print(*row)


if __name__ == "__main__":
    main(sys.argv[1])
