#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A class graded with pseudonyms, in which nobody is to be found: anonymous_test.py PROGRAM."""
import contextlib
import json
import os
import re
import shutil
import sqlite3
import stat
import subprocess
import sys

import graded

ROSTER = """name,id,login,email,section
Ada Lovelace,Q4711,adalo,ada.l@uni.example,Sect-Alpha
Grace Hopper,Q4712,ghop,grace@uni.example,Sect-Beta
Zaïd Zimmermann,Q4713,zzim,zaid@uni.example,Sect-Beta
Nobody Atall,Q4714,nobat,nobody@uni.example,Sect-Beta
"""
COURSE = """# Ada Lovelace is ill.
[course]
title = "Programming GPUs"
times = "files"
roster = "roster.csv"
[late]
percent_per_day = 10
[[assignment]]
id = "week1"
what = ["tiled_matmul"]
due = 2026-10-08T12:00:00Z
[[assignment.extension]]
student = "ada.l@uni.example"
no_deduction = true
reason = "Ada's arm"
[[assignment]]
id = "week2"
what = ["out_of_range_loads"]
"""
LATE = 1791504000
# What says who somebody is: of the roster, of entries, of files in them.
TELLING = ["Ada", "Lovelace", "adalo", "Q471", "Grace", "Hopper", "ghop", "Zaïd", "Zimmermann", "lovelaceada",
           "zimmermann_zaid", "stranger danger", "uni.example", "Sect-", "Atall", "roster.csv", "grace.txt"]
WEEK1 = ("--course", "course.toml", "--assignment", "week1")
PSEUDONYM = r"student(-[0-9a-hjkmnp-tv-z]{4}){3}"


class Anonymous(graded.GradedClass):
    def setUp(self):
        super().setUp()
        (self.scratch / "course.toml").write_text(COURSE, encoding="utf-8")
        (self.scratch / "roster.csv").write_text(ROSTER, encoding="utf-8")
        folder = self.scratch / "class"
        folder.mkdir()
        # As Canvas calls it; a folder; a Moodle entry with what cannot be graded; somebody whom nobody knows.
        files = [folder / "lovelaceada_LATE_77_1001_tiled_matmul-1.cu"]
        files[0].write_text(graded.solution(), encoding="utf-8")
        self.hand_in("Grace Hopper", graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"),
                     "work of Grace/tiled_matmul.cu")
        files.append(folder / "Grace Hopper/work of Grace/tiled_matmul.cu")
        self.hand_in("Zaïd Zimmermann_81_assignsubmission_file_", graded.solution(), "a/tiled_matmul.cu")
        self.hand_in("Zaïd Zimmermann_81_assignsubmission_file_", "int other;\n", "zimmermann_zaid/tiled_matmul.cu")
        self.hand_in("stranger danger", graded.solution() + "// another\n")
        (folder / "grace.txt").write_text("mine", encoding="utf-8")
        for file in files:
            os.utime(file, (LATE, LATE))
        os.utime(folder / "stranger danger/tiled_matmul.cu", (LATE - 86400,) * 2)

    def grade_anonymously(self, *more, status=4):
        return self.grade(*WEEK1, "--anonymous", *more, status=status)

    def key(self):
        return json.loads((self.scratch / "state/warplings/pseudonyms.json").read_text(encoding="utf-8"))

    def pseudonyms(self):
        return {student["name"]: name for name, student in self.key()["students"].items()}

    def assert_tells_nobody(self, out):
        """Names and contents of all files; of the gradebook every value, too, the compressed ones as they were before. In
        the bytes of its file short words are there by chance."""
        files = [path for path in out.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 10)
        texts = {str(path.relative_to(out)): path.read_bytes() for path in files}
        # Left open, it would remove files of the next gradebook of this name when it is collected.
        with contextlib.closing(sqlite3.connect(out / "gradebook.sqlite")) as book:
            for (table,) in book.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
                for number, row in enumerate(book.execute(f"SELECT * FROM {table}")):
                    for place, value in enumerate(row):
                        value = value if isinstance(value, bytes) else str(value).encode()
                        if value.startswith(b"\x28\xb5\x2f\xfd") and shutil.which("zstd"):
                            value = subprocess.run(["zstd", "-dc"], input=value, capture_output=True, check=True).stdout
                        texts[f"{table} {number}, {place}"] = value
        for place, content in texts.items():
            for word in TELLING:
                if place.endswith(".sqlite") and len(word) < 8:
                    continue
                self.assertFalse(word.encode() in place.encode() + b"\n" + content, f"'{word}' is in {place}")

    def test_nobody_is_in_any_file(self):
        # Were these words not looked for in the right places, a grading with names would pass, too.
        self.grade(*WEEK1, status=4)
        with self.assertRaises(AssertionError):
            self.assert_tells_nobody(self.out)
        shutil.rmtree(self.out)
        self.grade_anonymously()
        self.assert_tells_nobody(self.out)
        grades = self.grades()
        self.assertEqual(len(grades), 5)
        for name in grades:
            self.assertRegex(name, f"^{PSEUDONYM}$")
        names = self.pseudonyms()
        self.assertEqual([grades[names[name]]["Points"] for name in
                          ("Ada Lovelace", "Grace Hopper", "Nobody Atall", "stranger danger")], ["10", "0", "0", "10"])
        self.assertEqual(grades[names["Zaïd Zimmermann"]]["Unusable"], "1")
        # A decision, and another grading: still nobody.
        self.run_program("override", "out", names["Grace Hopper"], "tiled_matmul", "--points", "5", "--reason", "seen")
        self.grade_anonymously()
        self.assertEqual(self.grades()[names["Grace Hopper"]]["Points"], "5")
        self.assert_tells_nobody(self.out)

    def test_the_same_pseudonym_in_each_assignment_and_another_with_another_key(self):
        self.grade_anonymously()
        first = self.pseudonyms()
        self.hand_in("Grace Hopper", "void broken( {\n", "out_of_range_loads.cu")
        self.run_program("grade", "class", "--course", "course.toml", "--assignment", "week2", "--anonymous", "--out", "week2",
                         "--seed", "7", status=4)
        self.assertEqual(self.pseudonyms(), first)
        self.out = self.scratch / "week2"
        self.assertEqual(set(self.grades()), set(first.values()))
        self.out = self.scratch / "other"
        self.grade_anonymously("--key", "other.json")
        self.assertFalse(set(self.grades()) & set(first.values()))

    def test_the_key_is_for_its_owner_and_lies_apart(self):
        said = self.grade_anonymously()
        file = self.scratch / "state/warplings/pseudonyms.json"
        self.assertIn(str(file), said)
        self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600)
        self.assertRegex(self.key()["key"], "^[0-9a-f]{64}$")
        self.assertNotIn(self.key()["key"].encode(), b"".join(
            path.read_bytes() for path in self.out.rglob("*") if path.is_file()))
        for place in ("out/key.json", "class/key.json"):
            self.assertIn("is inside", self.grade_anonymously("--key", place, status=2))
            self.assertFalse((self.scratch / place).exists())
        self.assertIn("is not a file of pseudonyms", self.grade_anonymously("--key", "roster.csv", status=2))
        self.assertEqual((self.scratch / "roster.csv").read_text(encoding="utf-8"), ROSTER)

    def test_an_out_has_names_or_pseudonyms(self):
        self.grade_anonymously()
        before = (self.out / "grades.csv").read_bytes()
        self.assertIn("was graded with --anonymous", self.grade(*WEEK1, status=2))
        self.assertEqual((self.out / "grades.csv").read_bytes(), before)
        self.assert_tells_nobody(self.out)
        self.out = self.scratch / "named"
        self.grade(*WEEK1, status=4)
        self.assertIn("was graded with names", self.grade_anonymously(status=2))

    def test_no_export_to_who_needs_ids(self):
        self.grade_anonymously()
        (self.scratch / "canvas.csv").write_text("Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (12)\n", encoding="utf-8")
        for command in (("export", "out", "--canvas", "canvas.csv", "--column", "Week 1"),
                        ("gradescope-bundle", "--graded", "out", "--out", "bundle.zip")):
            said = self.run_program(*command, status=2)
            self.assertIn("was graded with --anonymous", said)
            self.assertIn("without --anonymous", said)
        self.assertFalse((self.scratch / "bundle.zip").exists())
        said = self.run_program("statistics", "out", "--csv", "statistics.csv")
        self.assertFalse([word for word in TELLING if word in said + (self.scratch / "statistics.csv").read_text()])

    def take_over(self, *more, status):
        return self.run_program("override", "out", "--take-over", "blind", *more, status=status)

    def test_what_was_marked_blind_is_taken_over(self):
        self.out = self.scratch / "blind"
        self.grade_anonymously()
        names = self.pseudonyms()
        ada, grace = names["Ada Lovelace"], names["Grace Hopper"]
        for decision in ((ada, "tiled_matmul", "--points", "7", "--reason", "shown in the lab"),
                         (ada, "tiled_matmul", "--comment", "Which barrier?", "--line", "3"),
                         (grace, "tiled_matmul", "--points", "2", "--reason", "nearly")):
            self.run_program("override", "blind", *decision)
        self.assertIn("was graded with --anonymous", self.run_program("override", "blind", "--take-over", "blind", status=2))
        # Grace hands in another file before the class is graded with names.
        self.hand_in("Grace Hopper", graded.solution() + "// mine\n", "work of Grace/tiled_matmul.cu")
        self.out = self.scratch / "out"
        self.grade(*WEEK1, status=4)
        before = self.grades()["Ada Lovelace"]["Points"]
        said = self.take_over("--dry-run", status=1)
        for words in ("Ada Lovelace <adalo>, 01_boundary_checks/tiled_matmul: 7 points", "a comment on line 3: Which barrier?",
                      "left out: Grace Hopper, 01_boundary_checks/tiled_matmul (2 points): another file is graded in out",
                      "2 decisions taken over, 0 known before, 1 left out", "Dry run: out is unchanged."):
            self.assertIn(words, said)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], before)
        self.assertIn("0 decisions", self.run_program("override", "out", "--list"))
        self.assertIn("no file", self.take_over("--key", "none.json", status=2))
        self.assertFalse((self.scratch / "none.json").exists())
        self.take_over(status=1)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "7")
        self.assertIn("2 decisions", self.run_program("override", "out", "--list"))
        trail = self.run_program("override", "out", "--audit")
        self.assertIn(f"taken over by grace from blind ({ada}), where it was decided at ", trail)
        self.assertIn("0 decisions taken over, 2 known before, 1 left out", self.take_over("--dry-run", status=1))
        self.run_program("override", "blind", ada, "tiled_matmul", "--points", "8", "--reason", "shown in the lab")
        self.assertIn("1 decision taken over, 1 known before", self.take_over(status=1))
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "8")

    def test_a_dry_run_has_pseudonyms_too(self):
        said = self.grade_anonymously("--dry-run", status=1)
        self.assertTrue(re.search(rf"(?m)^{PSEUDONYM}: new, 10 points$", said), said)
        self.assertNotIn("Lovelace: new", said)


if __name__ == "__main__":
    sys.exit(graded.main())
