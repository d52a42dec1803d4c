# SPDX-License-Identifier: Apache-2.0
"""Checks that the grader made, as the texts ask for them: counts by test and line, and the report with notes."""
import re

from markupsafe import Markup


class Sample:
    """One check: `samples.NAME` in a text. Whatever a text asks for and the result lacks is an error."""

    def __init__(self, name, checked, language=""):
        """`language` is that of the report where the page is in another one."""
        self.language = language
        self.name, self.result, self.report = name, checked["result"], checked["report"]

    def launch(self, test):
        """The first launch of a test, "TiledMatmul.AnyWidth": grid, block, occupancy, totals, lines."""
        for each in self.result["tests"]:
            if each["name"] == test and each["launches"]:
                return each["launches"][0]
        raise KeyError(f"sample {self.name} has no launch in {test}")

    def totals(self, test):
        return self.launch(test)["totals"]

    def line(self, test, number):
        """The counts of one source line."""
        for each in self.launch(test)["lines"]:
            if each["where"]["line"] == number:
                return each["counts"]
        raise KeyError(f"sample {self.name}, {test}: nothing was counted in line {number}")

    def busiest(self, test, what):
        """The counts of the source line with most of `what`."""
        return max((each["counts"] for each in self.launch(test)["lines"]), key=lambda counts: counts[what])

    def intensity(self, test):
        """Operations for each byte loaded from global memory."""
        totals = self.totals(test)
        return totals["flops"] / totals["global_load_bytes"]

    def per_request(self, test, what):
        """"global_load_sectors": sectors for each request of that kind, by kernel."""
        totals = self.totals(test)
        return totals[what] / totals[what.rsplit("_", 1)[0] + "_requests"]

    def shown(self, notes=(), leave_out=(), left_out="{count} lines left out"):
        """The report, numbers at the lines that `notes` (part of a line, text) explain, and the notes below.

        `leave_out` are pairs of parts of lines: from the first such line up to, not including, the second. The first
        line that has the part is meant; give no values, which change with the suites."""
        lines = self.report.rstrip("\n").split("\n")
        for first, last in leave_out:
            start = self._find(lines, first)
            stop = self._find(lines, last, start + 1)
            lines[start:stop] = ["  … " + left_out.format(count=stop - start)]
        marks = {self._find(lines, part): number for number, (part, _) in enumerate(notes, 1)}
        shown = []
        for i, line in enumerate(lines):
            mark = Markup('<b class="mark">{}</b>').format(marks[i]) if i in marks else Markup("")
            shown.append(_coloured(line) + mark)
        explained = Markup("").join(Markup("<li>{}</li>\n").format(text) for _, text in notes)
        listed = Markup('<ol class="notes">\n{}</ol>').format(explained) if notes else Markup("")
        attribute = Markup(' lang="{}"').format(self.language) if self.language else ""
        return Markup('<pre class="report"{}>{}</pre>\n{}').format(attribute, Markup("\n").join(shown), listed)

    def _find(self, lines, part, start=0):
        for i in range(start, len(lines)):
            if part in lines[i]:
                return i
        raise KeyError(f"sample {self.name}: no line of its report has '{part}'")


def _coloured(line):
    verdict = re.match(r"  (pass|FAIL)  |(PASSED|NOT PASSED)", line)
    if not verdict:
        return Markup("{}").format(line)
    word = verdict.group(1) or verdict.group(2)
    kind = "good" if word in ("pass", "PASSED") else "bad"
    before, after = line.split(word, 1)
    return Markup('{}<b class="{}">{}</b>{}').format(before, kind, word, after)
