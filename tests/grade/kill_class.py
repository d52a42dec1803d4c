#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills the grading of a class with `kill -9` again and again, and compares its gradebook with an uninterrupted run's.

    tests/grade/kill_class.py [--build DIR] [--students N] [--kills N] [--seed N]

Takes twice the time that the class takes; not one of the tests of `selftest`, where a small class stands for it.
"""
import argparse
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import make_class

ROOT = pathlib.Path(__file__).resolve().parents[2]
# All but the time of day. The report differs in its times only and is compared by the C++ test.
QUERY = """SELECT student, chapter, exercise, state, verdict, points, max_points, reason, findings, misconceptions, file,
           submission_hash, suite_version, grader_version, device, seed, round FROM grades"""


def gradebook(out):
    with sqlite3.connect(f"file:{out / 'gradebook.sqlite'}?mode=ro", uri=True) as connection:
        connection.text_factory = bytes
        return connection.execute(QUERY).fetchall()


def results(out):
    """How many results are kept; 0 before there is a gradebook."""
    try:
        with sqlite3.connect(f"file:{out / 'gradebook.sqlite'}?mode=ro", uri=True) as connection:
            return connection.execute("SELECT count(*) FROM results").fetchone()[0]
    except sqlite3.Error:
        return 0


def run(command, environment):
    start = time.monotonic()
    status = subprocess.run(command, env=environment).returncode
    return status, time.monotonic() - start


def kill_once(command, environment, delay):
    """True if it was still at work."""
    program = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        program.wait(timeout=delay)
        return False
    except subprocess.TimeoutExpired:
        os.kill(program.pid, signal.SIGKILL)
        program.wait()
        return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--students", type=int, default=60)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    cli = arguments.build.resolve() / "grader/cli/warplings-cli"
    random_ = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        environment = dict(os.environ, XDG_CACHE_HOME=f"{folder}/cache", XDG_STATE_HOME=f"{folder}/state")
        make_class.make_class(folder / "class", arguments.students, arguments.seed)
        whole, killed = folder / "whole", folder / "killed"
        command = [cli, "grade", folder / "class", "--seed", "7", "--out"]
        status, seconds = run(command + [whole], environment)
        print(f"uninterrupted: exit status {status}, {seconds:.0f} s, {results(whole)} results", flush=True)
        # A cache of its own, so that it is killed while compiling, too.
        environment["XDG_CACHE_HOME"] = f"{folder}/second_cache"
        for number in range(arguments.kills):
            delay = random_.uniform(0.3, 1.6 * seconds / (arguments.kills + 1))
            at_work = kill_once(command + [killed], environment, delay)
            print(f"kill {number + 1} after {delay:.1f} s: {'killed' if at_work else 'had ended'}, "
                  f"{results(killed)} results kept", flush=True)
        status, seconds = run(command + [killed], environment)
        print(f"last run: exit status {status}, {seconds:.0f} s, {results(killed)} results", flush=True)
        expected, got = gradebook(whole), gradebook(killed)
        different = [pair for pair in zip(expected, got) if pair[0] != pair[1]]
        for one, other in different[:10]:
            print(f"  differs: {one}\n           {other}")
        print(f"{len(expected)} and {len(got)} rows, {len(different)} differ")
        sys.exit(1 if different or len(expected) != len(got) else 0)


main()
