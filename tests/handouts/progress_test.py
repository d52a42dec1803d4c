# SPDX-License-Identifier: Apache-2.0
"""The line that says how far the handouts are: on a terminal never wider than it, elsewhere now and then."""
import io
import os
import pathlib
import pty
import sys
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "handouts"))
import progress


class Progress(unittest.TestCase):
    def on_terminal(self, template, name=""):
        """What a terminal gets of a line with one of three things done."""
        ours, theirs = pty.openpty()
        with os.fdopen(theirs, "w", encoding="utf-8") as stream:
            line = progress.Line(template, 3, stream)
            line.show()
            line.next(name)
            line.clear()
            text = b""
            while not text.endswith(b"\x1b[K") or text.count(b"\x1b[K") < 3:
                text += os.read(ours, 10_000)
        os.close(ours)
        text = text.decode()
        return text

    def test_a_terminal_gets_one_line_that_is_overwritten(self):
        self.assertEqual(self.on_terminal("Printing {n} of {m}, {name}", "a.pdf"),
                         "\r\x1b[KPrinting 0 of 3\r\x1b[KPrinting 1 of 3, a.pdf\r\x1b[K")
        # Cut, and not wrapped.
        parts = self.on_terminal("{n} {m} {name}", "陳" * 200).split("\r\x1b[K")
        self.assertTrue(len(parts[2]) < 80 and parts[2].endswith("…"), parts)

    def test_elsewhere_a_line_now_and_then(self):
        stream, now = io.StringIO(), [0]
        with unittest.mock.patch("time.monotonic", lambda: now[0]):
            line = progress.Line("Printing {n} of {m}: {name}", 50, stream)
            line.show()
            for now[0] in range(1, 41):
                line.next("a.pdf")
            line.clear()
        self.assertEqual(stream.getvalue(), "Printing 15 of 50: a.pdf\nPrinting 30 of 50: a.pdf\n")

    def test_nothing_elsewhere_at_first_or_without_words(self):
        stream = io.StringIO()
        line = progress.Line("{n} of {m}", 3, stream)
        line.show()
        line.next("a")
        line.clear()
        self.assertEqual(stream.getvalue(), "")
        for words in (None, ""):
            self.assertFalse(progress.Line(words, 3).shows)


if __name__ == "__main__":
    unittest.main()
