#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gradebooks of Canvas and Moodle, filled and read back by the systems' own rules: lms_test.py PROGRAM.

Canvas's rules are those of lib/gradebook_importer.rb in instructure/canvas-lms, Moodle's those of
grade/import/csv/classes/load_data.php in moodle/moodle (looked up in November 2026).
"""
import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import graded
import tomllib

CHAPTERS = pathlib.Path(__file__).resolve().parents[2] / "chapters"
# All exercises together.
WORTH = sum(exercise["points"] for file in CHAPTERS.glob("*/chapter.toml")
            for exercise in tomllib.loads(file.read_text(encoding="utf-8"))["exercise"])

CANVAS = (
    'Student,ID,SIS User ID,SIS Login ID,Section,Week 0 (11),Week 1 (12),Final Score\r\n'
    ',,,,,,Manual Posting,(read only)\r\n'
    '"    Points Possible",,,,,10,{possible},(read only)\r\n'
    '"Lovelace, Ada",101,S1,ada,"CS, 1",8,3,80\r\n'
    '"=cmd()",102,S2,evil,"=1+1",7,,70\r\n'
    '"Turing, Alan",103,S3,alan,"CS, 1",9,EX,90\r\n'
    '"Hopper, Grace",104,S4,grace,"CS, 1",9,2,90\r\n'
    '"Student, Test",105,,x1,"CS, 1",,,\r\n')

MOODLE = (
    '"First name","Last name","ID number",Institution,"Email address","Assignment: Week 0 (Real)",'
    '"Assignment: Week 1 (Real)","Assignment: Week 1 (Feedback)","Last downloaded from this course"\n'
    'Ada,Lovelace,S1,,ada@example.org,5.00,-,,1790000000\n'
    '=cmd(),,S2,,evil@example.org,5.00,-,,1790000000\n'
    'Mallory,Minus,S3,,=1@example.org,5.00,-,,1790000000\n'
    'Grace,Hopper,S4,,Grace@Example.org,5.00,7.00,"as, before",1790000000\n')

SHEET = ('\ufeffIdentifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
         '"Last modified (grade)","Feedback comments"\r\n'
         f'Participant 77,"Ada Lovelace",ada@example.org,Submitted,,{WORTH}.00,Yes,-,\r\n'
         f'Participant 78,"=cmd()",e@example.org,Submitted,,{WORTH}.00,Yes,-,\r\n'
         f'Participant 79,"Alan Turing",alan@example.org,Submitted,,{WORTH}.00,Yes,-,\r\n')


def is_formula(text):
    # A dash alone, Moodle's sign for no grade, is a dash in a spreadsheet, too.
    return text.lstrip(" ")[:1] in ("=", "+", "-", "@", "\t", "\r") if text and text != "-" else False


def read_canvas(text, known, assignments):
    """{user id: grade} as Canvas would take it; new users and new assignments are faults."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    header = rows[0]
    assert len(header) > 3 and "Student" in header[0] and "ID" in header[1], header
    columns = 3
    if re.search(r"SIS\s+Login\s+ID", header[2]):
        columns += 1
    elif re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3]):
        columns += 2
    assert "Section" in header[columns - 1], header
    places = {}
    for place, title in enumerate(header[columns:], columns):
        found = re.search(r"\((\d+)\)\s*$", title)
        assert found and int(found.group(1)) in assignments, f"Canvas would make a new assignment of {title}"
        places[int(found.group(1))] = place
    grades, possible = {}, {}
    for row in rows[1:]:
        if "Points Possible" in row[0]:
            possible = {number: row[place] for number, place in places.items()}
        elif not all(re.fullmatch(r"(?i)\s*(Muted|Manual Posting.*)?\s*", field) for field in row):
            assert int(row[1]) in known, f"Canvas would not know {row}"
            grades[int(row[1])] = {number: row[place].strip() for number, place in places.items()}
    return grades, possible


def read_moodle(text, emails, grade, feedback):
    """{e-mail: (grade, feedback)}; one line of somebody unknown ends the whole import."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    header = [name.strip() for name in rows[0]]
    key, points, words = (header.index(name) for name in ("Email address", grade, feedback))
    grades = {}
    for row in rows[1:]:
        assert row[key].strip() in emails, f"Moodle would give up at {row}"
        value = row[points].strip()
        grades[row[key]] = (None if value in ("", "-") else float(value), row[words])
    return grades


class Exports(graded.GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("Ada Lovelace", graded.solution())
        self.hand_in("=cmd()", graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"))
        self.hand_in("Alan Turing", graded.solution())
        self.grade()
        self.run_program("override", "out", "=cmd()", "tiled_matmul", "--points", "2.5", "--reason", "=shown")

    def export(self, *arguments, status=0):
        return self.run_program("export", "out", *arguments, status=status)

    def write(self, name, text):
        (self.scratch / name).parent.mkdir(parents=True, exist_ok=True)
        (self.scratch / name).write_text(text, encoding="utf-8")
        return name

    def hand_in_moodle(self, folder, text):
        file = self.scratch / "moodle" / folder / "tiled_matmul.cu"
        file.parent.mkdir(parents=True)
        file.write_text(text, encoding="utf-8")

    def assert_no_formula(self, text):
        for row in csv.reader(io.StringIO(text, newline="")):
            for field in row:
                self.assertFalse(is_formula(field), field)

    def test_canvas_takes_one_column_by_its_own_ids(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        said = self.export("--canvas", exported, "--column", "Week 1", "--to", "back.csv")
        text = (self.scratch / "back.csv").read_text(encoding="utf-8")
        grades, possible = read_canvas(text, {101, 102, 103, 104, 105}, {11, 12})
        # Alan is excused, Grace handed nothing in: both stay. Week 0 is not there, so it cannot change.
        self.assertEqual({user: grade[12] for user, grade in grades.items()},
                         {101: "10", 102: "2.5", 103: "EX", 104: "2", 105: ""})
        self.assertEqual(possible, {12: str(WORTH)})
        self.assertNotIn(11, grades[101])
        self.assertIn("Turing, Alan: is excused", said)
        self.assertIn("Hopper, Grace: not in this class", said)
        self.assertNotIn("unchanged: :", said)
        self.assert_no_formula(text)

    def test_another_weeks_column_is_told(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH).replace("Week 0", "Out"))
        self.assertIn("the column 'Week 1 (12)' gets the grades of out, although there is a column 'Out (11)'",
                      self.export("--canvas", exported, "--column", "Week 1", "--to", "back.csv"))

    def test_the_export_itself_is_kept(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        self.assertIn("which the LMS exported", self.export("--canvas", exported, "--column", "12", "--to", exported, status=2))
        self.assertEqual((self.scratch / "canvas.csv").read_text(encoding="utf-8").count("Week 0"), 1)

    def test_canvas_refuses_what_may_mean_something_else(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        self.assertIn("cannot tell which column", self.export("--canvas", exported, status=2))
        self.assertIn("no column 'Week 2'", self.export("--canvas", exported, "--column", "Week 2", status=2))
        for name in ("12", "Week 1 (12)"):
            self.export("--canvas", exported, "--column", name, "--to", "back.csv")
        other = self.write("other.csv", CANVAS.format(possible=100))
        self.assertIn(f"is worth 100 points there, and {WORTH} here", self.export("--canvas", other, "--column", "12", status=2))
        self.export("--canvas", other, "--column", "12", "--scale", "--to", "back.csv")
        grades, _ = read_canvas((self.scratch / "back.csv").read_text(encoding="utf-8"), range(101, 106), {12})
        self.assertEqual(grades[101][12], f"{1000 / WORTH:.2f}".rstrip("0").rstrip("."))  # 10 of them, of 100
        self.assertIn("not a gradebook of Canvas", self.export("--canvas", self.write("x.csv", MOODLE), status=2))

    def test_moodle_gets_only_lines_that_it_knows(self):
        exported = self.write("moodle.csv", MOODLE)
        said = self.export("--moodle", exported, "--column", "Week 1", "--to", "back.csv", status=1)
        text = (self.scratch / "back.csv").read_text(encoding="utf-8")
        emails = {"ada@example.org", "evil@example.org", "=1@example.org", "Grace@Example.org"}
        grades = read_moodle(text, emails, "Assignment: Week 1 (Real)", "Assignment: Week 1 (Feedback)")
        self.assertEqual(grades["ada@example.org"][0], 10)
        self.assertEqual(grades["evil@example.org"][0], 2.5)
        self.assertIn("=shown", grades["evil@example.org"][1])
        self.assertEqual(grades["Grace@Example.org"], (7, "as, before"))
        self.assertNotIn("=1@example.org", grades)
        self.assertNotIn("Week 0", text)
        self.assertIn("Mallory Minus: an id begins like a formula", said)
        self.assertIn("not in the export: Alan Turing", said)
        self.assert_no_formula(text)

    def test_moodles_grading_worksheet(self):
        sheet = SHEET
        self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--comment", "Look at line 4.", "--test",
                         "TiledMatmul.AnyWidth")
        self.export("--moodle", self.write("sheet.csv", sheet))
        with open(self.out / "moodle.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual(list(rows[0]), next(csv.reader([sheet.lstrip("\ufeff").split("\r\n", maxsplit=1)[0]])))
        self.assertEqual([(row["Identifier"], row["Grade"]) for row in rows],
                         [("Participant 77", "10"), ("Participant 78", "2.5"), ("Participant 79", "10")])
        self.assertIn("10 of 10", rows[0]["Feedback comments"])
        self.assertIn("TiledMatmul.AnyWidth: Look at line 4.", rows[0]["Feedback comments"])

    def test_a_participants_number_is_no_students_id(self):
        """Moodle's folder of participant 4711, and a student whose matriculation number is 4711."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n', encoding="utf-8")
        self.write("roster.csv", "name,id,email\nGrace Hopper,4711,grace@example.org\nEve Sneak,4712,eve@example.org\n")
        self.hand_in_moodle("Eve Sneak_4711_assignsubmission_file_", graded.solution())
        self.run_program("grade", "moodle", "--out", "graded", "--seed", "7", "--course", "course.toml", "--assignment", "week1")
        sheet = ('Identifier,"Full name","Email address",Grade,"Maximum Grade","Feedback comments"\r\n'
                 'Participant 4711,"Eve Sneak",eve@example.org,,10.00,\r\n'
                 'Participant 4712,"Grace Hopper",grace@example.org,,10.00,\r\n')
        self.run_program("export", "graded", "--moodle", self.write("sheet.csv", sheet), "--scale")
        with open(self.scratch / "graded" / "moodle.csv", newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        self.assertEqual([(row["Full name"], row["Grade"]) for row in rows], [("Eve Sneak", "10"), ("Grace Hopper", "0")])

    def test_moodles_worksheet_says_when_something_was_handed_in(self):
        """Eve is on time, Grace 26 hours late, and of Ada the worksheet has no time."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\ntime_zone = "Europe/Berlin"\n[late]\npercent_per_day = 10\n[[assignment]]\nid = "week1"\n'
            'what = ["tiled_matmul"]\ndue = 2025-11-18T23:59:00\n', encoding="utf-8")
        for number, name in ((1, "Ada Lovelace"), (2, "Grace Hopper"), (3, "Eve Sneak")):
            self.hand_in_moodle(f"{name}_{number}_assignsubmission_file_", graded.solution())
        header = ('Identifier,"Full name","Email address",Status,Grade,"Maximum Grade","Grade can be changed",'
                  '"Last modified (submission)","Last modified (grade)","Feedback comments"\r\n')
        line = 'Participant {},"{}",x@example.org,"Submitted for grading",,10.00,Yes,"{}",-,\r\n'
        sheet = (header + line.format(2, "Grace Hopper", "Thursday, 20 November 2025, 1:59 AM") +
                 line.format(3, "Eve Sneak", "Tuesday, 18 November 2025, 11:59 PM"))
        grade = ("grade", "moodle", "--out", "graded", "--seed", "7", "--course", "course.toml", "--assignment", "week1")
        said = self.run_program(*grade)
        self.assertIn("unknown for 3 students (Ada Lovelace; Eve Sneak; Grace Hopper)", said)
        self.assertIn("Add --worksheet FILE", said)
        self.write("moodle/sheet.csv", sheet)  # Beside the submissions: no submission of anybody's.
        said = self.run_program(*grade, "--worksheet", "moodle/sheet.csv")
        self.assertIn("unknown for 1 student (Ada Lovelace); unless", said)
        self.assertIn("moodle/sheet.csv has no line with the participant's number of Ada Lovelace: download", said)
        with open(self.scratch / "graded" / "grades.csv", newline="", encoding="utf-8") as stream:
            rows = {row["Student"]: row for row in csv.DictReader(stream)}
        self.assertEqual({name: row["Points"] for name, row in rows.items()},
                         {"Ada Lovelace": "10", "Eve Sneak": "10", "Grace Hopper": "8"})
        self.assertIn("26 h late: 2 days begun at 10 % a day, -20 %", rows["Grace Hopper"]["Changes"])
        self.assertIn("Nothing would change", self.run_program(*grade, "--worksheet", "moodle/sheet.csv", "--dry-run"))
        self.write("other.csv", sheet.replace("Tuesday, 18 November 2025, 11:59 PM", "18/11/2025 23:59"))
        said = self.run_program(*grade, "--worksheet", "other.csv", status=2)
        self.assertIn("other.csv:3: the date '18/11/2025 23:59' in \"Last modified (submission)\" is not understood", said)
        self.assertIn("Dates like these are understood: Tuesday, 18 November 2025, 11:58 PM", said)
        self.write("other.csv", sheet.replace("Participant 2", "Participant 12").replace("Participant 3", "Participant 13"))
        said = self.run_program(*grade, "--worksheet", "other.csv", status=2)
        self.assertIn("other.csv has the time of no entry in moodle", said)

    def test_a_renamed_folder_keeps_its_line_in_the_worksheet(self):
        """As the program advises: by the login. Of whom the worksheet has no line, the name is said that works."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[late]\npercent_per_day = 10\n[[assignment]]\nid = "week1"\n'
            'what = ["tiled_matmul"]\ndue = 2025-11-18T12:00:00\n', encoding="utf-8")
        self.write("roster.csv", "name,id,login,email\nBjörn Groß,1,bgross,bg@x\nEve Adams,2,eadams,ea@x\nMax Roy,3,mroy,mr@x\n"
                   "Ida May,4,imay,im@x\n")
        broken = "void broken( {\n"
        self.write("moodle/bgross/tiled_matmul.cu", graded.solution())
        self.write("moodle/eadams/tiled_matmul.cu", broken)
        with zipfile.ZipFile(self.scratch / "moodle" / "mroy.zip", "w") as archive:
            archive.writestr("tiled_matmul.cu", broken)
        self.hand_in_moodle("Ida May_4_assignsubmission_file_", broken)
        time = "Tuesday, 18 November 2025, 11:59 PM"
        sheet = ('Identifier,"Full name","Email address","Last modified (submission)"\r\n'
                 f'Participant 7,"B. Gross",bg@x,"{time}"\r\nParticipant 8,"Max Power",mp@x,"{time}"\r\n'
                 f'Participant 9,"R.",r@x,"{time}"\r\nParticipant 4,"Ida May",im@x,-\r\n')
        self.write("sheet.csv", sheet)
        grade = ("grade", "moodle", "--course", "course.toml", "--assignment", "week1", "--out", "graded", "--worksheet", "sheet.csv")
        said = " ".join(self.run_program(*grade, "--seed", "7").split())
        with open(self.scratch / "graded" / "grades.csv", newline="", encoding="utf-8") as stream:
            rows = {row["Student"]: row for row in csv.DictReader(stream)}
        self.assertEqual(rows["Björn Groß"]["Points"], "9")
        self.assertIn("unknown for 3 students (Eve Adams; Ida May; Max Roy)", said)
        self.assertIn("sheet.csv has a line without a time for Ida May: download the worksheet again", said)
        self.assertIn("sheet.csv has no line for Eve Adams; Max Roy: the entry's name has no participant's number, and no line fits", said)
        self.assertIn("the number of the column Identifier: eadams_NUMBER_assignsubmission_file_", said)
        # Dates that somebody mistyped.
        self.write("typed.csv", sheet.replace(time, "Sunday, 18 November 2024, 11:59 PM", 1))
        said = " ".join(self.run_program(*grade[:-1], "typed.csv", "--dry-run", status=1).split())
        self.assertIn("typed.csv:2: 'Sunday, 18 November 2024, 11:59 PM' names another weekday than that date's", said)
        self.assertIn("handed in 300 days or more before or after the due date: 1 student (Björn Groß: 2024-11-18 23:59:00 UTC): "
                      "is the year right?", said)
        self.assertNotIn("is the date right", " ".join(self.run_program(*grade).split()))
        # Both kinds of name work as they are said.
        shutil.move(self.scratch / "moodle/eadams", self.scratch / "moodle/eadams_8_assignsubmission_file_")
        shutil.move(self.scratch / "moodle/mroy.zip", self.scratch / "moodle/mroy_9_assignsubmission_file_mroy.zip")
        said = " ".join(self.run_program(*grade).split())
        self.assertIn("unknown for 1 student (Ida May)", said)

    def test_two_downloads_are_attempts_by_the_documents_commands(self):
        page = (graded.ROOT / "docs" / "course.md").read_text(encoding="utf-8")
        commands = re.search(r"```sh\n(number=1\n.*?)```", page, re.DOTALL)[1]
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\nattempts = "best"\n', encoding="utf-8")
        for day, text in (("monday", graded.solution()), ("friday", "void broken( {\n")):
            self.write(f"moodle-{day}/Ada Lovelace_1_assignsubmission_file_/tiled_matmul.cu", text)
        self.write("moodle-friday/Eve Sneak_2_assignsubmission_file_/tiled_matmul.cu", graded.solution())
        subprocess.run(["bash", "-euc", commands], cwd=self.scratch, check=True)
        self.run_program("grade", "submissions", "--course", "course.toml", "--assignment", "week1", "--out", "graded", "--seed", "7")
        with open(self.scratch / "graded" / "grades.csv", newline="", encoding="utf-8") as stream:
            rows = {row["Student"]: row for row in csv.DictReader(stream)}
        self.assertEqual({name: row["Points"] for name, row in rows.items()}, {"Ada Lovelace": "10", "Eve Sneak": "10"})
        self.assertIn("attempt 1 of 2 counts: the best", rows["Ada Lovelace"]["Changes"])

    def test_a_worksheet_is_not_forgotten(self):
        """Without it every deduction for lateness would be gone."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\n[late]\npercent_per_day = 10\n[[assignment]]\nid = "week1"\n'
            'what = ["tiled_matmul"]\ndue = 2025-11-18T12:00:00\n', encoding="utf-8")
        self.hand_in_moodle("Ada Lovelace_1_assignsubmission_file_", graded.solution())
        self.write("sheet.csv", 'Identifier,"Full name","Last modified (submission)"\r\n'
                   'Participant 1,"Ada Lovelace","Tuesday, 18 November 2025, 11:59 PM"\r\n')
        grade = ("grade", "moodle", "--course", "course.toml", "--assignment", "week1", "--out", "graded")
        self.run_program(*grade, "--worksheet", "sheet.csv", "--seed", "7")
        before = (self.scratch / "graded" / "grades.csv").read_bytes()
        page = self.scratch / "graded" / "report" / "students" / "Ada_Lovelace.html"
        self.assertRegex(page.read_text(encoding="utf-8"), r"late by 11 h</p>")
        for more in ((), ("--dry-run",)):
            said = self.run_program(*grade, *more, status=2)
            self.assertIn("graded was graded with --worksheet sheet.csv, and the command has none", said)
            self.assertIn(f" {' '.join((*grade, '--worksheet', 'sheet.csv', *more))}\n", said)
        self.assertEqual((self.scratch / "graded" / "grades.csv").read_bytes(), before)
        said = self.run_program("grade", "moodle", "--out", "graded", status=2)
        self.assertIn("--assignment week1 --out graded --worksheet sheet.csv", said)
        said = self.run_program(*grade, "--without-worksheet", "--dry-run", status=1)
        self.assertIn("9 -> 10", said)
        self.assertIn("no longer: -1 points: 11 h 59 min late: 1 day begun at 10 % a day, -10 %", said)
        self.assertIn("unknown for 1 student (Ada Lovelace)", said)
        self.run_program(*grade, "--without-worksheet")
        self.assertIn("Nothing would change", self.run_program(*grade, "--dry-run"))
        course = self.scratch / "course.toml"
        course.write_text(course.read_text(encoding="utf-8").replace("[late]", "[late]\ngrace_minutes = 1440"), encoding="utf-8")
        self.run_program(*grade, "--worksheet", "sheet.csv")
        self.assertRegex(page.read_text(encoding="utf-8"), r"late by 11 h \(within the grace period\)</p>")

    def test_free_late_days_go_over_the_assignments(self):
        """Three days for the term: 26 hours late in the first week, 50 hours in the second."""
        def course(first_due):
            return ('[course]\ntitle = "GPUs"\n[late]\npercent_per_day = 10\nlate_days = 3\n'
                    f'[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\ndue = {first_due}\n'
                    '[[assignment]]\nid = "week2"\nwhat = ["tiled_matmul"]\ndue = 2025-11-18T00:00:00\n')

        def grade(week, *more, status=0):
            return self.run_program("grade", "moodle", "--out", f"graded/{week}", "--seed", "7", "--course", "course.toml",
                                    "--assignment", week, "--worksheet", "sheet.csv", *more, status=status)

        def line(week):
            with open(self.scratch / "graded" / week / "grades.csv", newline="", encoding="utf-8") as stream:
                row = next(csv.DictReader(stream))
            return row["Points"], row["Late days used"], row["Late days left"]

        self.hand_in_moodle("Ada Lovelace_1_assignsubmission_file_", graded.solution())
        self.write("sheet.csv", 'Identifier,"Last modified (submission)"\nParticipant 1,"Thursday, 20 November 2025, 2:00 AM"\n')
        self.write("course.toml", course("2025-11-19T00:00:00"))
        said = grade("week2")
        self.assertIn("free late days: week1 is not graded beside graded/week2, and counts as using none", said)
        self.assertEqual(line("week2"), ("10", "3", "0"))
        said = grade("week1")
        self.assertIn("free late days: 1 student used them here\n", said)
        self.assertIn("graded/week2 counts other free late days than this grading leaves: grade it again", said)
        stale = "graded/week2 was graded with other free late days than earlier assignments leave now: grade it again"
        self.assertIn(stale, " ".join(self.run_program("export", "graded", "--gradescope", status=1).split()))
        self.assertIn(" grade moodle --course course.toml --assignment week2 --out graded/week2 --worksheet sheet.csv",
                      " ".join(said.split()))
        self.assertEqual(line("week1"), ("10", "2", "1"))
        for _ in range(2):  # Again, and nothing is used twice.
            grade("week2")
            self.assertEqual(line("week2"), ("8", "1", "0"))
            self.assertNotIn("grade it again", grade("week1"))
            self.assertEqual(line("week1"), ("10", "2", "1"))
        self.assertNotIn("free late days", self.run_program("export", "graded", "--gradescope"))
        self.assertIn("Nothing would change", grade("week2", "--dry-run"))
        # A day that comes back changes no points here, and some in the second week.
        self.write("sheet.csv", 'Identifier,"Last modified (submission)"\nParticipant 1,"Wednesday, 19 November 2025, 2:00 AM"\n')
        said = " ".join(grade("week1", "--dry-run", status=1).split())
        self.assertIn("Ada Lovelace: 10 points as before free late days: 2 -> 1 used, 1 -> 2 left", said)
        self.assertIn("the free late days of 1 student would change", said)
        self.assertNotIn("grade of 1 student would change", said)
        self.assertIn("graded/week2 counts other free late days than this grading would leave: it would have to be graded again", said)
        self.assertEqual(line("week1"), ("10", "2", "1"))
        self.write("sheet.csv", 'Identifier,"Last modified (submission)"\nParticipant 1,"Thursday, 20 November 2025, 2:00 AM"\n')
        page = next((self.scratch / "graded" / "week2" / "report" / "students").glob("*.html")).read_text(encoding="utf-8")
        self.assertIn("Free late days: 1 used here, 2 before, 0 left", page)
        (self.scratch / "graded" / "week1").rename(self.scratch / "graded" / "a")
        self.run_program("grade", "moodle", "--out", "graded/b", "--course", "course.toml", "--assignment", "week1")
        self.assertIn("are both gradings of week1", grade("week2", status=2))

    def test_a_line_that_fits_two_students_is_left_and_both_are_named(self):
        rows = MOODLE.replace("Ada,Lovelace,S1", "Alan,Turing,S1").replace("=cmd(),,S2", "Alan,Turing,S2")
        exported = self.write("moodle.csv", rows)
        said = self.export("--moodle", exported, "--column", "Week 1", "--to", "back.csv", status=1)
        self.assertEqual(said.count("it is not clear whose line this is: Alan Turing: 2 lines have the name of Alan Turing"), 2)
        text = (self.scratch / "back.csv").read_text(encoding="utf-8")
        emails = {"ada@example.org", "evil@example.org", "=1@example.org", "Grace@Example.org"}
        grades = read_moodle(text, emails, "Assignment: Week 1 (Real)", "Assignment: Week 1 (Feedback)")
        self.assertIn('"ada@example.org","-"', text)
        self.assertIsNone(grades["ada@example.org"][0])
        self.assertIsNone(grades["evil@example.org"][0])
        self.assertIn("grade with a course whose roster has the ids", said, "this class has no roster to correct")
        # What cannot be read ends the export: no file.
        bad = self.write("bad.csv", CANVAS.format(possible="193 points"))
        said = self.export("--canvas", bad, "--column", "Week 1", "--to", "none.csv", status=2)
        self.assertIn("bad.csv: line 3, column 'Week 1 (12)': '193 points' is not a number of points", said)
        self.assertIn("No file was written.", said)
        # Nor is a student's grade that is none overwritten unseen, whoever's line it is.
        bad = self.write("bad.csv", CANVAS.format(possible=WORTH).replace('"CS, 1",9,2,90', '"CS, 1",9,fünf,90'))
        said = self.export("--canvas", bad, "--column", "Week 1", "--to", "none.csv", status=2)
        self.assertIn("bad.csv: line 7, column 'Week 1 (12)': 'fünf' is not a number of points", said)
        bad = self.write("bad.csv", MOODLE.replace("ada@example.org,5.00,-", "ada@example.org,5.00,fünf"))
        said = self.export("--moodle", bad, "--column", "Week 1", "--to", "none.csv", status=2)
        self.assertIn("bad.csv: line 2, column 'Assignment: Week 1 (Real)': 'fünf' is not a number of points", said)
        self.assertFalse((self.scratch / "none.csv").exists())

    def test_a_closed_pipe_ends_a_command_quietly(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        for command in (("export", "out", "--gradescope", "--dry-run"), ("export", "out", "--gradescope"),
                        ("export", "out", "--canvas", exported, "--column", "12", "--dry-run"), ("override", "out", "--audit"),
                        ("override", "out", "--list"), ("statistics", "out"), ("help", "export"),
                        ("gradescope-bundle", "tiled_matmul", "--out", "bundle.zip")):
            status, said = self.status_into_closed_pipe(*command)
            self.assertEqual(status, 141, command)
            self.assertNotIn("Traceback", said)
            self.assertNotIn("could not be written", said)
        self.assertTrue((self.scratch / "bundle.zip").exists())

    def test_a_dry_run_shows_each_change_and_writes_nothing(self):
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        said = self.export("--canvas", exported, "--column", "Week 1", "--dry-run", status=1)
        self.assertIn("Week 1 (12)\n  Lovelace, Ada  3 -> 10\n  =cmd()         no grade -> 2.5\n\n"
                      "2 grades in 1 column would change\n", said)
        self.assertIn("Turing, Alan: is excused", said)
        self.assertFalse((self.out / "canvas.csv").exists())
        # What was imported would not change again.
        self.export("--canvas", exported, "--column", "Week 1", "--to", "back.csv")
        said = self.export("--canvas", "back.csv", "--dry-run")
        self.assertIn("Nothing would change.", said)
        # Moodle's feedback counts, too.
        sheet = self.write("sheet.csv", SHEET)
        self.export("--moodle", sheet, "--to", "back.csv")
        self.assertIn("Nothing would change.", self.export("--moodle", "back.csv", "--dry-run"))
        self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--comment", "Well done.")
        said = self.export("--moodle", "back.csv", "--dry-run", status=1)
        self.assertIn("Grade\n  Ada Lovelace  10, with new feedback\n\n1 grade in 1 column", said)

    def test_gradescope_gets_the_results_and_a_dry_run_compares_with_the_last(self):
        said = self.export("--gradescope", "--dry-run", status=1)
        self.assertRegex(said, r"(?m)^  Ada Lovelace( <[^>]+>)?: no score -> 10$")
        self.assertFalse((self.out / "gradescope.zip").exists())
        self.export("--gradescope")
        self.assertIn("would stay as it is", self.export("--gradescope", "--dry-run"))
        with zipfile.ZipFile(self.out / "gradescope.zip") as bundle:
            held = json.loads(bundle.read("graded.json"))
        for member in held["members"]["Ada Lovelace"]:
            self.assertNotIn("student", held["results"][member]["extra_data"])
        self.run_program("override", "out", "Alan Turing", "tiled_matmul", "--points", "9", "--reason", "late in the lab")
        said = self.export("--gradescope", "--dry-run", status=1)
        self.assertIn("10 -> 9", said)
        self.assertEqual(said.count("->"), 1)
        self.assertIn("add --gradescope", self.export(status=2))
        said = self.export("--gradescope", "--feedback", status=2)
        self.assertIn("--gradescope, --feedback: one call makes one export", said)
        self.assertNotIn("add --", said)

    def grade_term(self):
        """term/ with week0 and "Week 1", by a course, and lab/, of which no gradebook has a column."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\n[[assignment]]\nid = "first"\ntitle = "Week 0"\nwhat = ["tiled_matmul"]\npoints = 10\n'
            '[[assignment]]\nid = "second"\ntitle = "Boundaries"\nwhat = ["tiled_matmul"]\n'
            f'points = {WORTH}\n', encoding="utf-8")
        for folder, assignment in (("week0", "first"), ("Week 1", "second")):
            self.run_program("grade", "class", "--out", f"term/{folder}", "--seed", "7", "--course", "course.toml",
                             "--assignment", assignment)
        self.run_program("grade", "class", "tiled_matmul", "--out", "term/lab", "--seed", "7", "--without-course")

    def test_a_terms_folder_fills_every_column_that_it_has(self):
        self.grade_term()
        exported = self.write("all grades.csv", CANVAS.format(possible=WORTH))
        said = self.run_program("export", "term", "--canvas", exported, "--dry-run", status=1)
        # The line can be copied.
        self.assertIn(f"export term/lab --canvas '{exported}' --column NAME", said)
        self.assertIn("Week 0 (11)\n  Lovelace, Ada  8 -> 10\n  =cmd()         7 -> 0\n  Turing, Alan   9 -> 10\n\nWeek 1 (12)", said)
        self.assertIn(f"Lovelace, Ada  3 -> {WORTH}", said)
        self.assertIn("5 grades in 2 columns would change", said)
        self.assertIn("lab is left out: no column there is called 'lab'", said)
        self.assertFalse((self.scratch / "term" / "canvas.csv").exists())
        said = self.run_program("export", "term", "--canvas", exported)
        self.assertEqual(said.count("Hopper, Grace: not in this class"), 1)
        text = (self.scratch / "term" / "canvas.csv").read_text(encoding="utf-8")
        grades, possible = read_canvas(text, {101, 102, 103, 104, 105}, {11, 12})
        self.assertEqual(grades[101], {11: "10", 12: str(WORTH)})
        self.assertEqual(grades[103], {11: "10", 12: "EX"})
        self.assertEqual(grades[104], {11: "9", 12: "2"})
        self.assertEqual(possible, {11: "10", 12: str(WORTH)})
        self.assert_no_formula(text)
        self.run_program("export", "term", "--moodle", self.write("moodle.csv", MOODLE), status=1)
        text = (self.scratch / "term" / "moodle.csv").read_text(encoding="utf-8")
        for week, points in ((0, 10), (1, WORTH)):
            emails = {"ada@example.org", "evil@example.org", "Grace@Example.org"}
            grades = read_moodle(text, emails, f"Assignment: Week {week} (Real)", f"Assignment: Week {week} (Feedback)")
            self.assertEqual(grades["ada@example.org"][0], points)
        self.run_program("export", "term", "--gradescope")
        for folder in ("week0", "Week 1", "lab"):
            self.assertTrue((self.scratch / "term" / folder / "gradescope.zip").exists())

    def test_one_folder_finds_the_column_that_its_term_finds(self):
        self.grade_term()
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        said = self.run_program("export", "term/Week 1", "--canvas", exported, "--dry-run", status=1)
        self.assertIn(f"Week 1 (12)\n  Lovelace, Ada  3 -> {WORTH}", said)
        self.assertIn("cannot tell which column", self.run_program("export", "term/lab", "--canvas", exported, status=2))

    def test_a_term_whose_columns_are_not_clear_fills_nothing(self):
        self.grade_term()
        exported = self.write("canvas.csv", CANVAS.format(possible=WORTH))
        said = self.run_program("export", "term", "--canvas", exported, "--column", "12", status=2)
        self.assertIn("--column is for one graded folder, and term holds 3 graded folders", said)
        (self.scratch / "term" / "week0").rename(self.scratch / "term" / "a")
        (self.scratch / "term" / "lab").rename(self.scratch / "term" / "week 0")
        said = self.run_program("export", "term", "--canvas", exported, status=2)
        self.assertIn("the column 'Week 0 (11)' fits both term/a and term/week 0", said)
        self.assertIn("No file was written.", said)
        other = self.write("other.csv", CANVAS.format(possible=WORTH).replace("Week", "Sheet"))
        said = self.run_program("export", "term", "--canvas", other, status=2)
        self.assertIn("no column there has the name of an assignment in term", said)
        self.assertIn("Sheet 0 (11)", said)
        sheet = self.write("sheet.csv", "Identifier,Full name,Email address,Grade,Maximum Grade\nParticipant 1,Ada Lovelace,,,10\n")
        said = self.run_program("export", "term", "--moodle", sheet, status=2)
        self.assertIn("a grading worksheet is for one assignment", said)
        self.assertIn("has no gradebook", self.run_program("export", "class", "--canvas", exported, status=2))


if __name__ == "__main__":
    sys.exit(graded.main())
