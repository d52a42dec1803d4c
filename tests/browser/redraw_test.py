# SPDX-License-Identifier: Apache-2.0
"""That drawing class pages again draws what has changed, all of it and nothing else: redraw_test.py EXAMPLE_CLASS."""
import copy
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader" / "pages" / "class"))

import class_report  # noqa: E402
import drawn  # noqa: E402
import similarity  # noqa: E402

PROGRAM = sys.argv.pop(1)
STUDENTS, EXERCISES = 12, 3


class Redraw(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = subprocess.run([PROGRAM, str(STUDENTS), "en", ROOT], capture_output=True, text=True, check=True).stdout
        cls.data = json.loads(made)
        # Few, since they are drawn afresh again and again.
        del cls.data["exercises"][EXERCISES:]
        for student in cls.data["students"]:
            del student["cells"][EXERCISES:]

    def setUp(self):
        # pylint: disable-next=consider-using-with
        folder = tempfile.TemporaryDirectory(prefix="warplings-redraw-")
        self.addCleanup(folder.cleanup)
        self.scratch = pathlib.Path(folder.name)
        self.report = self.scratch / "report"
        self.coloured = self.compared = 0
        listing, compare = class_report.listing, similarity.compare

        def counted_listing(text):
            self.coloured += 1
            return listing(text)

        def counted_compare(texts, starter):
            self.compared += 1
            return compare(texts, starter)

        class_report.listing, similarity.compare = counted_listing, counted_compare
        self.addCleanup(setattr, class_report, "listing", listing)
        self.addCleanup(setattr, similarity, "compare", compare)

    def draw(self, data, folder=None):
        self.coloured = self.compared = 0
        class_report.draw(copy.deepcopy(data), folder or self.report)

    def files(self, folder):
        return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def as_drawn_afresh(self, data):
        coloured, compared = self.coloured, self.compared
        fresh = self.scratch / "fresh"
        shutil.rmtree(fresh, ignore_errors=True)
        self.draw(data, fresh)
        self.assertEqual(self.files(self.report), self.files(fresh))
        self.coloured, self.compared = coloured, compared

    def changed(self, data, files_before):
        """Draws again; returns the names of the files that are others now."""
        self.draw(data)
        self.as_drawn_afresh(data)
        now = self.files(self.report)
        return {name for name in now.keys() | files_before.keys() if now.get(name) != files_before.get(name)}

    def page(self, number):
        return f"students/{self.data['students'][number]['page']}.html"

    def test_nothing_changed(self):
        self.draw(self.data)
        self.assertGreater(self.coloured, STUDENTS)
        self.assertEqual(self.compared, len(self.data["exercises"]))
        self.assertEqual(self.changed(self.data, self.files(self.report)), set())
        self.assertEqual((self.coloured, self.compared), (0, 0))

    def test_points_of_one_student(self):
        self.draw(self.data)
        before, data = self.files(self.report), copy.deepcopy(self.data)
        data["students"][9]["points"] += 1
        self.assertEqual(self.changed(data, before), {self.page(9), "index.html", drawn.NAME})
        self.assertLessEqual(self.coloured, len(data["exercises"]))
        self.assertEqual(self.compared, 0)

    def test_one_source(self):
        self.draw(self.data)
        before, data = self.files(self.report), copy.deepcopy(self.data)
        cell = next(cell for cell in data["students"][9]["cells"] if cell["text"] is not None)
        holders = {number for number, student in enumerate(data["students"])
                   if any(each["text"] == cell["text"] for each in student["cells"])}
        data["texts"][cell["text"]]["source"] += "// <b>another line</b>\n"
        changed = self.changed(data, before)
        self.assertEqual(changed - {"index.html"}, {self.page(number) for number in holders} | {drawn.NAME})
        self.assertEqual(self.compared, 1)

    def test_a_name_is_on_the_neighbours_pages_too(self):
        self.draw(self.data)
        before, data = self.files(self.report), copy.deepcopy(self.data)
        data["students"][9]["name"] = "Somebody <i>Else</i>"
        self.assertEqual(self.changed(data, before), {self.page(8), self.page(9), self.page(10), "index.html", drawn.NAME})

    def test_somebody_is_gone(self):
        self.draw(self.data)
        before, data = self.files(self.report), copy.deepcopy(self.data)
        del data["students"][9]
        for exercise in data["exercises"]:
            for each in exercise["misconceptions"]:
                each["students"] = [number - (number > 9) for number in each["students"] if number != 9]
        self.assertLessEqual({self.page(8), self.page(9), self.page(10)}, self.changed(data, before))
        self.assertFalse((self.report / self.page(9)).exists())

    def test_what_all_pages_show(self):
        self.draw(self.data)
        before = self.files(self.report)
        for name in ("device", "assignment_title"):
            self.assertGreater(len(self.changed(self.data | {name: "another one"}, before)), STUDENTS)
        # Not of those who handed in nothing that was dated.
        changed = self.changed(self.data | {"time_zone": "Asia/Taipei"}, before)
        dated = {self.page(number) for number, student in enumerate(self.data["students"]) if student["handed_in_at"]}
        self.assertTrue(dated)
        self.assertLessEqual(dated, changed)
        self.assertGreater(len(self.changed(self.data | {"language": "zh_Hant"}, before)), STUDENTS)

    def test_a_page_that_was_edited_or_lost(self):
        self.draw(self.data)
        before = self.files(self.report)
        (self.report / self.page(3)).write_text("mine")
        (self.report / self.page(4)).unlink()
        self.assertEqual(self.changed(self.data, before), set())
        self.assertGreater(self.coloured, 0)

    def test_a_damaged_or_older_note(self):
        self.draw(self.data)
        before, note = self.files(self.report), self.report / drawn.NAME
        for text in ("", "{", "[]", '{"code": 1}', note.read_text().replace('"code": "', '"code": "0'), '"x"'):
            note.write_text(text)
            self.assertEqual(self.changed(self.data, before), set())
        # A drawing that was killed before its end: pages are newer than the note. Then the class is as it was.
        older = note.read_bytes()
        data = copy.deepcopy(self.data)
        data["students"][9]["points"] += 1
        self.draw(data)
        note.write_bytes(older)
        self.assertEqual(self.changed(self.data, before), set())


if __name__ == "__main__":
    unittest.main(verbosity=2)
