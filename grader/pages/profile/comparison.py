# SPDX-License-Identifier: Apache-2.0
"""The student's run beside the others: the sentences on top of the page, and the table of figures.

Rows are sorted by their effect: how much longer the student's run would take, by the model of grader/timing, if it had the
other run's figure. A figure is coloured only if it has such an effect and the run as a whole is faster, or slower, too: the
shared memory that tiling needs is a price and no fault. A figure that is worse explains no gain, and one that is better no
loss: the part of the model that it decides then changes for another reason.
"""
import kernels
from words import ENGLISH
from written import count, percent, seconds, size, times

# Key, name, how it is written, how two are compared, the model's parts that it decides, and a word on what it is.
FIGURES = [
    ("seconds", "Estimated time", seconds, ("faster", "slower"), (), "computed from the counts, not measured"),
    ("dram_bytes", "Bytes from and to DRAM", size, ("less", "more"), ("dram",), "what blocks touch; each array at most once: L2 keeps it"),
    ("sectors", "Sectors of global memory", count, ("fewer", "more"), ("l2", "lines"), "32-byte pieces that requests touch"),
    ("sectors_per_request", "Sectors per request", count, ("fewer", "more"), (), "4 if 32 lanes touch neighbouring 4-byte words"),
    ("global_requests", "Requests to global memory", count, ("fewer", "more"), (), "a warp’s load, store or atomic is one"),
    ("wavefronts", "Wavefronts of shared memory", count, ("fewer", "more"), ("shared",), "of loads and stores; each has one word per bank"),
    ("conflicts", "Bank conflicts", count, ("fewer", "more"), ("shared",), "turns beyond those that the width needs, of atomics, too"),
    ("conflicts_per_request", "Bank conflicts per request", count, ("fewer", "more"), (), "over all loads, stores and atomics"),
    ("shared_requests", "Requests to shared memory", count, ("fewer", "more"), (), "a warp’s load, store or atomic is one"),
    ("warp_instructions", "Warp instructions", count, ("fewer", "more"), ("issue", "units"), "of PTX"),
    ("active_lanes", "Active lanes", count, ("more", "fewer"), (), "of 32, on average over a warp’s instructions"),
    ("occupancy", "Possible occupancy", percent, ("higher", "lower"), ("latency",), "by a multiprocessor’s limits, with enough blocks"),
    ("registers", "Registers per thread", count, ("fewer", "more"), (), ""),
    ("divergent_branches", "Divergent branches", count, ("fewer", "more"), (), "branches that split a warp"),
    ("barriers", "Barriers", count, ("fewer", "more"), (), "arrivals of warps"),
    ("global_atomic_passes", "Passes of global atomics", count, ("fewer", "more"), ("atomics",), "lanes at one address take turns"),
    ("shared_atomic_passes", "Passes of shared atomics", count, ("fewer", "more"), ("shared",), "lanes at one address take turns"),
]
MORE_IS_BETTER = {"active_lanes", "occupancy"}
RUNS = {"previous": "Your previous version", "baseline": "Baseline", "solution": "Solution"}
IN_WORDS = {"previous": "your previous version", "baseline": "the baseline", "solution": "the solution"}
# What the sentence on top says of a figure: that yours is better, that it is worse, and that it is none.
SENTENCES = {
    "dram_bytes": ("moves {times} times fewer bytes from and to DRAM than {whose}",
                   "moves {times} times more bytes from and to DRAM than {whose}", "moves no bytes from or to DRAM"),
    "sectors": ("moves {times} times fewer sectors of global memory than {whose}",
                "moves {times} times more sectors of global memory than {whose}", "touches no global memory"),
    "conflicts": ("has {times} times fewer bank conflicts than {whose}", "has {times} times more bank conflicts than {whose}",
                  "has no bank conflicts"),
    "wavefronts": ("needs {times} times fewer wavefronts of shared memory than {whose}",
                   "needs {times} times more wavefronts of shared memory than {whose}", "uses no shared memory"),
    "warp_instructions": ("executes {times} times fewer instructions than {whose}",
                          "executes {times} times more instructions than {whose}", ""),
    "global_atomic_passes": ("needs {times} times fewer passes of atomics in global memory than {whose}",
                             "needs {times} times more passes of atomics in global memory than {whose}",
                             "needs no atomics in global memory"),
    "shared_atomic_passes": ("needs {times} times fewer passes of atomics in shared memory than {whose}",
                             "needs {times} times more passes of atomics in shared memory than {whose}",
                             "needs no atomics in shared memory"),
    "occupancy": ("can keep {times} times more warps resident than {whose}",
                  "can keep {times} times fewer warps resident than {whose}", ""),
}
# What a cell says below its figure.
COMPARED = {word: f"yours {{times}}× {word}" for word in ("faster", "slower", "fewer", "more", "less", "higher", "lower")}
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

    def __init__(self, yours, run, error, overlap, measured=None, t=ENGLISH):
        self.yours, self.name, self.other, self._t = yours, run["name"], run["figures"], t
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
            return self._t("about as fast") if speedup == 1 else self._compared(speedup, words)
        if weight(ratio) == float("inf"):
            return self._t("yours has none" if self.yours[key] == 0 else "has none")
        return self._t("nearly the same") if weight(ratio) < SAME else self._compared(ratio, words)

    def _compared(self, ratio, words):
        return self._t(COMPARED[words[0 if ratio > 1 else 1]], times=times(weight(ratio)))

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
        better, worse, none = SENTENCES[key]
        mine, other = self.yours[key], self.other[key]
        t, whose = self._t, self._t(IN_WORDS[self.name])
        if mine == 0:
            return t("{none}; {whose} has {n}", none=t(none), whose=whose, n=_write(key, other))
        if other == 0:
            return t("has {n} {what}; {whose} has none", n=_write(key, mine), what=t(_inside(_name(key))), whose=whose)
        ratio = gain(key, mine, other)
        return t(better if ratio > 1 else worse, times=times(weight(ratio)), whose=whose)

    def about_time(self):
        """"is estimated to be 1.3 times as fast as the baseline"; "" where the time is unknown."""
        speedup = self.speedup()
        if speedup is None:
            return ""
        text = {(False, False): "is estimated to be {times} times as fast as {whose}",
                (False, True): "is estimated to be about as fast as {whose}",
                (True, False): "is measured to be {times} times as fast as {whose}",
                (True, True): "is measured to be about as fast as {whose}"}[bool(self._measured), speedup == 1]
        return self._t(text, times=times(speedup), whose=self._t(IN_WORDS[self.name]))


def _write(key, number):
    return next(write for name, _, write, _, _, _ in FIGURES if name == key)(number)


def _name(key):
    return next(name for other, name, _, _, _, _ in FIGURES if other == key)


def _inside(name):
    """As it is written within a sentence."""
    return name[0].lower() + name[1:]


def all_of(data, t=ENGLISH):
    yours = data["test"]["figures"]
    speed = data["speed"] or {}
    measured = speed["speedup"] if speed.get("status") == "measured" else None
    return [Comparison(yours, run, data["estimate_error"], data["estimate_overlap"], measured if run["name"] == "baseline" else None, t)
            for run in data["beside"]]


def rows(data, t=ENGLISH):
    """A row for each figure that any run has: the time, then what has most effect on it, then the others; last what is the same
    in all runs."""
    yours, runs = data["test"]["figures"], all_of(data, t)
    found = []
    for key, name, write, words, parts, note in FIGURES:
        if not yours.get(key) and not any(run.other.get(key) for run in runs):
            continue
        cells = [run.cell(key, write, words, parts) for run in runs]
        effect = max((abs(cell["effect"]) for cell in cells), default=0)
        found.append({"name": t(name), "note": t(note) if note else "", "yours": write(yours.get(key)), "cells": cells,
                      "order": (key != "seconds", -effect if effect >= WORTH_A_WORD else 0,
                                max((weight(cell["ratio"]) for cell in cells), default=1) < SAME)})
    found.sort(key=lambda row: row["order"])
    return found


def headline(data, t=ENGLISH):
    """The sentences that the page opens with."""
    test, runs = data["test"], {run.name: run for run in all_of(data, t)}
    figures = test["figures"]
    said = []
    main = next((runs[name] for name in ("baseline", "solution") if name in runs), None)
    for run in (main, runs.get("previous")):
        if run:
            said += _sentences(run, "" if said else _at(test, t), not said, t)
    if not said and figures.get("seconds"):
        what = t("is estimated to take {time}", time=seconds(figures["seconds"]))
        said.append(t("Your kernel {what}{at}.", what=what, at=_at(test, t)))
    of_kernels = kernels.headline(data, t)
    if of_kernels:
        said.append(of_kernels)
    elif figures.get("bound_words"):
        said.append(t("Most of the estimated time goes to {part}.", part=t(figures["bound_words"])))
    return said


def _at(test, t):
    return t(" at {title}", title=test["title"]) if test["is_timed_call"] else ""


def _sentences(run, at, is_first, t):
    """One on the figure that decides and one on the time; or on what is known of them."""
    known = [text for text in (run.sentence(), run.about_time()) if text]
    known = known or [t("has nearly the same counts as {whose}", whose=t(IN_WORDS[run.name]))]
    first = t("Your kernel {what}{at}.", what=known[0], at=at) if is_first else t("It {what}.", what=known[0])
    return [first, *(t("It {what}.", what=what) for what in known[1:])]
