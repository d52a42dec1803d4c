#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`warplings review` as a browser, and as an attacker, would talk to it: review_test.py PROGRAM."""
import csv
import http.client
import io
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

import graded

EXERCISE = "01_boundary_checks/tiled_matmul"
LONGEST_BODY = 64 * 1024


class Served:
    """A running review."""

    def __init__(self, test, *arguments):
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "USER": "grace", "CUDA_VISIBLE_DEVICES": ""}
        # pylint: disable-next=consider-using-with
        self.process = subprocess.Popen([graded.PROGRAM, "review", "out", *arguments], cwd=test.scratch, env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        test.addCleanup(self.process.kill)
        self.first = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/([\w-]{32,})/$", self.first.strip())
        if not found:
            test.fail(self.first + self.process.communicate(timeout=60)[1])
        self.port, self.key = int(found[1]), found[2]
        self.host = f"127.0.0.1:{self.port}"

    def leads_to(self, place):
        """Where below the key an address leads on."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("GET", f"/{self.key}/{place}")
        answer = connection.getresponse()
        there = answer.getheader("Location")
        connection.close()
        if answer.status != 303 or not there.startswith(f"/{self.key}/") or answer.getheader("Set-Cookie"):
            raise AssertionError(f"{place}: {answer.status}, {answer.getheaders()}")
        return there.removeprefix(f"/{self.key}/")

    def call(self, method, place, body=None, key=None, **headers):
        """(status, text); `headers` with "_" for "-", None for one that is left out."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        sent = {"Host": self.host} | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.putrequest(method, f"/{self.key if key is None else key}/{place}", skip_host=True, skip_accept_encoding=True)
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def post(self, body, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.call("POST", "decide", data, **{"Origin": f"http://{self.host}", "Content_Type": "application/json",
                                                    "Content_Length": str(len(data)), **headers})

    def decide(self, action, **more):
        status, text = self.post({"action": action, "student": "Ada Lovelace", "exercise": EXERCISE, "seen": "", **more})
        return status, json.loads(text)

    def stop(self):
        """As Ctrl-C in a terminal, which reaches every program of it."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()

    def wait(self):
        out, err = self.process.communicate(timeout=120)
        return self.process.returncode, out + err


class Reviews(graded.GradedClass):
    def setUp(self):
        super().setUp()
        self.hand_in("Ada Lovelace", graded.solution())
        self.hand_in("<b>Eve", graded.mutant("01_boundary_checks/tiled_matmul.m_load_unguarded"))
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out, "--seed", "7")

    def trail(self):
        return list(csv.DictReader(io.StringIO(self.run_program("override", "out", "--audit"))))

    def test_an_interrupted_grading_is_said(self):
        with sqlite3.connect(self.out / "gradebook.sqlite") as connection:
            connection.execute("DELETE FROM results WHERE rowid IN (SELECT rowid FROM results LIMIT 1)")
        said = " ".join(Served(self).stop()[1].split())
        self.assertEqual(said.count("out: the grading was interrupted; the files of 1 student are not all graded yet"), 1)
        self.assertIn(" grade class tiled_matmul --out out", said)
        self.assertIn("grades.csv and the pages are up to date", said)
        # As where the first grading was interrupted.
        (self.out / "grades.csv").unlink()
        said = " ".join(Served(self).stop()[1].split())
        self.assertIn("0 decisions made; grades.csv and the pages are written when the grading is finished", said)

    def test_points_of_an_earlier_file_are_marked_until_they_are_saved_again(self):
        review = Served(self)
        sign = 'title="its points were decided for an earlier file">↻'
        self.assertNotIn("*: other points than the grader gave", review.call("GET", "")[1])
        self.assertEqual(review.decide("item", points="-2", text="No comment")[0], 200)
        self.assertEqual(review.decide("mark", test="1")[0], 200)
        status, answer = review.decide("points", points="4", text="oral")
        self.assertEqual(status, 200)
        index = review.call("GET", "")[1]
        self.assertNotIn("for an earlier file", answer["html"] + index)
        # As the report's table marks it.
        self.assertIn("<dt>*</dt><dd>other points than the grader gave", index)
        self.assertIn(">4*", index)
        # What it replaces is no change of its own: the changes add up.
        self.assertIn("−6: oral", answer["html"])
        review.stop()
        self.hand_in("Ada Lovelace", graded.solution() + "// once more\n")
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out)
        review = Served(self)
        index = review.call("GET", "")[1]
        self.assertEqual(index.count(sign), 1)
        self.assertIn('data-flags="changed outdated"', index)
        page = review.call("GET", re.search(r'href="(students/Ada[^"]*)"', index)[1])[1]
        self.assertIn("were decided for an earlier file. To keep them, save them again", page)
        seen = dict(re.findall(r'data-action="(points|mark)"[^>]*data-seen="(\w+)"', page))
        self.assertEqual(review.decide("points", points="4", text="oral", seen=seen["points"])[0], 200)
        status, answer = review.decide("mark", test="1", seen=seen["mark"], removes=True)
        self.assertEqual(status, 200)
        self.assertNotIn("for an earlier file", answer["html"] + review.call("GET", "")[1])

    def test_a_cell_has_one_sign_of_an_earlier_file(self):
        review = Served(self)
        page = review.call("GET", re.search(r'href="(students/Ada[^"#]*)', review.call("GET", "")[1])[1])[1]
        of = re.search(r'data-of="(\w{64})"', page)[1]
        self.assertEqual(review.decide("points", points="4", text="oral")[0], 200)
        self.assertEqual(review.decide("reviewed", student="Ada Lovelace", of=of)[0], 200)
        review.stop()
        self.hand_in("Ada Lovelace", graded.solution() + "// once more\n")
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out)
        index = Served(self).call("GET", "")[1]
        self.assertIn("changed since it was reviewed", index)
        self.assertEqual(index.partition("</dl>")[2].count("↻</strong>"), 1, "below the legend")

    def test_why_an_item_cannot_be_ticked_is_said(self):
        self.hand_in("Bob", "I was ill.", "notes.txt")
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out)
        review = Served(self)
        why = "No item can be ticked here yet: this exercise has no points that it could change. Set its points first."
        bobs = re.search(r'href="(students/Bob[^"]*?)[#"]', review.call("GET", "")[1])[1]
        self.assertNotIn(why, review.call("GET", bobs)[1])
        status, answer = review.decide("item", points="-2", text="No comment")
        self.assertEqual(status, 200)
        self.assertNotIn(why, answer["html"])
        self.assertIn(why, review.call("GET", bobs)[1])
        status, answer = review.decide("points", student="Bob", points="4", text="oral")
        self.assertEqual(status, 200)
        self.assertNotIn(why, answer["html"])

    def test_items_of_an_earlier_file_are_named_until_points_are_given_anew(self):
        review = Served(self)
        self.assertEqual(review.decide("item", points="-2", text="No comment")[0], 200)
        self.assertEqual(review.decide("mark", test="1")[0], 200)
        review.stop()
        self.hand_in("Ada Lovelace", graded.solution() + "// once more\n")
        grade = ("grade", "class", "tiled_matmul", "--out", self.out)
        said = " ".join(self.run_program(*grade).split())
        self.assertIn("Ada Lovelace, tiled_matmul: items of the rubric were ticked for an earlier file (No comment); "
                      "the points are 8, and the grader now gives 10", said)
        self.assertIn("To keep an item, untick it there and tick it again; else untick it.", said)
        self.assertNotIn("To keep points", said)
        review = Served(self)
        page = review.call("GET", re.search(r'href="(students/Ada[^"]*)"', review.call("GET", "")[1])[1])[1]
        self.assertIn("↻ Items of the rubric were ticked for an earlier file: No comment. To keep an item, untick it", page)
        # Points replace the rubric: whoever gives them has seen the new file.
        status, answer = review.decide("points", points="8", text="looked at it")
        self.assertEqual(status, 200)
        self.assertNotIn("for an earlier file", answer["html"] + review.call("GET", "")[1])
        review.stop()
        self.assertNotIn("earlier file", self.run_program(*grade))

    def test_what_is_saved_is_a_decision_and_outlives_the_end(self):
        review = Served(self, "--author", "Grace")
        status, index = review.call("GET", "")
        self.assertEqual(status, 200)
        self.assertIn("<bdi>&lt;b&gt;Eve</bdi>", index)
        page = re.search(r'href="(students/Ada[^"]*)"', index)[1]
        status, text = review.call("GET", page)
        self.assertEqual(status, 200)
        self.assertIn("tiled_matmul_kernel", text)
        self.assertRegex(text, r"Tests passed: (\d+) of \1</summary>")
        status, answer = review.decide("comment", line="3", text="<script>alert(1)</script>", author="Hopper")
        self.assertEqual(status, 200, answer)
        self.assertIn("&lt;script&gt;alert(1)&lt;/script&gt;", answer["html"])
        self.assertEqual(review.decide("item", points="-2", text="No comment")[0], 200)
        status, answer = review.decide("mark", test="1")
        self.assertEqual((status, answer["points"]), (200, "8"))
        self.assertIn("checked", answer["html"])
        # It is there at once, before anything ends.
        self.assertEqual([(line["Kind"], line["Author"], line["After"]) for line in self.trail()],
                         [("line", "Hopper", "<script>alert(1)</script>"),
                          ("item", "Grace", "No comment (-2 points)"), ("mark", "Grace", "holds")])
        status, said = review.stop()
        self.assertEqual(status, 0, said)
        self.assertIn("3 decisions made", said)
        listed = self.run_program("override", "out", "--list")
        self.assertIn("01_boundary_checks/tiled_matmul: item 'No comment' (-2 points) (Grace, ", listed)
        self.assertIn("Ada Lovelace, 01_boundary_checks/tiled_matmul: item 'No comment' (-2 points) (Grace, ", listed)
        line = self.grades()["Ada Lovelace"]
        self.assertEqual((line["Points"], line["Automatic points"]), ("8", "10"))
        self.assertIn("line 3: <script>alert(1)</script>", line["Comments"])
        self.assertIn("No comment (-2)", line["Changes"])
        [published] = (self.out / "report" / "students").glob("Ada*.html")
        text = published.read_text(encoding="utf-8")
        self.assertRegex(text, '<div class="note comment"><a class="at" href="[^"]*">line 3</a> <strong>Hopper</strong> '
                               '<span class="written">&lt;script&gt;')
        self.assertIn("<li>No comment (−2)</li>", text)
        self.assertIn("line 3", json.loads(next((self.out / "gradescope").glob("Ada*/results.json")).read_text())["tests"][0]["output"])
        # And by override, whose decisions are the same ones.
        self.assertIn("3 decisions", self.run_program("override", "out", "--list"))
        self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--comment", "Why?", "--line", "4")
        self.assertIn("is not a line of the graded file",
                      self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--comment", "Why?", "--line", "4000", status=2))

    def test_of_two_of_one_name_each_has_a_page_that_saves(self):
        (self.scratch / "course.toml").write_text(
            '[course]\ntitle = "GPUs"\nroster = "roster.csv"\n[[assignment]]\nid = "week1"\nwhat = ["tiled_matmul"]\n', encoding="utf-8")
        (self.scratch / "roster.csv").write_text("name,id,login\nMax Müller,103,m1\nMax Müller,104,m2\nEve,105,eve\n", encoding="utf-8")
        for login in ("m1", "m2", "eve"):
            self.hand_in(f"../again/{login}", graded.solution())
        self.run_program("grade", "again", "--out", "out2", "--seed", "7", "--course", "course.toml", "--assignment", "week1")
        self.out.rename(self.scratch / "former")
        (self.scratch / "out2").rename(self.out)
        review = Served(self)
        index = review.call("GET", "")[1]
        self.assertIn('<bdi>Max Müller (2)</bdi> <span class="soft">m2</span>', index)
        self.assertIn("<bdi>Eve</bdi></a>", index)
        for page, login in (re.search(r'href="(students/Max[^"]*)"[^>]*><bdi>[^<]*</bdi> <span class="soft">(m\d)<', line).groups()
                            for line in index.splitlines() if 'scope="row"' in line and "Max" in line):
            text = review.call("GET", page)[1]
            self.assertIn(f'</bdi> <span class="soft">{login}</span></h1>', text)
            name, who = re.search(r'data-student="([^"]*)" data-who="([^"]*)"', text).groups()
            status, answer = review.decide("comment", student=name, who=who, text=f"To {login}.")
            self.assertEqual(status, 200, answer)
            self.assertIn(f"To {login}.", answer["html"])
            # What was saved is what the page has seen.
            seen = re.search(r'data-action="comment" data-seen="([^"]+)"', review.call("GET", page)[1])[1]
            self.assertEqual(review.decide("comment", student=name, who=who, seen=seen, text=f"Again to {login}.")[0], 200)
        self.assertEqual(review.stop()[0], 0)
        listed = self.run_program("override", "out", "--list")
        for number, login in (("", "m1"), (" (2)", "m2")):
            self.assertIn(f"Max Müller{number} <{login}>, {EXERCISE}: comment: Again to {login}.", listed)

    def test_killed_it_has_lost_nothing(self):
        review = Served(self)
        self.assertEqual(review.decide("comment", text="Kept.")[0], 200)
        review.process.kill()
        review.wait()
        # Nobody serves any more, either.
        for _ in range(100):
            with socket.socket() as tried:
                if tried.connect_ex(("127.0.0.1", review.port)) != 0:
                    break
            time.sleep(0.1)
        else:
            self.fail("the pages are still served")
        self.assertIn("Kept.", self.run_program("override", "out", "--list"))
        self.assertEqual(self.trail()[0]["Author"], "grace")
        again = Served(self)
        self.assertEqual(again.decide("points", points="7", text="oral")[0], 200)
        again.process.terminate()
        self.assertEqual(again.wait()[0], 0)
        self.assertEqual(self.grades()["Ada Lovelace"]["Points"], "7")

    def test_nobody_replaces_what_another_wrote(self):
        one, other = Served(self, "--author", "Grace"), Served(self, "--author", "Alan")
        self.assertEqual(one.decide("comment", text="Well done.")[0], 200)
        status, answer = other.decide("comment", text="Poor.")
        self.assertEqual((status, answer["theirs"]["text"], answer["theirs"]["author"]), (409, "Well done.", "Grace"))
        self.assertEqual(other.decide("comment", text="Fair.", seen=answer["version"])[0], 200)
        # Beside override, too.
        self.run_program("override", "out", "Ada Lovelace", "tiled_matmul", "--points", "6", "--reason", "oral", "--author", "Linus")
        status, answer = one.decide("points", points="7", text="oral")
        self.assertEqual((status, answer["theirs"]["author"]), (409, "Linus"))
        self.assertEqual((answer["theirs"]["gives"], answer["theirs"]["text"]), ("6", "oral"))
        _, page = one.call("GET", "students/Ada_Lovelace.html")
        self.assertIn("Fair.", page)
        self.assertIn('value="6"', page)
        # Many at once: one of them is first, and all others are told.
        answers = []
        threads = [threading.Thread(target=lambda number=number: answers.append(one.decide("comment", line="2", text=f"by {number}")))
                   for number in range(24)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(status for status, _ in answers), [200] + 23 * [409])
        self.assertEqual([each.stop()[0] for each in (one, other)], [0, 0])

    def test_it_leads_to_what_is_not_reviewed(self):
        review = Served(self)
        ada, eve = sorted(set(re.findall(r'href="(students/[^"]*#[^"]*)"', review.call("GET", "")[1])))
        for page, student, other in ((ada, "Ada Lovelace", eve), (eve, "<b>Eve", "")):
            of = re.search(r'data-of="(\w{64})"', review.call("GET", page.partition("#")[0])[1])[1]
            self.assertEqual(review.decide("reviewed", student=student, of="0" * 64)[0], 400, "that is another file")
            here = "next/" + page.removeprefix("students/").replace(".html#", "/")
            self.assertEqual(review.leads_to(here), other)
            status, answer = review.decide("reviewed", student=student, of=of)
            self.assertEqual(status, 200, answer)
            self.assertEqual(review.leads_to(here), other)
        self.assertEqual(answer["count"], "2 of 2 reviewed")
        # Whatever is asked for, it leads only to pages of the review.
        for place in ("next", "next/", "next/x", "next//y/z", "next/%0d%0aSet-Cookie:%20x/%0d%0a", "next/%ff/../..",
                      "next/http://x.example/y"):
            self.assertEqual(review.leads_to(place), "", place)
        self.assertEqual([(line["Kind"], line["Author"], line["After"]) for line in self.trail()], 2 * [("reviewed", "grace", "reviewed")])
        # No page of the class tells the student, and none is older for it.
        self.assertEqual(review.stop()[0], 0)
        for page in (self.out / "report").rglob("*.html"):
            self.assertNotIn("eviewed", page.read_text(encoding="utf-8"), page)

    def test_an_oral_exam_gets_points_without_a_file(self):
        self.hand_in("Zoe", "notes", "notes.txt")
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out, "--seed", "7")
        review = Served(self)
        self.assertIn('href="students/Zoe.html#01_boundary_checks-tiled_matmul" aria-label="tiled_matmul: not handed in"',
                      review.call("GET", "")[1])
        page = review.call("GET", "students/Zoe.html")[1]
        self.assertRegex(page, r'<details class="missing screen-only" open><summary>Not handed in: 1\. Give points or comments')
        self.assertIn('data-action="points"', page)
        status, answer = review.decide("points", student="Zoe", points="6", text="oral exam")
        self.assertEqual((status, answer["points"]), (200, "6"))
        # Of who handed in everything there is nothing folded away.
        self.assertNotIn("Not handed in", review.call("GET", "students/Ada_Lovelace.html")[1])
        self.assertEqual(review.stop()[0], 0)
        self.assertEqual(self.grades()["Zoe"]["Points"], "6")

    def test_it_shows_the_advice_that_the_student_got(self):
        """Of a mistake without a name, too, such as a single phase."""
        text, count = re.subn(r"const int phases = [^;]*;", "const int phases = 1;", graded.solution())
        self.assertEqual(count, 1)
        self.hand_in("Zoe", text)
        self.run_program("grade", "class", "tiled_matmul", "--out", self.out, "--seed", "7")
        of_student = (self.out / "report" / "students" / "Zoe.html").read_text(encoding="utf-8")
        advice = re.findall(r'<div class="box"><p>(.*?)</p></div>', of_student, re.DOTALL)
        self.assertEqual(len(advice), 1, "no mistake without a name: choose another")
        review = Served(self)
        self.assertIn(advice[0], review.call("GET", "students/Zoe.html")[1])
        self.assertNotIn('<div class="box"><p>', review.call("GET", "students/Ada_Lovelace.html")[1])
        self.assertEqual(review.stop()[0], 0)

    def test_only_the_reviews_own_pages_may_ask(self):
        review = Served(self)
        asked = {"action": "comment", "student": "Ada Lovelace", "exercise": EXERCISE, "seen": "", "text": "attack"}
        own = f"http://{review.host}"
        refused = [
            ("no key", 403, review.call("GET", "", key="")), ("no key", 403, review.call("GET", "next", key="")),
            ("a wrong key", 403, review.call("GET", "", key=review.key[:-1] + ("-" if review.key[-1] == "_" else "_"))),
            ("a name of another machine's", 403, review.call("GET", "", Host=f"attacker.example:{review.port}")),
            ("another port's", 403, review.call("GET", "", Host="127.0.0.1:1")), ("no Host", 403, review.call("GET", "", Host=None)),
            ("a wrong key", 403, review.post(asked, key="x")), ("no Origin", 403, review.post(asked, Origin=None)),
            ("a foreign Origin", 403, review.post(asked, Origin="http://attacker.example")),
            ("a file's Origin", 403, review.post(asked, Origin="null")),
            ("another scheme", 403, review.post(asked, Origin="https" + own[4:])),
            ("a rebound name", 403, review.post(asked, Host="attacker.example", Origin="http://attacker.example")),
            ("what a form can send", 404, review.post(asked, Content_Type="text/plain")),
            ("a long body", 413, review.post(b'"' + b"x" * LONGEST_BODY + b'"')),
            ("no length", 411, review.post(asked, Content_Length=None)),
            ("a negative length", 411, review.post(asked, Content_Length="-1")),
            ("a huge length", 413, review.post(b"{}", Content_Length="9" * 30)),
            ("chunks", 411, review.post(asked, Transfer_Encoding="chunked")),
            ("no JSON", 400, review.post(b"{")), ("deep JSON", 400, review.post(b"[" * 60000)), ("no decision", 400, review.post([])),
            ("another's file", 404, review.call("GET", "students/../../../etc/passwd.html")), ("no page", 404, review.call("GET", "x")),
            ("bytes that are no text", 404, review.call("GET", "students/%ff%00.html"))]
        for what, status, answer in refused:
            self.assertEqual(answer[0], status, f"{what}: {answer}")
        self.assertEqual(self.trail(), [])
        # By the other name of this machine it may, as through a tunnel.
        local = f"localhost:{review.port}"
        self.assertEqual(review.post(asked, Host=local, Origin=f"http://{local}")[0], 200)
        # Nobody else's machine is listened to.
        listening = [line.split()[1] for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:] if line.split()[3] == "0A"]
        self.assertEqual([each for each in listening if each.endswith(f":{review.port:04X}")], [f"0100007F:{review.port:04X}"])
        # Who connects and says nothing keeps nobody else waiting.
        idle = [socket.create_connection(("127.0.0.1", review.port)) for _ in range(8)]
        self.assertEqual(review.call("GET", "")[0], 200)
        for each in idle:
            each.close()
        self.assertEqual(review.stop()[0], 0)

    def test_wrong_usage_is_said_before_anything_is_served(self):
        self.assertIn("has no gradebook", self.run_program("review", "class", status=2))
        self.assertIn("--port", self.run_program("review", "out", "--port", "80", status=2))
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            said = self.run_program("review", "out", "--port", taken.getsockname()[1], status=2)
            self.assertIn(f"port {taken.getsockname()[1]} is taken\nChoose another with --port, or leave it out.", said)
            self.assertNotIn("ended", said)


if __name__ == "__main__":
    sys.exit(graded.main())
