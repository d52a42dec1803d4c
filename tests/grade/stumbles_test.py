#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an instructor stumbles over who grades for the first time: folders, names, and a course that is left out."""
import csv
import random
import re
import shutil
import sqlite3
import sys
import zipfile

import graded

BROKEN = "void broken( {\n"
COURSE = '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n'


class Stumbles(graded.GradedClass):
    def write(self, name, text):
        file = self.scratch / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def run_words(self, *arguments, status=0):
        """Without the line breaks of a terminal."""
        return " ".join(self.run_program(*arguments, status=status).split())

    def by_course(self, *more, status=0):
        return self.run_words("grade", "class", "--course", "course.toml", "--assignment", "week1", "--out", "out", "--seed", "7", *more,
                              status=status)

    def handed_in_as(self):
        """{id in the roster: entry}"""
        with sqlite3.connect(f"file:{self.out}/gradebook.sqlite?mode=ro", uri=True) as connection:
            return dict(connection.execute("SELECT id, handed_in_as FROM students JOIN roster ON student = name WHERE id <> ''"))

    def lines(self):
        with open(self.out / "grades.csv", newline="", encoding="utf-8") as stream:
            return {row["ID"]: row for row in csv.DictReader(stream)}

    def test_accents_are_written_otherwise_or_not_at_all(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nRenée Dupont,1\nZoë Roy,2\nZoé Roy,3\nJosé Núñez,4\n")
        for name in ("Renee Dupont", "Zoe Roy", "Nu\u0301n\u0303ez, Jose\u0301"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        said = self.by_course(status=4)
        self.assertIn("Zoe Roy is ambiguous: without accents it is the name of 2 students of the roster: Zoë Roy <2>; Zoé Roy <3>", said)
        lines = self.lines()
        self.assertEqual(self.handed_in_as(), {"1": "Renee Dupont", "2": "", "3": "", "4": "Nu\u0301n\u0303ez, Jose\u0301"})
        self.assertIn("found by the name without its accents: Renee Dupont", lines["1"]["Remarks"])
        self.assertNotIn("accents", lines["4"]["Remarks"])
        self.run_program("override", "out", "dupont renee", "tiled_matmul", "--points", "3", "--reason", "x")
        self.assertEqual(self.lines()["1"]["Points"], "3")
        said = self.run_words("override", "out", "Roy, Zoê", "tiled_matmul", "--points", "3", "--reason", "x", status=2)
        self.assertIn("matches more than one", said)

    def test_the_wrong_folder_is_named_and_the_right_one(self):
        for student in ("ada", "bob", "eve"):
            self.write(f"course/submissions/{student}/tiled_matmul.cu", BROKEN)
        self.write("course/slides/week1.pdf", "")
        (self.scratch / "empty").mkdir()
        said = self.run_words("grade", "course", "--out", "out", status=2)
        self.assertIn("there is no submission in course: it holds slides/, submissions/", said)
        self.assertIn("Name course/submissions, which looks like one.", said)
        self.assertIn("there is no submission in empty: it is empty", self.run_words("grade", "empty", "--out", "out", status=2))
        self.assertFalse(self.out.exists())

    def test_a_course_is_not_forgotten(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\n")
        self.hand_in("Ada", BROKEN)
        command = " grade class --course course.toml --assignment week1 --out out"
        said = self.run_words("grade", "class", "--out", "out", status=2)
        self.assertIn("there is a course, course.toml, and the command has no --course", said)
        self.assertIn(command, said)
        self.assertFalse(self.out.exists())
        self.by_course()
        for more in ((), ("--dry-run",)):
            said = self.run_words("grade", "class", "--out", "out", *more, status=2)
            self.assertIn("was graded with --course course.toml, and the command has none", said)
            self.assertIn(command, said)
        self.assertEqual(list(self.lines()), ["1"])
        (self.scratch / "course.toml").unlink()
        said = self.run_words("grade", "class", "--out", "b", status=2)
        self.assertIn("--course course.toml --assignment week1 --out b", said)
        self.assertIn("There is no course.toml here: write the path", said)
        self.run_program("grade", "class", "tiled_matmul", "--out", "out", "--without-course")
        self.assertEqual(self.grades()["Ada"][graded.TILED], "0")

    def test_another_assignments_folder_is_not_overwritten(self):
        week2 = '[[assignment]]\nid = "week2"\nwhat = ["tiled_matmul"]\n'
        self.write("course.toml", COURSE.replace('roster = "roster.csv"\n', "") + week2)
        for week in ("week1", "week2"):
            self.write(f"class/{week}/Ada/tiled_matmul.cu", BROKEN + f"// {week}\n")
        def grade(folder, assignment, out, *more, status=0):
            return self.run_words("grade", folder, "--course", "course.toml", "--assignment", assignment, "--out", out,
                                  *more, status=status)
        for week in ("week1", "week2"):
            grade(f"class/{week}", week, f"graded/{week}", "--seed", "7")
        before = (self.scratch / "graded/week2/gradebook.sqlite").read_bytes()
        for more in ((), ("--dry-run",), ("--regrade",)):
            said = grade("class/week1", "week1", "graded/week2", *more, status=2)
            self.assertIn("graded/week2 has the grades of the assignment week2, and the command says --assignment week1", said)
            command = " ".join(("grade class/week1 --course course.toml --assignment week1 --out graded/week1", *more))
            self.assertTrue(said.endswith(command), said)
        self.assertEqual((self.scratch / "graded/week2/gradebook.sqlite").read_bytes(), before)
        # The folder of submissions says which of the two is the slip.
        said = grade("class/week2", "week1", "graded/week2/", "--seed", "7", status=2)
        self.assertIn(" grade class/week2 --course course.toml --assignment week2 --out graded/week2/ --seed 7", said)
        shutil.copytree(self.scratch / "graded/week1", self.out)
        self.assertIn("Name another folder with --out.", grade("class/week2", "week2", "out", status=2))
        # The same assignment under another id, and a folder that was graded without a course.
        self.write("course.toml", COURSE.replace('roster = "roster.csv"\n', "").replace("week1", "first") + week2)
        grade("class/week1", "first", "out")
        self.run_words("grade", "class/week1", "tiled_matmul", "--out", "plain", "--without-course")
        grade("class/week1", "first", "plain")

    def test_a_terms_folder_gets_no_grades_of_its_own(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\n")
        self.hand_in("Ada", BROKEN)
        grade = ("grade", "class", "--course", "course.toml", "--assignment", "week1", "--seed", "7", "--out")
        self.run_program(*grade, "graded/one")
        before = sorted(self.scratch.rglob("graded/*"))
        for more in ((), ("--dry-run",)):
            said = self.run_words(*grade, "graded", *more, status=2)
            self.assertIn("--out graded holds 1 graded folder and was not graded itself Did you mean --out graded/week1?", said)
        said = self.run_words("grade", "class", "--without-course", "--out", "graded", status=2)
        self.assertIn("Name a folder of its own for this class, beside graded/one.", said)
        self.assertEqual(sorted(self.scratch.rglob("graded/*")), before)
        # Where it has happened, the folder is one week and no term any more.
        self.run_program(*grade, "elsewhere")
        shutil.copytree(self.scratch / "elsewhere", self.scratch / "graded", dirs_exist_ok=True)
        left_out = "graded is a graded folder itself; left out: graded/one Name each of these by itself."
        self.assertIn(left_out, self.run_words("export", "graded", "--gradescope"))
        self.assertIn(left_out, self.run_words("statistics", "graded"))
        self.assertNotIn("left out", self.run_words("statistics", "elsewhere"))

    def test_counts_are_of_the_roster_and_others_are_told_apart(self):
        self.write("course.toml", COURSE + "points = 10\ndue = 2025-11-18T12:00:00\n")
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nBob,2,bob@x\n")
        for name in ("Ada", "Zoe Stranger", "Yan Stranger"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        said = self.by_course(status=4)
        self.assertIn("2 students and 2 unassigned submissions: 3 files, 3 different; 0 graded before, 3 to grade", said)
        self.assertIn("1 graded, 1 missing, 0 unusable, 0 not graded; also 2 files of unassigned submissions", said)
        self.assertIn("the time of hand-in is unknown for 1 student (Ada);", said)

    def interrupt(self, texts=1):
        """As Ctrl-C leaves it: some texts are not graded yet."""
        with sqlite3.connect(self.out / "gradebook.sqlite") as connection:
            connection.execute("DELETE FROM results WHERE rowid IN (SELECT rowid FROM results LIMIT ?)", (texts,))

    def test_an_interrupted_grading_is_not_exported_and_said_elsewhere(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nBob,2,bob@x\n")
        for name in ("Ada", "Bob"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.by_course()
        self.interrupt()
        self.write("moodle.csv", "First name,Last name,Email address,Week 1 (Real)\nAda,,ada@x,-\nBob,,bob@x,7\n")
        finish = "grade class --course course.toml --assignment week1 --out out"
        unfinished = "out: the grading was interrupted; the files of 1 student are not all graded yet"
        before = sorted(path.name for path in self.out.iterdir())
        for kind in (("--moodle", "moodle.csv"), ("--moodle", "moodle.csv", "--dry-run"), ("--feedback",), ("--gradescope",)):
            said = self.run_words("export", "out", *kind, status=2)
            self.assertIn(unfinished, said)
            self.assertIn(finish, said)
            self.assertIn("No file was written.", said)
        self.assertEqual(sorted(path.name for path in self.out.iterdir()), before)
        said = self.run_words("statistics", "out")
        self.assertIn(unfinished, said)
        self.assertIn(finish, said)
        self.by_course()
        self.assertIn("filled for 2 students", self.run_words("export", "out", "--moodle", "moodle.csv"))
        self.assertNotIn("interrupted", self.run_words("statistics", "out"))
        # Points that somebody gave to what is not graded are final.
        self.interrupt(2)
        self.run_program("override", "out", "Ada", "tiled_matmul", "--points", "3", "--reason", "x")
        self.assertIn(unfinished, self.run_words("statistics", "out"))

    def test_an_old_table_is_not_left_as_if_it_were_current(self):
        self.hand_in("Ada", BROKEN)
        self.grade()
        self.assertEqual(self.grades()["Ada"][graded.TILED], "0")
        self.hand_in("Ada", BROKEN + "// once more\n")
        # Slices are only written: nothing is graded before this command ends.
        self.grade("--slices", "1")
        self.assertEqual(self.grades()["Ada"][graded.TILED], "not graded")

    def test_an_export_tells_students_and_others_apart(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nBob,2,bob@x\n")
        for name in ("Ada", "Zoe Stranger", "Yan Stranger"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.by_course(status=4)
        self.write("moodle.csv", "First name,Last name,Email address,Week 1 (Real)\n"
                   "Ada,,ada@x,-\nBob,,bob@x,7\nZoe,Stranger,zoe@x,-\nYan,Stranger,yan@x,-\n")
        said = self.run_words("export", "out", "--moodle", "moodle.csv", "--dry-run", status=1)
        self.assertRegex(said, r"Ada +no grade -> 0 Bob 7 -> 0 nothing handed in Zoe")
        self.assertRegex(said, r"Zoe Stranger +no grade -> 0 is not in the roster Yan Stranger +no grade -> 0 is not in the roster")
        said = self.run_words("export", "out", "--moodle", "moodle.csv")
        self.assertIn("filled for 2 students of 2; also for entries that are not in the roster: Zoe Stranger; Yan Stranger", said)

    def test_what_cannot_be_graded_and_who_is_not_in_the_roster_is_named(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nMia,2,mia@x\n")
        for name in ("Ada", "Zoe Stranger"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.write("class/Mia.zip", "no archive")
        self.assertIn("cannot be graded: Mia <2>: ", self.by_course(status=4))
        self.write("moodle.csv", "First name,Last name,Email address,Week 1 (Real)\nAda,,ada@x,-\nMia,,mia@x,-\n")
        said = self.run_words("export", "out", "--moodle", "moodle.csv", "--dry-run", status=1)
        self.assertRegex(said, r"Mia +no grade -> 0 \S*archive|Mia +no grade -> 0 [^0-9]+archive")
        said = self.run_words("export", "out", "--feedback")
        self.assertIn("Zoe Stranger is not in the roster; the file has a page for this entry, too", said)
        self.assertIn("feedback.zip: 3 pages packed", said)

    def test_a_file_that_is_not_utf8_is_named_and_who_left_the_roster(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nNoah,2,noah@x\n")
        self.hand_in("Ada", BROKEN)
        self.hand_in("Noah", graded.solution())
        file = self.scratch / "class/Noah/tiled_matmul.cu"
        file.write_bytes("// Grüße\n".encode("latin-1") + file.read_bytes())
        said = self.by_course()
        self.assertIn("counts as not compiled: Noah <2>: tiled_matmul.cu, line 1: this is not UTF-8 text.", said)
        self.assertIn("If only a comment is not UTF-8, save the file as UTF-8 and grade again.", said)
        self.assertNotIn("not compiled: Ada", said)
        self.assertNotIn("too large", said)
        self.assertNotIn("empty file", said)
        # Each kind has its own advice, and only if it is there.
        good = file.read_bytes()
        for text, advice in ((b"// " + b"x" * (2 << 20), "Ask for the source alone of a file that is too large"),
                             (b"", "Ask for a new copy of an empty file.")):
            file.write_bytes(text)
            said = self.by_course()
            self.assertIn("counts as not compiled: Noah <2>: ", said)
            self.assertIn(advice, said)
            self.assertNotIn("UTF-8", said)
        file.write_bytes(good)
        self.by_course()
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\n")
        said = self.by_course("--dry-run", status=1)
        self.assertIn("Noah: no longer counted: this entry is not in the roster; had 0 points", said)
        self.assertRegex(said, "students +2 -> 1")

    def test_what_was_handed_in_and_could_not_be_read_is_not_missing(self):
        self.write("course.toml", COURSE)
        names = ("Ada", "Karl", "Lea", "Tom", "Uta", "Vera", "Zoë")
        self.write("roster.csv", "name,id\n" + "".join(f"{name},{number}\n" for number, name in enumerate(names)))
        self.hand_in("Ada", BROKEN)
        self.write("class/Karl/abgabe.7z", "7z")
        with zipfile.ZipFile(self.scratch / "inner.zip", "w") as inner:
            inner.writestr("tiled_matmul.cu", BROKEN)
        with zipfile.ZipFile(self.scratch / "class" / "Lea.zip", "w") as outer:
            outer.write(self.scratch / "inner.zip", "inner.zip")
        self.hand_in("Tom", '#include "tiled_matmul.h"\n' + BROKEN, "tiled_matmul_final.cu")
        self.hand_in("Uta", "void tiled_matmul(const float* M, const float* N, float* P, int width) {\n}\n", "work.cu")
        self.hand_in("Vera", BROKEN, "work.cu")
        said = self.by_course()
        self.assertIn("1 graded, 1 missing, 5 unusable, 0 not graded", said)
        renamed = "handed in under another name: {0} may be meant for tiled_matmul; rename it to tiled_matmul.cu"
        for words in ("Karl <1>: abgabe.7z is an archive of a kind that is not read (.zip, .tar.gz and .tar are); unpack it in the "
                      "student's folder, and grade again",
                      "Lea <2>: inner.zip is an archive inside an archive, or beside other files, and is not read; unpack it",
                      "Tom <3>: " + renamed.format("tiled_matmul_final.cu"), "Uta <4>: " + renamed.format("work.cu"),
                      "Vera <5>: handed in under the name of no exercise: work.cu; if it is for tiled_matmul, rename it"):
            self.assertIn("cannot be graded: " + words, said)
        self.assertNotIn("Zoë", said)
        self.assertIn("remarks on 5 students", said)
        index = (self.out / "report" / "index.html").read_text(encoding="utf-8")
        self.assertEqual(index.count(">!</strong>"), 6, "five students and the legend")
        # With the remedy all is well.
        for old, new in (("Tom/tiled_matmul_final.cu", "Tom/tiled_matmul.cu"), ("Vera/work.cu", "Vera/tiled_matmul.cu")):
            (self.scratch / "class" / old).rename(self.scratch / "class" / new)
        self.assertIn("3 graded, 1 missing, 3 unusable, 0 not graded", self.by_course())

    def test_a_damaged_archive_is_named_and_the_student_hands_it_in_again(self):
        with zipfile.ZipFile(self.scratch / "work.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("tiled_matmul.cu", BROKEN + "//" + random.Random(1).randbytes(3000).hex())
        self.write("class/Anna/note.txt", "")
        whole = (self.scratch / "work.zip").read_bytes()
        (self.scratch / "class/Anna/work.zip").write_bytes(whole[:len(whole) // 2])
        said = " ".join(self.grade("tiled_matmul").split())
        self.assertRegex(said, "cannot be graded: Anna: tiled_matmul.cu in work.zip is damaged: [^;]*; ask for it again")
        self.run_program("export", "out", "--feedback")
        with zipfile.ZipFile(self.out / "feedback.zip") as pages:
            page = pages.read("Anna.html").decode()
        self.assertRegex(page, "tiled_matmul.cu in work.zip is damaged: [^;]*; hand it in again")
        self.assertNotIn("ask for it", page)
        self.assertIn("; ask for it again", (self.out / "report/students/Anna.html").read_text(encoding="utf-8"))

    def test_an_unchanged_starter_is_told_and_is_no_misconception(self):
        starter = (graded.ROOT / "chapters" / f"{graded.TILED}.cu").read_text(encoding="utf-8")
        self.hand_in("Max", starter)
        self.hand_in("Zoë", starter.replace("\n", "\r\n"))
        # In a workbook that `init` made, the head of the file has the command that was typed there.
        for name, command in (("Kim", "warplings"), ("Lea", "warplings"), ("Noa", "~/'my gpu'/bin/warplings")):
            self.hand_in(name, starter.replace("./warplings", command))
        self.hand_in("Ada", graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"))
        self.grade("tiled_matmul")
        report = self.out / "report"
        index = " ".join((report / "index.html").read_text(encoding="utf-8").split())
        links = " ?; ".join(rf"<a href=\S+><bdi>{name}</bdi></a>" for name in ("Kim", "Lea", "Max", "Noa", "Zoë"))
        self.assertRegex(index, f"Unchanged starter: {links}")
        self.assertRegex(index, r'value="unchanged"> unchanged starter <span class="soft">\(5\)</span>')
        self.assertNotRegex(index, r"<li><strong>\d+ ×")
        self.assertIn("<strong>1 × ", index)
        self.assertNotRegex(index, "<strong>[2-6] × ")
        for name, told in (("Max", True), ("Lea", True), ("Ada", False)):
            page = (report / "students" / f"{name}.html").read_text(encoding="utf-8")
            self.assertEqual("handed in as it was given out: nothing was changed" in page, told)
            self.assertEqual('id="first"' in page, not told)

    def test_a_stranger_is_left_out_of_an_export_and_nothing_is_wrong(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\nBob,2,bob@x\n")
        for name in ("Ada", "Eve Stranger"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.assertIn("If this student has left the course, there is nothing to do.", self.by_course(status=4))
        self.write("moodle.csv", "First name,Last name,Email address,Week 1 (Real)\nAda,,ada@x,-\nBob,,bob@x,7\n")
        said = self.run_words("export", "out", "--moodle", "moodle.csv")
        self.assertIn("left out: Eve Stranger, who is not in the roster", said)
        self.assertNotIn("Enter these by hand", said)
        said = self.run_words("export", "out", "--gradescope")
        self.assertIn("Eve Stranger is not in the roster; Gradescope gets this result, too", said)
        self.assertNotIn("Bob is not", said)
        # Whoever takes the course is missed there.
        self.write("moodle.csv", "First name,Last name,Email address,Week 1 (Real)\nAda,,ada@x,-\n")
        said = self.run_words("export", "out", "--moodle", "moodle.csv", status=1)
        self.assertIn("not in the export: Bob", said)

    def test_what_is_named_wrongly_is_answered_with_what_there_is(self):
        self.write("course.toml", COURSE + '[[assignment]]\nid = "week2"\nwhat = ["tiled_matmul"]\n')
        self.write("roster.csv", "name,id,login\nMax Müller,1,m1\nMax Müller,2,m2\n")
        said = self.run_words("grade", "class", "--course", "course.toml", "--out", "out", status=2)
        self.assertIn("--course requires --assignment", said)
        self.assertIn("Add --assignment ID; ID is one of: week1, week2.", said)
        with zipfile.ZipFile(self.scratch / "moodle_all.zip", "w") as packed:
            packed.writestr("m1/tiled_matmul.cu", BROKEN)
        (self.scratch / "class").mkdir()
        shutil.copy(self.scratch / "moodle_all.zip", self.scratch / "class")
        self.assertIn("Unpack moodle_all.zip, and name the folder that it makes.", self.by_course(status=2))
        shutil.rmtree(self.scratch / "class")
        self.hand_in("m1", BROKEN)
        shutil.rmtree(self.out, ignore_errors=True)
        self.by_course()
        said = self.run_words("override", "out", "Max Müller", "tiled_matmul", "--points", "3", "--reason", "x", status=2)
        self.assertIn("Write the ID, login or e-mail.", said)
        self.assertNotIn("whole name", said)
        said = self.run_words("export", "out", "--canvas", "out/grades.csv", status=2)
        self.assertNotIn("Columns:", said)
        for week in ("week1", "week2"):
            shutil.copytree(self.out, self.scratch / "term" / week)
        said = self.run_words("handouts", "1", "--instructor", "--gradebook", "term", "--out", "pages", status=2)
        self.assertIn("term holds 2 graded folders", said)
        self.assertIn("Name one of them: term/week1, term/week2.", said)
        said = self.run_words("override", "term", "m1", "tiled_matmul", "--points", "3", "--reason", "x", status=2)
        self.assertIn("Name one of them: term/week1, term/week2.", said)

    def test_another_classs_folder_is_refused(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\n")
        for name in ("submissions", "graded"):
            self.hand_in(name, BROKEN)
        said = self.by_course(status=2)
        self.assertIn("nothing in class was handed in by a student of the roster; it has: graded, submissions", said)
        self.assertFalse((self.out / "grades.csv").exists())

    def test_moodles_entries_without_names_need_names(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\n")
        self.hand_in("Participant_734501_assignsubmission_file", BROKEN)
        self.assertIn("Reveal student identities", self.by_course(status=2))
        shutil.rmtree(self.scratch / "class")
        self.hand_in("Gruppe 7-Ada Lovelace_734518_assignsubmission_file", BROKEN)
        self.assertIn("add the assignment's grading worksheet, --worksheet FILE", self.by_course(status=2))

    def test_another_assignments_files_are_refused(self):
        course = COURSE + '[[assignment]]\nid = "week2"\nwhat = ["bank_of", "rect_matmul"]\n'
        self.write("course.toml", course)
        self.write("roster.csv", "name,id\nAda,1\nBob,2\nEve,3\n")
        for name in ("Ada", "Bob"):
            self.hand_in(name, BROKEN, "bank_of.cu")
        said = self.by_course(status=2)
        self.assertIn("no file in class is of an exercise that week1 asks for; there are files of: bank_of", said)
        self.assertIn("Name the folder of week1's submissions. The files that are there are asked for by: week2.", said)
        self.assertFalse(self.out.exists())
        said = self.run_words("grade", "class", "tiled_matmul", "--out", "out", "--without-course", status=2)
        self.assertIn("no file in class is of an exercise to be graded; there are files of: bank_of", said)
        self.assertIn("Name the folder of these exercises' submissions, or the exercises that were handed in.", said)
        # One who errs is told so; grades that were there stay.
        self.hand_in("Ada", BROKEN)
        self.hand_in("Bob", BROKEN)
        self.hand_in("Eve", BROKEN, "bank_of.cu")
        self.by_course()
        self.assertEqual(self.lines()["3"]["Remarks"], "bank_of.cu is of an exercise that this assignment does not ask for")
        self.assertEqual(self.lines()["1"]["Remarks"], "")
        for name in ("Ada", "Bob"):
            (self.scratch / "class" / name / "tiled_matmul.cu").unlink()
        before = (self.out / "grades.csv").read_bytes()
        with sqlite3.connect(f"file:{self.out}/gradebook.sqlite?mode=ro", uri=True) as connection:
            seed = connection.execute("SELECT * FROM settings ORDER BY name").fetchall()
        for more in (("--regrade",), ("--dry-run",)):
            self.assertIn("no file in class is of an exercise that week1", self.by_course(*more, status=2))
        self.assertEqual((self.out / "grades.csv").read_bytes(), before)
        with sqlite3.connect(f"file:{self.out}/gradebook.sqlite?mode=ro", uri=True) as connection:
            self.assertEqual(connection.execute("SELECT * FROM settings ORDER BY name").fetchall(), seed)
        # Gradescope grades a class of one, and wants a result.
        shutil.rmtree(self.scratch / "class" / "Bob")
        shutil.rmtree(self.scratch / "class" / "Eve")
        self.run_program("grade", "class", "tiled_matmul", "--out", "one", "--without-course")

    def test_files_that_are_gone_are_told(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\nBob,2\nEve,3\nTom,4\n")
        for name in ("Ada", "Bob", "Eve"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.assertNotIn("no longer there", self.by_course())
        self.assertNotIn("no longer there", self.by_course())
        shutil.move(self.scratch / "class" / "Eve", self.scratch / "Eve")
        (self.scratch / "class" / "Bob" / "tiled_matmul.cu").rename(self.scratch / "Bob.cu")
        said = self.by_course()
        self.assertIn("2 students had handed in files that are no longer there: Bob; Eve", said)
        self.assertIn("If class is incomplete, complete it and grade again: all points come back. --dry-run shows such changes", said)
        shutil.move(self.scratch / "Eve", self.scratch / "class" / "Eve")
        self.assertNotIn("no longer there", self.by_course())

    def test_a_wrong_roster_is_not_taken_by_mistake(self):
        self.write("course.toml", COURSE)
        right, wrong = "name,id\nAda,1\nBob,2\nEve,3\nTom,4\n", "name,id\nTom,4\nFoo,8\nBar,9\n"
        self.write("roster.csv", right)
        for name in ("Ada", "Bob", "Eve", "Tom"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.by_course()
        before = (self.out / "grades.csv").read_bytes(), (self.out / "gradebook.sqlite").read_bytes()
        self.write("roster.csv", wrong)
        said = self.by_course(status=2)
        self.assertIn("3 of 4 entries in class belong to no student of roster.csv; at the last grading of out it was 0.", said)
        self.assertIn(" grade class --course course.toml --assignment week1 --out out --seed 7 --new-roster", said)
        self.assertEqual(((self.out / "grades.csv").read_bytes(), (self.out / "gradebook.sqlite").read_bytes()), before)
        self.assertIn("no longer counted", self.by_course("--dry-run", status=1))
        self.by_course("--new-roster", status=4)
        self.assertIn("9", self.lines())
        # Once it is taken, it is the roster of this class; and back is no loss.
        self.by_course(status=4)
        self.write("roster.csv", right)
        self.by_course()
        # Under pseudonyms, too.
        blind = ("grade", "class", "--course", "course.toml", "--assignment", "week1", "--out", "blind", "--anonymous")
        self.run_words(*blind)
        self.write("roster.csv", wrong)
        self.assertIn("3 of 4 entries", self.run_words(*blind, status=2))

    def test_who_has_left_the_roster_has_lost_no_file(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\n\"Li, Wei\",2\n")
        for name in ("Ada", "WeiLi"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.by_course()
        self.write("roster.csv", "name,id\nAda,1\n")
        said = self.by_course("--dry-run", status=1)
        self.assertIn("Li, Wei: no longer counted: this entry is not in the roster; had 0 points "
                      "1 student would no longer be counted", said)
        said = self.by_course(status=4)
        self.assertIn("no longer counted, because the entry is no longer a student's of the roster: Li, Wei (WeiLi)", said)
        self.assertNotIn("no longer there", said)

    def test_a_class_that_is_still_packed_is_told_whatever_the_worksheet_says(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nAda,1\nBob,2\n")
        self.hand_in("Ada", BROKEN)
        (self.scratch / "packed").mkdir()
        with zipfile.ZipFile(self.scratch / "packed" / "CUDA-Week 1-77.zip", "w") as archive:
            for number, name in enumerate(("Ada", "Bob")):
                archive.writestr(f"{name}_{number}_assignsubmission_file_/tiled_matmul.cu", BROKEN)
        self.write("sheet.csv", "Identifier,Full name,Last modified (submission)\n"
                   'Participant 0,Ada,"Tuesday, 18 November 2025, 11:58 PM"\n')
        said = self.run_words("grade", "packed", "--course", "course.toml", "--assignment", "week1", "--out", "out", "--worksheet",
                              "sheet.csv", status=2)
        self.assertIn("Unpack CUDA-Week 1-77.zip, and name the folder that it makes.", said)

    def test_course_check_doubts_a_roster(self):
        self.write("course.toml", COURSE + '[[assignment.extension]]\nstudent = "a@x"\nno_deduction = true\n')
        self.write("roster.csv", "name,id,email\nAda,1,a@x\nEve\n")
        said = self.run_words("course", "check", "course.toml")
        self.assertIn("Ada <a@x>: no deduction", said)
        self.assertIn("roster.csv: 2 students, with name, id, email", said)
        self.assertIn("roster.csv:3: the line of Eve has 1 field, and the header has 3", said)
        self.write("roster.csv", "id,email\n1,a@x\n")
        self.assertIn("roster.csv:1: there is no column name", self.run_words("course", "check", "course.toml"))
        self.hand_in("Ada", BROKEN)
        self.assertIn("The roster has no column name, by which", self.by_course(status=2))

    def test_course_check_doubts_another_year(self):
        more = 'due = {}\n[[assignment]]\nid = "week2"\nwhat = ["tiled_matmul"]\ndue = {}\n'
        self.write("roster.csv", "name,id\nAda,1\n")
        self.write("course.toml", COURSE + more.format("2026-10-08", "2062-10-15"))
        said = self.run_words("course", "check", "course.toml")
        self.assertIn("week2 is due 36 years after week1: is the year right?", said)
        self.write("course.toml", COURSE + more.format("2026-10-08", "2026-10-15"))
        self.assertNotIn("is the year right", self.run_words("course", "check", "course.toml"))

    def test_an_export_in_another_encoding_is_named(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nAda,1,ada@x\n")
        self.hand_in("Ada", BROKEN)
        self.by_course()
        (self.scratch / "Grades.csv").write_bytes("Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (5)\n".encode("utf-16"))
        said = self.run_words("export", "out", "--canvas", "Grades.csv", status=2)
        self.assertIn("Grades.csv: the file is UTF-16, not UTF-8", said)
        self.assertIn("Save it as CSV in UTF-8.", said)

    def test_a_dry_run_of_an_export_tells_namesakes_apart(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,login\nLi Wei,1,lwei1\nLi Wei,2,lwei2\nAda,3,ada\n")
        self.hand_in("lwei2", graded.solution())
        self.by_course()
        self.write("canvas.csv", "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (5)\n    Points Possible,,,,,\n"
                   '"Wei, Li",101,1,lwei1,A,\n"Wei, Li",102,2,lwei2,A,\nAda,103,3,ada,A,\n')
        said = self.run_words("export", "out", "--canvas", "canvas.csv", "--dry-run", status=1)
        self.assertRegex(said, r"Wei, Li <lwei1> no grade -> 0 nothing handed in Wei, Li <lwei2> no grade -> \d+ Ada no grade -> 0 nothing")
        # The number that tells the two apart in our lists means nothing to the student.
        self.run_program("export", "out", "--feedback")
        with zipfile.ZipFile(self.out / "feedback.zip") as packed:
            pages = [packed.read(name).decode("utf-8") for name in packed.namelist() if name.endswith(".html")]
        self.assertEqual(len(pages), 1)
        self.assertIn("Li Wei", pages[0])
        self.assertNotIn("(2)", pages[0])

    def test_a_missing_namesake_is_named_with_the_login(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,login,email\nMax Müller,1,mm1,m1@x\nMax Müller,2,mm2,m2@x\nAda,3,ada,a@x\n")
        for name in ("mm1", "mm2", "ada"):
            self.hand_in(name, BROKEN + f"// {name}\n")
        self.by_course()
        self.write("moodle.csv", "First name,Last name,Email address,Assignment: Week 1: tiles (Real),Quiz: Week 2 (Real)\n"
                   "Max,Müller,m1@x,-,-\n")
        said = self.run_words("export", "out", "--moodle", "moodle.csv", "--column", "Week 1", status=1)
        self.assertIn("Assignment: Week 1: tiles (Real)", said)
        self.assertIn("not in the export: Max Müller (2) <mm2>", said)
        self.assertIn("not in the export: Ada ", said)
        # Whoever publishes grades wants to know who still waits for an answer.
        self.write("asked/mm2/regrade.toml", 'tiled_matmul = "Why?"\n')
        self.run_words("override", "out", "--requests", "asked")
        for kind, status in ((("--moodle", "moodle.csv", "--column", "Week 1"), 1), (("--feedback",), 0), (("--gradescope",), 0)):
            said = self.run_words("export", "out", *kind, status=status)
            self.assertIn("out: 1 request without an answer (Max Müller (2) <mm2>, tiled_matmul)", said)
            self.assertRegex(said, r"Answer them in `\S+ review`, and export again")
        self.run_words("override", "out", "mm2", "tiled_matmul", "--answer", "Because.")
        self.assertNotIn("without an answer", self.run_words("export", "out", "--feedback"))

    def test_an_entry_that_fits_two_is_no_third_student(self):
        self.write("course.toml", COURSE + "due = 2026-10-08\n")
        self.write("roster.csv", "name,id,login\nMax Müller,1,mm1\nMax Müller,2,mm2\n")
        self.hand_in("Max Müller", BROKEN)
        self.hand_in("mm1", BROKEN)
        said = self.by_course(status=4)
        self.assertIn("Max Müller (listed as Max Müller (3)) fits the name of 2 students of the roster: Max Müller <mm1>; "
                      "Max Müller <mm2>; it is graded", said)
        self.assertIn("Name the entry after the login or ID of whoever handed it in, and grade again.", said)
        self.assertNotIn("Correct the roster", said)
        # Whoever counts the files' own times should know what these are.
        self.assertIn('set times = "files" in [course] (an unpacked download often has the time of unpacking)', said)

    def test_half_names_are_doubted(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "First name,login\nAda,ada\n")
        self.hand_in("ada", BROKEN)
        for said in (self.run_words("course", "check", "course.toml"), self.by_course()):
            self.assertIn("roster.csv:1: there are first names and no last names", said)
            self.assertIn("Add the column 'last name', or one with the whole name, called 'name'.", said)

    def test_an_extension_that_takes_time_away_is_doubted(self):
        self.write("course.toml", COURSE + 'due = 2026-10-08\n[[assignment.extension]]\nstudent = "ada"\ndue = 2026-10-01\n')
        self.write("roster.csv", "name,login\nAda,ada\n")
        self.hand_in("ada", BROKEN)
        for said in (self.run_words("course", "check", "course.toml"), self.by_course()):
            self.assertIn("the extension of ada ends 2026-10-01 23:59:59 UTC, before week1 is due (2026-10-08 23:59:59 UTC): "
                          "is the date right?", said)

    def test_a_column_that_looks_misnamed_is_named(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "Namee,Matrikel\nAda,1\n")
        said = self.run_words("course", "check", "course.toml", status=2)
        self.assertIn("there is no column name, login or email; the first line has: Namee, Matrikel", said)
        self.assertIn("The column 'Namee' looks like name: rename it.", said)
        self.write("roster.csv", "name,emial\nAda,ada@x\n")
        self.hand_in("Ada", BROKEN)
        self.assertIn("the column 'emial' is not read; it looks like 'email'", self.by_course())

    def test_two_of_one_name_are_told_apart_by_moodles_worksheet(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id,email\nMax Müller,1,m1@x\nMax Müller,2,m2@x\n")
        for number in (11, 12):
            self.hand_in(f"Max Müller_{number}_assignsubmission_file_", BROKEN + f"// {number}\n")
        said = self.by_course(status=4)
        self.assertIn("Max Müller (11) fits the name of 2 students of the roster: Max Müller <1>; Max Müller <2>", said)
        self.assertIn("add --worksheet FILE", said)
        time = "Tuesday, 18 November 2025, 11:58 PM"
        self.write("sheet.csv", "Identifier,Full name,Email address,Last modified (submission)\n"
                   f'Participant 11,Max Müller,m2@x,"{time}"\nParticipant 12,Max Müller,m1@x,"{time}"\n')
        self.by_course("--worksheet", "sheet.csv")
        self.assertEqual(self.handed_in_as(), {"1": "Max Müller_12_assignsubmission_file_", "2": "Max Müller_11_assignsubmission_file_"})
        # So much of a request for a review, too.
        self.write("asked/Max Müller_511_assignsubmission_file_/regrade.toml", 'tiled_matmul = "Why?"\n')
        said = self.run_words("override", "out", "--requests", "asked", status=1)
        self.assertIn("not a request: Max Müller fits the name of 2 students of the roster: Max Müller <1>; Max Müller <2>. "
                      "Name the folder after the login, ID or e-mail, or add --worksheet", said)
        # The worksheet of the requests tells whose it is, or the number that the submission has, too.
        self.write("asked.csv", "Identifier,Full name,Email address,Last modified (submission)\n"
                   f'Participant 511,Max Müller,m2@x,"{time}"\n')
        self.run_words("override", "out", "--requests", "asked", "--worksheet", "asked.csv")
        self.assertIn("Max Müller (2) <2>, 01_boundary_checks/tiled_matmul: open request: Why?",
                      self.run_words("override", "out", "--list"))
        shutil.move(self.scratch / "asked/Max Müller_511_assignsubmission_file_",
                    self.scratch / "asked/Max Müller_12_assignsubmission_file_")
        self.run_words("override", "out", "--requests", "asked")
        self.assertIn("Max Müller <1>, 01_boundary_checks/tiled_matmul: open request: Why?",
                      self.run_words("override", "out", "--list"))
        # Of an entry that it does not have, the worksheet is no help.
        self.hand_in("Max Müller_13_assignsubmission_file_", BROKEN)
        said = self.by_course("--worksheet", "sheet.csv", status=4)
        self.assertIn("Name the folder after the student's login or ID, and grade again.", said)
        self.assertNotIn("add --worksheet", said)

    def test_two_of_one_name_are_told_apart_by_canvas_numbers(self):
        self.write("course.toml", COURSE)
        self.write("roster.csv", "name,id\nJo Smith,1\nJo Smith,2\n")
        self.write("class/smithjo_110_770_tiled_matmul.cu", BROKEN)
        said = self.by_course(status=4)
        self.assertIn("Give the roster a column 'Canvas ID' with each student's number", said)
        # The pages and the list say so, too.
        remark = "nothing was handed in under this name; an entry that is nobody's may be this student's: smithjo"
        self.assertEqual([self.lines()[number]["Remarks"] for number in ("1", "2")], 2 * [remark])
        pages = self.out / "report"
        index = " ".join((pages / "index.html").read_text(encoding="utf-8").split())
        self.assertRegex(index, r'; perhaps of <a href="students/Jo_Smith.html">.*, <a href="students/Jo_Smith__2_.html">')
        self.assertEqual(index.count('data-flags="remarks failing"'), 2)
        for name in ("Jo_Smith", "Jo_Smith__2_"):
            page = (pages / "students" / f"{name}.html").read_text(encoding="utf-8")
            self.assertIn("An entry that is nobody’s may be this student’s:", page)
            self.assertRegex(page, r'<a href="smithjo[^"]*.html"><bdi>smithjo</bdi></a>')
        # Until then no 0 replaces what they have there.
        self.write("canvas.csv", 'Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (12)\n"Smith, Jo",110,1,,,12\n"Smith, Jo",111,2,,,\n')
        said = self.run_words("export", "out", "--canvas", "canvas.csv", "--dry-run", status=1)
        self.assertIn("an entry that is nobody's may be this student's: Smith, Jo <1>: smithjo", said)
        self.assertIn("To find out whose it is, give the roster a column 'Canvas ID'", said)
        self.assertIn("Nothing would change.", said)
        self.assertNotIn("not in the export", said)
        self.write("roster.csv", "name,id,Canvas ID\nJo Smith,1,110\nJo Smith,2,111\n")
        said = self.by_course("--dry-run", status=1)
        self.assertIn("smithjo: now assigned to Jo Smith <1>; had 0 points", said)
        self.assertNotIn("no longer", said)
        said = self.by_course()
        self.assertIn("now assigned: smithjo is Jo Smith <1>", said)
        self.assertNotIn("fits the name", said)
        self.assertNotIn("no longer there", said, "the file is there, and graded")

    def test_advice_on_times_is_of_the_system_that_they_come_from(self):
        self.write("course.toml", COURSE + "due = 2026-10-08\n")
        self.write("roster.csv", "name,id,login\nAda Lovelace,1,ada\n")
        self.hand_in("ada", BROKEN)
        said = self.by_course()
        self.assertIn("set times = \"files\" in [course]", said)
        self.assertNotIn("worksheet", said)
        # Canvas never has any: a line is enough.
        shutil.rmtree(self.scratch / "class" / "ada")
        self.write("class/adalovelace_LATE_110_770_tiled_matmul.cu", BROKEN)
        said = self.by_course()
        self.assertIn("Canvas's download has no times of handing in: what is not marked LATE there counts as on time.", said)
        self.assertNotIn("unknown", said)

    def test_a_file_with_another_ending_is_graded_and_told(self):
        self.hand_in("Ada", graded.solution(), "tiled_matmul.cu.txt")
        self.hand_in("Bob", BROKEN, "tiled_matmul.cpp")
        self.write("class/eve_tiled_matmul.cu.txt", BROKEN)
        self.grade("tiled_matmul")
        grades = self.grades()
        self.assertEqual(grades["Ada"]["Points"], "10")
        for name, file in (("Ada", "tiled_matmul.cu.txt"), ("Bob", "tiled_matmul.cpp"), ("eve", "tiled_matmul.cu.txt")):
            self.assertIn(f"{file} is taken for tiled_matmul.cu", grades[name]["Remarks"])

    def test_a_forbidden_call_is_what_a_student_does_first(self):
        self.hand_in("Ada", graded.mutant("01_boundary_checks/repair_tiled_matmul.second_barrier_missing"), "repair_tiled_matmul.cu")
        self.hand_in("Ada", "#include <cstdlib>\n#include <cstdio>\n" + graded.solution()
                     + '\nint also() { std::fclose(std::fopen("x", "r")); return std::system("ls"); }\n')
        self.grade("tiled_matmul", "repair_tiled_matmul")
        page = (self.out / "report/students/Ada.html").read_text(encoding="utf-8")
        first = re.search(r'<section class="box first".*?</section>', page, re.DOTALL)[0]
        self.assertIn("Remove that call.", first)
        self.assertIn('href="#01_boundary_checks-tiled_matmul"', first)
        for name in ("system", "fopen"):
            self.assertIn(name, first)
        self.assertRegex(page, r'<details class="exercise not-passed" id="01_boundary_checks-tiled_matmul" open>')

    def test_what_there_is_to_look_at_is_in_the_terminal_and_in_the_table(self):
        starter = (graded.ROOT / "chapters" / f"{graded.TILED}.cu").read_text(encoding="utf-8")
        forbidden = '#include <cstdlib>\n' + graded.solution() + '\nint also() { return std::system("ls"); }\n'
        for name, text in (("Ada", graded.solution()), ("Chloé", forbidden), ("Max", starter), ("Zoë", "")):
            self.hand_in(name, text)
        self.hand_in("Bob", (graded.ROOT / "tests/attacks/reverses_on_the_host.cu").read_text(encoding="utf-8"), "reverse.cu")
        # The kernel's result comes back from the host, which may have computed another.
        launch, end = graded.solution().rsplit("}", 1)
        self.hand_in("Kim", "#include <vector>\n" + launch + "  const size_t bytes = size_t(width) * width * sizeof(float);\n"
                     "  std::vector<float> copy(size_t(width) * width);\n  cudaMemcpy(copy.data(), P, bytes, cudaMemcpyDeviceToHost);\n"
                     "  cudaMemcpy(P, copy.data(), bytes, cudaMemcpyHostToDevice);\n}" + end)
        said = " ".join(self.grade("tiled_matmul", "reverse").split())
        for words in ("look at forbidden calls: Chloé (tiled_matmul)",
                      "look at what the host may have computed: Bob (reverse); Kim (tiled_matmul)",
                      "look at starters handed in unchanged: Max (tiled_matmul)", "counts as not compiled: Zoë: tiled_matmul.cu is empty."):
            self.assertIn(words + " ", said)
        self.assertNotIn("Ada", said)
        with open(self.out / "grades.csv", newline="", encoding="utf-8") as stream:
            remarks = {row["Student"]: row["Remarks"] for row in csv.DictReader(stream)}
        at = "01_boundary_checks/tiled_matmul: "
        self.assertRegex(remarks.pop("Chloé"), at + "a forbidden call: line [0-9]+: submissions may not use system.$")
        self.assertEqual(remarks, {"Ada": "", "Bob": "03_dynamic_shared_memory/reverse: the host may have computed",
                                   "Kim": at + "the host may have computed",
                                   "Max": at + "handed in as it was given out", "Zoë": at + "tiled_matmul.cu is empty."})
        self.run_program("override", "out", "Bob", "reverse", "--points", "0", "--reason", "computed on the CPU")
        said = self.grade("tiled_matmul", "reverse")
        self.assertNotIn("Bob", said, "a decision was made")
        self.assertIn("Chloé (", said)

    def test_help_says_which_texts_the_language_is_of(self):
        for verb in ("course", "export", "grade", "new", "override", "package", "review", "statistics", "verify"):
            self.assertIn("Most texts on the terminal are in English", self.run_words(verb, "--help"))
        self.assertIn("終端機上的文字大多是英文", self.run_words("grade", "--help", "--lang", "zh_Hant"))
        self.assertNotIn("Most texts", self.run_words("handouts", "--help"))


if __name__ == "__main__":
    sys.exit(graded.main())
