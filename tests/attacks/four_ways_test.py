# SPDX-License-Identifier: Apache-2.0
"""Four ways round a function that returns a value and writes a part of its output; void functions return nothing."""
import pathlib
import re
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import four_ways

COMPACT = {
    "name": "compact", "entry": "compact", "parameters": "const int* in, int* out, int n", "returns": "int",
    "inputs": [("in", "int", "n")], "output": ("out", "int", "n"), "stored": "way_answer",
    "compute": "int k = 0;\n  for (int i = 0; i < n; ++i) if (in[i] > 0) out[k++] = in[i];\n  return k;"}
# The same with the number of elements as a second output.
COUNTED = {
    "name": "counted", "entry": "counted", "parameters": "const float* in, float* out, int* count, int n",
    "inputs": [("in", "float", "n")], "output": ("out", "float", "n"), "further_outputs": [("count", "int", "1")],
    "stored": "way_first_count",
    "compute": "int k = 0;\n  for (int i = 0; i < n; ++i) if (in[i] > 0) out[k++] = in[i];\n  *count = k;"}
# Its parameters have names that the written code might need for itself.
NAMES = {
    "name": "names", "entry": "compute", "parameters": "const int* host, int* result, int* store, int count, int answer, int scratch",
    "inputs": [("host", "int", "count"), ("store", "int", "count")], "output": ("result", "int", "count"),
    "compute": "for (int i = 0; i < count; ++i) result[i] = host[i];"}
ROOT = pathlib.Path(__file__).resolve().parents[2]


class FourWaysTest(unittest.TestCase):
    def test_a_returned_value_is_returned(self):
        for way in four_ways.WAYS:
            text = four_ways.source(COMPACT, way)
            self.assertIn("__host__ __device__ static int way_compute(const int* in, int* out, int n)", text, way)
            self.assertIn("\nint compact(const int* in, int* out, int n) {", text, way)
            self.assertTrue(text.endswith("  return way_answer;\n}\n"), text)

    def test_a_kernel_stores_it(self):
        text = four_ways.source(COMPACT, "thread")
        self.assertIn("*way_answer = way_compute(in, out, n);", text)
        self.assertIn("way_alone<<<1, 1>>>(in, out, n, way_stored_answer);", text)

    def test_only_the_written_part_is_copied(self):
        self.assertIn("cudaMemcpy(out, way_scratch_out, way_answer * sizeof(int),", four_ways.source(COMPACT, "memcpy"))
        self.assertIn("cudaMemcpy(out, way_result_out.data(), way_answer * sizeof(int),", four_ways.source(COMPACT, "cpu"))
        self.assertIn("(way_scratch_out, out, way_answer);", four_ways.source(COMPACT, "decoy"))

    def test_each_output_is_copied(self):
        self.assertIn("way_alone<<<1, 1>>>(in, out, count, n);", four_ways.source(COUNTED, "thread"))
        for way, first in {"memcpy": "way_scratch", "cpu": "way_result"}.items():
            text = four_ways.source(COUNTED, way)
            self.assertRegex(text, rf"cudaMemcpy\(count, {first}_count(\.data\(\))?, 1 \* sizeof\(int\),")
            self.assertRegex(text, rf"cudaMemcpy\(out, {first}_out(\.data\(\))?, way_first_count \* sizeof\(float\),")
        decoy = four_ways.source(COUNTED, "decoy")
        self.assertIn("(way_scratch_count, count, 1);", decoy)
        self.assertIn("(way_scratch_out, out, way_first_count);", decoy)

    def test_a_function_returns_what_its_entry_says(self):
        for exercise in [*four_ways.EXERCISES, COMPACT, COUNTED]:
            returns = exercise.get("returns", "void")
            for way in four_ways.WAYS:
                text = four_ways.source(exercise, way)
                self.assertIn(f"\n{returns} {exercise['entry']}(", text)
                self.assertEqual("way_answer" in text, returns != "void", f"{exercise['name']}, {way}")

    def test_parameters_may_have_any_name_without_the_prefix(self):
        own = {"host", "result", "store", "count", "answer", "scratch", "compute"}
        for way in four_ways.WAYS:
            body = four_ways.source(NAMES, way).split("\nvoid compute(")[1].split("{", 1)[1]
            declared = set(re.findall(r"(?:long|int\*|std::vector<int>) (\w+)", body))
            self.assertFalse(declared & own, body)
        with self.assertRaisesRegex(ValueError, "names: the parameter way_n begins with way_"):
            four_ways.source(NAMES | {"parameters": "int* result, int way_n"}, "thread")

    def test_every_kernel_exercise_has_an_entry(self):
        entries = {exercise["name"] for exercise in four_ways.EXERCISES}
        kernels = {file.stem for file in ROOT.glob("solutions/*/*.cu") if "__global__" in file.read_text()}
        if missing := sorted(kernels - entries):
            self.fail(f"tests/attacks/four_ways.py has no entry for {', '.join(missing)}: add one (CONTRIBUTING.md, \"The files\")")
        if left := sorted(entries - kernels):
            self.fail(f"tests/attacks/four_ways.py has an entry for {', '.join(left)}, which is no kernel exercise: delete it")


if __name__ == "__main__":
    unittest.main()
