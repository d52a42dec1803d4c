#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The instructor's handouts beside a graded class: instructor_handouts_test.py PROGRAM."""
import re
import sys

import graded

PAGE = "01_boundary_checks.html"


class InstructorHandouts(graded.GradedClass):
    def setUp(self):
        super().setUp()
        wrong = graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded")
        for student, text in (("ada", graded.solution()), ("bob", wrong), ("carol", wrong)):
            self.hand_in(student, text)
        self.grade()

    def build(self, *options):
        """The first chapter's page, in English and in Chinese."""
        folder = self.scratch / "handouts"
        self.run_program("handouts", "1", "--instructor", "--paper", "none", "--out", folder, *options)
        return [(folder / name).read_text(encoding="utf-8") for name in (PAGE, "zh_Hant/" + PAGE)]

    def test_how_many_met_a_misconception(self):
        for page, passed, met, nobody in zip(
                self.build("--gradebook", self.out),
                ("1 of 3 students passed", "3 位學生有 1 位通過"), ("met by 2 (66.7 %)", "2 人遇到（66.7 %）"),
                ("met by 0 (0 %)", "0 人遇到（0 %）"), strict=True):
            # Only one of the exercises was graded; the others have nothing to say.
            exercise = re.search(r'<section class="exercise" id="tiled_matmul">.*?</section>', page, re.DOTALL).group()
            self.assertEqual(page.count(passed), 1)
            self.assertIn(passed, exercise)
            self.assertEqual(page.count('class="met"'), exercise.count('class="met"'))
            rows = re.findall(r"<code>(\w+)</code> <span class=\"met\">(.*?)</span>", exercise)
            self.assertEqual(rows[0], ("m_load_unguarded", met))  # The most frequent comes first.
            self.assertEqual({said for _, said in rows[1:]}, {nobody})
            for student in ("ada", "bob", "carol"):
                self.assertNotRegex(page, rf"(?i)\b{student}\b")

    def test_without_a_gradebook_nothing_is_said_of_a_class(self):
        for page in self.build():
            self.assertNotIn('class="met"', page)

    def test_wrong_usage(self):
        self.assertIn("has no gradebook", self.run_program("handouts", "1", "--instructor", "--gradebook", "nowhere", status=2))
        self.assertIn("--instructor", self.run_program("handouts", "1", "--gradebook", self.out, status=2))


if __name__ == "__main__":
    sys.exit(graded.main())
