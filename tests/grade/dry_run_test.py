#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a grading would change, told without changing it: dry_run_test.py PROGRAM."""
import hashlib
import os
import re
import shutil
import sys

import graded

COURSE = """[course]
title = "Programming GPUs"
times = "files"
[late]
percent_per_day = {percent}
[[assignment]]
id = "week1"
what = ["tiled_matmul"]
due = 2026-10-08T12:00:00Z
"""
LATE = 1791504000  # 2026-10-09, midnight: half a day after the due date.
MUTANT = "01_boundary_checks/tiled_matmul.m_load_unguarded"


class DryRun(graded.GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("Ada", graded.solution())
        self.hand_in("Bob", graded.mutant(MUTANT))
        self.hand_in("Carol", graded.solution() + "// by Carol\n")

    def snapshot(self):
        """Whatever a program could have changed below OUT: names, contents, times."""
        return {str(path.relative_to(self.out)): (path.stat().st_mtime_ns,
                                                  path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest())
                for path in [self.out, *self.out.rglob("*")]}

    def dry_run(self, *more, status):
        before = self.snapshot()
        said = self.grade("--dry-run", *more, status=status)
        self.assertEqual(self.snapshot(), before)
        return said

    def with_course(self, percent):
        (self.scratch / "course.toml").write_text(COURSE.format(percent=percent), encoding="utf-8")
        for number, student in enumerate(("Ada", "Bob", "Carol")):
            os.utime(self.scratch / "class" / student / "tiled_matmul.cu", (LATE - 86400 * (number < 2),) * 2)
        return "--course", "course.toml", "--assignment", "week1"

    def test_changed_rules_of_a_course(self):
        self.grade(*self.with_course(10))
        self.assertEqual(self.grades()["Carol"]["Points"], "9")
        self.assertIn("Nothing would change.", self.dry_run(*self.with_course(10), status=0))
        said = self.dry_run(*self.with_course(30), status=1)
        self.assertRegex(said, r"(?m)^Carol: 9 -> 7 points\n  01_boundary_checks/tiled_matmul +9 -> 7 +passed\n"
                               r" +-3 points: 12 h late: 1 day begun at 30 % a day, -30 %\n")
        self.assertIn("1 grade of 1 student would change", said)
        self.assertRegex(said, r"total points +19 -> 17\n")
        self.assertNotRegex(said, r"(?m)^(Ada|Bob):")
        self.assertEqual(self.grades()["Carol"]["Points"], "9")
        self.grade(*self.with_course(30))
        self.assertEqual(self.grades()["Carol"]["Points"], "7")
        self.assertIn("Nothing would change.", self.dry_run(*self.with_course(30), status=0))

    def test_a_changed_suite(self):
        """The version of a suite has its chapter.toml in it; here the exercise gives more points from now on."""
        self.grade("tiled_matmul")
        workbook = self.scratch / "workbook"
        shutil.copytree(graded.ROOT / "chapters", workbook / "chapters")
        chapter = workbook / "chapters/01_boundary_checks/chapter.toml"
        text = chapter.read_text(encoding="utf-8")
        changed = re.sub(r'(id = "tiled_matmul"(?:\n(?!\[).*)*?\npoints = )\d+', r"\g<1>30", text)
        self.assertNotEqual(changed, text)
        chapter.write_text(changed, encoding="utf-8")
        said = self.dry_run("tiled_matmul", "--workbook", workbook, status=1)
        self.assertIn("0 graded before, 3 to grade", said)
        self.assertRegex(said, r"(?m)^Ada: 10 -> 30 points\n  01_boundary_checks/tiled_matmul +10 -> 30 +passed\n")
        self.assertNotRegex(said, r"(?m)^Bob:")
        self.assertIn("2 grades of 2 students would change", said)
        self.assertEqual(self.grades()["Ada"]["Points"], "10")
        self.assertIn("0 decisions", self.run_program("override", "out", "--list"))

    def test_new_and_missing_students_and_files(self):
        self.grade("tiled_matmul")
        shutil.rmtree(self.scratch / "class/Ada")
        self.hand_in("Dan", graded.solution())
        self.hand_in("Bob", graded.solution())
        said = self.dry_run("tiled_matmul", status=1)
        self.assertIn("Ada: no longer in the class, had 10 points", said)
        self.assertIn("Dan: new, 10 points", said)
        self.assertRegex(said, r"(?m)^Bob: 0 -> 10 points\n.* 0 -> 10 .* -> passed$")
        self.assertEqual(sorted(self.grades()), ["Ada", "Bob", "Carol"])

    def test_a_new_out_is_not_made(self):
        said = self.grade("tiled_matmul", "--dry-run", status=1)
        self.assertIn("Ada: new, 10 points", said)
        self.assertFalse(self.out.exists())

    def test_what_is_nobodys_has_its_own_status(self):
        (self.scratch / "class/notes.txt").write_text("mine", encoding="utf-8")
        self.grade("tiled_matmul", status=4)
        self.assertIn("notes.txt", self.dry_run("tiled_matmul", status=4))

    def test_it_is_no_grading_elsewhere(self):
        for option in (("--slices", "2"), ("--merge",)):
            self.assertIn("--dry-run works only on this machine", self.grade("--dry-run", *option, status=2))
        self.assertFalse(self.out.exists())


if __name__ == "__main__":
    sys.exit(graded.main())
