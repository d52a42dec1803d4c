#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gates `includes` and `readback` notice what they are there for: in a tree of one source each, a line that must not be."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

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
            for included in (CHECK, "grader/virtual_gpu/counters/counters.h", OBSERVERS):
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


if __name__ == "__main__":
    unittest.main()
