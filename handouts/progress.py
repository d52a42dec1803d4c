# SPDX-License-Identifier: Apache-2.0
"""What is being done, on one line of a terminal that is overwritten; nothing elsewhere."""
import os
import sys


class Line:
    """`template` has the holes {n}, {m} and {name}: "Printing page {n} of {m}: {name}"."""

    def __init__(self, template, most, stream=sys.stderr):
        self.template, self.most, self.stream = template, most, stream
        self.shows = bool(template) and most > 0 and stream.isatty()
        self.done = 0

    def show(self, name=""):
        if not self.shows:
            return
        text = self.template.format(n=self.done, m=self.most, name=name).rstrip(" ,，：:")
        # A line that wraps could not be overwritten; a wide character takes two columns.
        columns = os.get_terminal_size(self.stream.fileno()).columns or 80
        if len(text) + sum(ord(each) > 0x1100 for each in text) >= columns:
            text = text[:max(columns // 2 - 1, 1)] + "…"
        self.stream.write("\r\x1b[K" + text)
        self.stream.flush()

    def next(self, name=""):
        """Something has been done; `name` is what it was."""
        self.done += 1
        self.show(name)

    def clear(self):
        if self.shows:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
