# SPDX-License-Identifier: Apache-2.0
"""The student's run beside the others: the sentences on top of the page, and the table of figures.

Rows are sorted by their effect: how much longer the student's run would take, by the model of grader/timing, if it had the
other run's figure. A figure is coloured only if it has such an effect and the run as a whole is faster, or slower, too: the
shared memory that tiling needs is a price and no fault. A figure that is worse explains no gain, and one that is better no
loss: the part of the model that it decides then changes for another reason.
"""
from written import count, percent, seconds, size, times

# Key, name, how it is written, how two are compared, the model's parts that it decides, and a word on what it is.
FIGURES = [
    ("seconds", "Estimated time", seconds, ("faster", "slower"), (), "computed from the counts, not measured"),
    ("dram_bytes", "Bytes from and to DRAM", size, ("less", "more"), ("dram",), "what blocks touch; each array at most once: L2 keeps it"),
    ("sectors", "Sectors of global memory", count, ("fewer", "more"), ("l2", "lines"), "32-byte pieces that requests touch"),
    ("sectors_per_request", "Sectors per request", count, ("fewer", "more"), (), "4 if 32 lanes touch neighbouring 4-byte words"),
    ("global_requests", "Requests to global memory", count, ("fewer", "more"), (), "a warp’s load, store or atomic is one"),
    ("wavefronts", "Wavefronts of shared memory", count, ("fewer", "more"), ("shared",), "in each, a bank serves one word"),
    ("conflicts", "Bank conflicts", count, ("fewer", "more"), ("shared",), "wavefronts beyond those that the width needs"),
    ("conflicts_per_request", "Bank conflicts per request", count, ("fewer", "more"), (), "0 if each bank serves one word"),
    ("shared_requests", "Requests to shared memory", count, ("fewer", "more"), (), ""),
    ("warp_instructions", "Warp instructions", count, ("fewer", "more"), ("issue", "units"), "of PTX"),
    ("active_lanes", "Active lanes", count, ("more", "fewer"), (), "of 32, on average over a warp’s instructions"),
    ("occupancy", "Occupancy", percent, ("higher", "lower"), ("latency",), "resident warps, of as many as fit"),
    ("registers", "Registers per thread", count, ("fewer", "more"), (), ""),
    ("divergent_branches", "Divergent branches", count, ("fewer", "more"), (), "branches that split a warp"),
    ("barriers", "Barriers", count, ("fewer", "more"), (), "arrivals of warps"),
    ("global_atomic_passes", "Passes of global atomics", count, ("fewer", "more"), ("atomics",), "lanes at one address take turns"),
    ("shared_atomic_passes", "Passes of shared atomics", count, ("fewer", "more"), ("shared",), "lanes at one address take turns"),
]
MORE_IS_BETTER = {"active_lanes", "occupancy"}
RUNS = {"previous": "Your previous version", "baseline": "Baseline", "solution": "Solution"}
IN_WORDS = {"previous": "your previous version", "baseline": "the baseline", "solution": "the solution"}
# What the sentence on top says of a figure; {times} times {less} of it, or none.
SENTENCES = {
    "dram_bytes": ("moves {times} times {less} bytes from and to DRAM", "moves no bytes from or to DRAM"),
    "sectors": ("moves {times} times {less} sectors of global memory", "touches no global memory"),
    "conflicts": ("has {times} times {less} bank conflicts", "has no bank conflicts"),
    "wavefronts": ("needs {times} times {less} wavefronts of shared memory", "uses no shared memory"),
    "warp_instructions": ("executes {times} times {less} instructions", ""),
    "global_atomic_passes": ("needs {times} times {less} passes of atomics in global memory", "needs no atomics in global memory"),
    "shared_atomic_passes": ("needs {times} times {less} passes of atomics in shared memory", "needs no atomics in shared memory"),
    "occupancy": ("keeps {times} times {less} warps resident", ""),
}
FEWER = {"dram_bytes": ("fewer", "more"), "occupancy": ("more", "fewer")}
SAME = 1.005           # Two counts that are closer are called the same.
WORTH_A_COLOUR = 0.05  # Of the time; below that a figure decides nothing.
WORTH_A_WORD = 0.01
WORTH_A_SENTENCE = 1.05  # "1.0 times fewer" says nothing.


def gain(key, yours, other):
    """How many times better yours is: 2.0, or 0.5 where it is twice as bad. None where that says nothing."""
    if yours is None or other is None or yours == other:
        return None
    if yours == 0 or other == 0:
        return float("inf") if (yours == 0) != (key in MORE_IS_BETTER) else 0.0
    return yours / other if key in MORE_IS_BETTER else other / yours


def weight(ratio):
    """How much a gain or a loss is, whichever it is."""
    if ratio is None:
        return 1
    return float("inf") if ratio in (0, float("inf")) else max(ratio, 1 / ratio)


class Comparison:
    """Of the student's figures with those of one other run. `error`: of estimated times; `overlap`: the model's exponent;
    `measured`: the speedup on a card, where that is known, with its interval."""

    def __init__(self, yours, run, error, overlap, measured=None):
        self.yours, self.name, self.other = yours, run["name"], run["figures"]
        self._error, self._overlap, self._measured = error, overlap, measured

    def _time(self, parts):
        """By grader/timing/estimate.cc, CombineTerms."""
        together = (parts["dram"], parts["l2"], parts["lines"] + parts["shared"], max(parts["issue"], parts["units"]),
                    parts["atomics"], parts["blocks"], parts["latency"])
        return parts["launch"] + sum(part**self._overlap for part in together) ** (1 / self._overlap)

    def estimated(self):
        """Speedup of yours over the other; None if a time is unknown, 1 if it is within the model's error."""
        mine, other = self.yours.get("seconds"), self.other.get("seconds")
        if not mine or not other:
            return None
        return 1.0 if weight(other / mine) <= 1 + self._error else other / mine

    def speedup(self):
        """What was measured, else what is estimated."""
        if not self._measured:
            return self.estimated()
        return 1.0 if self._measured["low"] <= 1 <= self._measured["high"] else self._measured["value"]

    def effect(self, key, parts):
        """What share of its time yours saves by this figure; negative if it loses. 0 for a figure that is better where the time
        is lost, or worse where it is saved."""
        mine, other = self.yours.get("parts"), self.other.get("parts")
        ratio = gain(key, self.yours.get(key), self.other.get(key))
        if not mine or not other or not parts or ratio is None:
            return 0
        if key == "occupancy":
            instead = mine["latency"] * ratio if ratio not in (0, float("inf")) else mine["latency"]
            swapped = mine | {"latency": instead}
        else:
            swapped = mine | {part: other[part] for part in parts}
        now = self._time(mine)
        share = (self._time(swapped) - now) / now if now else 0
        return share if (share > 0) == (ratio > 1) else 0

    def cell(self, key, write, words, parts):
        mine, value = self.yours.get(key), self.other.get(key)
        ratio, effect = gain(key, mine, value), self.effect(key, parts)
        return {"text": write(value), "words": self._words(key, ratio, words), "kind": self._kind(key, effect), "effect": effect,
                "ratio": ratio}

    def _words(self, key, ratio, words):
        if ratio is None:
            return ""
        if key == "seconds":
            speedup = self.estimated()
            return "about as fast" if speedup == 1 else f"yours {times(weight(speedup))}× {words[0 if speedup > 1 else 1]}"
        if weight(ratio) == float("inf"):
            return "yours has none" if self.yours[key] == 0 else "has none"
        if weight(ratio) < SAME:
            return "nearly the same"
        return f"yours {times(weight(ratio))}× {words[0 if ratio > 1 else 1]}"

    def _kind(self, key, effect):
        speedup = self.speedup()
        if speedup is None or speedup == 1:
            return ""
        if key == "seconds":
            estimated = self.estimated() or 1
            return "" if estimated == 1 else "good" if estimated > 1 else "bad"
        if effect >= WORTH_A_COLOUR and speedup > 1:
            return "good"
        return "bad" if effect <= -WORTH_A_COLOUR and speedup < 1 else ""

    # --- In words.

    def sentence(self):
        """The figure that decides, as "moves 6.5 times fewer sectors of global memory than the baseline"; "" where none does.
        Of a run that is faster, what it saves; of a slower one, what it loses."""
        speedup = self.speedup() or 1
        found = [(self.effect(key, parts), -place, key) for place, (key, _, _, _, parts, _) in enumerate(FIGURES)
                 if key in SENTENCES and weight(gain(key, self.yours.get(key), self.other.get(key))) >= WORTH_A_SENTENCE]
        if not found:
            return ""
        if speedup == 1:
            effect, _, key = max(found, key=lambda each: (abs(each[0]), each[1]))
        else:
            effect, _, key = (max if speedup > 1 else min)(found, key=lambda each: (each[0], each[1] * (1 if speedup > 1 else -1)))
        if abs(effect) < WORTH_A_WORD or (effect < 0 if speedup > 1 else effect > 0 if speedup < 1 else False):
            return ""
        return self._sentence_of("conflicts" if key == "wavefronts" and self._conflicts_say_more() else key)

    def _conflicts_say_more(self):
        """A kernel needs its wavefronts; what conflicts add to them is what a student can save."""
        of_one = gain("conflicts", self.yours.get("conflicts"), self.other.get("conflicts"))
        return weight(of_one) > weight(gain("wavefronts", self.yours.get("wavefronts"), self.other.get("wavefronts")))

    def _sentence_of(self, key):
        some, none = SENTENCES[key]
        mine, other = self.yours[key], self.other[key]
        whose = IN_WORDS[self.name]
        if mine == 0:
            return f"{none}; {whose} has {_write(key, other)}"
        if other == 0:
            return f"{_own(key, mine)}; {whose} has none"
        ratio = gain(key, mine, other)
        less = FEWER.get(key, ("fewer", "more"))[0 if ratio > 1 else 1]
        return f"{some.format(times=times(weight(ratio)), less=less)} than {whose}"

    def about_time(self):
        """"estimated to be 1.3 times as fast as the baseline"; "" where the time is unknown."""
        speedup = self.speedup()
        if speedup is None:
            return ""
        if speedup == 1:
            words = f"about as fast as {IN_WORDS[self.name]}"
        else:
            words = f"{times(speedup)} times as fast as {IN_WORDS[self.name]}"
        return ("measured" if self._measured else "estimated") + f" to be {words}"


def _write(key, number):
    return next(write for name, _, write, _, _, _ in FIGURES if name == key)(number)


def _own(key, number):
    name = next(name for other, name, _, _, _, _ in FIGURES if other == key)
    return f"has {_write(key, number)} {name[0].lower() + name[1:]}"


def all_of(data):
    yours = data["test"]["figures"]
    speed = data["speed"] or {}
    measured = speed["speedup"] if speed.get("status") == "measured" else None
    return [Comparison(yours, run, data["estimate_error"], data["estimate_overlap"], measured if run["name"] == "baseline" else None)
            for run in data["beside"]]


def rows(data):
    """A row for each figure that any run has: the time, then what has most effect on it, then the others; last what is the same
    in all runs."""
    yours, runs = data["test"]["figures"], all_of(data)
    found = []
    for key, name, write, words, parts, note in FIGURES:
        if not yours.get(key) and not any(run.other.get(key) for run in runs):
            continue
        cells = [run.cell(key, write, words, parts) for run in runs]
        effect = max((abs(cell["effect"]) for cell in cells), default=0)
        found.append({"name": name, "note": note, "yours": write(yours.get(key)), "cells": cells,
                      "order": (key != "seconds", -effect if effect >= WORTH_A_WORD else 0,
                                max((weight(cell["ratio"]) for cell in cells), default=1) < SAME)})
    found.sort(key=lambda row: row["order"])
    return found


def headline(data):
    """The sentences that the page opens with."""
    test, runs = data["test"], {run.name: run for run in all_of(data)}
    figures = test["figures"]
    said = []
    main = next((runs[name] for name in ("baseline", "solution") if name in runs), None)
    for run in (main, runs.get("previous")):
        if run:
            said.append(_with_time("It {}" if said else f"Your kernel {{}}{_at(test)}", run))
    if not said and figures.get("seconds"):
        said.append(f"Your kernel is estimated to take {seconds(figures['seconds'])}{_at(test)}.")
    if figures.get("bound_words"):
        said.append(f"Most of the estimated time goes to {figures['bound_words']}.")
    return said


def _at(test):
    return f" at {test['title']}" if test["is_timed_call"] else ""


def _with_time(start, run):
    counts, time = run.sentence(), run.about_time()
    if not counts:
        return start.format(f"is {time}" if time else f"has nearly the same counts as {IN_WORDS[run.name]}") + "."
    return start.format(counts) + (f". It is {time}." if time else ".")
