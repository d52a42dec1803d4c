# SPDX-License-Identifier: Apache-2.0
"""What is being done, on one line of a terminal that is overwritten; elsewhere a line now and then."""
import os
import sys
import time

SECONDS_BETWEEN_LINES = 15


class Line:
    """`template` has the holes {n}, {m} and {name}: "Printing page {n} of {m}: {name}"."""

    def __init__(self, template, most, stream=sys.stderr):
        self.template, self.most, self.stream = template, most, stream
        self.shows = bool(template) and most > 0 and stream.isatty()
        self.tells = bool(template) and most > 0 and not self.shows
        self.done, self.told = 0, time.monotonic()

    def show(self, name=""):
        text = self.template.format(n=self.done, m=self.most, name=name).rstrip(" ,，：:") if self.template else ""
        if self.tells and time.monotonic() - self.told >= SECONDS_BETWEEN_LINES:
            self.told = time.monotonic()
            print(text, file=self.stream, flush=True)
        if not self.shows:
            return
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
