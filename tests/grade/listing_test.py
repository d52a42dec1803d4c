#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The colours of a student's source on the pages of a class, by grader/pages/listing.py."""
import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "grader" / "pages"))
import listing  # noqa: E402


class Listing(unittest.TestCase):
    def test_code_is_coloured(self):
        lines = listing.coloured_lines("int a = 1;  // <one>\n/* two\nlines */")
        self.assertEqual(len(lines), 3)
        self.assertIn('<span class="kw">int</span>', lines[0])
        self.assertIn("&lt;one&gt;", lines[0])
        self.assertIn('<span class="co">lines */</span>', lines[2])

    def test_what_costs_the_lexer_its_square_is_shown_in_one_colour(self):
        """A file of a student's must not keep a whole class from its report."""
        for name, source, lines in (("empty lines", "\n" * 200_000 + "int a;", 200_001), ("slashes", "int a; //" + "/" * 1_000_000, 1)):
            with self.subTest(name):
                shown = listing.coloured_lines(source)
                self.assertEqual(len(shown), lines)
                self.assertEqual("".join(shown), source.replace("\n", ""))


if __name__ == "__main__":
    unittest.main()
