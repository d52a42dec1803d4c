#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Statistics over several terms: terms_test.py PROGRAM."""
import csv
import re
import sys

import graded
from graded import TILED

TITLE = "A load from M reads outside the matrix"  # Of m_load_unguarded, in chapter.toml.


class Terms(graded.GradedClass):
    def grade_term(self, name, **texts):
        for student, text in texts.items():
            self.hand_in(f"../{name}-in/{student}", text)
        self.run_program("grade", f"{name}-in", "--out", name, "--seed", "7")

    def test_rates_by_term(self):
        wrong = graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded")
        self.grade_term("2025", ada=graded.solution(), bob=wrong, carol=wrong)
        self.grade_term("2026", dan=graded.solution())
        short = self.run_program("statistics", "2025", "2026", "--short")
        self.assertRegex(short, "passed +" + TILED)
        self.assertIn("misconception", short)
        said = self.run_program("statistics", "2025", "2026", "--csv", "statistics.csv")
        self.assertLess(len(short.splitlines()), len(said.splitlines()) - 5)
        for name in ("ada", "bob", "carol", "dan"):
            self.assertNotIn(name, said)
        self.assertRegex(said, "passed +" + TILED + r" +33 % \(1 of 3\) +100 % \(1 of 1\)")
        self.assertLessEqual(max(map(len, said.splitlines())), 80)
        # Broken over lines, the title goes on below its beginning.
        at = next(number for number, line in enumerate(said.splitlines()) if line.strip().startswith("misconception"))
        self.assertRegex(said.splitlines()[at], r" 67 % \(2 of 3\) +-")
        words = re.sub(r"67 % \(2 of 3\) +-|misconception", "", " ".join(said.splitlines()[at:]))
        self.assertTrue(" ".join(words.split()).startswith(TITLE), words)
        with open(self.scratch / "statistics.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        found = {(row["Term"], row["Kind"], row["Name"]): row["Percent"] for row in rows}
        self.assertEqual(found["2025", "passed", ""], "33.3")
        self.assertEqual(found["2026", "passed", ""], "100")
        self.assertEqual(found["2025", "misconception", "m_load_unguarded"], "66.7")
        self.assertIn(TITLE, [row["Title"] for row in rows if row["Name"] == "m_load_unguarded"])
        self.assertEqual(len({row["Name"] for row in rows if row["Kind"] == "test passed"}), 14)
        self.assertNotIn("compile", said)

    def test_exercises_are_in_the_workbooks_order(self):
        for week, exercise in (("week1", "repair_tiled_matmul"), ("week2", "tiled_matmul")):
            self.hand_in(f"../{week}-in/ada", graded.solution(f"01_boundary_checks/{exercise}"), f"{exercise}.cu")
            self.run_program("grade", f"{week}-in", exercise, "--out", week, "--seed", "7")
        said = self.run_program("statistics", "week1", "week2")
        self.assertLess(said.index("01_boundary_checks/tiled_matmul"), said.index("01_boundary_checks/repair_tiled_matmul"))

    def test_a_terms_folder_is_one_column(self):
        one, other = graded.solution("01_boundary_checks/repair_tiled_matmul"), graded.solution()
        for week, exercise, text in (("week1", "repair_tiled_matmul", one), ("week2", "tiled_matmul", other),
                                     ("week3", "tiled_matmul", other)):
            self.hand_in(f"../{week}-in/ada", text, f"{exercise}.cu")
            self.run_program("grade", f"{week}-in", exercise, "--out", f"term/{week}", "--seed", "7")
        self.hand_in("../term/notes", "not graded", "notes.txt")
        said = self.run_program("statistics", "term/", "term/week1")
        self.assertEqual(said.splitlines()[0].split(), ["term", "term/week3", "week1"])
        whole = r"100 % \(1 of 1\)"
        self.assertRegex(said, rf"passed +{TILED} +{whole} +{whole} +-")
        self.assertRegex(said, rf"passed +01_boundary_checks/repair_tiled_matmul +{whole} +- +{whole}")

    def test_who_did_not_compile_is_said(self):
        self.grade_term("2027", dan=graded.solution(), eve="void broken( {\n")
        said = self.run_program("statistics", "2027")
        self.assertRegex(said, r"passed +" + TILED + r" +50 % \(1 of 2\)\n +did not compile or link +50 % \(1 of 2\)\n")
        self.assertRegex(said, r"test passed .*100 % \(1 of 1\)")
        index = (self.scratch / "2027" / "report" / "index.html").read_text(encoding="utf-8")
        self.assertIn("(1 did not compile)", index)
        self.assertIn("Files that ran, and are counted here: 1. Others: 1.", index)

    def test_who_used_a_forbidden_call_is_said(self):
        forbidden = "#include <cstdlib>\n" + graded.solution() + 'int asked = std::system("true");\n'
        self.grade_term("2028", dan=graded.solution(), eve=forbidden)
        said = self.run_program("statistics", "2028", "--csv", "statistics.csv")
        self.assertRegex(said, r"passed +" + TILED + r" +50 % \(1 of 2\)\n +used a forbidden call +50 % \(1 of 2\)\n")
        self.assertNotIn("did not compile", said)
        self.assertRegex(said, r"test passed .*100 % \(1 of 1\)")
        self.assertIn("used a forbidden call", (self.scratch / "statistics.csv").read_text(encoding="utf-8"))
        index = (self.scratch / "2028" / "report" / "index.html").read_text(encoding="utf-8")
        for words in ("(1 used forbidden calls)", 'value="forbidden"', 'data-flags="failing forbidden"', ">f</strong>",
                      "Files that ran, and are counted here: 1. Others: 1."):
            self.assertIn(words, index)
        self.assertNotIn("did not compile", index)

    def test_there_is_no_such_term(self):
        self.assertIn("no gradebook", self.run_program("statistics", "nowhere", status=2))


if __name__ == "__main__":
    sys.exit(graded.main())
