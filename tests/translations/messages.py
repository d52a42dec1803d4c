#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds po/LANGUAGE.po against the sources whose texts it translates.

Each row of a table of messages (TABLES, OF_SUITES) has an entry with its template as msgid, and ids are unique.

Fixed texts are English until they are shown (grader/base/catalogue.h), so nothing in the sources marks them. What is held
instead: each string literal in the files of SHOWN that holds words is a msgid, so that a text that was changed or added is
found here. A literal that nobody is shown is listed in NOT_SHOWN.

The words of a verdict, and of a kind of finding, are made from the name of its enumerator (ENUMS), so no source has them:
each has an entry.

  messages.py              what is missing, and what is wrong in the po files; fails
  messages.py --list       all literals that are looked at
"""

import argparse
import contextlib
import io
import pathlib
import re
import signal
import sys

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]

TABLES = ["grader/base/messages.inc", "grader/messages/*.inc"]
# What instructors, authors and maintainers read: in English, where a row has no entry.
IN_ENGLISH = [
    "grader/messages/authoring.inc",
    "grader/messages/class.inc",
    "grader/messages/course.inc",
    "grader/messages/programs.inc",
    "grader/messages/ptx.inc",
    "grader/messages/suite_runs.inc",
    "grader/messages/teaching_commands.inc",
    "grader/messages/toml.inc",
]
# What exercises say: a row without an entry is listed, and does not fail, as below.
OF_SUITES = "tests/suites/**/*.inc"
# What a student reads in a report: of whom it is composed.
SHOWN = [
    "grader/report/counts_text.cc",
    "grader/report/finding_text.cc",
    "grader/report/first_failure.cc",
    "grader/report/full_report.cc",
    "grader/report/result_words.cc",
    "grader/report/report_canvas.cc",
    "grader/report/short_report.cc",
    "grader/report/speed_text.cc",
    "grader/suite/comparison.cc",
    "grader/suite/observed_call.cc",
    "grader/virtual_gpu/checks/fault_reporter.cc",
    "grader/virtual_gpu/checks/race_reports.cc",
]
# What exercises say, and what a call is asked for and explained by: missing texts are listed, and do not fail, so that
# somebody who writes an exercise need not know other languages.
OF_EXERCISES = [
    "grader/suite/device_work.cc",
    "grader/suite/judge.cc",
    "grader/suite/judge_session.cc",
    "grader/suite/linear_formula.cc",
    "grader/suite/product_formula.cc",
    "tests/suites/*/*.cc",
    "tests/suites/*/*.h",
]
NOT_SHOWN = [
    "(lane / ",  # A formula of a random pattern.
    "usage: SUITE --order-fd N --result-fd M (`warplings check` starts it)",
    "divergence",
    "uncoarsened",  # Names of misconceptions and questions.
    "price",
    "launch",  # Names of counts (grader/core/count_names.h).
    "occupancy",
    " read",  # Behind the name of a finding: "out of bounds read" is a text.
    " write",
    " atomic",
    "ncu",
    "nan",  # As printf writes it.
    "%.4g ms",  # Units.
    "%.4g us",
    "%.3g TFLOP/s",
    "%.4g GB/s",
    "%.0f MHz",
]

# What a report names by its enumerator: the header of each enum.
ENUMS = {"Verdict": "grader/core/verdict.h", "FindingKind": "grader/core/finding.h"}
# FindingSubject() (grader/report/finding_text.cc) says the access, too; a write is never uninitialised.
WITH_ACCESS = [
    f"{kind} {access}"
    for kind in ("out of bounds", "use after free", "misaligned", "uninitialised")
    for access in ("read", "write", "atomic")
    if (kind, access) != ("uninitialised", "write")
]

ROW = re.compile(r'^MESSAGE\((\w+),\s*((?:"(?:[^"\\\n]|\\.)*"\s*)+)', re.MULTILINE)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Inside a literal: a printf conversion. Inside a msgid: a placeholder. Both stand for something else.
WORDS = re.compile(r"[A-Za-z]{2,} |[A-Za-z]{2,}, |^[a-z]{3,}$|^[A-Z][a-z]{2,}$| [A-Za-z]{2,}")


def rows_of(table):
    """[(id, template)] of the rows of a table, which grader/base/message.h describes."""
    return [(row[1], unescaped("".join(LITERAL.findall(row[2])))) for row in ROW.finditer(table)]


def read_po(path):
    """[(line, msgid, msgstr)] of a PO file without contexts and plurals; the head is left out."""
    entries = []
    current = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if match := re.match(r"(msgid|msgstr) (.*)", line):
            current = match[1]
            if current == "msgid":
                entries.append([number, "", ""])
            line = match[2]
        if not (match := LITERAL.fullmatch(line.strip())) or current is None:
            sys.exit(f"{path}:{number}: neither msgid, msgstr nor a string")
        entries[-1][1 if current == "msgid" else 2] += unescaped(match[1])
    return [tuple(entry) for entry in entries if entry[1]]


def unescaped(text):
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t"}.get(match[1], match[1]), text)


def names_of(enum, header):
    """What a report calls the enumerators: "not run" of kNotRun."""
    body = re.search(rf"^enum class {enum} \{{\n(.*?)^\}};", header, re.MULTILINE | re.DOTALL)
    names = re.findall(r"^\s+k(\w+),", body[1], re.MULTILINE) if body else []
    return [re.sub(r"(?<=.)([A-Z])", r" \1", name).lower() for name in names]


def without_contracts(source):
    """Without the arguments of GradedBy() and the functions that write sentences for it: the contract's sentences, which no
    report repeats; a contract stays English."""
    source = re.sub(r"^std::[\w:<>]+ \w+Sentences?\([^;]*?\) \{\n.*?^\}\n", "", source, flags=re.MULTILINE | re.DOTALL)
    while (start := source.find(" GradedBy(")) >= 0:
        depth, end = 0, start
        # Strings go by whole: a parenthesis in one ends nothing.
        for piece in re.finditer(r'"(?:[^"\\\n]|\\.)*"|[()]', source[start:]):
            depth += {"(": 1, ")": -1}.get(piece[0], 0)
            end = start + piece.end()
            if depth == 0:
                break
        source = source[:start] + source[end:]
    return source


def literals_of(source):
    """The strings of a C++ file that hold words; neighbours are one string, comments and includes are none."""
    source = re.sub(r'^\s*#\s*include.*$|(?<!["\w:])//[^\n]*', "", source, flags=re.MULTILINE)
    source = re.sub(r'"\s*\n\s*"', "", without_contracts(source))
    found = [unescaped(match[1]) for match in LITERAL.finditer(source)]
    return [text for text in dict.fromkeys(found) if is_prose(text)]


def is_prose(text):
    """Not a name of the code, a file, a format or an identifier."""
    if re.fullmatch(r"[\w./:#-]*", text) and not re.fullmatch(r"[a-z]{3,}|[A-Z][a-z]+|PASSED|FAIL", text):
        return False
    return WORDS.search(text) is not None


def is_covered(literal, msgids):
    """There as it is, or as the noun of a say::Count."""
    noun = literal.strip()
    return literal in msgids or noun in msgids or "{1} " + noun in msgids or "{1} " + noun + "s" in msgids


def faults_of(entries, words):
    """What is wrong in a PO file by itself."""
    faults = []
    seen = set()
    for line, english, translated in entries:
        if english in seen:
            faults.append((line, f"is there twice: {english}"))
        seen.add(english)
        if not translated:
            continue
        holes = {hole[1] for hole in re.findall(r"\{\d\}", english)}
        shown = re.findall(r"\{(\d)\}", translated)
        if holes != set(shown):
            faults.append((line, f"placeholders differ: {english}"))
        if english.endswith("\n") != translated.endswith("\n"):
            faults.append((line, f"only one of the two ends a line: {english}"))
        faults += [(line, f"'{word}' is '{better}' here") for word, better in words.items() if word in translated]
    return faults


def self_test():
    entries = [(1, "{1} bytes", "{1} 個位元組"), (2, "Speed", "速度"), (3, "line {1}: {2}", "第 {1} 行：{2}")]
    assert not faults_of(entries, {})
    for entry, wanted in [
        ((1, "{1} bytes", "位元組"), "placeholders differ"),
        ((1, "{1} a", "{1} {2}"), "placeholders differ"),
        ((1, "a\n", "甲"), "only one of the two"),
        ((1, "a", "線程"), "'線程' is '執行緒'"),
    ]:
        assert any(fault[1].startswith(wanted) for fault in faults_of([entry], {"線程": "執行緒"})), entry
    assert faults_of(entries + [(4, "Speed", "快")], {})[0][1] == "is there twice: Speed"
    source = '#include "grader/x y.h"\n// "no text here"\nf("reads " + a + " bytes of\\n"\n  "it", "a/b.cc", "%d tests");\n'
    assert literals_of(source) == ["reads ", " bytes of\nit", "%d tests"], literals_of(source)
    contract = 'const bool g = GradedBy(Work("P of it"), {"No thread (of " + n + ") stores it."});\nf("a thread of it");\n'
    assert literals_of(contract) == ["a thread of it"], literals_of(contract)
    sentence = 'std::string LoadSentence(int n) {\n  return "Warps load it";\n}\n\n' + contract
    assert literals_of(sentence) == ["a thread of it"], literals_of(sentence)
    header = "enum class A {\n  kOther,\n};\nenum class V {\n  kPassed,\n  kNotRun,  ///< kLost, too.\n};\n"
    assert names_of("V", header) == ["passed", "not run"], names_of("V", header)
    table = '// MESSAGE(no, "row")\nMESSAGE(a, "one {1} "\n        "\\"two\\"", Name)\nMESSAGE(b, "plain")\n'
    assert rows_of(table) == [("a", 'one {1} "two"'), ("b", "plain")], rows_of(table)
    printed, lines = io.StringIO(), Lines()
    lines.add("po/x.po", "'a'", fails=True)
    lines.add("po/x.po", "'b'", fails=False)
    with contextlib.redirect_stdout(printed):
        lines.print()
    assert printed.getvalue() == "po/x.po: shown in English: 'b'\nFAIL  po/x.po: is missing: 'a'\n", printed.getvalue()
    msgids = {"{1} tests", "with 1024 threads"}
    assert is_covered("with 1024 threads ", msgids)
    assert not is_covered("64 tests", msgids) and not is_covered("threads", msgids)


class Lines:
    """What the test prints: first what is shown in English, then what fails, because Meson shows only the last 100 lines."""

    def __init__(self):
        self.in_english, self.faults = [], []

    def add(self, po, text, fails):
        if fails:
            self.faults.append(f"{po}: is missing: {text}")
        else:
            self.in_english.append(f"{po}: shown in English: {text}")

    def print(self):
        print(*self.in_english, *[f"FAIL  {line}" for line in self.faults], sep="\n")


def add_tables(entries, po, lines):
    """Adds what the tables have and the PO file has not."""
    known = {english for _, english, _ in entries}
    shown_by_test = (ROOT / "tests/translations/tables_test.cc").read_text(encoding="utf-8")
    ids = {}
    for pattern in [*TABLES, OF_SUITES]:
        for path in sorted(ROOT.glob(pattern)):
            rows = rows_of(path.read_text(encoding="utf-8"))
            if path.name != "table.inc" and f'"{path.relative_to(ROOT)}"' not in shown_by_test:
                lines.faults.append(f"tests/translations/tables_test.cc does not include {path.relative_to(ROOT)}")
            if not rows and path.name != "table.inc":
                lines.faults.append(f"{path.relative_to(ROOT)}: no row was found")
            for name, template in rows:
                if name in ids:
                    lines.faults.append(f"{path.relative_to(ROOT)}: {name} is there twice, also in {ids[name]}")
                ids[name] = path.relative_to(ROOT)
                if template in known or not re.search(r"[A-Za-z]{2}|[:,;.()?]", template):
                    continue
                if str(path.relative_to(ROOT)) in IN_ENGLISH:
                    continue
                lines.add(po, f"{template!r} ({name})", fails=pattern != OF_SUITES)


def sources():
    for pattern in SHOWN + OF_EXERCISES:
        paths = sorted(ROOT.glob(pattern))
        if not paths:
            sys.exit(f"{pattern}: there is no such file")
        yield from (path for path in paths if not path.name.endswith(("_test.cc", "_students.h")))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    self_test()
    literals = {path: literals_of(path.read_text(encoding="utf-8")) for path in sources()}
    if options.list:
        for path, texts in literals.items():
            print(f"{path.relative_to(ROOT)}:", *texts, sep="\n  ")
        return 0
    lines = Lines()
    unused = [each for each in NOT_SHOWN if not any(each in texts for texts in literals.values())]
    lines.faults += [f"NOT_SHOWN names what no source has: {each}" for each in unused]
    enumerators = {enum: names_of(enum, (ROOT / header).read_text(encoding="utf-8")) for enum, header in ENUMS.items()}
    for enum, names in enumerators.items():
        if not names:
            sys.exit(f"{ENUMS[enum]}: {enum} has no enumerator")
    enumerators["FindingKind"] += WITH_ACCESS
    for po in sorted(ROOT.glob("po/*.po")):
        terms = tomllib.loads((ROOT / "handouts/text" / po.stem / "terms.toml").read_text(encoding="utf-8"))
        entries = read_po(po)
        lines.faults += [f"po/{po.name}:{line}: {fault}" for line, fault in faults_of(entries, terms["avoid"])]
        add_tables(entries, f"po/{po.name}", lines)
        for line, english, translated in entries:
            if not translated:
                lines.add(f"po/{po.name}:{line}", english, fails=False)
        msgids = {english for _, english, _ in entries}
        for enum, names in enumerators.items():
            for text in names:
                if text not in msgids:
                    lines.add(f"po/{po.name}", f"{text!r} of {enum} ({ENUMS[enum]})", fails=True)
        for path, texts in literals.items():
            for text in texts:
                if text in NOT_SHOWN or is_covered(text, msgids):
                    continue
                name = path.relative_to(ROOT)
                of_exercise = any(name.match(pattern) for pattern in OF_EXERCISES)
                lines.add(f"po/{po.name}", f"{text!r} of {name}", fails=not of_exercise)
        lines.in_english.append(f"po/{po.name}: {len(entries)} texts")
    lines.print()
    return 1 if lines.faults else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word.
    sys.exit(main())
