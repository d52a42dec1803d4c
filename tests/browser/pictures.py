#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Takes the pictures in docs/pictures/: pictures.py EXAMPLE_CLASS FOLDER [HANDOUTS].

A made-up class of 40, drawn as `grade` draws one, in Chromium: the index and a student's page on a desktop, the index on a
phone, and what a printer gets of the student's page (poppler makes it a picture); a student's exercise in a review. The guide
shows these. With HANDOUTS, a folder of built pages, also what it does not show: a made-up profile, a drill that is answered and
a time line. After a change of the pages:

    ninja -C build tests/browser/example-class
    tests/browser/pictures.py build/tests/browser/example-class docs/pictures

    ./warplings handouts --paper none
    tests/browser/pictures.py build/tests/browser/example-class FOLDER build/handouts/students
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import made_up_profile
from looking import ROOT, chromium

sys.path.insert(0, str(ROOT / "grader" / "pages" / "review"))
import server

DRAW = ROOT / "grader" / "pages" / "class" / "class_report.py"
DRAW_PROFILE = ROOT / "grader" / "pages" / "profile" / "profile_page.py"
# The made-up class has names that attack pages, which are another subject.
PLAIN_NAMES = ("Ada Lovelace", "Alan Turing", "Annie Easley", "Edsger Dijkstra", "Grace Hopper", "Katherine Johnson",
               "Mary Somerville", "陳大文")
DESKTOP, PHONE = (1180, 860), (390, 780)


def plain(data):
    """The class with names and titles as an instructor's would have."""
    for number, student in enumerate(data["students"]):
        student["name"] = PLAIN_NAMES[number] if number < len(PLAIN_NAMES) else student["name"].rsplit(" ", 1)[0]
        student["handed_in_as"] = student["name"] + ".zip"
    for text in data["texts"]:
        text["source"] = re.sub(r"// Wrong on purpose.*", "// My second try.", text["source"])
    data["unplaced"] = [{"name": "notes.txt", "reason": "is neither a folder nor an archive",
                         "advice": "Put it into the folder of the student whose it is."}]
    data["course_title"], data["assignment_title"] = "Programming GPUs, Autumn 2026", "The whole workbook"
    return data


def page_with_advice(data, exercise="tiled_matmul"):
    """Of the first student whose first advice is about this exercise."""
    for student in data["students"]:
        advised = [column["id"] for column, cell in zip(data["exercises"], student["cells"])
                   if cell["text"] is not None and data["texts"][cell["text"]]["misconceptions"]]
        if advised[:1] == [exercise]:
            return student["page"]
    raise AssertionError(f"nobody of the made-up class has a misconception in {exercise}")


def picture(tab, size, address, at="", closed=""):
    """What a screen of this size shows; `at`: from the element on that this selects; `closed`: selects what to fold."""
    tab.look(*size)
    tab.open(address)
    if closed:
        tab.evaluate(f"document.querySelectorAll({json.dumps(closed)}).forEach((each) => {{ each.open = false; }})")
    if at:
        tab.evaluate(f"document.querySelector({json.dumps(at)}).scrollIntoView()")
    return tab.screenshot(beyond=False)


def printed(tab, folder):
    """The first page of what a printer gets."""
    (folder / "page.pdf").write_bytes(tab.pdf("A4"))
    subprocess.run(["pdftoppm", "-r", "75", "-f", "1", "-l", "1", "-singlefile", "-png", folder / "page.pdf", folder / "page"],
                   check=True)
    return (folder / "page.png").read_bytes()


class Command:
    """Answers as `warplings review` does to who asks once."""

    def __init__(self, data):
        self._told = [{}, {"class": data, "versions": {}}]

    def ask(self, _):
        return self._told.pop() if len(self._told) > 1 else self._told[0]


def reviewed(data, page, exercise="tiled_matmul"):
    """The student's page in a review, with a comment on a line and a rubric."""
    number = next(number for number, each in enumerate(data["exercises"]) if each["id"] == exercise)
    data["exercises"][number]["rubric"] = [{"id": "1", "title": "The guard is on the wrong index", "points": -2},
                                           {"id": "2", "title": "Says why a tile element is 0", "points": 1}]
    cell = next(each for each in data["students"] if each["page"] == page)["cells"][number]
    last = max(note["line"] for note in data["texts"][cell["text"]]["notes"])
    cell["comments"] = [{"test": "", "line": str(last - 1), "shown_at": last - 1, "quote": "", "author": "Grace", "when": "",
                         "text": "What does this thread do where the matrix has ended?"}]
    cell["rubric"] = data["exercises"][number]["rubric"][1:]
    cell["points"], cell["has_points"] = 1, True
    cell["changes"] = [{"kind": "rubric", "delta": 1, "reason": "Says why a tile element is 0 (+1)", "author": "Grace", "when": ""}]
    return server.Review(Command(data), "Grace").student(page)


def profile(tab, folder):
    """With the picture of a line's requests."""
    (folder / "profile.json").write_text(json.dumps(made_up_profile.profile()), encoding="utf-8")
    subprocess.run([sys.executable, "-B", DRAW_PROFILE, folder / "profile.json", folder / "profile.html"], check=True)
    tab.look(1180, 1400)
    tab.open((folder / "profile.html").as_uri())
    tab.evaluate("document.querySelector('button[data-line]').click()")
    return tab.screenshot(beyond=False)


def handouts(tab, folder):
    """A drill with a wrong answer, and a whole time line."""
    address = (folder / "01_boundary_checks.html").as_uri()
    tab.look(*DESKTOP)
    tab.open(address)
    tab.evaluate("""(() => { const form = document.querySelector("[id^=drill-] form");
        form.querySelector("input").value = "6"; form.requestSubmit(); form.parentElement.scrollIntoView(); })()""")
    drills = tab.screenshot(beyond=False)
    tab.open(address)
    # Once it is in sight it plays by itself.
    tab.evaluate("""new Promise((done) => { const figure = document.querySelector("figure.timeline"); figure.scrollIntoView();
        setTimeout(() => { [...figure.querySelectorAll(".timeline-controls button")].at(-1).click(); done(0); }, 500); })""")
    return {"drills": drills, "timeline": tab.screenshot(beyond=False)}


def take(program, browser, pages=None):
    """{name: PNG}"""
    made = subprocess.run([program, "40", "en", ROOT], capture_output=True, text=True, check=True).stdout
    data = plain(json.loads(made))
    with tempfile.TemporaryDirectory(prefix="warplings-pictures-") as name:
        folder = pathlib.Path(name)
        (folder / "class.json").write_text(json.dumps(data), encoding="utf-8")
        subprocess.run([sys.executable, "-B", DRAW, folder / "class.json", folder / "report"], check=True)
        index = (folder / "report" / "index.html").as_uri()
        student = (folder / "report" / "students" / (page_with_advice(data) + ".html")).as_uri()
        review = folder / "review.html"
        review.write_text(reviewed(data, page_with_advice(data)), encoding="utf-8")
        tab = browser.page()
        return {"class_index": picture(tab, DESKTOP, index), "class_phone": picture(tab, PHONE, index),
                "class_student": picture(tab, DESKTOP, student),
                "class_source": picture(tab, DESKTOP, student, "details.exercise[open] .listing"),
                "class_printed": printed(tab, folder),
                # Below the source with its notes stands the rubric.
                "review": picture(tab, (1180, 1240), review.as_uri(), "section:has(.written) .l:nth-child(24)", "details.results"),
                **({"profile": profile(tab, folder), **handouts(tab, pages)} if pages else {})}


def main():
    program, out = sys.argv[1], pathlib.Path(sys.argv[2])
    if not chromium.find():
        sys.exit("pictures: there is no Chromium here")
    with chromium.Chromium(chromium.find()) as browser:
        taken = take(program, browser, pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None)
    out.mkdir(parents=True, exist_ok=True)
    for name, png in taken.items():
        (out / f"{name}.png").write_bytes(png)
        print(f"{out / name}.png: {len(png) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
