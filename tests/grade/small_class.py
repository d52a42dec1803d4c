# SPDX-License-Identifier: Apache-2.0
"""A class that is graded in seconds, and what must be equal in two gradebooks of it."""
import pathlib
import sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXERCISE = "01_boundary_checks/tiled_matmul"
# All but the time of day, and the times in the report.
GRADES = """SELECT student, chapter, exercise, state, verdict, points, max_points, reason, findings, misconceptions, file,
            submission_hash, suite_version, grader_version, device, seed, round FROM grades"""
RESULTS = """SELECT key, chapter, exercise, submission_hash, suite_version, grader_version, device, seed, round, verdict, reason,
             points, max_points, findings, misconceptions, source, answers FROM results ORDER BY key"""


def make_class(folder, students, every=5):
    """Each a text of its own; one in `every` runs, the others do not compile, which is quick."""
    solution = (ROOT / "solutions" / f"{EXERCISE}.cu").read_text()
    mutant = (ROOT / "tests/mutants" / f"{EXERCISE}.m_load_unguarded.cu").read_text()
    for number in range(students):
        text = f"void broken{number}( {{\n"
        if number % every == 0:
            text = (mutant if number % 2 else solution) + f"// by {number}\n"
        student = folder / f"student {number:02}"
        student.mkdir(parents=True)
        (student / "tiled_matmul.cu").write_text(text)


def gradebook(out):
    """(rows of the view of grades, rows of results)"""
    with sqlite3.connect(f"file:{out}/gradebook.sqlite?mode=ro", uri=True) as connection:
        connection.text_factory = bytes
        return connection.execute(GRADES).fetchall(), connection.execute(RESULTS).fetchall()
