#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Decisions of people on a graded class: decisions_test.py PROGRAM."""
import csv
import io
import json
import os
import re
import shutil
import sqlite3
import sys
import threading
import xml.etree.ElementTree as ElementTree

import graded
from graded import TILED

DECIDED = ("override", "out")


# The attributes that the schema knows, by element.
ATTRIBUTES = {"testsuites": set(), "properties": set(), "property": {"name", "value"},
              "testsuite": {"name", "package", "id", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"},
              "testcase": {"name", "classname", "time"}, "failure": {"message", "type"}, "error": {"message", "type"},
              "skipped": {"message"}, "system-out": set(), "system-err": set()}


def counts_of(suite):
    cases = suite.findall("testcase")
    return {"tests": len(cases), **{plural: sum(case.find(name) is not None for case in cases) for plural, name in
                                    (("failures", "failure"), ("errors", "error"), ("skipped", "skipped"))}}


class Decisions(graded.GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("Ada Lovelace", graded.solution())
        self.hand_in("=cmd()", graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"))
        self.grade()

    def decide(self, *arguments, status=0):
        return self.run_program(*DECIDED, *arguments, status=status)

    def check_junit(self):
        """By the rules of Ant's JUnit schema, that Jenkins and others took over (windyroad/JUnit-Schema, JUnit.xsd).

        Which elements stand where and in what order, which attributes they must and may have, and of what type: xs:int,
        xs:decimal without an exponent, xs:dateTime without a zone, tokens that are not empty. The schema leaves
        open what <skipped> has; a message is what its readers show.
        """
        for file in (self.out / "junit").iterdir():
            suites = ElementTree.parse(file).getroot()
            for element in suites.iter():
                self.assertLessEqual(set(element.attrib), ATTRIBUTES[element.tag])
            for each in suites.iter("property"):
                self.assertTrue(each.get("name").strip())
                self.assertIsNotNone(each.get("value"))
            self.assertEqual(suites.tag, "testsuites")
            for number, suite in enumerate(suites):
                self.assertEqual(suite.tag, "testsuite")
                self.assertEqual(suite.get("id"), str(number))
                self.assertTrue(suite.get("name") and suite.get("package") and suite.get("hostname"))
                self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
                self.assertRegex(suite.get("time"), r"^\d+\.\d+$")
                self.assertEqual({name: int(suite.get(name)) for name in counts_of(suite)}, counts_of(suite))
                order = [each.tag for each in suite]
                self.assertRegex(" ".join(order), r"^properties( testcase)+ system-out system-err$")
                for case in suite.findall("testcase"):
                    self.assertTrue(case.get("name") and case.get("classname"))
                    self.assertRegex(case.get("time"), r"^\d+\.\d+$")
                    self.assertLessEqual(len(case), 1)
                    for outcome in case:
                        self.assertIn(outcome.tag, ("failure", "error", "skipped"))
                        if outcome.tag != "skipped":
                            self.assertTrue(outcome.get("type"))

    def ask(self, entry, text, name="regrade.toml"):
        file = self.scratch / "asked" / entry / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def test_requests_come_as_files_that_students_hand_in(self):
        self.ask("Ada Lovelace", 'tiled_matmul = "Line 3 is <right>."\n')
        self.ask("Eve", 'tiled_matmul = "I am not in this class."\n')
        said = self.decide("--requests", "asked", status=1)
        self.assertIn("1 new request, 0 known before", said)
        self.assertIn("not a request: Eve is nobody's in this class", said)
        self.assertIn("Ada Lovelace, 01_boundary_checks/tiled_matmul: open request: Line 3 is <right>.", self.decide("--list"))
        # Read again, nothing is asked twice; answered, it is not opened again, until something else is asked.
        self.decide("Ada Lovelace", "tiled_matmul", "--answer", "It is.")
        self.assertIn("0 new requests, 1 known before", self.decide("--requests", "asked", status=1))
        self.assertIn("closed request", self.decide("--list"))
        self.ask("Ada Lovelace", 'tiled_matmul = """And\nline 4?"""\n', "Regrade-1.toml")
        self.assertIn("1 new request, 0 known before", self.decide("--requests", "asked", status=1))
        self.assertIn("open request: And", self.decide("--list"))
        # What is no request is said, and nothing else is lost for it.
        for text, problem in (('tiled_matmul = "Please look', "line 1 of its file: the quote that this line opens is never closed; a"),
                              ("tiled_matmul = [", "line 1 of its file: not TOML: "),
                              # The example is an exercise that she handed in.
                              ("tiled_matmul = Why?", "a text is put in quotes, as in tiled_matmul ="),
                              ("tiled_matmul = 7\n", "must be a text in quotes"),
                              ('tiled_matmull = "x"\n', "tiled_matmull"), ('bank_of = "x"\n', "bank_of")):
            self.ask("=cmd()", text)
            self.assertIn(problem, self.decide("--requests", "asked", status=1))
        self.ask("=cmd()", 'tiled_matmul = "Please look."\n')
        (self.scratch / "asked" / "Eve" / "regrade.toml").rename(self.scratch / "asked" / "Ada Lovelace" / "notes.toml")
        (self.scratch / "asked" / "Eve").rmdir()
        self.assertIn("1 new request, 1 known before", self.decide("--requests", "asked"))
        # As Windows names the file; and what is there under another name is named.
        for old in (self.scratch / "asked" / "Ada Lovelace").iterdir():
            old.unlink()
        self.ask("Ada Lovelace", 'tiled_matmul = "From Windows."\n', "Regrade.toml.txt")
        self.assertIn("1 new request, 1 known before", self.decide("--requests", "asked"))
        (self.scratch / "asked/Ada Lovelace/Regrade.toml.txt").rename(self.scratch / "asked/Ada Lovelace/request.txt")
        said = " ".join(self.decide("--requests", "asked", status=1).split())
        self.assertIn("Ada Lovelace has no file regrade.toml, but request.txt; if that is the request, rename it to regrade.toml", said)

    def namesakes(self, *folders):
        """Grades these folders with a roster that has two of one name."""
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n', encoding="utf-8")
        (self.scratch / "roster.csv").write_text(
            "name,id,login\nAda Lovelace,101,ada\nMax Müller,103,mmueller1\nMax Müller,104,mmueller2\n", encoding="utf-8")
        for each in folders:
            self.hand_in(f"../again/{each}", graded.solution())
        return ("again", "--out", "named", "--seed", "7", "--course", "course.toml", "--assignment", "week1")

    def named(self):
        """Name and points by id, of the roster's students."""
        with open(self.scratch / "named" / "grades.csv", newline="", encoding="utf-8") as stream:
            return {row["ID"]: (row["Student"], row["Points"]) for row in csv.DictReader(stream) if row["ID"]}

    def test_a_decision_stays_with_the_student_when_names_change_hands(self):
        arguments = self.namesakes("Max Müller")
        self.run_program("grade", *arguments, status=4)
        give = ("--points", "5", "--reason", "oral")
        said = self.run_program("override", "named", "mmueller1", "tiled_matmul", *give)
        self.assertIn("Max Müller <mmueller1>: 0 -> 5 of 10 points", said)
        self.run_program("override", "named", "mmueller1", "--comment", "To 103.")
        before = self.named()
        self.assertEqual((before["103"][1], before["104"][1]), ("5", "0"))
        # The folder that fits both was 104's.
        (self.scratch / "again" / "Max Müller").rename(self.scratch / "again" / "mmueller2")
        said = self.run_program("grade", *arguments, "--dry-run", status=1)
        self.assertIn("Max Müller (2) <mmueller2>: 0 -> 10 points", said)
        self.assertNotIn("mmueller1", said)
        self.run_program("grade", *arguments)
        self.assertEqual(self.named(), {"101": ("Ada Lovelace", "0"), "103": ("Max Müller", "5"), "104": ("Max Müller (2)", "10")})
        # And in a roster that names them in another order.
        roster = (self.scratch / "roster.csv").read_text(encoding="utf-8").splitlines()
        (self.scratch / "roster.csv").write_text("\n".join([*roster[:2], roster[3], roster[2]]) + "\n", encoding="utf-8")
        self.run_program("grade", *arguments)
        self.assertEqual(self.named(), {"101": ("Ada Lovelace", "0"), "103": ("Max Müller (2)", "5"), "104": ("Max Müller", "10")})
        listed = self.run_program("override", "named", "--list")
        self.assertIn("Max Müller (2) <mmueller1>, 01_boundary_checks/tiled_matmul: 5 points", listed)
        self.assertIn("Max Müller (2) <mmueller1>: comment: To 103.", listed)
        trail = list(csv.DictReader(io.StringIO(self.run_program("override", "named", "--audit"))))
        self.assertEqual({line["Student"] for line in trail}, {"Max Müller <mmueller1>"})

    def test_a_student_is_named_with_the_login_and_a_misspelt_one_is_guessed(self):
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n', encoding="utf-8")
        (self.scratch / "roster.csv").write_text(
            "name,id,login\nAda Lovelace,1001,ada\nJohn Smith,1002,jsmith1\nJohn Smith,1003,jsmith2\n"
            "José García Márquez,1004,jose\nAna García Márquez,1005,ana\nD'Arcy O’Neill,1006,doneill\n", encoding="utf-8")
        for login in ("ada", "jsmith1", "jsmith2"):
            self.hand_in(f"../again/{login}", graded.solution())
        self.run_program("grade", "again", "--out", "named", "--seed", "7", "--course", "course.toml", "--assignment", "week1")
        give = ("tiled_matmul", "--points", "7", "--reason", "lab")
        said = self.run_program("override", "named", "jsmith2", *give)
        self.assertIn("John Smith (2) <jsmith2>, 01_boundary_checks/tiled_matmul: 7 points\n", said)
        self.assertIn("John Smith (2) <jsmith2>: 10 -> 7 of 10 points", said)
        said = self.run_program("override", "named", "John Smith", *give, status=2)
        self.assertIn("'John Smith' matches more than one: John Smith <jsmith1>; John Smith (2) <jsmith2>", said)
        # In whatever spelling, and in a list, too.
        for written in ("Smith, John", "john  SMITH", "Smith John"):
            self.assertIn(f"'{written}' matches more than one: John Smith <jsmith1>; John Smith (2) <jsmith2>",
                          self.run_program("override", "named", written, *give, status=2))
            (self.scratch / "o.csv").write_text(f'Student,Exercise,Points,Reason\n"{written}",tiled_matmul,1,x\n', encoding="utf-8")
            self.assertIn("matches more than one", self.run_program("override", "named", "--from", "o.csv", status=2))
        self.assertIn("John Smith (2) <jsmith2>: 7 -> 6 of 10 points",
                      self.run_program("override", "named", "Smith, John (2)", "tiled_matmul", "--points", "6", "--reason", "x"))
        said = self.run_program("override", "named", "adda", *give, status=2)
        self.assertIn("there is no student 'adda' in this class; did you mean ada?", said)
        for written, meant in (("O'Neill", "; did you mean D'Arcy O’Neill?"),
                               ("garcia MARQUEZ", "' matches more than one: Ana García Márquez <ana>; José García Márquez <jose>")):
            self.assertIn(written + ("' in this class" if ";" == meant[0] else "") + meant,
                          self.run_program("override", "named", written, *give, status=2))

    def test_a_dry_run_says_what_would_change(self):
        asked = ("override", "out", "=cmd()", "tiled_matmul", "--points", "7", "--reason", "shown in the lab")
        said = self.run_program(*asked, "--dry-run", status=1)
        self.assertIn("The points of 1 student would change.", said)
        self.assertEqual(self.grades()["=cmd()"]["Points"], "0")
        self.assertIn("The points of 1 student changed.", self.run_program(*asked))

    def test_points_are_shown_everywhere_and_survive_another_grading(self):
        said = self.decide("=cmd()", "tiled_matmul", "--points", "7", "--reason", "shown in the lab")
        self.assertIn("0 -> 7", said)
        for _ in range(2):
            line = self.grades()["=cmd()"]
            self.assertEqual((line["Points"], line["Automatic points"], line[TILED], line[TILED + " automatic"],
                              line[TILED + " max"]), ("7", "0", "7", "0", "10"))
            self.assertEqual(line["Changes"], TILED + ": +7 points: shown in the lab (grace)")
            results = json.loads((self.out / "gradescope" / "_cmd__" / "results.json").read_text())
            self.assertEqual((results["score"], results["extra_data"]["automatic_score"]), (7, 0))
            page = (self.out / "report" / "students" / "_cmd__.html").read_text()
            self.assertIn("shown in the lab", page)
            self.check_junit()
            junit = (self.out / "junit" / "_cmd__.xml").read_text()
            self.assertIn('<property name="points" value="7"/>', junit)
            self.assertIn('<property name="automatic_points" value="0"/>', junit)
            self.grade("--regrade")
        self.decide("=cmd()", "tiled_matmul", "--points", "7", "--remove", "--reason", "a mistake")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "0")

    def test_more_points_than_there_are_need_a_word(self):
        points = ("=cmd()", "tiled_matmul", "--points", "100", "--reason", "an extra zero")
        said = self.decide(*points, status=2)
        self.assertIn(f"100 points is more than the 10 that {TILED} has", said)
        self.assertIn("Give at most 10. For extra points add --beyond.", said)
        self.assertIn("--beyond", said)
        lines = self.scratch / "overrides.csv"
        lines.write_text("Student,Exercise,Points,Reason\nAda Lovelace,tiled_matmul,9,x\n=cmd(),tiled_matmul,10.5,y\n")
        said = self.decide("--from", lines, status=2)
        self.assertIn("line 3: 10.5 points is more than the 10", said)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "10")
        self.decide("--from", lines, "--beyond")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "10.5")
        self.decide(*points, "--beyond")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "100")
        # All that there are need none.
        self.decide("=cmd()", "tiled_matmul", "--points", "10", "--reason", "shown")

    def test_a_decimal_comma_is_a_decimal_point_or_refused(self):
        self.decide("=cmd()", "tiled_matmul", "--points", "3,5", "--reason", "seen")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "3.5")
        for points in ("1,000", "3,,5", "3,5,1", ",", "3,"):
            said = self.decide("=cmd()", "tiled_matmul", "--points", points, "--reason", "seen", status=2)
            self.assertIn(f"'{points}' is not a number of points", said)
        lines = self.scratch / "overrides.csv"
        for header, line, words in (
                ("Student,Exercise,Points,Reason", "=cmd(),tiled_matmul,7,5,shown", "line 2: 5 fields, and the header has 4"),
                ("Student,Exercise,Points,Reason,Comment", "=cmd(),tiled_matmul,7,5,shown", "line 2: the reason is '5'; if 7,5"),
                ("Student,Exercise,Point", "=cmd(),tiled_matmul,7", "The column 'Point' looks like Points: rename it."),
                ("Name,Exercise,Points", "=cmd(),tiled_matmul,7", "no column Student; its first line has: Name, Exercise, Points")):
            lines.write_text(f"{header}\n{line}\n")
            self.assertIn(words, " ".join(self.decide("--from", lines, status=2).split()))
        self.assertEqual(self.grades()["=cmd()"]["Points"], "3.5")
        lines.write_text("Student;Exercise;Points;Reason\n=cmd();tiled_matmul;7,5;shown\n")
        self.decide("--from", lines)
        self.assertEqual(self.grades()["=cmd()"]["Points"], "7.5")

    def test_points_are_hundredths_in_every_file(self):
        # As binary numbers, the first two add up to 3.3000000000000003.
        for exercise, points in (("tiled_matmul", "1.1"), ("rect_matmul", "2.2"), ("dynamic_tiled_matmul", "7.123")):
            self.decide("=cmd()", exercise, "--points", points, "--reason", "seen")
        line = self.grades()["=cmd()"]
        self.assertEqual((line["Points"], line[TILED], line["03_dynamic_shared_memory/dynamic_tiled_matmul"]),
                         ("10.42", "1.1", "7.12"))
        self.assertNotRegex((self.out / "grades.csv").read_text(), r"\d\.\d{3}")
        results = (self.out / "gradescope" / "_cmd__" / "results.json").read_text()
        self.assertNotRegex(results, r'score":\s*\d+\.\d{3}')
        self.assertEqual(json.loads(results)["score"], 10.42)
        self.assertLessEqual({1.1, 2.2, 7.12}, {test["score"] for test in json.loads(results)["tests"]})
        junit = re.findall(r'name="points" value="([^"]+)"', (self.out / "junit" / "_cmd__.xml").read_text())
        self.assertEqual(sorted(junit), ["1.1", "2.2", "7.12"])
        for told in (self.decide("--list"), self.decide("--audit")):
            self.assertIn("7.12 points", told)
            self.assertNotIn("7.123", told)

    def test_what_never_ends_is_not_read(self):
        pipe = self.scratch / "pipe"
        os.mkfifo(pipe)
        for file, words in (("/dev/zero", "larger than 64 MiB"), (pipe, "no data came for 10 s"), ("/", "directory")):
            said = self.decide("--from", file, status=2)
            self.assertIn(f"cannot read {file}: ", said)
            self.assertIn(words, said)
        # A pipe that somebody writes to, as a shell's <(command) is.
        writer = threading.Thread(target=pipe.write_text,
                                  args=("Student,Exercise,Points,Reason\n=cmd(),tiled_matmul,3,x\n",))
        writer.start()
        self.decide("--from", pipe)
        writer.join()
        self.assertEqual(self.grades()["=cmd()"]["Points"], "3")

    def test_the_trail_says_who_when_what_why_before_and_after(self):
        self.decide("=cmd()", "tiled_matmul", "--points", "7", "--reason", "shown", "--author", "Grace Hopper")
        self.decide("=cmd()", "tiled_matmul", "--comment", "Look at line 23.", "--test", "TiledMatmul.AnyWidth")
        # It stands with its test wherever the student reads it.
        for file in ("junit/_cmd__.xml", "gradescope/_cmd__/results.json", "report/students/_cmd__.html"):
            text = re.sub(r"<[^>]*>" if file.endswith("html") else "$^", "", (self.out / file).read_text())
            self.assertIn("TiledMatmul.AnyWidth: Look at line 23.", text, file)
        self.check_junit()
        said = self.decide("=cmd()", "tiled_matmul", "--request", "Please look again.")
        self.assertEqual(said, f"=cmd(), {TILED}, a request to look again: Please look again.\n")
        self.assertIn("open request", self.decide("--list"))
        said = self.decide("=cmd()", "tiled_matmul", "--answer", "I did.")
        self.assertEqual(said, f"=cmd(), {TILED}, the request is answered: I did.\n")
        self.assertIn("closed request", self.decide("--list"))
        rows = list(csv.DictReader(io.StringIO(self.decide("--audit"))))
        self.assertEqual([row["Kind"] + " " + row["Action"] for row in rows],
                         ["points set", "comment set", "regrade opened", "regrade closed"])
        first = rows[0]
        self.assertEqual((first["Author"], first["Before"], first["After"], first["Reason"]),
                         ("Grace Hopper", "0 points", "7 points", "shown"))
        self.assertRegex(first["Time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertIn("TiledMatmul.AnyWidth: Look at line 23.", self.grades()["=cmd()"]["Comments"])
        book = sqlite3.connect(self.out / "gradebook.sqlite")
        self.addCleanup(book.close)
        for change in ("DELETE FROM audit", "UPDATE audit SET author = 'nobody'"):
            with self.assertRaisesRegex(sqlite3.DatabaseError, "only added to"):
                book.execute(change)

    def test_files_of_others_stay_as_they_are(self):
        """Each that is written waits for the disk; and one that somebody has edited is put right."""
        mine, others = "_cmd__", "Ada_Lovelace"
        names = ("gradescope/{}/results.json", "junit/{}.xml", "report/students/{}.html")
        (self.out / names[1].format(others)).write_text("edited")
        self.decide("=cmd()", "tiled_matmul", "--points", "6", "--reason", "shown")
        self.check_junit()
        before = {name: (self.out / name.format(others)).stat().st_mtime_ns for name in names}
        self.decide("=cmd()", "tiled_matmul", "--points", "7", "--reason", "shown in the lab")
        for name in names:
            self.assertEqual((self.out / name.format(others)).stat().st_mtime_ns, before[name], name)
            self.assertIn("shown in the lab", (self.out / name.format(mine)).read_text(), name)

    def test_an_excluded_test_counts_for_nobody(self):
        results = json.loads((self.out / "gradescope" / "_cmd__" / "results.json").read_text())
        self.assertEqual(results["score"], 0)
        suites = ElementTree.parse(self.out / "junit" / "_cmd__.xml").getroot()
        failed = [case.get("name") for case in suites.iter("testcase") if case.find("failure") is not None]
        self.assertGreater(len(failed), 1)
        for number, name in enumerate(failed):
            self.assertEqual(self.grades()["=cmd()"]["Points"], "0", number)
            self.decide("--exclude-test", "tiled_matmul/" + name, "--reason", "the suite was wrong")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "10")
        self.assertIn("counts for nobody: the suite was wrong", self.grades()["=cmd()"]["Changes"])
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "10")
        self.assertIn("counts for nobody", (self.out / "report" / "index.html").read_text())
        self.check_junit()
        self.decide("--exclude-test", "tiled_matmul/" + failed[0], "--remove", "--reason", "it was right")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "0")

    def test_a_file_of_decisions_is_taken_whole_or_not_at_all(self):
        file = self.scratch / "overrides.csv"
        file.write_text("Student,Exercise,Points,Reason,Comment\nAda Lovelace,tiled_matmul,9,late,\n"
                        "nobody,tiled_matmul,1,x,\n=cmd(),tiled_matmul,many,x,\n")
        said = self.decide("--from", file, status=2)
        self.assertIn("line 3: there is no student 'nobody'", said)
        self.assertIn("line 4: 'many' is not a number of points", said)
        self.assertIn("some lines of ", said)
        self.assertIn("overrides.csv are wrong", said)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "10")
        file.write_text("student;exercise;points;reason;comment;author\nAda Lovelace;tiled_matmul;9;late;;Alan\n"
                        "'=cmd();1/2;;;\"two\nlines\";\n".replace("1/2", "tiled_matmul"))
        self.decide("--from", file)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "9")
        self.assertIn("(Alan)", self.grades()["Ada Lovelace"]["Changes"])
        self.assertIn("two\nlines", self.grades()["=cmd()"]["Comments"])

    def test_a_file_of_decisions_has_lines_and_no_column_that_is_not_read(self):
        file = self.scratch / "overrides.csv"
        # Spreadsheets write columns without a name.
        file.write_text("Student,Exercise,Points,Reason,Comment,Line,\nAda Lovelace,tiled_matmul,,,Why?,1,\n")
        self.decide("--from", file)
        self.assertIn("line 1: Why?", self.grades()["Ada Lovelace"]["Comments"])
        for header, line, said in (("Comment,Lines", "Which?,2", "has a column 'Lines', which is not read"),
                                   ("Comment,", "Which?,2", "has a column '', which is not read"),
                                   ("Comment,Line", "Which?,99999", "is not a line of the graded file"),
                                   ("Comment,Line,Test", "Which?,2,TiledMatmul.AnyWidth", "both Test and Line")):
            file.write_text(f"Student,Exercise,{header}\nAda Lovelace,tiled_matmul,{line}\n")
            self.assertIn(said, self.decide("--from", file, status=2))
        self.assertNotIn("Which?", self.grades()["Ada Lovelace"]["Comments"])

    def test_what_makes_no_sense_is_refused_and_changes_nothing(self):
        before = (self.out / "grades.csv").read_bytes()
        for arguments, said in (
                (("nobody", "tiled_matmul", "--points", "1", "--reason", "x"), "no student 'nobody'"),
                (("=cmd()", "tiled_matmul", "--points", "-1", "--reason", "x"), "points must be 0 or more, not -1"),
                (("=cmd()", "tiled_matmul", "--points", "nan", "--reason", "x"), "not a number of points"),
                (("=cmd()", "tiled_matmul", "--points", "1"), "needs a reason"),
                (("=cmd()", "tiled_matmul", "--points", "1", "--comment", "y", "--reason", "x"), "give one of"),
                (("--exclude-test", "tiled_matmul/Nothing", "--reason", "x"), "has no test 'Nothing'"),
                (("=cmd()", "1", "--points", "1", "--reason", "x"), "more than one exercise"),
                (("=cmd()", "matmul", "--points", "1", "--reason", "x"), "'matmul' fits several exercises: tiled_matmul, "),
                (("=cmd()", "tiled_matmul", "--comment", "y", "--test", "TiledMatmul"), "matches several tests of tiled_matmul"),
                (("=cmd()", "tiled_matmul", "--answer", "x"), "no open request"),
                (("=cmd()", "tiled_matmul", "--points", "1", "--remove", "--reason", "x"), "no such decision"),
                (("=cmd()", "tiled_matmul", "--remove", "--reason", "x"), "Add --points 0, --comment -, --request - or"),
                (("--exclude-test", "TiledMatmul.AnyWidth", "--reason", "x"), "did you mean tiled_matmul/TiledMatmul.AnyWidth?"),
                (("--exclude-test", "TiledMatmul.AnyWidht", "--reason", "x"), "did you mean tiled_matmul/TiledMatmul.AnyWidth?"),
                (("--exclude-test", "x", "--reason", "x"), "For example tiled_matmul/TiledMatmul.")):
            self.assertIn(said, self.decide(*arguments, status=2))
        self.assertEqual((self.out / "grades.csv").read_bytes(), before)
        self.assertIn("0 decisions", self.decide("--list"))
        missing = self.scratch / "nothing"
        self.assertIn("has no gradebook", self.run_program("override", missing, "--list", status=2))
        self.assertFalse(missing.exists())

    def test_parts_of_names_that_fit_one_alone_are_enough(self):
        self.assertIn(f"{TILED}/TiledMatmul.AnyWidth",
                      self.decide("=cmd()", "tiled_matmul", "--comment", "Why?", "--test", "anywidth"))
        self.decide("=cmd()", "tiled_matmul", "--comment", "-", "--test", "AnyW", "--remove", "--reason", "x")
        self.assertIn("0 decisions", self.decide("--list"))
        self.decide("--exclude-test", "tiled_matmul/AnyWidth", "--reason", "x")
        self.assertIn("tiled_matmul/TiledMatmul.AnyWidth", self.decide("--list"))
        self.assertIn("dynamic_tiled_matmul", self.decide("=cmd()", "dynamic_til", "--points", "1", "--reason", "oral"))

    def test_decisions_about_somebody_who_has_left_are_named(self):
        self.decide("Ada Lovelace", "tiled_matmul", "--points", "4", "--reason", "oral")
        self.assertNotIn("1 decision for somebody", self.grade())
        shutil.rmtree(self.scratch / "class" / "Ada Lovelace")
        told = "1 decision for somebody who is not in this class, or has another ID now: Ada Lovelace"
        self.assertIn(told, self.grade("--dry-run", status=1))
        said = self.grade()
        self.assertIn(told, said)
        self.assertRegex(said, r"See: .* override .*out --list")

    def test_points_by_hand_are_named_when_the_assignment_has_others(self):
        course = ('[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n'
                  "points = {}\n")
        (self.scratch / "roster.csv").write_text("name,id,login\nAda Lovelace,1001,ada\n", encoding="utf-8")
        (self.scratch / "course.toml").write_text(course.format(10), encoding="utf-8")
        self.hand_in("../again/ada", graded.solution())
        grading = ("again", "--out", "named", "--seed", "7", "--course", "course.toml", "--assignment", "week1")
        self.run_program("grade", *grading)
        give = ("ada", "tiled_matmul", "--points", "8", "--reason", "lab")
        self.run_program("override", "named", *give)
        told = "tiled_matmul: the points were set by hand when the exercise had 10; it has 20 now, and they are still 8"
        self.assertNotIn("by hand when", self.run_program("grade", *grading))
        (self.scratch / "course.toml").write_text(course.format(20), encoding="utf-8")
        self.assertIn(told, " ".join(self.run_program("grade", *grading, "--dry-run", status=1).split()))
        self.assertIn(told, " ".join(self.run_program("grade", *grading).split()))
        index = (self.scratch / "named/report/index.html").read_text(encoding="utf-8")
        self.assertRegex(index, r'title="its points were decided when the exercise had 10">↻')
        # Whoever decides again has seen it.
        self.run_program("override", "named", *give)
        self.assertNotIn("by hand when", self.run_program("grade", *grading))

    def test_points_of_an_earlier_file_are_named_until_somebody_looks(self):
        give = ("=cmd()", "tiled_matmul", "--points", "4", "--reason", "only misspelt")
        self.decide(*give)
        self.assertNotIn("earlier file", self.grade())
        self.hand_in("=cmd()", graded.solution() + "// mended\n")
        for more, status in ((("--dry-run",), 1), ((), 0), ((), 0)):
            said = " ".join(self.grade(*more, status=status).split())
            self.assertIn("=cmd(), tiled_matmul: the points were decided for an earlier file; they are 4, and the grader now gives 10",
                          said)
            self.assertRegex(said, r"In all: 1 grade\. Look at them: \S+ review \S*out\.")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "4")
        index = (self.out / "report" / "index.html").read_text()
        self.assertRegex(index, r'>4\*</a> <strong class="warn" title="its points were decided for an earlier file">↻</strong>')
        self.assertIn("decided for an earlier file", index)
        # Whoever decides again has seen the new file.
        said = self.decide(*give)
        self.assertRegex(said, r"  replaces: 4 points, only misspelt \(grace, \d{4}-")
        self.assertNotIn("earlier file", self.grade())
        self.assertNotIn("↻", (self.out / "report" / "index.html").read_text())
        self.decide("=cmd()", "tiled_matmul", "--points", "0", "--remove", "--reason", "a mistake")
        self.assertEqual(self.grades()["=cmd()"]["Points"], "10")

    def test_what_a_decision_replaces_is_said(self):
        def comment(text, *more):
            return self.decide("=cmd()", "tiled_matmul", "--comment", text, *more)

        self.assertNotIn("replaces", comment("Well done, but why 17?", "--author", "Alan"))
        said = comment("second")
        self.assertRegex(said, r"  replaces: Well done, but why 17\? \(Alan, \d{4}-\d\d-\d\d \d\d:\d\d")
        self.assertNotIn("replaces", comment("on a line", "--line", "1"))
        self.assertNotIn("replaces", self.decide("=cmd()", "tiled_matmul", "--comment", "-", "--remove", "--reason", "x"))

    def test_a_list_that_is_read_again_decides_nothing_again(self):
        file = self.scratch / "overrides.csv"
        lines = "Student,Exercise,Points,Reason,Comment\n=cmd(),tiled_matmul,4,oral,Good.\n"
        file.write_text(lines)
        self.decide("--from", file)
        trail = self.decide("--audit")
        said = self.decide("--from", file)
        self.assertEqual(said, "0 decisions, 2 known before\n")
        self.assertEqual(self.decide("--audit"), trail)
        self.decide("--from", file, "--dry-run")
        file.write_text(lines + "Ada Lovelace,tiled_matmul,9,late,\n")
        self.assertIn("1 decision, 2 known before", self.decide("--from", file))
        self.assertEqual((self.grades()["=cmd()"]["Points"], self.grades()["Ada Lovelace"]["Points"]), ("4", "9"))

    def test_a_very_long_cell_is_read_by_pythons_csv(self):
        self.decide("Ada Lovelace", "tiled_matmul", "--comment", "x" * 120_000)
        comment = self.grades()["Ada Lovelace"]["Comments"]
        self.assertLess(len(comment), 32_767)
        self.assertTrue(re.search(r"\[cut: [\d,]+ more bytes\]$", comment))


if __name__ == "__main__":
    sys.exit(graded.main())
