# SPDX-License-Identifier: Apache-2.0
"""What CI takes in turn is, together, all that `warplings selftest --all` adds."""
import json
import pathlib
import sys
import unittest

THIRDS = {"third_1", "third_2", "third_3"}


class TiersTest(unittest.TestCase):
    def test_each_long_test_is_in_one_third(self):
        tests = json.loads((BUILD / "meson-info/intro-tests.json").read_text())
        suites = {test["name"]: {suite.rpartition(":")[2] for suite in test["suite"]} for test in tests}
        long = {name for name, its in suites.items() if "long" in its}
        self.assertGreater(len(long), 20)
        for name, its in suites.items():
            self.assertEqual(len(its & THIRDS), int(name in long), f"{name} is in {sorted(its)}")
        for name, its in suites.items():  # The setups of the thirds leave out what is in none of these.
            self.assertFalse("commit" in its and its & {"long", "nightly", "sample"}, f"{name} is in {sorted(its)}")
        for third in THIRDS:
            self.assertTrue(any(third in its for its in suites.values()), third)


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(1))
    unittest.main(verbosity=2)
