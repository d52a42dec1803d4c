# SPDX-License-Identifier: Apache-2.0
"""The roofline of a card with the runs of one test on it, as SVG coloured by profile_page.css; and what limits a run, which
a roofline does not tell: a run far below the roof waits for something that the roof has no line for.

Both axes are logarithmic. The roof is min(peak arithmetic, intensity x bandwidth); a run stands at its arithmetic
intensity (operations for each byte from or to DRAM) and at the rate that its estimated time means.
"""
import math

import kernels
from markupsafe import Markup, escape
from words import ENGLISH

WIDTH, HEIGHT = 640, 330
LEFT, RIGHT, TOP, BOTTOM = 62, 16, 14, 44
MARKS = {"yours": "circle", "previous": "diamond", "baseline": "square", "solution": "triangle"}


class Axis:
    def __init__(self, low, high, start, end):
        self.low, self.high = math.floor(math.log10(low)), math.ceil(math.log10(high))
        self.start, self.end = start, end

    def at(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def decades(self):
        return [10.0**power for power in range(self.low, self.high + 1)]


def points(data, names, t=ENGLISH):
    """[(kind, name, intensity, rate)] of the runs whose place is known."""
    runs = [("yours", t("Yours"), data["test"]["figures"])]
    runs += [(run["name"], t(names.get(run["name"], "")), run["figures"]) for run in data["beside"]]
    return [(kind, name, figures["flops"] / figures["dram_bytes"], figures["flops"] / figures["seconds"])
            for kind, name, figures in runs
            if figures.get("flops") and figures.get("dram_bytes") and figures.get("seconds")]


def rate_words(rate):
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if rate >= factor:
            return f"{rate / factor:.3g} {prefix}FLOP/s"
    return f"{rate:.3g} FLOP/s"


def mark(kind, x, y):
    shape = {
        "circle": '<circle cx="{x:.1f}" cy="{y:.1f}" r="6.5"/>',
        "diamond": '<path d="M{x:.1f} {y:.1f}m0 -7l7 7l-7 7l-7 -7z"/>',
        "square": '<path d="M{x:.1f} {y:.1f}m-5.5 -5.5h11v11h-11z"/>',
        "triangle": '<path d="M{x:.1f} {y:.1f}m0 -7l7 12h-14z"/>',
    }[MARKS[kind]]
    return f'<g class="mark {kind}">' + shape.format(x=x, y=y) + "</g>"


# By what the estimate (grader/timing/estimate.h) says most of the time goes to: the name of that, and what it means. One that
# is far below the roof is neither memory- nor compute-bound, on whichever side of the ridge it lies.
BOUNDS = {
    "launch": ("Bound by the launch itself", "Starting a kernel takes about 3 µs, and this one does hardly more. A larger size says more."),
    "dram": ("Memory-bound", "DRAM is busy for most of the time. Only fewer bytes make the kernel faster."),
    "l2": ("Bound by L2 bandwidth", "Most of the time goes to sectors that the multiprocessors read from L2. Use more often what a "
           "block has loaded."),
    "load_store": ("Bound by shared memory and L1", "Most of the time goes to wavefronts of shared memory and to cache lines. Fewer "
                   "loads for each operation help: keep values in registers and use them several times."),
    "issue": ("Bound by instruction issue", "The schedulers issue an instruction in almost every cycle. Fewer instructions for the "
              "same work help."),
    "units": ("Compute-bound", "The arithmetic units are busy for most of the time."),
    "atomics": ("Bound by atomics", "Atomics at the same addresses wait for each other. Combine values in a block first."),
    "global_atomics": ("Bound by atomics", "Atomics in global memory wait for each other. If each block has combined its values in "
                       "shared memory already, launch fewer blocks with more elements each."),
    "blocks": ("Bound by starting blocks", "Each block does so little that starting it takes most of the time. Give each block more work."),
    "latency": ("Latency-bound", "The warps wait for most of the time, and too few others are there to run meanwhile."),
}
PARTS = [("launch", "the launch itself"), ("dram", "DRAM bandwidth"), ("l2", "L2 bandwidth"), ("load_store", "shared memory and L1"),
         ("issue", "instruction issue"), ("units", "arithmetic units"), ("atomics", "atomics"), ("blocks", "starting blocks"),
         ("latency", "latency")]
LIMITS = {"threads": "the threads that a multiprocessor holds", "registers": "registers", "shared": "shared memory",
          "blocks": "the number of blocks that a multiprocessor holds"}
NEAR_THE_ROOF = 0.5


def roof_of(card, intensity):
    return min(card["peak_flops"], intensity * card["peak_bytes"])


def share_of_roof(data):
    """Of the student's run; None where it has no place."""
    card, runs = data["card"], points(data, {})
    if not runs or runs[0][0] != "yours" or not card["peak_flops"] or not card["peak_bytes"]:
        return None
    _, _, intensity, rate = runs[0]
    return rate / roof_of(card, intensity)


def limits(data, t=ENGLISH):
    """{name, meaning, waits, parts}: what the run's time goes to, by the model; None where it has no estimate."""
    figures, share = data["test"]["figures"], share_of_roof(data)
    if not figures.get("parts"):
        return None
    # Who updates shared memory has probably combined values there.
    combines = figures["bound"] == "atomics" and figures.get("shared_atomic_passes")
    name, meaning = BOUNDS["global_atomics" if combines else figures["bound"]]
    if figures["bound"] == "units" and (share or 0) < NEAR_THE_ROOF:
        name = "Bound by arithmetic units"  # Of integers, say: the roof counts fp32.
    parts = figures["parts"] | {"load_store": figures["parts"]["lines"] + figures["parts"]["shared"]}
    longest = max(parts[key] for key, _ in PARTS)
    return {"name": t(name), "meaning": t(meaning), "kernel": _kernel(data["test"]), "share": share,
            "is_memory": figures["bound"] == "dram",
            "waits": _waits(data["test"], t) if figures["bound"] == "latency" else [],
            "occupancy": _occupancy(data["test"], t) if figures["bound"] == "latency" else "",
            "parts": sorted(({"name": t(words), "seconds": parts[key], "share": parts[key] / longest}
                             for key, words in PARTS if parts[key] >= 0.01 * longest), key=lambda part: -part["seconds"])}


def _waits(test, t):
    """[(what warps wait for, its share of the waiting)], the longest first; of several kernels, in the longest."""
    waits = (kernels.longest(test) or {}).get("waits") if kernels.are_several(test) else None
    waits = waits or test["figures"]["waits"]
    whole = sum(waits.values())
    return sorted(((t(kernels.WAITS[key]), part / whole) for key, part in waits.items() if whole and part >= 0.01 * whole),
                  key=lambda each: -each[1])


def _kernel(test):
    """Which of several kernels the bound is of; "" for one alone, or where the longest has another bound."""
    longest = kernels.longest(test) if kernels.are_several(test) else None
    return longest["kernel"] if longest and longest["bound"] == test["figures"]["bound_words"] else ""


def _occupancy(test, t):
    """Of the longest launch, in a sentence."""
    known = [launch for launch in test["launches"] if launch["occupancy"] and launch["seconds"]]
    if not known:
        return ""
    launch = max(known, key=lambda launch: launch["seconds"])
    found = launch["occupancy"]
    share = f"{100 * found['share']:.0f} %"
    if found["waves"] is not None and found["waves"] < 1:
        if kernels.are_several(test):
            return t("The grid of {kernel} has too few blocks to fill the card.", kernel=launch["kernel"])
        return t("Possible occupancy is {share}, but the grid has too few blocks to fill the card.", share=share)
    if kernels.are_several(test):
        share = t("{share} in {kernel}", share=share, kernel=launch["kernel"])
    if not found["limits"]:
        return t("Possible occupancy is {share}.", share=share)
    return t("Possible occupancy is {share}, limited by {what}.", share=share, what=limits_in_words(found["limits"], t))


def limits_in_words(limits, t):
    return t(" and ").join(t(LIMITS[limit]) for limit in limits)


def draw(data, names, t=ENGLISH):
    """{svg, legend, words}; None where nothing is known of the card or of the run's arithmetic."""
    card = data["card"]
    runs = points(data, names, t)
    if not runs or not card["peak_flops"] or not card["peak_bytes"] or runs[0][0] != "yours":
        return None
    ridge = card["peak_flops"] / card["peak_bytes"]
    across = Axis(min(0.1, *(run[2] for run in runs)), max(ridge * 8, *(run[2] for run in runs)), LEFT, WIDTH - RIGHT)
    up = Axis(min(card["peak_flops"] / 1e3, *(run[3] for run in runs)), card["peak_flops"] * 1.2, HEIGHT - BOTTOM, TOP)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="roofline" role="img" aria-labelledby="roof-title">',
             f'<title id="roof-title">{escape(t("Roofline: operations a second over operations a byte"))}</title>']
    for x in across.decades():
        # The last one would be cut where its letters are larger, on a phone.
        anchor = "end" if x == across.decades()[-1] else "middle"
        parts.append(f'<path class="grid" d="M{across.at(x):.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
                     f'<text x="{across.at(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="{anchor}">{x:g}</text>')
    for y in up.decades():
        parts.append(f'<path class="grid" d="M{LEFT} {up.at(y):.1f}H{WIDTH - RIGHT}"/>'
                     f'<text x="{LEFT - 6}" y="{up.at(y) + 4:.1f}" text-anchor="end">{rate_words(y).split("FLOP")[0]}</text>')
    left, right = 10.0**across.low, 10.0**across.high
    # The slope leaves the picture at the bottom where the bandwidth is too low to be in it.
    start = max(left, 10.0**up.low / card["peak_bytes"])
    parts.append(f'<path class="roof" d="M{across.at(start):.1f} {up.at(start * card["peak_bytes"]):.1f}'
                 f'L{across.at(ridge):.1f} {up.at(card["peak_flops"]):.1f}H{across.at(right):.1f}"/>')
    parts.append(f'<text class="name" x="{across.at(ridge) + 4:.1f}" y="{up.at(card["peak_flops"]) - 6:.1f}">'
                 f'{rate_words(card["peak_flops"])}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
                 f'{escape(t("arithmetic intensity: FLOP for each byte from or to DRAM"))}</text>')
    parts.append(f'<text x="{LEFT + 5}" y="{TOP + 9}">FLOP/s</text>')
    for kind, _, intensity, rate in reversed(runs):
        roof = roof_of(card, intensity)
        if kind == "yours":
            parts.append(f'<path class="room" d="M{across.at(intensity):.1f} {up.at(rate):.1f}V{up.at(roof):.1f}"/>')
        parts.append(mark(kind, across.at(intensity), up.at(rate)))
    parts.append("</svg>")
    _, _, intensity, rate = runs[0]
    roof = roof_of(card, intensity)
    return {"svg": Markup("".join(parts)), "is_left": intensity < ridge, "intensity": f"{intensity:.3g}",
            "ridge": f"{ridge:.3g}", "roof": rate_words(roof), "share": rate / roof,
            "legend": [{"name": name, "intensity": f"{x:.3g}", "rate": rate_words(y), "share": y / roof_of(card, x),
                        "svg": Markup(f'<svg viewBox="0 0 16 16" class="key" aria-hidden="true">{mark(kind, 8, 8)}</svg>')}
                       for kind, name, x, y in runs]}
