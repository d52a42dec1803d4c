# SPDX-License-Identifier: Apache-2.0
"""tests/unforeseen, with a program in the grader's place."""
import importlib.machinery
import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
LOADER = importlib.machinery.SourceFileLoader("unforeseen", str(HERE / "unforeseen"))
unforeseen = importlib.util.module_from_spec(importlib.util.spec_from_loader("unforeseen", LOADER))
LOADER.exec_module(unforeseen)

# Writes down, as `check` does, that an exercise passed, and passes every file.
GRADER = """#!{python}
import json, os, pathlib, sys
state = pathlib.Path(os.environ["XDG_STATE_HOME"])
state.mkdir(parents=True, exist_ok=True)
(state / "progress.json").write_text("passed")
report = sys.argv[sys.argv.index("--json") + 1]
pathlib.Path(report).write_text(json.dumps({{"verdict": "passed", "points": 10, "max_points": 10, "tests": [],
    "misconceptions": [{{"id": "linear", "title": "Looks at each key"}}]}}))
"""

# Writes down what it is to build, and as the grader another one that passes nothing; or fails.
NINJA = """#!{python}
import pathlib, sys
folder = pathlib.Path(sys.argv[sys.argv.index("-C") + 1])
(folder / "built").write_text(" ".join(sys.argv))
if (folder / "broken").exists():
    print("FAILED: c++ -I.\\nspmv_suite.cc:7:3: error: no matching function")
    sys.exit(1)
grader = folder / "grader/cli/warplings-cli"
grader.write_text(grader.read_text().replace('"passed"', '"wrong_result"'))
"""


class UnforeseenTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name, text in {"grader/cli/warplings-cli": GRADER, "bin/ninja": NINJA}.items():
            program = self.folder / name
            program.parent.mkdir(parents=True)
            program.write_text(text.format(python=sys.executable))
            program.chmod(0o755)

    def run_it(self, *arguments, rebuild=("--no-rebuild",)):
        environment = dict(os.environ, XDG_STATE_HOME=str(self.folder / "own"),
                           PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        return subprocess.run([sys.executable, "-B", HERE / "unforeseen", *arguments, *rebuild, "--build", self.folder],
                              env=environment, capture_output=True, text=True)

    def test_what_judges_the_files_is_built_before_it_judges(self):
        (self.folder / "build.ninja").write_text("")
        self.assertIn("4 files: 0 verdicts as expected, 4 not", self.run_it("ways", "histogram").stdout)
        run = self.run_it("ways", "histogram", rebuild=())
        self.assertIn("4 files: 4 verdicts as expected, 0 not", run.stdout + run.stderr)
        built = (self.folder / "built").read_text()
        for target in ("check_program", "tests/suites/07_where_it_recurs_histogram_suite",
                       "grader/worker/entry_07_where_it_recurs_histogram.a"):
            self.assertIn(target, built)
        self.assertNotIn("scan", built)

    def test_a_suite_that_cannot_be_built_judges_nothing(self):
        (self.folder / "build.ninja").write_text("")
        (self.folder / "broken").write_text("")
        run = self.run_it("ways", "histogram", rebuild=())
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertEqual(run.stderr, "spmv_suite.cc:7:3: error: no matching function\ntests/unforeseen: what judges "
                                     "histogram could not be built: the reason is above\n")
        (self.folder / "build.ninja").unlink()
        self.assertIn("has no build.ninja: run ./warplings verify first", self.run_it("ways", "histogram", rebuild=()).stderr)

    def test_the_progress_of_who_runs_it_stays_as_it_is(self):
        run = self.run_it("alternatives", "bank_of.*")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(" verdicts as expected, 0 not", run.stdout)
        self.assertFalse((self.folder / "own").exists())

    def test_of_the_four_ways_the_first_advice_is_printed(self):
        run = self.run_it("ways", "histogram")
        self.assertEqual(run.stdout.count(": Looks at each key (linear)\n"), 4, run.stdout + run.stderr)
        taken = ", ".join(f"histogram.{way} (linear)" for way in unforeseen.four_ways.WAYS)
        self.assertIn(f"not\ntaken for a misconception: {taken}. If a file does not have it,", run.stdout)
        self.assertEqual(unforeseen.misconception({"misconceptions": [{"id": "linear"}], "next_step": "Follow the thread."}), "")
        self.assertEqual(unforeseen.first_advice({"misconceptions": [], "next_step": "Follow the thread."}), "Follow the thread.")
        alternatives = self.run_it("alternatives", "bank_of.*").stdout
        self.assertNotIn("advice", alternatives)
        self.assertNotIn("taken for", alternatives)

    def test_an_exercise_without_an_entry_is_told_where_to_add_it(self):
        run = self.run_it("ways", "compact_above")
        self.assertEqual(run.returncode, 1)
        self.assertEqual(run.stderr, "tests/unforeseen: tests/attacks/four_ways.py has no entry for compact_above: add one "
                                     '(CONTRIBUTING.md, "The files")\n')
        self.assertEqual(self.run_it("ways", "compact_a*").stderr, "tests/unforeseen: no file matches 'compact_a*'\n")
        self.assertEqual(self.run_it("ways", "histogram", "compact_a*").stderr, "tests/unforeseen: no file matches 'compact_a*'\n")

    def test_several_exercises_may_be_named(self):
        self.assertIn("8 files: ", self.run_it("ways", "histogram", "scan").stdout)

    def test_an_exercise_alone_means_all_of_its_files(self):
        self.assertTrue(unforeseen.matches("spmv.cpu", "spmv"))
        self.assertTrue(unforeseen.matches("spmv.cpu", "spmv.*"))
        self.assertTrue(unforeseen.matches("spmv.cpu", "s*"))
        self.assertFalse(unforeseen.matches("spmv_rows.cpu", "spmv"))


if __name__ == "__main__":
    unittest.main()
