#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The gate `includes` notices what it is there for: in a tree of one source each, an include that must not be."""
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
        for folder in ("engine", "exec", "memory", "decode", "isa", "ptx"):
            for included in (CHECK, "grader/virtual_gpu/counters/counters.h", OBSERVERS):
                name = f"grader/virtual_gpu/{folder}/planted.h"
                self.assertEqual(self.found(name, f'#include "{included}"'),
                                 [f"{name}:2: grader/virtual_gpu/{folder}/ must not include {included}"])

    def test_who_brings_them_together_may(self):
        for name in ("grader/virtual_gpu/exec/engine_level.cc", OBSERVERS, "grader/virtual_gpu/virtual_gpu.cc",
                     "grader/virtual_gpu/checks/planted.h"):
            self.assertEqual(self.found(name, f'#include "{CHECK}"'), [])

    def test_a_room_does_not_include_one_above_it(self):
        self.assertEqual(self.found("grader/device/planted.h", f'#include "{CHECK}"'),
                         [f"grader/device/planted.h:2: device must not include virtual_gpu ({CHECK})"])
        self.assertEqual(self.found("grader/virtual_gpu/planted.h", '#include "grader/device/device.h"'), [])


if __name__ == "__main__":
    unittest.main()
