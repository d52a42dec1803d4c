# SPDX-License-Identifier: Apache-2.0
"""What the tests of a graded class share: a small class, the program, and what it wrote."""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TILED = "01_boundary_checks/tiled_matmul"
PROGRAM = pathlib.Path()


def solution(exercise=TILED):
    return (ROOT / "solutions" / f"{exercise}.cu").read_text(encoding="utf-8")


def mutant(name):
    return (ROOT / "tests" / "mutants" / f"{name}.cu").read_text(encoding="utf-8")


class GradedClass(unittest.TestCase):
    """A scratch folder with class/ and out/, and the program as an instructor would call it."""

    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory(prefix="warplings-grade-")
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name)
        self.out = self.scratch / "out"

    def hand_in(self, student, text, name="tiled_matmul.cu"):
        file = self.scratch / "class" / student / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run_program(self, *arguments, status=0):
        environment = {**os.environ, "XDG_STATE_HOME": str(self.scratch / "state"), "CUDA_VISIBLE_DEVICES": "",
                       "LC_ALL": "C.UTF-8", "USER": "grace"}
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.scratch, env=environment,
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def status_into_closed_pipe(self, *arguments):
        """(exit status, standard error) if whoever reads the output has gone, as after `| head -0`."""
        reading, writing = os.pipe()
        os.close(reading)
        environment = {**os.environ, "XDG_STATE_HOME": str(self.scratch / "state"), "CUDA_VISIBLE_DEVICES": "", "LC_ALL": "C.UTF-8"}
        with os.fdopen(writing, "wb") as stream:
            done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.scratch, env=environment, stdout=stream,
                                  stderr=subprocess.PIPE, text=True, timeout=300, check=False)
        return done.returncode if done.returncode >= 0 else 128 - done.returncode, done.stderr

    def grade(self, *more, status=0):
        return self.run_program("grade", "class", "--out", self.out, "--seed", "7", *more, status=status)

    def grades(self):
        """grades.csv, a line by student, at the csv module's own limits."""
        with open(self.out / "grades.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream, strict=True))
        return {undo(row["Student"]): {undo(name): undo(text) for name, text in row.items()} for row in rows}


def undo(text):
    return text[1:] if text.startswith("'") else text


def main():
    """test.py PROGRAM: runs the tests of the calling module."""
    global PROGRAM  # pylint: disable=global-statement
    PROGRAM = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(module="__main__", verbosity=2)
