# SPDX-License-Identifier: Apache-2.0
"""What a text gets of a sample whose solution has several kernels: the counts of all of them, never of the first."""
import pathlib
import pickle
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "handouts"))
import samples


def launch(kernel, sectors, lines, requests=1):
    return {"kernel": kernel, "grid": {"x": 1}, "totals": {"global_load_sectors": sectors, "global_load_requests": requests},
            "lines": [{"where": {"file": "a.cu", "line": line}, "counts": {"global_load_sectors": of_line}}
                      for line, of_line in lines.items()]}


def sample(*launches):
    tests = [{"name": "Merge.Skipped", "launches": []}, {"name": "Merge.Loads", "launches": list(launches)}]
    return samples.Sample("merge", {"result": {"tests": tests}, "reports": {"en": ""}}, "en", {})


SEARCH = launch("find_splits", 684, {26: 684}, requests=16)
MERGE = launch("merge_kernel", 41_347, {40: 41_000, 60: 347}, requests=2000)


class OfSeveralKernels(unittest.TestCase):
    def test_totals_are_of_all(self):
        several = sample(SEARCH, MERGE)
        self.assertEqual(several.totals("Merge.Loads")["global_load_sectors"], 684 + 41_347)
        self.assertEqual(several.per_request("Merge.Loads", "global_load_sectors"), (684 + 41_347) / 2016)

    def test_lines_are_of_all(self):
        several = sample(SEARCH, MERGE, MERGE)
        self.assertEqual(several.line("Merge.Loads", 26)["global_load_sectors"], 684)
        self.assertEqual(several.line("Merge.Loads", 60)["global_load_sectors"], 2 * 347)
        self.assertEqual(several.busiest("Merge.Loads", "global_load_sectors")["global_load_sectors"], 82_000)

    def test_no_launch_is_the_one(self):
        with self.assertRaisesRegex(ValueError, "find_splits, merge_kernel"):
            sample(SEARCH, MERGE).launch("Merge.Loads")
        self.assertEqual(sample(MERGE).launch("Merge.Loads")["kernel"], "merge_kernel")
        with self.assertRaisesRegex(samples.SampleFault, "no launch in Merge.Skipped"):
            sample(MERGE).launch("Merge.Skipped")

    def test_a_fault_of_a_text_names_what_is_missing(self):
        fault = samples.SampleFault("sample heat: no line of its report has 'x'")
        self.assertEqual(str(pickle.loads(pickle.dumps(fault))), "sample heat: no line of its report has 'x'",
                         "without quotes, also from another process")


if __name__ == "__main__":
    unittest.main()
