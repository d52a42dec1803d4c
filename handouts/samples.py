# SPDX-License-Identifier: Apache-2.0
"""Checks that the grader made, as the texts ask for them: counts by test and line, and the report with notes."""
import re

from markupsafe import Markup


class SampleFault(KeyError):
    """A text asks for what its sample lacks: whose text it is has to correct it."""

    def __str__(self):  # KeyError's are in quotes.
        return str(self.args[0])


class NoSample(Exception):
    """A page needs numbers of a sample that failed; `name` is the sample's."""

    def __init__(self, name):
        super().__init__(f"sample {name} did not run")
        self.name = name


class Samples(dict):
    """The samples by name. Not `strict`: a text goes without what a sample lacks, and `leave_out(name)` hears of it."""

    def __init__(self, samples, strict, leave_out):
        super().__init__({name: each if strict else _Lenient(each, leave_out) for name, each in samples.items()})
        self._strict, self._leave_out = strict, leave_out

    def __missing__(self, name):
        if self._strict:
            raise KeyError(name)
        return _Missing(name, self._leave_out)


class _Lenient:
    def __init__(self, sample, leave_out):
        self._sample, self._leave_out = sample, leave_out

    def __getattr__(self, what):
        method = getattr(self._sample, what)
        if not callable(method):
            return method

        def called(*words, **options):
            try:
                return method(*words, **options)
            except (KeyError, ValueError, ZeroDivisionError):
                if what != "shown":
                    raise NoSample(self._sample.name) from None
            self._leave_out(self._sample.name)
            return Markup("")

        return called


class _Missing:
    """A sample that did not run: its report is left out, and who asks for its numbers hears that there are none."""

    def __init__(self, name, leave_out):
        self._name, self._leave_out = name, leave_out

    def shown(self, *_, **__):
        self._leave_out(self._name)
        return Markup("")

    def __getattr__(self, what):
        if what.startswith("__"):
            raise AttributeError(what)
        raise NoSample(self._name)


class Sample:
    """One check: `samples.NAME` in a text. Whatever a text asks for and the result lacks is an error."""

    def __init__(self, name, checked, language, verdicts, main="en"):
        """`language` is that of the page; `verdicts` has the words for good and bad ones in it. Where a page in another
        language has no text of its own for a chapter, the text names lines of the English report, and gets that."""
        self.name, self.result, self.verdicts = name, checked["result"], verdicts
        reports = checked["reports"]
        self.reports = [(each, reports[each]) for each in dict.fromkeys((language, main)) if each in reports]
        self.language = language

    def launches(self, test):
        """All launches of a test, "TiledMatmul.AnyWidth", in their order."""
        for each in self.result["tests"]:
            if each["name"] == test and each["launches"]:
                return each["launches"]
        raise SampleFault(f"sample {self.name} has no launch in {test}")

    def launch(self, test):
        """The only launch of a test: kernel, grid, block, occupancy, totals, lines. If there are several, a text cannot
        mean one of them without a name, and must not get the first."""
        launches = self.launches(test)
        if len(launches) > 1:
            raise ValueError(f"sample {self.name} launches {len(launches)} kernels in {test}: "
                             f"{', '.join(each['kernel'] for each in launches)}")
        return launches[0]

    def totals(self, test):
        """The counts of a test: of all its launches together."""
        return _sum(each["totals"] for each in self.launches(test))

    def lines(self, test):
        """The counts by (file, line): of all launches together."""
        counts = {}
        for launch in self.launches(test):
            for each in launch["lines"]:
                counts.setdefault((each["where"]["file"], each["where"]["line"]), []).append(each["counts"])
        return {where: _sum(each) for where, each in counts.items()}

    def line(self, test, number):
        """The counts of one source line."""
        for (_, line), counts in self.lines(test).items():
            if line == number:
                return counts
        raise SampleFault(f"sample {self.name}, {test}: nothing was counted in line {number}")

    def busiest(self, test, what):
        """The counts of the source line with most of `what`."""
        return max(self.lines(test).values(), key=lambda counts: counts[what])

    def intensity(self, test):
        """Operations for each byte loaded from global memory."""
        totals = self.totals(test)
        return totals["flops"] / totals["global_load_bytes"]

    def per_request(self, test, what):
        """"global_load_sectors": sectors for each request of that kind."""
        totals = self.totals(test)
        return totals[what] / totals[what.rsplit("_", 1)[0] + "_requests"]

    def shown(self, notes=(), leave_out=(), left_out="{count} lines left out"):
        """The report, numbers at the lines that `notes` (part of a line, text) explain, and the notes below. A part that
        ends with a line's end means the line after that one: for lines whose words change.

        `leave_out` are pairs of parts of lines: from the first such line up to, not including, the second. The first
        line that has the part is meant; give no values, which change with the suites."""
        parts = [part for part, _ in notes] + [part for pair in leave_out for part in pair]
        language, report = next((each for each in self.reports if all(part.rstrip("\n") in each[1] for part in parts)),
                                self.reports[0])
        lines = report.rstrip("\n").split("\n")
        for first, last in leave_out:
            start = self._find(lines, first)
            stop = self._find(lines, last, start + 1)
            lines[start:stop] = ["  … " + left_out.format(count=stop - start)]
        marks = {self._find(lines, part): number for number, (part, _) in enumerate(notes, 1)}
        if len(marks) < len(notes):
            raise SampleFault(f"sample {self.name}: two notes are about one line of its report: {sorted(marks)}")
        shown = []
        for i, line in enumerate(lines):
            mark = Markup('<b class="mark">{}</b>').format(marks[i]) if i in marks else Markup("")
            shown.append(_coloured(line, self.verdicts) + mark)
        explained = Markup("").join(Markup("<li>{}</li>\n").format(text) for _, text in notes)
        listed = Markup('<ol class="notes">\n{}</ol>').format(explained) if notes else Markup("")
        attribute = Markup(' lang="{}"').format(language) if language != self.language else ""
        return Markup('<pre class="report"{}>{}</pre>\n{}').format(attribute, Markup("\n").join(shown), listed)

    def _find(self, lines, part, start=0):
        for i in range(start, len(lines)):
            if part.rstrip("\n") in lines[i]:
                return i + part.endswith("\n")
        raise SampleFault(f"sample {self.name}: no line of its report has '{part}'. The key of a note is a part of a line that "
                          "the report has now")


def _sum(counts):
    """Counts by name, added up."""
    sums = {}
    for each in counts:
        for name, count in each.items():
            sums[name] = sums.get(name, 0) + count
    return sums


def _coloured(line, verdicts):
    """The verdict at the beginning of a line, of a test or of all of them, in its colour."""
    for kind, words in verdicts.items():
        for word in words:
            found = re.match(rf"(?:  )?({re.escape(word)})(?:  |$|[ ,:（：，。])", line)
            if found:
                start, end = found.span(1)
                return Markup('{}<b class="{}">{}</b>{}').format(line[:start], kind, word, line[end:])
    return Markup("{}").format(line)
