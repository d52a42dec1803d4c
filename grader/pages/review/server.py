# SPDX-License-Identifier: Apache-2.0
"""Serves the pages of `warplings review`: server.py PORT AUTHOR, which that command starts and answers.

What is decided, stored and refused is the command's business (grader/pipeline/review_session.h): this program asks it by lines of
JSON on standard output, reads the answers from standard input, and ends when that is closed.

Python's http.server is no server for the network, and this is none: it listens on 127.0.0.1 alone. Who asks needs the key, which
is part of the address, so that no cookie is sent to other servers of this machine. A name that another server resolves to this
machine (DNS rebinding) has the wrong Host. Changes need the Origin of these pages, too, and a body of JSON, which a browser sends
across origins only after it has asked. Nothing is read that is longer than its budget.
"""
import collections
import errno
import hmac
import http.server
import json
import os
import pathlib
import queue
import secrets
import signal
import socketserver
import sys
import threading
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "class")]
import class_report  # noqa: E402
import pages  # noqa: E402
import summary  # noqa: E402

SCRIPT = HERE / "review.js"
# Of the list of students.
TABLE = HERE.parent / "class" / "class_table.js"
LONGEST_BODY = 64 * 1024
MOST_AT_ONCE = 16
# Of the script.
WORDS = {"saved": "Saved.", "failed": "Not saved: the review has ended, or this machine does not answer. Your text is still here.",
         "theirs": "Theirs:", "point": "{n} point", "points": "{n} points", "unsaved": "Saving…", "stop": "."}
WRONG_USAGE = 2
# Of these pages, beside their script's.
POLICY = "; connect-src 'self'; form-action 'none'; base-uri 'none'"


def is_untouched(cell):
    """Nothing was handed in, and nobody has said anything about it."""
    return cell["state"] == "missing" and not (cell["regrade"] or cell["changes"] or cell["comments"] or cell["reviewed"])


def is_to_review(cell):
    """Something was handed in, or was there when it was reviewed."""
    return cell["state"] != "missing" or cell["reviewed"] is not None


def is_reviewed(cell):
    return cell["reviewed"] is not None and not cell["reviewed"]["outdated"]


def is_open(cell):
    return is_to_review(cell) and not is_reviewed(cell)


def differs(cell):
    """Whether a rule or a decision gave other points than the grader."""
    return cell["has_points"] and cell["points"] != cell["automatic"]


def count_in_words(students, t):
    """How many are reviewed, each exercise of each student counted; others than the roster's students apart."""
    def counted(is_others):
        cells = [cell for student in students if bool(student.get("unmatched")) == is_others
                 for cell in student["cells"] if is_to_review(cell)]
        return {"n": sum(map(is_reviewed, cells)), "m": len(cells)}

    said, others = t("{n} of {m} reviewed", **counted(False)), counted(True)
    return said + t("; {n} of {m} from entries that are not in the roster", **others) if others["m"] else said


class Ended(Exception):
    """Nobody answers any more."""


class Command:
    """The command that started this program, asked by one thread at a time."""

    def __init__(self):
        self._lock, self._answers = threading.Lock(), queue.Queue()
        self.when_ended = lambda: os._exit(0)
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in sys.stdin:
            self._answers.put(json.loads(line))
        self._answers.put(None)
        self.when_ended()

    def ask(self, question):
        with self._lock:
            self.tell(question)
            answer = self._answers.get()
            if answer is None:
                self._answers.put(None)
                raise Ended
            return answer

    @staticmethod
    def tell(what):
        try:
            print(json.dumps(what), flush=True)
        except OSError as fault:
            raise Ended from fault


class Review:
    """The class as the command last told it, and its pages."""

    def __init__(self, command, author):
        self._command, self._author, self._lock = command, author, threading.RLock()
        self.follow()

    def follow(self):
        """Somebody else may have decided, or graded again."""
        with self._lock:
            told = self._command.ask({"do": "class"})
            if "class" in told:
                self._data, self._versions = told["class"], told["versions"]
                self._env, self.t = class_report.environment(self._data, HERE, styles=[HERE / "review.css"])
                self._exercises = class_report.anchored(self._data["exercises"])
                self._env.tests.update(reviewed=is_reviewed, to_review=is_to_review, differs=differs)
                self._env.filters["changes"] = class_report.changes_of
                words = {name: self.t(text) for name, text in WORDS.items()}
                self._env.globals.update(
                    author=self._author, version_of=lambda *place: self._versions.get("|".join(place), ""),
                    policy=pages.policy(SCRIPT) + POLICY,
                    script=pages.script({"words": words}, SCRIPT))

    def next_open(self, page, anchor):
        """The place, as in an address, of the next exercise of a student that is not reviewed; "" if there is none.

        First those of the same exercise, from the student with this page on and then from the first again; then those of the
        exercises that follow.
        """
        with self._lock:
            self.follow()
            students = self._data["students"]
            number = self._number_of(page) or 0
            here = next((i for i, each in enumerate(self._exercises) if each["anchor"] == anchor), None)
            start, count = here or 0, len(self._exercises)
            found = min((((i - start) % count, (each - number) % len(students) if i == here else each, each, i)
                         for each, student in enumerate(students) for i, cell in enumerate(student["cells"])
                         if is_open(cell) and (each, i) != (number, here)), default=None)
            if found is None:
                return ""
            _, _, each, i = found
            return f"students/{urllib.parse.quote(students[each]['page'])}.html#{urllib.parse.quote(self._exercises[i]['anchor'])}"

    def index(self, only_open=False):
        """`only_open`: only the students of whom something is not reviewed."""
        with self._lock:
            self.follow()
            unfinished = [each for each in self._data["students"] if any(map(is_open, each["cells"]))]
            requests = [(student, exercise, cell["regrade"]) for student in self._data["students"]
                        for exercise, cell in zip(self._exercises, student["cells"])
                        if cell["regrade"] and cell["regrade"]["open"]]
            students = unfinished if only_open else self._data["students"]
            has_marks = summary.is_begun(self._data["students"])
            flags = {each["page"]: [flag for flag, holds in summary.flags_of(each, has_marks).items() if holds] for each in students}
            words = {name: self.t(text) for name, text in class_report.SCRIPT_WORDS.items()}
            return self._env.get_template("review_index.html.j2").render(
                exercises=self._exercises, requests=requests, students=students, flags=flags,
                counts=collections.Counter(flag for each in flags.values() for flag in each),
                sections=sorted({each["section"] for each in students if each["section"]}),
                script=pages.script({"words": words}, TABLE), policy=pages.policy(TABLE) + POLICY, only_open=only_open,
                differs=any(differs(each) for student in students for each in student["cells"]),
                is_finished=not unfinished, count=count_in_words(self._data["students"], self.t))

    def _number_of(self, page):
        return next((number for number, each in enumerate(self._data["students"]) if each["page"] == page), None)

    def student(self, page):
        with self._lock:
            self.follow()
            number = self._number_of(page)
            if number is None:
                return None
            students = self._data["students"]
            cells = students[number]["cells"]
            exercises = range(len(self._exercises))
            return self._env.get_template("review_student.html.j2").render(
                student=students[number],
                sections=[self._section(number, each) for each in exercises if not is_untouched(cells[each])],
                missing=[self._section(number, each) for each in exercises if is_untouched(cells[each])],
                untouched=[self._exercises[each]["id"] for each in exercises if is_untouched(cells[each])],
                before=class_report.neighbour(students, number - 1), after=class_report.neighbour(students, number + 1),
                count=count_in_words(self._data["students"], self.t))

    def _section(self, number, exercise):
        """What a page shows of a student's exercise."""
        students = self._data["students"]
        cell = students[number]["cells"][exercise]
        others = [student["page"] for student in students[number + 1:] if student["cells"][exercise]["state"] != "missing"]
        holders = collections.Counter(item["id"] for student in students for item in student["cells"][exercise]["rubric"])
        verdict = (class_report.entry(self._data, self._exercises[exercise], cell, self.t) if cell["state"] != "missing"
                   else {"colour": "warn", "words": self.t("missing")})
        return pages.Markup(self._env.get_template("review_exercise.html.j2").render(
            student=students[number], exercise=self._exercises[exercise], cell=cell, verdict=verdict, holders=holders,
            other=others[0] if others else None))

    def decide(self, asked):
        """(status, answer) for what a page sent."""
        known = ("action", "author", "student", "who", "exercise", "test", "line", "points", "text", "seen", "of", "removes",
                 "beyond")
        question = {name: asked[name] for name in known if name in asked} | {"do": "decide"}
        if question.get("removes") is True and not question.get("text"):
            question["text"] = "removed"
        if not question.get("author"):
            question["author"] = self._author
        with self._lock:
            answer = self._command.ask(question)
            if answer["status"] != 200:
                return answer["status"], answer
            self._take_in(answer)
            name = "key" if asked.get("who") else "name"
            number = next(number for number, each in enumerate(self._data["students"])
                          if each[name] == asked["who" if name == "key" else "student"])
            student = self._data["students"][number]
            return 200, {"html": self._section(number, answer["exercise"]), "points": self._env.filters["points"](student["points"]),
                         "count": count_in_words(self._data["students"], self.t)}

    def _take_in(self, answer):
        for student in answer["students"]:
            self._data["students"][student["number"]] = student["data"]
        # What is drawn of an exercise is a copy with an anchor.
        for each in (self._data["exercises"], self._exercises):
            each[answer["exercise"]]["rubric"] = answer["rubric"]
        self._versions.update(answer["versions"])


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 20  # Of who connects and says nothing.
    server_version, sys_version = "warplings", ""

    def log_message(self, *_):
        """The terminal is the command's."""

    def _send(self, status, kind, text, **headers):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        for name, value in {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff",
                            "Content-Security-Policy": "frame-ancestors 'none'", "Cross-Origin-Opener-Policy": "same-origin",
                            "Cross-Origin-Resource-Policy": "same-origin", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self, status, why):
        self.close_connection = True
        self._send(status, "text/plain", why + "\n")

    def _place(self):
        """What is asked for, below the key; None, and an answer, where it may not be."""
        if self.headers.get("Host", "") not in self.server.hosts:
            self._refuse(403, "This address is not the review's.")
            return None
        path = urllib.parse.unquote(self.path.split("?", 1)[0])
        key, _, place = path.removeprefix("/").partition("/")
        if not hmac.compare_digest(key.encode(), self.server.key.encode()):
            self._refuse(403, "This address lacks the review's key. Take the whole address that `warplings review` printed.")
            return None
        return place

    def do_GET(self):
        place = self._place()
        if place is None:
            return
        try:
            page = None
            if place == "next" or place.startswith("next/"):
                self._go_on(place)
                return
            if place == "":
                page = self.server.review.index(self.path.partition("?")[2] == "not-reviewed")
            elif place.startswith("students/") and place.endswith(".html"):
                page = self.server.review.student(place.removeprefix("students/").removesuffix(".html"))
        except Ended:
            self._refuse(503, "The review has ended.")
            return
        if page is None:
            self._refuse(404, "There is no such page.")
        else:
            self._send(200, "text/html", page)

    def _go_on(self, place):
        """From next/STUDENT/EXERCISE, or from the beginning, to what is not reviewed when it is asked for."""
        _, page, anchor, *_ = [*place.split("/"), "", ""]
        target = self.server.review.next_open(page, anchor)
        self._send(303, "text/plain", "", Location=f"/{self.server.key}/{target}")

    def do_POST(self):
        place = self._place()
        if place is None:
            return
        if self.headers.get("Origin", "") not in [f"http://{host}" for host in self.server.hosts]:
            self._refuse(403, "Only the review's own pages can decide.")
            return
        if self.headers.get("Content-Type", "").split(";")[0].strip().lower() != "application/json" or place != "decide":
            self._refuse(404, "There is nothing to decide here.")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit() or "Transfer-Encoding" in self.headers:
            self._refuse(411, "The length is missing.")
            return
        if len(length) > 9 or int(length) > LONGEST_BODY:
            self._refuse(413, f"More than {LONGEST_BODY} bytes.")
            return
        try:
            asked = json.loads(self.rfile.read(int(length)))
            status, answer = self.server.review.decide(asked if isinstance(asked, dict) else {})
            self._send(status, "application/json", json.dumps(answer))
        except (ValueError, RecursionError, KeyError, StopIteration):
            self._refuse(400, "This is not a decision.")
        except Ended:
            self._refuse(503, "The review has ended.")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, block_on_close, request_queue_size = True, False, 64

    def __init__(self, port, review):
        super().__init__(("127.0.0.1", port), Handler)
        self.review, self.key, self._free = review, secrets.token_urlsafe(24), threading.BoundedSemaphore(MOST_AT_ONCE)
        self.hosts = [f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")]

    def server_bind(self):
        """Without asking who 127.0.0.1 is, which may go over the network."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]

    def process_request(self, request, client_address):
        self._free.acquire()
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free.release()

    def handle_error(self, request, client_address):
        """Who hangs up is no fault."""
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def main():
    # Ctrl-C reaches every program of a terminal: the command decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    command = Command()
    try:
        review = Review(command, sys.argv[2])
        server = Server(int(sys.argv[1]), review)
        command.when_ended = server.shutdown
        command.tell({"do": "ready", "address": f"http://127.0.0.1:{server.server_port}/{server.key}/"})
        server.serve_forever(poll_interval=0.1)
    except Ended:
        pass
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            print(f"warplings: port {sys.argv[1]} is taken\nChoose another with --port, or leave it out.", file=sys.stderr)
        else:
            print(f"warplings: 127.0.0.1:{sys.argv[1]}: {fault.strerror}", file=sys.stderr)
        sys.exit(WRONG_USAGE)


if __name__ == "__main__":
    main()
