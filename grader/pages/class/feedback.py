# SPDX-License-Identifier: Apache-2.0
"""Packs a page for each student, to be given back: feedback.py DATA.json FILE.zip. The data is what report/class_report.cc wrote.

Such a page says nothing of other students, and not the seed, from which the tests' inputs can be computed. Moodle takes the file
by "Upload multiple feedback files in a zip": it finds a student by a folder's name, NAME_PARTICIPANT_assignsubmission_file_, as
in its own download. The page of somebody of whom neither the download nor the worksheet has a number is called after the student.
"""
import json
import os
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]
import class_report  # noqa: E402
import pages  # noqa: E402

# The file is the same whenever it is made of the same grades.
DATE = (2026, 1, 1, 0, 0, 0)


def place_of(student):
    """In the zip. In front of its number Moodle expects a name without "_"."""
    if not student["participant"]:
        return f"{student['page']}.html"
    name = "".join(" " if letter in "_/\\" else letter for letter in student["name"])
    return f"{name}_{student['participant']}_assignsubmission_file_/feedback.html"


def cell_for_student(cell):
    """Without what is for instructors only: items of the rubric that were ticked and change nothing."""
    effective = [item for item in cell["rubric"] if cell["rubric_counts"] or not item["points"]]
    return cell | {"problem": cell["problem_of_student"], "rubric": effective}


def drawn(data):
    """(place, page) of each student."""
    env, t = class_report.environment(data)
    env.globals["is_handed_out"] = True
    template, frame = env.get_template("student.html.j2"), class_report.frame_of_student(data)
    exercises, grades = class_report.anchored(frame["exercises"]), frame | {"texts": data["texts"]}
    scripts = class_report.STUDENT_SCRIPTS
    for student in data["students"]:
        told = student | {"remarks": student["remarks_of_student"],
                          "cells": [cell_for_student(cell) for cell in student["cells"]]}
        yield place_of(student), template.render(
            student=told, page=class_report.of_student(grades, exercises, told, t), before=None, after=None, grades=grades,
            script=pages.script({}, *scripts), policy=pages.policy(*scripts))


def pack(data, file):
    part = file.with_name(file.name + ".part")
    with zipfile.ZipFile(part, "w") as bundle:
        for place, page in drawn(data):
            entry = zipfile.ZipInfo(place, DATE)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o100644 << 16
            bundle.writestr(entry, page)
    os.replace(part, file)


def main():
    data_file, file = sys.argv[1:]
    with open(data_file, encoding="utf-8") as stream:
        data = json.load(stream)
    try:
        pack(data, pathlib.Path(file))
    except OSError as fault:
        sys.exit(f"warplings: {fault}")


if __name__ == "__main__":
    main()
