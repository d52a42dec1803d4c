# SPDX-License-Identifier: Apache-2.0
"""Draws a class report: class_report.py DATA.json FOLDER. The data is what report/class_report.cc wrote."""
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "pages"))
import pages  # noqa: E402


def points(number):
    return f"{number:g}"


def draw(data, folder):
    environment = pages.environment(HERE, styles=[HERE / "class_report.css"])
    environment.filters["points"] = points
    student_page = environment.get_template("student.html.j2")
    drawn = set()
    for student in data["students"]:
        file = folder / "students" / f"{student['page']}.html"
        pages.write(file, student_page.render(grades=data, student=student))
        drawn.add(file.name)
    for old in (folder / "students").glob("*.html"):
        if old.name not in drawn:
            old.unlink()
    pages.write(folder / "index.html", environment.get_template("index.html.j2").render(grades=data))


def main():
    data_file, folder = sys.argv[1:]
    with open(data_file, encoding="utf-8") as stream:
        data = json.load(stream)
    try:
        draw(data, pathlib.Path(folder))
    except OSError as fault:
        sys.exit(f"warplings: {fault}")


main()
