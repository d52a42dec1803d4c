# SPDX-License-Identifier: Apache-2.0
"""What the class pages say before anybody draws them: similarity, equal files, histogram, misconceptions by week; and
that each word of their frame is in every language."""
import json
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve()
PAGES = HERE.parents[2] / "grader" / "pages" / "class"
REVIEW = PAGES.parent / "review"
sys.path[:0] = [str(PAGES), str(REVIEW)]

import chart  # noqa: E402
import class_report  # noqa: E402
import feedback  # noqa: E402
import listing  # noqa: E402
import pages  # noqa: E402
import server  # noqa: E402
import similarity  # noqa: E402
import summary  # noqa: E402
import words  # noqa: E402

STARTER = """#include "scale.h"
// TODO
__global__ void scale_kernel(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i];
}
"""
MINE = STARTER + """
void scale(const float* x, float* y, float a, int n) {
  float* d_x = nullptr;
  float* d_y = nullptr;
  cudaMalloc(&d_x, n * sizeof(float));
  cudaMalloc(&d_y, n * sizeof(float));
  cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
  const int threads = 256, blocks = (n + threads - 1) / threads;
  scale_kernel<<<blocks, threads>>>(d_x, d_y, a, n);
  cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_y);
  cudaFree(d_x);
}
"""
OTHER = STARTER + """
template <class T> struct Buffer {
  explicit Buffer(int count) : size(count * sizeof(T)) { if (cudaMalloc(&data, size) != cudaSuccess) throw 1; }
  ~Buffer() { cudaFree(data); }
  T* data; unsigned size;
};
void scale(const float* in, float* out, float factor, int count) {
  while (count % 32 != 0) { out[count - 1] = factor * in[count - 1]; --count; }
  for (int k = 0; k < 2; ++k) { Buffer<float> b(count); launch(b, in, out, factor, k); }
}
"""
SOLUTION = STARTER + "void scale(const float*, float*, float, int) { given_by_the_workbook(); }\n"


def disguised(text):
    """As somebody writes it who hopes that nobody sees it."""
    text = re.sub(r"//.*", "", text)
    for old, new in (("d_x", "from"), ("d_y", "to"), ("threads", "size_of_block"), ("blocks", "how_many"), ("256", "128")):
        text = text.replace(old, new)
    return text.replace("\n", "\n\n").replace("  ", "\t") + "/* all my own work */\n"


class Similarity(unittest.TestCase):
    def test_names_comments_and_blanks_hide_nothing(self):
        groups, pairs = similarity.similar({"a": MINE, "b": disguised(MINE), "c": OTHER}, STARTER)
        self.assertEqual(groups, [["a", "b"]])
        self.assertEqual(pairs, [])

    def test_a_changed_copy_is_a_pair(self):
        changed = disguised(MINE).replace("cudaFree(from);", "if (from != nullptr) { cudaFree(from); }")
        groups, pairs = similarity.similar({"a": MINE, "b": changed, "c": OTHER}, STARTER)
        self.assertEqual(groups, [])
        self.assertEqual([(a, b) for _, a, b in pairs], [("a", "b")])
        self.assertTrue(similarity.SHARE <= pairs[0][0] < 1)

    def test_what_everybody_was_given_is_no_hint(self):
        self.assertEqual(similarity.similar({"a": STARTER, "b": STARTER + "// b\n"}, STARTER), ([], []))
        # Without the starter they would be: the test would see it.
        self.assertNotEqual(similarity.similar({"a": STARTER + STARTER, "b": STARTER + STARTER}, ""), ([], []))

    def test_a_ring_in_a_small_class_is_listed(self):
        ring = {f"ring {number}": disguised(MINE).replace("from", f"x{number}") for number in range(4)}
        # They share a part with the ring, as an exercise makes one write it.
        others = {str(number): MINE.replace("cudaFree(d_x);", "".join(f"if (n > {i}) {{ d_x = {'*' * number}&d_y[{i}]; }}\n"
                                                                      for i in range(20))) for number in range(1, 7)}
        for count in (0, 2, 6):
            groups, pairs = similarity.similar(ring | dict(list(others.items())[:count]) | {"a": OTHER, "b": STARTER}, STARTER)
            self.assertEqual(groups[0], sorted(ring), count)
            self.assertFalse([each for group in groups for each in group if each in "ab"])
            self.assertFalse([pair for pair in pairs if pair[1] in "ab" or pair[2] in "ab"])

    def test_what_many_have_is_no_hint(self):
        alike = {str(number): MINE.replace("d_x", f"x{number}") for number in range(12)}
        different = {f"other {number}": "".join(f"void f{i}() {{ g{'(' * (i % 5 + number)}1{')' * (i % 5 + number)}; }}\n"
                                                for i in range(30)) for number in range(1, 13)}
        groups, pairs = similarity.similar(alike | different, STARTER)
        self.assertFalse([each for each in groups if "0" in each])
        self.assertFalse([pair for pair in pairs if "0" in pair])

    def test_any_text_is_read(self):
        for text in ("", "\"", "/*", "'", "\\", "#", "é 陳 \U0001f989", "R\"(", "0x1p-3f .5 1'000"):
            similarity.similar({"a": text, "b": text * 40}, text)


def cell(**more):
    return {"state": "graded", "points": 0, "automatic": 0, "changes": [], "handed_in_at": None, "late_seconds": 0,
            "closed": False, "within_grace": False, "file": "f.cu",
            "problem": "", "text": None, "passed": True, "verdict": "passed", **more}


def student(name, *cells, **more):
    return {"name": name, "account": "", "page": name, "points": 0, "automatic": 0, "complete": True, "remarks": [],
            "cells": list(cells), **more}


def text(source, *misconceptions):
    return {"source": source, "misconceptions": [{"id": each, "title": each} for each in misconceptions]}


def data(students, texts, exercises=1):
    return {"students": students, "texts": texts, "max_points": 10, "exercises": [
        {"chapter": "1", "id": f"e{number}", "starter": STARTER, "solution": SOLUTION, "tests": []} for number in range(exercises)]}


class Histogram(unittest.TestCase):
    def test_the_medians_line_goes_through_no_number(self):
        points = {"bars": [(0, 5, 2), (5, 10, 4)], "median": 7.5}
        drawn = chart.histogram(points, lambda words: words)
        lines = [tuple(map(float, each)) for each in re.findall(r'class="median" x1="([^"]*)" x2="[^"]*" y1="([^"]*)" y2="([^"]*)"', drawn)]
        x, baseline = map(float, re.findall(r'class="count" x="([^"]*)" y="([^"]*)">4<', drawn)[0])
        self.assertTrue(lines)
        for middle, top, foot in lines:
            self.assertAlmostEqual(middle, x, delta=1)
            self.assertTrue(foot <= baseline - 10 or top >= baseline, (top, foot, baseline))


class Summary(unittest.TestCase):
    def of(self, solution, *files):
        """The exercise's likeness, of (source, passed) of each student; students are called by their numbers."""
        made = data([student(str(number), cell(text=number, passed=passed)) for number, (_, passed) in enumerate(files)],
                    [text(source) for source, _ in files])
        made["exercises"][0]["solution"] = solution
        return summary.of_exercise(made, 0)

    def test_a_copy_of_the_solution_is_named_whatever_comments_and_names_it_has(self):
        files = [(source, True) for source in (MINE, MINE.replace("// TODO", "// by me"), "\n\n" + re.sub("//.*", "", MINE),
                                               disguised(MINE), OTHER)]
        found = self.of(MINE, *files)
        self.assertEqual((found["copied"], found["other_comments"], found["renamed"]), ([0], [1, 2], [3]))
        self.assertEqual((found["alike"], found["is_short"]), ([], False))
        # Without a solution they are a group as any other.
        self.assertEqual(self.of("", *files)["alike"], [[0, 1, 2, 3]])

    def test_who_failed_is_marked_in_a_group_of_which_others_passed(self):
        files = [MINE, disguised(MINE), MINE.replace("// TODO", "// by me")]
        for passed, failed in (((True, False, True), [[1]]), ((False, False, False), [[]]), ((True, True, True), [[]])):
            found = self.of("", *zip(files, passed, strict=True))
            self.assertEqual((found["alike"], found["alike_failed"]), ([[0, 1, 2]], failed))

    def test_pairs_that_the_solution_explains_are_only_counted(self):
        # Each changed the solution in a place of their own; a copy has the same place changed.
        places = ("cudaFree(d_x);", "cudaFree(d_y);")
        one, other = (MINE.replace(place, f"if (n > {number}) {{ {place} }}") for number, place in enumerate(places))
        copy = disguised(one) + "int own(int a) { return a; }\n"
        found = self.of(MINE, (one, True), (other, True), (copy, True))
        self.assertEqual([sorted(a + b) for _, a, b in found["similar"]], [[0, 2]])
        self.assertEqual(found["like_solution"], 2)
        found = self.of("", (one, True), (other, True), (copy, True))
        self.assertEqual((len(found["similar"]), found["like_solution"]), (3, 0))

    def test_a_short_solution_is_said_to_be_short(self):
        short = STARTER + "int twice(int n) { return 2 * n; }\n"
        found = self.of(short, *((short + f"// {number}\n", True) for number in range(3)))
        self.assertEqual((found["other_comments"], found["is_short"]), ([0, 1, 2], True))
        self.assertEqual(found["too_alike"], [], "they are named")
        others = self.of(short, *((short.replace("2 * n", f"n + n + {number}"), True) for number in range(3)))
        self.assertEqual((others["other_comments"], others["too_alike"]), ([], [0, 1, 2]))
        # As the guide says: so little may be the same by chance.
        others = self.of(short, *((short.replace("2 * n", f"{number} * n"), True) for number in range(3, 6)))
        self.assertEqual((others["renamed"], others["too_alike"]), ([], [0, 1, 2]))

    def test_the_same_wrong_file_is_listed_whatever_the_class_shares(self):
        short = STARTER + "int twice(int n) { return n; }\n"
        wrong = [(short + "\n" * number, False) for number in range(3)]
        for others in (0, 12):
            found = self.of(SOLUTION, *wrong, *((short.replace("return n", f"return n + {number}"), True) for number in range(others)))
            self.assertEqual(found["same"], [[0, 1, 2]], others)
        self.assertEqual(self.of(SOLUTION, *((source, True) for source, _ in wrong))["same"], [], "they are right")

    def test_other_names_do_not_hide_the_same_wrong_file(self):
        wrong = STARTER + """__global__ void move(const float* a, float* b, int n) {
  int tx = threadIdx.x, ty = threadIdx.y;
  b[tx * n + ty] = a[ty * n + tx];
}
"""
        other = wrong.replace("tx", "column").replace("ty", "row")
        # Neither is the same mistake: the indices are swapped in another array, and the members of threadIdx.
        swapped = wrong.replace("b[tx * n + ty] = a[ty * n + tx]", "b[ty * n + tx] = a[tx * n + ty]")
        members = wrong.replace("threadIdx.x", "threadIdx.z").replace("threadIdx.y", "threadIdx.x").replace(".z", ".y")
        # So many have the same code but for names that none of it is left to compare.
        right = [(wrong.replace("ty * n + tx", f"n * {number} + tx"), True) for number in range(12)]
        found = self.of(SOLUTION, (wrong, False), (swapped, False), (members, False), (other, False), *right)
        self.assertEqual((found["same"], found["alike"], found["similar"]), ([[0, 3]], [], []))

    def test_equal_files_are_those_that_were_graded_once(self):
        made = data([student("a", cell(text=0)), student("b", cell(text=0)), student("c", cell(text=1)), student("d", cell(text=1)),
                     student("e", cell(text=2)), student("f", cell(state="missing"))],
                    [text(MINE), text(STARTER.replace("\n", "\r\n")), text(OTHER)])
        exercise = summary.of_exercise(made, 0)
        self.assertEqual(exercise["equal"], [[0, 1]])
        self.assertEqual(exercise["untouched"], [2, 3])
        flags = [each["flags"] for each in summary.summary(made)["students"]]
        self.assertEqual(flags, [["equal"], ["equal"], ["unchanged"], ["unchanged"], [], []])

    def test_a_copy_of_the_solution_is_called_one(self):
        made = data([student("a", cell(text=0)), student("b", cell(text=0)), student("c", cell(text=1))],
                    [text(SOLUTION.replace("  ", "\t")), text(MINE)])
        exercise = summary.of_exercise(made, 0)
        self.assertEqual((exercise["copied"], exercise["equal"]), ([0, 1], []))
        self.assertEqual([each["flags"] for each in summary.summary(made)["students"]], [["equal"], ["equal"], []])

    def test_whose_host_code_reads_first_is_found(self):
        made = data([student("a", cell(by_host=True, passed=False)), student("b", cell(by_host=False))], [])
        self.assertEqual([each["flags"] for each in summary.summary(made)["students"]], [["failing", "by_host"], []])

    def test_who_used_a_forbidden_call_is_found(self):
        made = data([student("a", cell(forbidden=True, passed=False)), student("b", cell(forbidden=False))], [])
        self.assertEqual([each["flags"] for each in summary.summary(made)["students"]], [["failing", "forbidden"], []])

    def test_who_asked_to_look_again_and_has_no_answer_is_found(self):
        made = data([student("a", cell(regrade={"text": "x", "open": True})), student("b", cell(regrade={"text": "x", "open": False})),
                     student("c", cell(regrade=None))], [])
        self.assertEqual([each["flags"] for each in summary.summary(made)["students"]], [["requests"], [], []])
        self.assertIn("requests", class_report.FLAGS, "there is no filter")

    def test_who_has_not_passed_all_and_what_is_left_to_review(self):
        mark = {"author": "Grace", "when": "", "outdated": False}
        made = data([student("a", cell(reviewed=mark), cell(reviewed=mark | {"outdated": True})),
                     student("b", cell(reviewed=mark), cell(reviewed=mark)),
                     student("c", cell(passed=False, reviewed=mark), cell(state="missing", passed=False))], [], 2)
        flags = [each["flags"] for each in summary.summary(made)["students"]]
        self.assertEqual(flags, [["unreviewed"], [], ["failing"]])
        made["students"] = [student("d", cell(passed=False), cell())]
        self.assertEqual(summary.summary(made)["students"][0]["flags"], ["failing"], "nobody has begun to review")

    def test_a_starter_that_grading_tells_is_one_whatever_its_text(self):
        made = data([student("a", cell(text=0, starter=True, handed_in_at=0)), student("b", cell(text=1, starter=False, handed_in_at=0)),
                     student("c", cell(text=2, starter=False, handed_in_at=7 * 86400))],
                    [text(OTHER, "m"), text(STARTER, "m"), text(MINE, "m")])
        found = summary.summary(made)
        self.assertEqual([each["flags"] for each in found["students"]], [["unchanged"], [], []])
        self.assertEqual(found["exercises"][0]["untouched"], [0])
        self.assertEqual(found["over_time"]["rows"][0]["counts"], [1, 1], "nobody has thought what an unchanged starter does")

    def test_points_that_were_decided_for_an_earlier_file_are_found(self):
        made = data([student("a", cell(decided_before=True)), student("b", cell(decided_before=False))], [])
        self.assertEqual([each["flags"] for each in summary.summary(made)["students"]], [["outdated"], []])

    def test_that_nothing_was_handed_in_is_no_remark(self):
        made = data([student("a", cell(state="missing", passed=False), remarks=["nothing was handed in"], handed_in_as=""),
                     student("b", cell(), remarks=["x", "y"], handed_in_as="b.zip"),
                     student("c", cell(), remarks=["nothing was handed in"], handed_in_as="", maybe_theirs=[{"page": "e"}])], [])
        rows = summary.summary(made)["students"]
        self.assertEqual([row["remarks"] for row in rows], [0, 2, 1])
        self.assertEqual([row["flags"] for row in rows], [["failing"], ["remarks"], ["remarks"]])

    def test_changes_add_up_to_the_points_and_have_all_an_effect(self):
        def change(kind, delta):
            return {"kind": kind, "delta": delta, "reason": kind, "author": "", "when": ""}

        def shown(*changes, automatic=10, rubric_counts=True):
            found = class_report.changes_of(cell(changes=list(changes), automatic=automatic, rubric_counts=rubric_counts))
            return [(each["kind"], each["delta"]) for each in found]

        item, given = change("rubric", -1.5), change("override", 2.75)
        self.assertEqual(shown(change("late", -2), item), [("late", -2), ("rubric", -1.5)])
        self.assertEqual(shown(item, given, rubric_counts=False), [("override", 1.25)])
        # Free days saved these points.
        self.assertEqual(shown(change("late", 0)), [("late", 0)])

    def test_lateness_that_cost_nothing_changed_no_points(self):
        def late(delta):
            return {"kind": "late", "delta": delta, "reason": "1 day begun", "author": "", "when": ""}

        exercises = [{"id": "a"}, {"id": "b"}]
        cells = [cell(state="missing", rubric_counts=True, changes=[late(delta)]) for delta in (0, -2)]
        shown = class_report.of_student(data([], []), exercises, student("a", *cells), words.ENGLISH)["changes"]
        self.assertEqual([(exercise["id"], change["delta"]) for exercise, change in shown], [("b", -2)])

    def test_minus_signs_are_signs_but_in_what_a_person_wrote(self):
        reason = "x-1: 2 days at 10 % a day, -20 %; Idea (-1.5)"
        made = cell(rubric_counts=True, changes=[{"kind": kind, "delta": -1, "reason": reason, "author": "", "when": ""}
                                                 for kind in ("late", "rubric", "override")])
        signed = "x-1: 2 days at 10 % a day, −20 %; Idea (−1.5)"
        self.assertEqual([each["reason"] for each in class_report.changes_of(made)], [signed, signed, reason])

    def test_a_rule_overrides_nobody(self):
        change = {"delta": -1, "reason": "", "author": "", "when": ""}
        flags = [summary.is_overridden(student("a", cell(changes=[change | {"kind": kind}])))
                 for kind in ("late", "attempt", "excluded", "override")]
        self.assertEqual(flags, [False, False, True, True])

    def test_an_item_overrides_whom_it_gives_other_points(self):
        change = {"kind": "rubric", "reason": "", "author": "", "when": ""}
        self.assertEqual([summary.is_overridden(student("a", cell(changes=[change | {"delta": delta}]))) for delta in (-2, 1.5, 0)],
                         [True, True, False])

    def test_late_is_whoever_came_late_and_says_what_became_of_it(self):
        change = {"kind": "late", "delta": -1, "reason": "", "author": "", "when": ""}
        forgiven, late = cell(late_seconds=9000), cell(late_seconds=60, changes=[change])
        never, paid = cell(late_seconds=7200, changes=[change | {"delta": 0}]), cell(late_seconds=3600, changes=[change])
        made = [student("a", forgiven, cell(), cell()), student("b", late, paid, never)]
        made += [student(name, cell(late_seconds=60, **more), cell(), cell()) for name, more in
                 (("c", {"within_grace": True}), ("d", {"closed": True}), ("e", {"closed": True, "changes": [change]}))]
        found = summary.summary(data(made, [], 3))["students"]
        self.assertEqual([(each["late"], each["late_note"], "late" in each["flags"]) for each in found],
                         [(9000, "no deduction", True), (3600, "", True), (60, "within the grace period", True), (60, "closed", True),
                          (60, "", True)])

    def test_an_lms_may_mark_late_without_saying_how_late(self):
        change = {"kind": "late", "delta": -1, "reason": "", "author": "", "when": ""}
        row = summary.summary(data([student("a", cell(changes=[change]))], []))["students"][0]
        self.assertEqual((row["late"], row["lost_by_lateness"], row["flags"]), (0, True, ["late"]))

    def test_late_is_who_was_saved_by_a_free_day(self):
        days = {"used": 1, "before": 0, "left": 1}
        made = data([student("a", cell(), late_days=days), student("b", cell(), late_days=days | {"used": 0})], [])
        rows = summary.summary(made)["students"]
        self.assertEqual([(row["late"], row["lost_by_lateness"], row["flags"]) for row in rows], [(0, False, ["late"]), (0, False, [])])

    def test_an_entry_of_nobody_in_the_roster_counts_nowhere(self):
        made = data([student("a", cell(points=4), points=4), student("b", cell(points=0, handed_in_at=0), unmatched="is not in the roster",
                                                                     remarks=["x"])], [])
        found = summary.summary(made)
        self.assertEqual((found["points"]["count"], found["points"]["mean"], found["count"]), (1, 4, 1))
        self.assertEqual(found["exercises"][0]["mean"], 4)
        self.assertEqual(found["flags"], {})
        self.assertEqual([each["name"] for each in found["unmatched"]], ["b"])

    def test_each_is_in_one_bar(self):
        for points, most in (([0], 10), ([0, 10, 10], 10), ([-3.5, 0, 4], 10), ([12.5] * 3, 10), ([0, 0], 0), (list(range(194)), 193)):
            bars = summary.histogram(sorted(points), most)
            self.assertEqual(sum(count for _, _, count in bars), len(points), (points, bars))
            self.assertLessEqual(len(bars), summary.BARS + 1)
            self.assertTrue(bars[0][0] <= min(points) and bars[-1][1] >= max(points), (points, bars))

    def test_nobody_completely_graded(self):
        self.assertIsNone(summary.of_points([student("a", complete=False)], 10))
        self.assertEqual(summary.of_points([student("a", points=7)], 10)["lower"], 7)

    def test_weeks_begin_on_monday(self):
        sunday, monday = 1790553599, 1790553600  # 2026-09-27 23:59:59 and 2026-09-28 00:00, UTC
        made = data([student("a", cell(text=0, handed_in_at=sunday)), student("b", cell(text=0, handed_in_at=monday)),
                     student("c", cell(text=1, handed_in_at=monday + 6 * 86400))], [text(MINE, "m"), text(OTHER, "m", "n")])
        found = summary.over_time(made)
        self.assertEqual(found["weeks"], ["2026-09-21", "2026-09-28"])
        self.assertEqual([(row["title"], row["counts"]) for row in found["rows"]], [("m", [1, 2]), ("n", [0, 1])])
        self.assertIsNone(summary.over_time(data([student("a", cell(text=0))], [text(MINE, "m")])))
        # Taipei's Monday begins eight hours earlier, and so it is all one week there.
        self.assertIsNone(summary.over_time(made | {"time_zone": "Asia/Taipei"}))
        self.assertEqual(summary.over_time(made | {"time_zone": "America/New_York"})["rows"][0]["counts"], [2, 1])


def judged(*ends, reason="", next_step="", misconceptions=()):
    return {"reason": reason, "next_step": next_step, "misconceptions": [{"id": each, "title": each} for each in misconceptions],
            "tests": [{"end": end} for end in ends]}


class First(unittest.TestCase):
    NAMED = judged("failed", misconceptions=["race"])
    REFUSED = judged("skipped", reason="The file uses system.", next_step="Remove that call.")
    NOT_COMPILED = judged(reason="expected a ';'", next_step="Add it.", misconceptions=["never shown"])
    WRONG = judged("passed", "failed", reason="2 elements are wrong")
    SILENT = judged("failed")

    def first(self, *texts, **more):
        handed_in = [{"exercise": number, "cell": cell(text=number, passed=False, **more)} for number in range(len(texts))]
        where, advice = class_report.first_of({"texts": texts}, handed_in)
        self.assertIs(where, handed_in[advice["exercise"]])
        return advice

    def test_a_file_that_did_not_run_comes_first(self):
        for stopped in (self.REFUSED, self.NOT_COMPILED):
            for texts in ((self.NAMED, stopped), (stopped, self.NAMED), (self.SILENT, self.WRONG, self.NAMED, stopped)):
                advice = self.first(*texts)
                self.assertEqual((advice["exercise"], advice["misconception"]), (texts.index(stopped), None))
                self.assertEqual([advice["title"], *advice["words"]], [stopped["reason"], stopped["next_step"]])

    def test_then_what_has_a_name_and_of_equals_the_first(self):
        self.assertEqual(self.first(self.WRONG, self.NAMED, self.NAMED)["exercise"], 1)
        self.assertEqual(self.first(self.REFUSED, self.NOT_COMPILED)["exercise"], 0)
        advice = self.first(self.SILENT, self.WRONG)
        self.assertEqual((advice["exercise"], advice["title"], advice["words"]), (1, "2 elements are wrong", []))

    def test_without_words_the_first_is_opened(self):
        handed_in = [{"exercise": 0, "cell": cell(text=0, passed=False)}]
        self.assertEqual(class_report.first_of({"texts": [self.SILENT]}, handed_in), (handed_in[0], None))
        self.assertEqual(class_report.first_of({"texts": [self.SILENT]}, []), (None, None))


class Listing(unittest.TestCase):
    def test_lines_stay_lines(self):
        for source in ("", "x", "a\n\n  b // <c>\n", "/* over\ntwo */ int x;", "\"open\n", "#define A \\\n  1\n", "é\\u{202e}\n\tx"):
            lines = listing.coloured_lines(source)
            plain = [re.sub(r"<[^>]*>", "", line) for line in lines]
            self.assertEqual("\n".join(plain), source.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
                             .replace('"', "&#34;").replace("'", "&#39;"))
            for line in lines:
                self.assertEqual(line.count("<span"), line.count("</span>"), line)


class Languages(unittest.TestCase):
    def test_each_word_of_the_frame_is_translated(self):
        used = {*summary.LATE_NOTES, *class_report.FLAGS.values(), *class_report.KINDS.values(), *class_report.SCRIPT_WORDS.values(),
                *server.WORDS.values(), "passed", "failed", "skipped", "language tag"}
        for file in (*PAGES.iterdir(), *REVIEW.iterdir()):
            if file.suffix in (".j2", ".py"):
                calls = re.findall(r"""\bt\((?:'([^']*)'|"([^"]*)")""", file.read_text(encoding="utf-8"))
                used |= {one or other for one, other in calls}
        self.assertGreater(len(used), 80)
        for file in PAGES.glob("*.json"):
            texts = json.loads(file.read_text(encoding="utf-8"))
            self.assertEqual(used - set(texts), set(), f"{file.name} lacks")
            self.assertEqual(set(texts) - used, set(), f"{file.name} has what nobody says")
            for english, other in texts.items():
                self.assertEqual(set(re.findall(r"\{\w+\}", english)), set(re.findall(r"\{\w+\}", other)), english)


class Words(unittest.TestCase):
    def test_code_in_backticks(self):
        self.assertEqual(pages.coded("row from `by`, `a<b>` & ` left"),
                         "row from <code>by</code>, <code>a&lt;b&gt;</code> &amp; ` left")
        self.assertEqual(pages.coded("<b>"), "&lt;b&gt;")

    def test_nothing_has_no_sign(self):
        self.assertEqual([class_report.signed(number) for number in (0, -0.001, 1.5, -2)], ["0", "0", "+1.5", "−2"])

    def test_numbers_have_commas_and_minus_signs(self):
        self.assertEqual([class_report.points(number) for number in (0, -0.001, 3.333, 10, 999.5, 4096, -12345.678)],
                         ["0", "0", "3.33", "10", "999.5", "4,096", "−12,345.68"])
        self.assertEqual([class_report.one(number) for number in (0, 9.96, 10000, -0.5)], ["0", "10", "10,000", "−0.5"])
        # What is changed in a field is typed.
        self.assertEqual([class_report.typed(number) for number in (-1.5, 1000, 2)], ["-1.5", "1000", "2"])

    def test_an_exercises_name_is_parted_behind_its_underscores(self):
        self.assertEqual(class_report.parted("a_b<c"), "a_<wbr>b&lt;c")

    def test_the_second_of_two_namesakes_is_called_by_name(self):
        self.assertEqual([class_report.own_name(student(name, account=account)) for name, account in
                          (("Max Müller (2)", "1006"), ("Max Müller", "1005"), ("Max Müller (2)", ""))],
                         ["Max Müller", "Max Müller", "Max Müller (2)"])

    def test_what_stands_in_the_way(self):
        made = text("") | {"notes": [], "reason": "", "tests": [{"end": "passed", "title": "a", "reason": ""},
                                                                {"end": "failed", "title": "b", "reason": "a copy wrote P"}]}
        self.assertEqual(class_report.obstacle(made), "a copy wrote P")
        made["tests"][1]["reason"] = ""
        self.assertEqual(class_report.obstacle(made), "b")


class Items(unittest.TestCase):
    def test_an_item_says_that_it_changed_nothing(self):
        env, _ = class_report.environment(data([], []) | {"language": "en"})
        macro, item = env.get_template("macros.html.j2").make_module().item, {"title": "Idea", "points": -2}
        self.assertEqual([macro(item, cell(rubric=[item], rubric_counts=counts)) for counts in (True, False)],
                         ["Idea (−2)", "Idea (−2, no effect)"])

    def test_students_are_told_of_items_that_count_alone(self):
        items = [{"title": "Idea", "points": -2}, {"title": "Seen", "points": 0}]
        made = cell(rubric=items) | {"problem_of_student": ""}
        told = [feedback.cell_for_student(made | {"rubric_counts": counts})["rubric"] for counts in (True, False)]
        self.assertEqual(told, [items, items[1:]])


class Signs(unittest.TestCase):
    def test_a_state_has_one_sign(self):
        env, _ = class_report.environment(data([], []) | {"language": "en"})
        sign = env.get_template("macros.html.j2").make_module().sign
        self.assertEqual([sign(cell(state=state)) for state in ("unusable", "not graded", "missing")], ["!", "?", "–"])
        index = (REVIEW / "review_index.html.j2").read_text(encoding="utf-8")
        for mark in "✓↻!?–":
            self.assertRegex(index, f"<dt>(<[^>]*>)?{re.escape(mark)}(</[a-z]*>)?</dt>", "the legend")


class Colours(unittest.TestCase):
    def test_points_for_what_was_not_handed_in_are_no_failed_test(self):
        env, _ = class_report.environment(data([], []) | {"language": "en"})
        colour = env.get_template("macros.html.j2").make_module().colour
        self.assertEqual([colour(cell(passed=True)), colour(cell(passed=False)), colour(cell(passed=False, state="missing")),
                          colour(cell(passed=False, state="unusable"))], ["good", "bad", "", ""])
        for page in (PAGES / "index.html.j2", REVIEW / "review_index.html.j2"):
            self.assertNotIn("'good' if cell.passed", page.read_text(encoding="utf-8"), "all say it alike")


class Counts(unittest.TestCase):
    def test_a_review_counts_others_than_the_rosters_apart(self):
        mark = {"author": "Grace", "when": "", "outdated": False}
        made = [student("a", cell(reviewed=mark), cell(state="missing", reviewed=None)), student("b", cell(reviewed=None))]
        said = "1 of 2 reviewed"
        self.assertEqual(server.count_in_words(made, words.ENGLISH), said)
        made.append(student("z", cell(reviewed=None), unmatched="is not in the roster"))
        self.assertEqual(server.count_in_words(made, words.ENGLISH), said + "; 0 of 1 from entries that are not in the roster")

    def test_one_test_is_no_plural(self):
        env, _ = class_report.environment(data([], []) | {"language": "en"})
        group = {"title": "Small", "points": 1, "max_points": 1, "speed": False}
        macro = env.get_template("macros.html.j2").make_module().groups
        said = [macro({"groups": [group | {"passed": 1, "counted": counted}]}) for counted in (1, 2)]
        self.assertIn("(1 of 1 test that counts)", said[0])
        self.assertIn("(1 of 2 tests that count)", said[1])


class Clock(unittest.TestCase):
    def test_a_decisions_time_is_the_courses(self):
        shown = class_report.moment(class_report.clock("Europe/Berlin"))
        self.assertEqual((shown("2026-11-29T07:57:22Z"), shown("")), ("2026-11-29\u00a008:57\u00a0CET", ""))

    def test_times_are_the_courses(self):
        summer, winter = 1790553600, 1797811200  # 28 September and 21 December 2026, 00:00 UTC and so.
        berlin = class_report.clock("Europe/Berlin")
        self.assertEqual((berlin(summer), berlin(winter)),
                         ("2026-09-28\u00a002:00\u00a0CEST", "2026-12-21\u00a001:00\u00a0CET"))
        self.assertEqual(class_report.clock("UTC")(summer), "2026-09-28\u00a000:00\u00a0UTC")
        self.assertEqual(class_report.clock("Nowhere/AtAll")(summer), "2026-09-28\u00a000:00\u00a0UTC")


if __name__ == "__main__":
    unittest.main()
