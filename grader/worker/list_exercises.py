# SPDX-License-Identifier: Apache-2.0
"""Prints "CHAPTER EXERCISE ENTRY" for every exercise of every chapters/*/chapter.toml.

Meson asks at configure time, so that an exercise is listed in chapter.toml and nowhere else. The
loader (grader/workbook/) validates the files; this only says which stubs to build. It fails on what would
otherwise fail in a generated file: names that could not be file names or identifiers, a contract or a suite
that is not there, and an entry that the contract does not declare.
"""
import difflib
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


def line_of(text, number, key):
    """The line of a key of the exercise with this number, or of the exercise: tomllib keeps no lines."""
    begin = found = 0
    for line, content in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[\[\s*exercise\s*\]\]", content):
            if begin:
                number -= 1
            begin = line
        elif begin and number == 0 and re.match(rf"\s*{key}\s*=", content):
            found = line
            break
    return found or begin


def declared(header):
    """The functions that a contract declares."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", " ", header, flags=re.DOTALL)
    return re.findall(r"([A-Za-z_]\w*)\s*\([^(){}]*\)[^;{}()]*;", code)


def missing(root, chapter, exercise, entry):
    """(key, words): the first fault that would show in a generated file or as a target that does not exist; None without one."""
    contract = f"chapters/{chapter}/{exercise}.h"
    for file, what in [(contract, "contract"), (f"tests/suites/{chapter}/{exercise}_suite.cc", "suite")]:
        if not pathlib.Path(root, file).is_file():
            return "id", f"there is no {file}, the {what} of '{exercise}': add it, or correct the id"
    names = declared(pathlib.Path(root, contract).read_text(encoding="utf-8", errors="replace"))
    if entry in names:
        return None
    meant = difflib.get_close_matches(entry, names, 1)
    return "entry", f"{contract} does not declare '{entry}'" + (f"; did you mean {meant[0]}?" if meant else "")


def main(root):
    for path in sorted(pathlib.Path(root, "chapters").glob("*/chapter.toml")):
        name = path.relative_to(root)
        try:
            text = path.read_text(encoding="utf-8")
            exercises = tomllib.loads(text).get("exercise", [])
            rows = [(path.parent.name, e["id"], e["entry"]) for e in exercises]
        except tomllib.TOMLDecodeError as fault:
            sys.exit(described(name, str(fault)))
        except KeyError as fault:
            sys.exit(f"{name}: an exercise lacks the key {fault}")
        except (UnicodeDecodeError, TypeError, AttributeError) as fault:
            sys.exit(f"{name}: {fault}")
        for number, row in enumerate(rows):
            if not all(isinstance(each, str) and NAME.match(each) for each in row):
                sys.exit(f"{name}: chapter, id and entry must be plain names, not {row}")
            if fault := missing(root, *row):
                sys.exit(f"{name}:{line_of(text, number, fault[0])}: exercise.{fault[0]}: {fault[1]}")
            print(*row)


if __name__ == "__main__":
    main(sys.argv[1])
