#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gates `includes`, `readback` and `voice` notice what they are there for: in a tree of one source each, a line that must not be.
And `--fix` says what it changed."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import subprocess
import tempfile
import unittest

import voice

HERE = pathlib.Path(__file__).resolve().parent
CHECK = "grader/virtual_gpu/checks/fault_reporter.h"
OBSERVERS = "grader/virtual_gpu/observers.h"


def gates_of(root):
    """The program `run` as a module that takes `root` for the tree."""
    loader = importlib.machinery.SourceFileLoader("gates", str(HERE / "run"))
    gates = importlib.util.module_from_spec(importlib.util.spec_from_loader("gates", loader))
    loader.exec_module(gates)
    gates.ROOT = root
    return gates


class PlantedIncludes(unittest.TestCase):
    def found(self, name, line):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True)
            file.write_text(f"#pragma once\n{line}\n", encoding="utf-8")
            return gates_of(pathlib.Path(folder)).check_includes(False)

    def test_neither_the_engine_nor_what_it_is_made_of_includes_a_check(self):
        for folder in ("engine", "instructions", "machine", "memory", "decode", "isa", "ptx"):
            for included in (CHECK, "grader/virtual_gpu/counters/memory_counters.h", OBSERVERS):
                name = f"grader/virtual_gpu/{folder}/planted.h"
                room = "/".join(included.split("/")[1:-1])
                self.assertEqual(self.found(name, f'#include "{included}"'),
                                 [f"{name}:2: virtual_gpu/{folder} must not include {room} ({included})"])

    def test_who_brings_them_together_may(self):
        for name in ("grader/virtual_gpu/engine_level.cc", OBSERVERS, "grader/virtual_gpu/virtual_gpu.cc",
                     "grader/virtual_gpu/checks/planted.h"):
            self.assertEqual(self.found(name, f'#include "{CHECK}"'), [])

    def test_a_room_does_not_include_one_above_it(self):
        self.assertEqual(self.found("grader/device/planted.h", f'#include "{CHECK}"'),
                         [f"grader/device/planted.h:2: device must not include virtual_gpu/checks ({CHECK})"])
        self.assertEqual(self.found("grader/virtual_gpu/planted.h", '#include "grader/device/device.h"'), [])


class PlantedFormat(unittest.TestCase):
    def test_what_is_found_says_how_it_is_put_right(self):
        with tempfile.TemporaryDirectory() as folder:
            gates = gates_of(pathlib.Path(folder))
            gates.sources = lambda *_: []
            gates.in_parallel = lambda *_: [f"{folder}/a.cc:1:8: error: code should be clang-formatted"]
            error = "a.cc:1:8: error: code should be clang-formatted"
            self.assertEqual(gates.check_format(False), [error, "tests/gates/run --fix format formats them"])
            self.assertEqual(gates.check_format(True), [error])
            gates.in_parallel = lambda *_: []
            self.assertEqual(gates.check_format(False), [])

    def test_a_line_of_a_list_that_is_too_long_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            gates = gates_of(root)
            gates.in_parallel = lambda *_: []
            file = root / "chapters/01_x/x.h"
            file.parent.mkdir(parents=True)
            fits = "//   - " + "x" * 103
            file.write_text(f"// Graded:\n{fits}\n{fits}y\nint f();\n", encoding="utf-8")
            for fix in (False, True):  # No tool breaks it.
                self.assertEqual(gates.check_format(fix), [
                    "chapters/01_x/x.h:3: this line of a list has 111 columns, and at most 110 fit; continue the sentence "
                    "in a second line, below its first word"])


class ListsOfContracts(unittest.TestCase):
    """A sentence of the list that goes on in a second line is read by its indent."""

    def test_the_formatter_breaks_no_line_of_a_list(self):
        gates = gates_of(HERE.parents[1])
        formatter = gates.tool("clang-format")
        if not pathlib.Path(formatter).exists():
            self.skipTest("clang-format is not installed")
        sentence = "store a quarter of out or more, " * 4
        header = f"// Graded:\n//   - The kernels {sentence}\n//     or all of it.\nvoid f();\n"
        style = f"--style=file:{HERE.parents[1] / '.clang-format'}"
        formatted = subprocess.run([formatter, style], input=header, capture_output=True, text=True, check=True)
        self.assertEqual(formatted.stdout, header.replace(", \n", ",\n"))
        prose = f"// The kernels {sentence}\nvoid f();\n"
        formatted = subprocess.run([formatter, style], input=prose, capture_output=True, text=True, check=True)
        self.assertEqual(formatted.stdout.count("\n"), 3, "prose is broken")


class Advice(unittest.TestCase):
    def test_it_says_what_to_do(self):
        for pattern, advice in voice.RULES:
            self.assertRegex(advice, "^(write `|say |name |begin )", pattern.pattern)


class FixedFiles(unittest.TestCase):
    def printed(self, fix):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            gates = gates_of(root)
            for name in ("changed.cu", "same.cu"):
                (root / name).write_text("int  a;\n", encoding="utf-8")
            gates.GATES["format"] = lambda _: (root / "changed.cu").write_text("int a;\n", encoding="utf-8") and []
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(gates.found_by("format", fix), [])
            return out.getvalue()

    def test_fix_names_each_file_that_a_gate_changed(self):
        self.assertEqual(self.printed(True), "fixed  format: changed.cu\n")
        self.assertEqual(self.printed(False), "")


class PlantedSearches(unittest.TestCase):
    def found(self, name, line):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True)
            file.write_text(f"#include \"grader/base/message.h\"\n{line}\n", encoding="utf-8")
            gates = gates_of(pathlib.Path(folder))
            gates.READS_WORDS = {}
            return gates.check_readback(False)

    def test_no_code_looks_for_words_in_a_message(self):
        for line in ('if (English(finding.message).find("mask") != std::string::npos) return 1;',
                     'return English(test.reason).starts_with("one warp executed ");',
                     'if (Words(message).ends_with(".")) return 2;',
                     'return finding.message.english().find(" write") == 0;',
                     'return English(each.message) == "refused";',
                     'return "refused" == English(each.message);',
                     'return English(test.reason)\n    .substr(0, 3);'):
            for name in ("grader/suite/planted.cc", "tests/suites/03_shared/planted.h"):
                self.assertEqual(len(self.found(name, line)), 1, line)

    def test_other_uses_of_english_are_no_search(self):
        for line in ('out["reason"] = English(test.reason);', 'return say::refused.Made(finding.message);',
                     '// English(message).find("word") is what nobody does.', 'return text.find("word");',
                     'std::string line = English(a) + English(b);'):
            self.assertEqual(self.found("grader/suite/planted.cc", line), [], line)
        self.assertEqual(self.found("grader/suite/planted_test.cc", 'English(a).find("b");'), [])


class PlantedPhrases(unittest.TestCase):
    PAGE = "handouts/text/en/planted.html.j2"
    BAD = ("It prints one of those that failed.", "Nothing is to be launched.", "The judge is told.", "ptxas lets pass both.",
           "It needs no leave.", "Look at what becomes of it.", "A place of shared memory is read.",
           "Threads that have no element of P wait.", "It reads behind the end of M.", "The lanes run in step.",
           "The lanes run out of step.", "Each warp stores so many.", "Thread (0, 1) asks for M[0][3].",
           "Each lane puts an element there.", "The zero stands in the last column.", "The call brings {1}.",
           "value[k] stands in column 3.", "The students see where it stands in memory.",
           "What nobody has set is no number.", "It fails. Where no block fits, it returns.", "Who loads adds.")
    GOOD = ("NaN stands for no number.", "In step 3 the loop ends; so does step i.", "In step {1} it is right.",
            "There are so many blocks that some wait.", "No warp waits unless it is told to.", "A kernel may ask for 48 KB.",
            "What does thread 0 load?", "It shows where the lane reads.", "Say what it reads.",
            "Each student counts how many stand before him.", "The child stands in a row of others.", "She stands there.")

    def found(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            gates = gates_of(pathlib.Path(folder))
            gates.voice.ALLOWED = {}
            return gates.check_voice(False)

    def test_each_phrase_is_found_where_people_read_it(self):
        for words in self.BAD:
            for name, text in (("grader/messages/planted.inc", f'\nMESSAGE(id, "{words}", Name)\n'),
                               ("tests/suites/01_x/messages.inc", f'\nMESSAGE(id, "{words}", Name)\n'),
                               ("chapters/01_x/chapter.toml", f'\nmessage = """{words}"""\n'),
                               ("chapters/01_x/drills.toml", f'\nwhy = """{words}"""\n'),
                               ("handouts/text/en/planted.json", f'\n{{"id": "{words}"}}\n'),
                               (self.PAGE, f"\n<p>{words}</p>\n"), ("docs/planted.md", f"\n{words}\n"),
                               ("chapters/01_x/planted.h", f"#pragma once\n// {words}\n"),
                               ("chapters/01_x/other.h", f"struct Tile {{\n  int width;  // {words}\n}};\n"),
                               ("chapters/planted.md", f"\n{words}\n"),
                               ("grader/authoring/template/handout.html.j2", f"\n<p>{words}</p>\n"),
                               ("grader/authoring/template/exercise.toml", f'\nmessage = """{words}"""\n'),
                               ("README.md", f"# A title\n{words}\n")):
                found = self.found(name, text)
                self.assertEqual(len(found), 1, (name, words, found))
                self.assertTrue(found[0].startswith(f"{name}:2: "), found)

    def test_good_english_and_what_nobody_reads_pass(self):
        for words in self.GOOD:
            self.assertEqual(self.found(self.PAGE, f"<p>{words}</p>"), [], words)
        for words in self.BAD:
            self.assertEqual(self.found("docs/planted.md", f"```\n{words}\n```\n`{words}`\n"), [], words)
            self.assertEqual(self.found(self.PAGE, f"{{# {words} #}}<pre>{words}</pre>"), [], words)
            self.assertEqual(self.found("handouts/text/zh_Hant/planted.html.j2", f"<p>{words}</p>"), [], words)
            self.assertEqual(self.found("grader/suite/planted.h", f"// {words}\n"), [], words)

    def test_a_phrase_is_found_across_lines_literals_and_tags(self):
        for name, text in (("docs/planted.md", "It runs in\nstep.\n"), ("grader/messages/a.inc", '"It runs in "\n"step."'),
                           (self.PAGE, "<p>It runs <em>in</em> step.</p>"), (self.PAGE, '{{ h.say("It runs in step.") }}')):
            self.assertEqual(len(self.found(name, text)), 1, text)

    def test_an_allowed_place_passes_and_an_idle_one_does_not(self):
        files = [("README.md", "It runs in step.\n")]
        self.assertEqual(voice.faults(files, {("README.md", "runs in step"): "reason"}), [])
        idle = voice.faults(files, {("README.md", "walks in step"): "reason"})
        self.assertEqual(len(idle), 2)
        self.assertIn("'walks in step' is not needed", idle[1])


if __name__ == "__main__":
    unittest.main()
