#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The run's ids, comparison and update, on results made up here."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def load_run():
    loader = importlib.machinery.SourceFileLoader("answers", str(HERE / "run"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("answers", loader))
    loader.exec_module(module)
    return module


RUN = load_run()


def test_named(name, verdict="passed", next_step="", **more):
    return {"name": f"Suite.{name}", "verdict": verdict, "next_step": next_step, "findings": [], **more}


def result(tests, verdict="wrong_result", next_step="", misconceptions=(), diagnostics=()):
    return {"verdict": verdict, "next_step": next_step, "tests": tests, "diagnostics": list(diagnostics),
            "misconceptions": [{"id": each} for each in misconceptions]}


def finding(kind, line):
    return {"kind": kind, "where": {"file": "a.cu", "line": line}}


def row(**more):
    return RUN.Row("scale.a01", "wrong_result", "test:One", "-", "One", "right")._replace(**more)


class Ids(unittest.TestCase):
    def first_and_then(self, checked):
        return RUN.row_of("scale.a01", checked)[2:4]

    def test_a_recognised_misconception_is_its_id(self):
        failed = [test_named("One", "wrong_result", "Look.")]
        self.assertEqual(self.first_and_then(result(failed, misconceptions=["a", "b"])), ("a", "b"))

    def test_a_next_step_comes_before_what_is_recognised(self):
        failed = [test_named("One", "wrong_result", "Look."), test_named("Two", "wrong_result", "Count.")]
        self.assertEqual(self.first_and_then(result(failed, next_step="Count.", misconceptions=["a"])), ("test:Two", "a"))

    def test_a_next_step_is_what_it_is_about(self):
        about_finding = test_named("One", "finding", "Look.", findings=[finding("leak", 3), finding("race", 7)], advised=1)
        about_values = test_named("One", "wrong_result", "Look.", findings=[finding("leak", 3)], explanation={})
        self.assertEqual(self.first_and_then(result([about_finding], next_step="Look.")), ("finding:race:line7", "-"))
        self.assertEqual(self.first_and_then(result([about_values], next_step="Look.")), ("explained:One", "-"))

    def test_what_does_not_compile_is_its_first_error(self):
        said = [{"severity": "warning", "where": {"line": 2}}, {"severity": "error", "where": {"line": 5}}]
        broken = result([], "compile_error", "See the compiler.", diagnostics=said)
        self.assertEqual(self.first_and_then(broken), ("diagnostic:line5", "-"))
        self.assertEqual(self.first_and_then(result([], "missing_entry", "Define it.")), ("build:missing_entry", "-"))

    def test_an_answer_that_passes_may_be_warned(self):
        warned = test_named("One", findings=[finding("barrier_after_exit", 9)])
        self.assertEqual(self.first_and_then(result([warned], "passed")), ("warning:barrier_after_exit:line9", "-"))
        self.assertEqual(self.first_and_then(result([test_named("One")], "passed")), ("-", "-"))


class FailingTests(unittest.TestCase):
    def named(self, **verdicts):
        return RUN.failing_ids([test_named(name, "wrong_result" if failed else "passed") for name, failed in verdicts.items()])

    def test_the_fewer_are_named(self):
        self.assertEqual(self.named(One=False, Two=False), "-")
        self.assertEqual(self.named(One=True, Two=True), "all")
        self.assertEqual(self.named(One=True, Two=False, Three=False), "One")
        self.assertEqual(self.named(One=True, Two=True, Three=False), "all but Three")

    def test_drawn_inputs_count_only_alone(self):
        self.assertEqual(self.named(One=True, Two=False, AnyWidth=True), "One")
        self.assertEqual(self.named(One=False, Two=False, AnyWidth=True), "AnyWidth")


class Table(unittest.TestCase):
    def test_is_read_as_it_was_written_and_sorted(self):
        rows = {name: row(answer=name) for name in ("b.a02", "a.a01", "b.a01")}
        text = RUN.table_text(rows)
        self.assertEqual(RUN.read_table(text), rows)
        self.assertEqual([line.split("\t")[0] for line in text.splitlines()], ["answer", "a.a01", "b.a01", "b.a02"])

    def test_what_a_merge_left_is_a_fault(self):
        text = RUN.table_text({"scale.a01": row()})
        for left in ("<<<<<<< HEAD\n", text.splitlines()[1] + "\n"):
            with self.assertRaises(RUN.TableFault):
                RUN.read_table(text + left)

    def test_each_compared_column_makes_a_difference(self):
        for column in RUN.COMPARED:
            self.assertEqual(RUN.differences(row(), row(**{column: "x"})), [(column, getattr(row(), column), "x")])
        self.assertEqual(RUN.differences(row(), row(judged="-")), [])

    def test_a_judgement_goes_with_its_advice(self):
        self.assertEqual(RUN.updated(row(), row(judged="-")).judged, "right")
        self.assertEqual(RUN.updated(row(), row(failing="all", judged="-")).judged, "right")
        self.assertEqual(RUN.updated(row(), row(first="other")).judged, "unjudged")
        self.assertEqual(RUN.updated(row(judged="-"), row(first="other")).judged, "-")
        self.assertEqual(RUN.updated(None, row()).judged, "-")


class TheseAnswers(unittest.TestCase):
    def test_each_has_its_line(self):
        self.assertEqual(sorted(RUN.read_table(RUN.TABLE.read_text())), sorted(each.stem for each in HERE.glob("*.cu")))

    def test_a_commit_draws_its_own_sample(self):
        names = [f"{number:03}" for number in range(100)]
        self.assertEqual(RUN.sample_of(names, 40, "abc"), RUN.sample_of(names, 40, "abc"))
        self.assertNotEqual(RUN.sample_of(names, 40, "abc"), RUN.sample_of(names, 40, "abe"))
        self.assertEqual(RUN.sample_of(names, 200, "abc"), names)


if __name__ == "__main__":
    unittest.main()
