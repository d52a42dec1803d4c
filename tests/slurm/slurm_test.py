#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`warplings grade --on slurm` against the real Slurm: slurm_test.py WARPLINGS-TEACH, which tells its results as TAP.

A class of 40 is graded here, by slices, and by 4 tasks on two nodes of which one is killed; all gradebooks are equal. So are
those of a course's assignment. Where Slurm is not installed everything is skipped, and says so.
"""
import csv
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import traceback

import cluster

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "grade"))
from small_class import gradebook, make_class

# Points per test, late work, an extension, attempts, a roster: what only a course decides about.
COURSE = """
[course]
title = "Course"
time_zone = "Europe/Berlin"
roster = "roster.csv"

[grading]
device = "virtual:t4"
seed = 11

[late]
percent_per_day = 10

[[assignment]]
id = "week1"
what = ["tiled_matmul"]
points = 30
due = 2026-10-08T23:59:00
scoring = "per_test"
attempts = "best"

[[assignment.extension]]
student = "18"
no_deduction = true
"""
ROSTER = """name,id,login,section
Ada Lovelace,17,ada,A
Grace Hopper,18,grace,A
Alan Turing,19,alan,B
Mary Somerville,20,mary,B
Nobody Came,21,nobody,B
"""




def answer(kind, number):
    """A right or a wrong one, and no other like it."""
    file = {"right": "solutions/01_boundary_checks/tiled_matmul.cu",
            "wrong": "tests/mutants/01_boundary_checks/tiled_matmul.m_load_unguarded.cu"}[kind]
    return (pathlib.Path(__file__).resolve().parents[2] / file).read_text() + f"// {number}\n"


class Tests:
    def __init__(self, teach, folder, slurm):
        self.teach, self.folder, self.slurm = teach, folder, slurm
        self.environment = dict(slurm.environment, XDG_CACHE_HOME=f"{folder}/cache", XDG_STATE_HOME=f"{folder}/state",
                                CUDA_VISIBLE_DEVICES="", TMPDIR=f"{folder}/tmp")
        (folder / "tmp").mkdir()
        make_class(folder / "class", 40)

    def command(self, out, *more):
        return [self.teach, "grade", self.folder / "class", "--out", self.folder / out, "--seed", "7", "--device",
                "virtual", *more]

    def run(self, *command, status=0):
        run = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=300)
        assert run.returncode == status, f"{command}: {run.returncode}\n{run.stdout}\n{run.stderr}"
        return run

    def start(self, out, *more):
        return subprocess.Popen(self.command(out, "--on", "slurm", "--tasks", "4", *more), env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def progress(self, out, number):
        try:
            return int((self.folder / out / f"slices/slice-{number:04}.progress").read_text().split()[0])
        except (OSError, IndexError, ValueError):
            return 0

    def wait_for(self, condition, what, program):
        end = time.monotonic() + 120
        while not condition():
            if program.poll() is not None or time.monotonic() > end:
                program.kill()
                raise AssertionError(f"waited for {what}\n" + "\n".join(program.communicate()))
            time.sleep(0.02)

    def task_process(self, out, number):
        """The id of the program that grades this slice; it is ours, since the folder is."""
        wanted = str(self.folder / out / f"slices/slice-{number:04}.sqlite").encode()
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            # The child that Supervise forked has the same command line; the elder is the one to kill.
            if wanted in words and b"grade-slice" in words:
                return int(entry.name)
        return None

    def equal_to_local(self, out):
        expected, got = gradebook(self.folder / "local"), gradebook(self.folder / out)
        assert len(expected[0]) >= 40 and len(expected[1]) == 40, (len(expected[0]), len(expected[1]))
        assert expected == got, [pair for pair in zip(expected[1], got[1]) if pair[0] != pair[1]][:3]
        local, other = self.folder / "local/grades.csv", self.folder / out / "grades.csv"
        assert local.read_text() == other.read_text()

    def test_graded_here(self):
        self.run(*self.command("local"))

    def test_slices_graded_by_hand_are_the_same_class(self):
        self.run(*self.command("by_hand", "--slices", "3"))
        slices = sorted((self.folder / "by_hand/slices").glob("*.sqlite"))
        assert len(slices) == 3, slices
        self.run(self.teach, "grade-slice", slices[0])
        # Copied away and back, as to a machine that does not see the folder.
        away = self.folder / "away.sqlite"
        slices[1].rename(away)
        self.run(self.teach, "grade-slice", away)
        away.rename(slices[1])
        some = self.run(*self.command("by_hand", "--merge"), status=3)  # A third of the class is not graded yet.
        assert "13 missing" in some.stdout, some.stdout
        self.run(self.teach, "grade-slice", slices[2])
        self.run(*self.command("by_hand", "--merge"))
        self.equal_to_local("by_hand")
        assert not (self.folder / "by_hand/slices").exists()
        rows = gradebook(self.folder / "by_hand")
        self.run(*self.command("by_hand", "--merge"))
        assert rows == gradebook(self.folder / "by_hand")

    def test_four_tasks_and_one_is_killed(self):
        program = self.start("slurm")
        self.wait_for(lambda: self.progress("slurm", 2) >= 1, "the second task's first result", program)
        os.kill(self.task_process("slurm", 2), signal.SIGKILL)
        out, err = program.communicate(timeout=240)
        assert program.returncode == 0, out + err
        assert "task 2 ended before its files were graded; it is submitted again" in err, err
        assert "task 1 ended before" not in err and "task 3 ended before" not in err, err
        self.equal_to_local("slurm")
        assert not (self.folder / "slurm/slices").exists(), list((self.folder / "slurm/slices").iterdir())
        assert not self.slurm.queue(), self.slurm.queue()

    def make_course(self):
        """Five handed in as Canvas names it: one twice, one late, one late with leave, one whom the roster does not know."""
        folder = self.folder / "course"
        (folder / "in").mkdir(parents=True)
        (folder / "course.toml").write_text(COURSE)
        (folder / "roster.csv").write_text(ROSTER)
        for name, text in {"ada_17_100_tiled_matmul.cu": answer("wrong", 1), "ada_17_101_tiled_matmul-1.cu": answer("right", 2),
                           "alan_LATE_19_102_tiled_matmul.cu": answer("right", 3),
                           "grace_LATE_18_103_tiled_matmul.cu": answer("right", 4), "mary_20_104_tiled_matmul.cu": "void (",
                           "stranger_99_105_tiled_matmul.cu": answer("wrong", 5)}.items():
            (folder / "in" / name).write_text(text)
        return folder

    def test_a_courses_assignment_is_the_same_as_graded_here(self):
        course = self.make_course()

        def grade(out, *more):
            return self.run(self.teach, "grade", course / "in", "--course", course / "course.toml", "--assignment", "week1",
                            "--out", course / out, *more, status=4)  # The stranger is nobody's.

        here = grade("here")
        there = grade("there", "--on", "slurm", "--tasks", "2")
        rows = [gradebook(course / out) for out in ("here", "there")]
        assert rows[0] == rows[1], rows
        tables = [(course / out / "grades.csv").read_text() for out in ("here", "there")]
        assert tables[0] == tables[1], tables
        # And they are what the course says: its device and seed, points scaled, a day late, no deduction, nothing handed in.
        assert {row[6:8] for row in rows[0][1]} == {(b"virtual:t4", b"11")}, [row[6:8] for row in rows[0][1]]
        points = {row["Student"]: row["Points"] for row in csv.DictReader(tables[0].splitlines())}
        assert points["Ada Lovelace"] == points["Grace Hopper"] == "30", points
        assert points["Alan Turing"] == "27" and points["Mary Somerville"] == "0", points
        last = [run.stdout.splitlines()[1] for run in (here, there)]
        assert last[0] == last[1], last

    def test_an_interruption_cancels_the_job_and_the_next_run_goes_on(self):
        program = self.start("interrupted")
        self.wait_for(lambda: self.progress("interrupted", 1) >= 1, "a first result", program)
        program.send_signal(signal.SIGTERM)
        out, err = program.communicate(timeout=90)
        assert program.returncode == 128 + signal.SIGTERM, out + err
        assert all(state == "CG" for _, state in self.slurm.queue()), self.slurm.queue()
        again = self.start("interrupted")
        out, err = again.communicate(timeout=240)
        assert again.returncode == 0, out + err
        assert " merged, " in out and " 0 results merged" not in out, out
        self.equal_to_local("interrupted")

    def test_a_killed_front_leaves_a_job_that_the_next_run_cancels(self):
        program = self.start("killed")
        self.wait_for(lambda: self.progress("killed", 1) >= 1, "a first result", program)
        program.kill()
        program.communicate()
        again = self.start("killed")
        out, err = again.communicate(timeout=240)
        assert again.returncode == 0, out + err
        self.equal_to_local("killed")
        assert not self.slurm.queue(), self.slurm.queue()

    def test_a_refusal_is_told_in_slurms_words(self):
        program = self.start("refused", "--partition", "no_such_partition")
        out, err = program.communicate(timeout=60)
        assert program.returncode == 2, out + err
        assert "Slurm refused the job" in err and "partition" in err, err

    def test_a_folder_that_the_nodes_do_not_see_is_named(self):
        # As on a node without it: a script that is not there for the task, nor a place for its log.
        fake = self.folder / "bin"
        fake.mkdir()
        (fake / "sbatch").write_text("#!/bin/sh\n[ \"$1\" != --version ] || exec /usr/bin/sbatch --version\n"
                                     "exec /usr/bin/sbatch --output=/nowhere/log --array=1-4 --job-name=none --wrap=true\n")
        (fake / "sbatch").chmod(0o755)
        environment, self.environment = self.environment, dict(self.environment, PATH=f"{fake}:{self.environment['PATH']}")
        try:
            program = self.start("unseen")
            out, err = program.communicate(timeout=120)
        finally:
            self.environment = environment
        assert program.returncode == 3, out + err
        assert "check that the nodes can see this folder" in err, err
        assert "it is not submitted again" in err, err

    def test_nothing_is_left_in_the_temporary_folder(self):
        left = list((self.folder / "tmp").iterdir())
        assert not left, left


def main():
    tests = [name for name in vars(Tests) if name.startswith("test_")]
    why = cluster.why_not()
    if why:
        print(f"1..{len(tests)}")
        for number, name in enumerate(tests, 1):
            print(f"ok {number} - {name} # SKIP {why}")
        return
    with tempfile.TemporaryDirectory(prefix="warplings-slurm-") as temporary:
        folder = pathlib.Path(temporary)
        with cluster.Cluster(folder / "cluster") as slurm:
            all_ = Tests(pathlib.Path(sys.argv[1]).resolve(), folder, slurm)
            wanted = [name for name in tests if len(sys.argv) < 3 or name in sys.argv[2:]]
            print(f"1..{len(wanted)}", flush=True)
            for number, name in enumerate(wanted, 1):
                start = time.monotonic()
                try:
                    getattr(all_, name)()
                    print(f"ok {number} - {name}", flush=True)
                except Exception:
                    print(f"not ok {number} - {name}", flush=True)
                    print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), flush=True)
                print(f"# {time.monotonic() - start:.1f} s", flush=True)


main()
