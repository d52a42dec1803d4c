# SPDX-License-Identifier: Apache-2.0
"""Four ways round a function that returns a value and writes a part of its output; void functions return nothing."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import four_ways

COMPACT = {
    "name": "compact", "entry": "compact", "parameters": "const int* in, int* out, int n", "returns": "int",
    "inputs": [("in", "int", "n")], "output": ("out", "int", "n"), "stored": "answer",
    "compute": "int k = 0;\n  for (int i = 0; i < n; ++i) if (in[i] > 0) out[k++] = in[i];\n  return k;"}


class FourWaysTest(unittest.TestCase):
    def test_a_returned_value_is_returned(self):
        for way in four_ways.WAYS:
            text = four_ways.source(COMPACT, way)
            self.assertIn("__host__ __device__ static int compute(const int* in, int* out, int n)", text, way)
            self.assertIn("\nint compact(const int* in, int* out, int n) {", text, way)
            self.assertTrue(text.endswith("  return answer;\n}\n"), text)

    def test_a_kernel_stores_it(self):
        text = four_ways.source(COMPACT, "thread")
        self.assertIn("*answer = compute(in, out, n);", text)
        self.assertIn("alone<<<1, 1>>>(in, out, n, stored_answer);", text)

    def test_only_the_written_part_is_copied(self):
        self.assertIn("cudaMemcpy(out, scratch, answer * sizeof(int),", four_ways.source(COMPACT, "memcpy"))
        self.assertIn("cudaMemcpy(out, result.data(), answer * sizeof(int),", four_ways.source(COMPACT, "cpu"))
        self.assertIn("(scratch, out, answer);", four_ways.source(COMPACT, "decoy"))

    def test_void_functions_return_nothing(self):
        for exercise in four_ways.EXERCISES:
            for way in four_ways.WAYS:
                text = four_ways.source(exercise, way)
                self.assertIn(f"\nvoid {exercise['entry']}(", text)
                self.assertNotIn("answer", text)


if __name__ == "__main__":
    unittest.main()
