#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What students get back, and how their points came about: giving_back_test.py PROGRAM."""
import json
import re
import sys
import zipfile

import graded
import tomllib

SEED = "8124067"
COURSE = """[course]
title = "GPUs"
roster = "roster.csv"
[[assignment]]
id = "week1"
what = ["tiled_matmul", "repair_tiled_matmul"]
points = 20
due = 2026-10-08
[[assignment.exercise]]
name = "tiled_matmul"
points = 20
scoring = "rubric"
[[assignment.exercise.group]]
title = "Small <widths>"
points = 3
tests = ["TiledMatmul.OneThreadOf256HasWork", "TiledMatmul.WidthJustBelowATile"]
[[assignment.exercise.group]]
title = "Any width"
points = 7
tests = ["TiledMatmul.AnyWidth", "TiledMatmul.LastPhase*"]
[[assignment.exercise]]
name = "repair_tiled_matmul"
points = 5
scoring = "per_test"
[[assignment.extension]]
student = "Eve_Sneak"
days = 2
"""
ADA, EVE = "Ada Lovelace_77_assignsubmission_file_", "Eve_Sneak_78_assignsubmission_file_"


def one_phase():
    """Right as long as a tile holds the whole matrix."""
    text, count = re.subn(r"const int phases = [^;]*;", "const int phases = 1;", graded.solution())
    assert count == 1
    return text


class GivingBack(graded.GradedClass):
    def setUp(self):
        super().setUp()
        (self.scratch / "course.toml").write_text(COURSE, encoding="utf-8")
        (self.scratch / "roster.csv").write_text("name,id\nAda Lovelace,1\nEve_Sneak,2\nGrace Hopper,3\nAlan Turing,4\n", encoding="utf-8")
        self.hand_in(ADA, graded.solution())
        self.hand_in(EVE, one_phase())
        self.hand_in(EVE, (graded.ROOT / "chapters/01_boundary_checks/repair_tiled_matmul.cu").read_text(encoding="utf-8"),
                     "repair_tiled_matmul.cu")
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "week1", "--out", "out", "--seed", SEED)

    def pages(self, *arguments):
        """{place: page} of the file."""
        said = self.run_program("export", "out", "--feedback", *arguments)
        with zipfile.ZipFile(self.out / "feedback.zip") as bundle:
            return said, {name: bundle.read(name).decode() for name in bundle.namelist()}

    def test_moodle_gets_the_page_of_who_handed_in_elsewhere(self):
        time = '"Tuesday, 6 October 2026, 11:58 PM"'
        lines = [f"Participant 77,Ada Lovelace,{time}", f"Participant 78,Eve_Sneak,{time}", "Participant 79,Grace Hopper,-",
                 "Participant 80,Somebody Else,-"]
        (self.scratch / "sheet.csv").write_text("Identifier,Full name,Last modified (submission)\n" + "\n".join(lines) + "\n",
                                                encoding="utf-8")
        self.hand_in("Alan Turing", one_phase())
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "week1", "--out", "out", "--worksheet", "sheet.csv",
                         "--seed", SEED)
        self.run_program("override", "out", "Grace Hopper", "tiled_matmul", "--points", "3", "--reason", "oral exam")
        said, pages = self.pages()
        self.assertIn("Grace Hopper_79_assignsubmission_file_/feedback.html", pages)
        self.assertRegex(said, r"1 student handed in nothing through Moodle; give these pages yourself:\s+Alan Turing")

    def test_a_page_tells_the_student_and_nobody_else(self):
        self.run_program("override", "out", "Grace Hopper", "tiled_matmul", "--points", "3", "--reason", "oral exam")
        self.run_program("override", "out", "Eve_Sneak", "tiled_matmul", "--request", "Why?")
        self.run_program("override", "out", "Eve_Sneak", "tiled_matmul", "--answer", "Because of the phases.")
        said, pages = self.pages()
        # Alan has handed in nothing, and nobody said anything.
        eve = "Eve Sneak_78_assignsubmission_file_/feedback.html"
        self.assertEqual(sorted(pages), [f"{ADA}/feedback.html", eve, "Grace_Hopper.html"])
        self.assertIn("out/feedback.zip: 3 pages packed", said)
        self.assertRegex(said, r"1 student handed in nothing through Moodle; give these pages yourself:\s+Grace Hopper")
        for name in pages:  # As Moodle reads it: fullname_number_plugin_plugin_.
            if "/" in name:
                self.assertRegex(name, r"^[^_]+_\d+_assignsubmission_file_/[^/]+\.html$")
        self.assertIn("oral exam", pages["Grace_Hopper.html"])
        for words in ("Do this first", "Because of the phases.", "Due: 2026-10-10", "tiled_matmul.cu"):
            self.assertTrue(words in pages[eve], words)
        secrets = (SEED, "Grace Hopper", "index.html", "All students")
        of_instructor = (self.out / "report" / "students" / "Eve_Sneak.html").read_text(encoding="utf-8")
        for secret in secrets:
            self.assertFalse(secret in pages[eve], secret)
            self.assertTrue(secret in of_instructor, secret)
        results = json.loads((self.out / "gradescope" / "Eve_Sneak" / "results.json").read_text(encoding="utf-8"))
        self.assertNotIn(SEED, json.dumps(results["tests"]))
        # Again the same; and a dry run writes nothing.
        before = (self.out / "feedback.zip").read_bytes()
        self.pages()
        self.assertEqual((self.out / "feedback.zip").read_bytes(), before)
        (self.out / "feedback.zip").unlink()
        self.assertIn("is not written", self.run_program("export", "out", "--feedback", "--dry-run"))
        self.assertFalse((self.out / "feedback.zip").exists())

    def test_of_a_term_each_folder_gets_its_own(self):
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "week1", "--out", "term/week1")
        self.run_program("export", "term", "--feedback")
        self.assertTrue((self.scratch / "term/week1/feedback.zip").exists())
        self.run_program("export", "out", "--feedback", "--to", "other.zip")
        self.assertTrue((self.scratch / "other.zip").exists())
        self.assertIn("or --feedback", self.run_program("export", "out", status=2))
        self.run_program("export", "out", "--feedback", "--gradescope", status=2)

    def test_a_rubrics_groups_add_up_to_the_points(self):
        """20 points on weights of 20 and 5: 16 for the rubric, of which its groups have 3 and 7 tenths."""
        small, wide = "4.8 of 4.8 points", "0 of 11.2 points"
        page = self.pages()[1]["Eve Sneak_78_assignsubmission_file_/feedback.html"]
        results = json.loads((self.out / "gradescope" / "Eve_Sneak" / "results.json").read_text(encoding="utf-8"))
        output = results["tests"][0]["output"]
        self.assertEqual(results["tests"][0]["score"], 4.8)
        self.assertTrue(f"Small &lt;widths&gt;: {small} <span" in page)
        self.assertTrue(re.search(rf'Any width: {wide} <span class="soft">\(\d of \d tests that count\)', page))
        self.assertIn(f"Small <widths>: {small}, 2 of 2 tests that count\n", output)
        self.assertRegex(output, rf"Any width: {wide}, \d of \d tests? that counts?\n")
        self.assertTrue(re.search(r'Tests: 0 of 4 points <span class="soft">\(0 of \d+ tests that count\)', page))
        right = json.loads((self.out / "gradescope" / "Ada_Lovelace" / "results.json").read_text(encoding="utf-8"))
        self.assertIn("Any width: 11.2 of 11.2 points", right["tests"][0]["output"])
        self.assertEqual(right["tests"][0]["score"], 16)
        self.assertNotIn("that count", right["tests"][1]["output"], "nothing was handed in")

    def test_a_group_that_exclusions_empty_gives_its_points_to_the_others(self):
        first, last = [self.run_program("override", "out", "--exclude-test", "tiled_matmul/TiledMatmul." + test, "--reason", "too easy")
                       for test in ("OneThreadOf256HasWork", "WidthJustBelowATile")]
        self.assertNotIn("has no test left", first)
        self.assertIn("The group Small <widths> has no test left that earns points. "
                      "Its points go to the exercise's other groups.", " ".join(last.split()))
        self.assertIn("Any width: 0 of 16 points", self.pages()[1]["Eve Sneak_78_assignsubmission_file_/feedback.html"])
        # None is left in the other one, either.
        with open(graded.ROOT / "chapters/01_boundary_checks/chapter.toml", "rb") as stream:
            [tiled] = [each for each in tomllib.load(stream)["exercise"] if each["id"] == "tiled_matmul"]
        for test in tiled["starter_fails"]:
            if "AnyWidth" in test or ".LastPhase" in test:
                last = self.run_program("override", "out", "--exclude-test", "tiled_matmul/" + test, "--reason", "too easy")
        self.assertIn("No group of 01_boundary_checks/tiled_matmul has a test left that earns points. Every file that ran gets "
                      "all points.", " ".join(last.split()))


if __name__ == "__main__":
    sys.exit(graded.main())
