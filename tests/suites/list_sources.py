# SPDX-License-Identifier: Apache-2.0
"""Prints "CHAPTER KIND FILE..." for the C++ sources in tests/suites/CHAPTER/.

An author adds files; what they are is in their names:

    ID_suite.cc    the suite of exercise ID: becomes a program, with main() in ../suite_main.cc   (KIND suite)
    X_test.cc      GoogleTest tests of what the suites share or observe                            (KIND test)
    X.cc           shared by the chapter's suites and tests                                        (KIND shared)
"""
import pathlib
import sys


def kind(path):
    if path.stem.endswith("_suite"):
        return "suite"
    return "test" if path.stem.endswith("_test") else "shared"


def main(folder):
    for chapter in sorted(path for path in pathlib.Path(folder).glob("[0-9]*") if path.is_dir()):
        files = sorted(chapter.glob("*.cc"))
        for wanted in ("shared", "suite", "test"):
            names = [f"{chapter.name}/{path.name}" for path in files if kind(path) == wanted]
            print(chapter.name, wanted, *names)


if __name__ == "__main__":
    main(sys.argv[1])
