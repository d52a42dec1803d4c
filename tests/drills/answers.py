#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Computes the answers of all drills anew: the expressions `check` in chapters/*/drills.toml.

An expression counts, where it can, what the question describes, instead of repeating the formula of the explanation. The
functions below are its vocabulary. Those for banks and occupancy are written down once more here, on purpose: the test
`drill_answers` compares the same answers with the grader's own code (product_answers_test.cc).
"""
import collections
import itertools
import math
import pathlib
import struct
import sys

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def passes(words, width=1):
    """Passes of one request of a warp to shared memory: words[t] is lane t's first word, width its number of words."""
    lanes = 32 // width
    total = 0
    for first in range(0, 32, lanes):
        wanted = {word + i for word in words[first:first + lanes] for i in range(width)}
        total += max(collections.Counter(word % 32 for word in wanted).values())
    return total


def sectors(addresses):
    """Sectors of 32 bytes with one of these bytes in them."""
    return len({address // 32 for address in addresses})


def add_from_above(values, distance):
    """`v += __shfl_down_sync(0xffffffff, v, distance)` of a warp: lanes without a partner get their own value."""
    before = list(values)
    return [before[t] + before[t + distance if t + distance < 32 else t] for t in range(32)]


# What a multiprocessor has, as the handout of chapter 4 says.
CARDS = {"a100": {"threads": 2048, "blocks": 32, "partitions": 4, "registers": 16384, "unit": 256, "shared": 164 * 1024,
                  "reserved": 1024, "shared_unit": 128}}


def resident(card, threads, registers=0, shared=0):
    """How many blocks one multiprocessor takes, by placing one after the other."""
    has = CARDS[card]
    warps = -(-threads // 32)
    a_warp = -(-registers * 32 // has["unit"]) * has["unit"]
    a_block = -(-(shared + has["reserved"]) // has["shared_unit"]) * has["shared_unit"]
    free = [has["registers"]] * has["partitions"]
    blocks = 0
    while blocks < has["blocks"] and (blocks + 1) * warps * 32 <= has["threads"] and (blocks + 1) * a_block <= has["shared"]:
        for _ in range(warps):
            partition = max(range(len(free)), key=free.__getitem__)
            if free[partition] < a_warp:
                return blocks
            free[partition] -= a_warp
        blocks += 1
    return blocks


VOCABULARY = {"add_from_above": add_from_above, "ceil": math.ceil, "collections": collections, "itertools": itertools,
              "log2": math.log2, "passes": passes, "resident": resident, "sectors": sectors, "struct": struct}


def is_same(one, other):
    return one == other if isinstance(other, str) else abs(one - other) < 1e-9 * max(1, abs(other))


def faults_of(drill):
    """Sentences about what is wrong with a drill's numbers."""
    faults = []
    name = drill.get("id", "?")
    if "choices" not in drill and "check" not in drill:
        faults.append(f"{name}: a number needs a check")
    for each in [drill, *drill.get("wrong", [])]:
        if "check" not in each:
            continue
        try:
            found = eval(each["check"], dict(VOCABULARY))
        except Exception as fault:
            known = f" (beside Python's own names: {', '.join(sorted(VOCABULARY))})" if isinstance(fault, NameError) else ""
            faults.append(f"{name}: {each['check']}: {fault!r}{known}")
            continue
        if not is_same(found, each["answer"]):
            faults.append(f"{name}: {each['check']} is {found}, and the file says {each['answer']}")
    return faults


def self_test():
    """A wrong key is found."""
    assert passes(range(32)) == 1 and passes([2 * t for t in range(32)], 2) == 2 and passes([0] * 32) == 1
    assert resident("a100", 512, registers=33) == 3 and resident("a100", 256, shared=32 * 1024) == 4
    good = {"id": "a", "answer": 7, "check": "len({x // 16 for x in range(100)})"}
    assert faults_of(good) == []
    for change in ({"answer": 6}, {"check": "6"}, {"check": "no_such_name"},
                   {"wrong": [{"answer": 6, "check": "5"}]}):
        assert len(faults_of({**good, **change})) == 1, change
    assert faults_of({**good, "check": "ceil(100 / 16)"}) == []  # As grader/workbook/drills.h shows it.
    assert "ceil, collections" in faults_of({**good, "check": "no_such_name"})[0]
    assert faults_of({"id": "a", "answer": 7}) == ["a: a number needs a check"]


def main():
    self_test()
    count, faults = 0, []
    for path in sorted(ROOT.glob("chapters/*/drills.toml")):
        for drill in tomllib.loads(path.read_text(encoding="utf-8"))["drill"]:
            count += 1
            faults += [f"{path.relative_to(ROOT)}: {fault}" for fault in faults_of(drill)]
    print("\n".join(faults) or f"{count} drills have the answers that their checks compute")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
