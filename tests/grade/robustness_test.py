#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What must not harm the grading of a class: robustness_test.py WARPLINGS-TEACH [TEST...], which tells its results as TAP.

kill -9 at random moments (5; 50 with WARPLINGS_LONG_TESTS=1), a full disk, a folder that cannot be written to, two
gradings at once. Each time the gradebook in the end is that of an undisturbed run, and nothing is left behind.
"""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback

from small_class import gradebook, make_class

STUDENTS = 12


class Skip(Exception):
    pass


class Tests:
    def __init__(self, teach, folder):
        self.teach, self.folder = teach, folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir()
        self.environment = dict(os.environ, XDG_CACHE_HOME=f"{folder}/cache", XDG_STATE_HOME=f"{folder}/state",
                                CUDA_VISIBLE_DEVICES="", TMPDIR=str(self.temporary))
        make_class(folder / "class", STUDENTS, every=4)
        start = time.monotonic()
        run = self.grade("whole")
        assert run.returncode == 0, run.stdout + run.stderr
        self.seconds = time.monotonic() - start
        self.expected = gradebook(folder / "whole")
        assert len(self.expected[1]) == STUDENTS, len(self.expected[1])

    def command(self, out):
        return [self.teach, "grade", self.folder / "class", "--out", self.folder / out, "--seed", "7", "--device", "virtual"]

    def grade(self, out, *before):
        return subprocess.run([*before, *self.command(out)], env=self.environment, capture_output=True, text=True,
                              timeout=300)

    def start(self, out):
        return subprocess.Popen(self.command(out), env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def as_undisturbed(self, out):
        """The next run ends well, with the same gradebook and grades, and leaves nothing else."""
        run = self.grade(out)
        assert run.returncode == 0, run.stdout + run.stderr
        assert gradebook(self.folder / out) == self.expected
        assert (self.folder / out / "grades.csv").read_text() == (self.folder / "whole/grades.csv").read_text()
        names = [{str(path.relative_to(self.folder / each)) for path in (self.folder / each).rglob("*")}
                 for each in ("whole", out)]
        assert names[0] == names[1], names[0] ^ names[1]
        assert not list(self.temporary.iterdir()), list(self.temporary.iterdir())

    def ours(self):
        """Processes that were started below our folder."""
        wanted, found = f"TMPDIR={self.temporary}".encode(), []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if wanted in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_bytes())
            except OSError:
                continue
        return found

    def test_kill_at_random_moments(self):
        kills = 50 if os.environ.get("WARPLINGS_LONG_TESTS") else 5
        seed = int(time.time())
        random_ = random.Random(seed)
        counts, classes = {"killed": 0, "had ended": 0}, 0
        # Without what the first run has compiled: it is killed while it compiles, too.
        self.environment["XDG_CACHE_HOME"] = f"{self.folder}/second_cache"
        for _ in range(kills):
            out = f"killed{classes}"
            program = self.start(out)
            try:
                # Mostly early, where more is under way; now and then while tables and pages are written, or too late.
                program.wait(timeout=random_.uniform(0.01, random_.choice((0.4, 0.4, 1.2)) * self.seconds))
            except subprocess.TimeoutExpired:
                # The one that supervises, or the one below it that does the work.
                children = pathlib.Path(f"/proc/{program.pid}/task/{program.pid}/children").read_text().split()
                victim = int(children[0]) if children and random_.random() < 0.4 else program.pid
                os.kill(victim, signal.SIGKILL)
                counts["killed"] += 1
            ended = program.wait()
            if ended == 0:
                # A class that is graded to its end has nothing more to lose: the next kill meets a new one.
                counts["had ended"] += 1
                self.as_undisturbed(out)
                classes += 1
        self.as_undisturbed(f"killed{classes}")
        print(f"# {kills} kills with seed {seed}: {counts}, {classes + 1} classes")
        assert counts["killed"] >= kills // 2, counts
        end = time.monotonic() + 5
        while self.ours() and time.monotonic() < end:
            time.sleep(0.1)
        assert not self.ours(), self.ours()

    def in_namespace(self, *options):
        """A command that runs another one with other file systems in places of its own."""
        if shutil.which("bwrap") is None:
            raise Skip("bubblewrap is not installed")
        command = ["bwrap", "--dev-bind", "/", "/", *map(str, options), "--"]
        if (run := subprocess.run([*command, "true"], capture_output=True, text=True)).returncode != 0:
            raise Skip(f"bubblewrap cannot do this here: {run.stderr.strip()}")
        return command

    def test_a_full_disk_loses_nothing(self):
        out, copy = self.folder / "full", self.folder / "full_copy"
        out.mkdir()
        bwrap = self.in_namespace("--size", str(96 << 10), "--tmpfs", out)
        script = 'copy=$1; out=$2; shift 2; "$@"; status=$?; cp -r "$out/." "$copy"; exit $status'
        copy.mkdir()
        run = self.grade("full", *bwrap, "sh", "-c", script, "sh", copy, out)
        assert run.returncode in (2, 3), run.stdout + run.stderr
        assert "Free some" in run.stderr, run.stderr
        (copy / ".lock").unlink(missing_ok=True)
        self.as_undisturbed("full_copy")

    def test_a_folder_that_cannot_be_written_to_is_named(self):
        out = self.folder / "read_only"
        shutil.copytree(self.folder / "whole", out)
        before = {path: path.stat().st_mtime_ns for path in out.rglob("*")}
        run = self.grade("read_only", *self.in_namespace("--ro-bind", out, out))
        assert run.returncode == 2, run.stdout + run.stderr
        assert "cannot write" in run.stderr and "read_only" in run.stderr, run.stderr
        assert "--out" in run.stderr, run.stderr
        assert before == {path: path.stat().st_mtime_ns for path in out.rglob("*")}
        self.as_undisturbed("read_only")

    def test_files_that_a_killed_run_had_begun_are_removed(self):
        out = self.folder / "begun"
        shutil.copytree(self.folder / "whole", out)
        page = next((out / "report/students").glob("*.html"))
        begun = [out / "grades.csv.part-a1B2c3", out / "gradescope/student_00/results.json.part-a1B2c3", page.with_name("x.html.part"),
                 out / "report/.drawn.json.part"]
        own = [out / "grades.csv.backup", out / "report/notes.txt"]
        for file in begun + own:
            file.write_text("half")
        assert self.grade("begun").returncode == 0
        assert not [file for file in begun if file.exists()]
        assert not [file for file in own if not file.exists()]

    def test_two_at_once(self):
        first = self.start("twice")
        end = time.monotonic() + 60
        while not (self.folder / "twice/gradebook.sqlite").exists() and time.monotonic() < end:
            time.sleep(0.01)
        # For good: the second one waits some seconds for a killed one's last processes.
        first.send_signal(signal.SIGSTOP)
        children = pathlib.Path(f"/proc/{first.pid}/task/{first.pid}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGSTOP)
        second = self.grade("twice")
        for process in [*map(int, children), first.pid]:
            os.kill(process, signal.SIGCONT)
        assert second.returncode == 2, second.stdout + second.stderr
        assert "is writing to" in second.stderr, second.stderr
        assert first.wait(timeout=300) == 0
        self.as_undisturbed("twice")


def main():
    tests = [name for name in vars(Tests) if name.startswith("test_")]
    wanted = [name for name in tests if len(sys.argv) < 3 or name in sys.argv[2:]]
    print(f"1..{len(wanted)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="warplings-robustness-") as temporary:
        all_ = Tests(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(temporary))
        print(f"# undisturbed: {all_.seconds:.1f} s", flush=True)
        for number, name in enumerate(wanted, 1):
            start = time.monotonic()
            try:
                getattr(all_, name)()
                print(f"ok {number} - {name}", flush=True)
            except Skip as why:
                print(f"ok {number} - {name} # SKIP {why}", flush=True)
            except Exception:
                print(f"not ok {number} - {name}", flush=True)
                print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), flush=True)
            print(f"# {time.monotonic() - start:.1f} s", flush=True)


main()
