# SPDX-License-Identifier: Apache-2.0
"""The roofline of a card with the runs of one test on it, as SVG coloured by profile_page.css.

Both axes are logarithmic. The roof is min(peak arithmetic, intensity x bandwidth); a run stands at its arithmetic
intensity (operations for each byte from or to DRAM) and at the rate that its estimated time means.
"""
import math

from markupsafe import Markup

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


def points(data, names):
    """[(kind, name, intensity, rate)] of the runs whose place is known."""
    runs = [("yours", "Yours", data["test"]["figures"])]
    runs += [(run["name"], names[run["name"]], run["figures"]) for run in data["beside"]]
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


def draw(data, names):
    """{svg, legend, words}; None where nothing is known of the card or of the run's arithmetic."""
    card = data["card"]
    runs = points(data, names)
    if not runs or not card["peak_flops"] or not card["peak_bytes"] or runs[0][0] != "yours":
        return None
    ridge = card["peak_flops"] / card["peak_bytes"]
    across = Axis(min(0.1, *(run[2] for run in runs)), max(ridge * 8, *(run[2] for run in runs)), LEFT, WIDTH - RIGHT)
    up = Axis(min(card["peak_flops"] / 1e3, *(run[3] for run in runs)), card["peak_flops"] * 1.2, HEIGHT - BOTTOM, TOP)
    parts = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" class="roofline" role="img" aria-labelledby="roof-title">',
             '<title id="roof-title">Roofline: operations a second over operations a byte</title>']
    for x in across.decades():
        parts.append(f'<path class="grid" d="M{across.at(x):.1f} {TOP}V{HEIGHT - BOTTOM}"/>'
                     f'<text x="{across.at(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:g}</text>')
    for y in up.decades():
        parts.append(f'<path class="grid" d="M{LEFT} {up.at(y):.1f}H{WIDTH - RIGHT}"/>'
                     f'<text x="{LEFT - 6}" y="{up.at(y) + 4:.1f}" text-anchor="end">{rate_words(y).split("FLOP")[0]}</text>')
    left, right = 10.0**across.low, 10.0**across.high
    # The slope leaves the picture at the bottom where the bandwidth is too low to be in it.
    start = max(left, 10.0**up.low / card["peak_bytes"])
    parts.append(f'<path class="roof" d="M{across.at(start):.1f} {up.at(start * card["peak_bytes"]):.1f}'
                 f'L{across.at(ridge):.1f} {up.at(card["peak_flops"]):.1f}H{across.at(right):.1f}"/>')
    parts.append(f'<text class="name" x="{WIDTH - RIGHT - 4}" y="{up.at(card["peak_flops"]) - 6:.1f}" text-anchor="end">'
                 f'{rate_words(card["peak_flops"])}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">'
                 'arithmetic intensity: FLOP for each byte from or to DRAM</text>')
    parts.append(f'<text x="{LEFT + 5}" y="{TOP + 9}">FLOP/s</text>')
    for kind, _, intensity, rate in reversed(runs):
        roof = min(card["peak_flops"], intensity * card["peak_bytes"])
        if kind == "yours":
            parts.append(f'<path class="room" d="M{across.at(intensity):.1f} {up.at(rate):.1f}V{up.at(roof):.1f}"/>')
        parts.append(mark(kind, across.at(intensity), up.at(rate)))
    parts.append("</svg>")
    _, _, intensity, rate = runs[0]
    roof = min(card["peak_flops"], intensity * card["peak_bytes"])
    return {"svg": Markup("".join(parts)), "memory_bound": intensity < ridge, "intensity": f"{intensity:.3g}",
            "ridge": f"{ridge:.3g}", "roof": rate_words(roof), "share": rate / roof,
            "legend": [{"name": name, "intensity": f"{x:.3g}", "rate": rate_words(y),
                        "svg": Markup(f'<svg viewBox="0 0 16 16" class="key" aria-hidden="true">{mark(kind, 8, 8)}</svg>')}
                       for kind, name, x, y in runs]}
