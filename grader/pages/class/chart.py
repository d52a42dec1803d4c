# SPDX-License-Identifier: Apache-2.0
"""The histogram of a class's points, as SVG coloured by class_report.css."""
from figures import one
from markupsafe import Markup

WIDTH, HEIGHT, FOOT, HEAD, MARGIN = 360, 170, 20, 16, 14


def _beside_counts(middle, numbers):
    """The median's line, without the pieces on which a bar's number stands: (x, baseline, digits) of each."""
    pieces = [(HEAD - 4, HEIGHT - FOOT)]
    for x, baseline, digits in numbers:
        if abs(x - middle) < 4 + 3.5 * digits:
            top, foot = pieces.pop()
            pieces += [(top, baseline - 11), (baseline + 3, foot)]
    return [(top, foot) for top, foot in pieces if foot > top]


def histogram(points, t):
    bars = points["bars"]
    low, high = bars[0][0], bars[-1][1]
    most = max(count for _, _, count in bars) or 1
    room = HEIGHT - FOOT - HEAD

    def across(value):
        return MARGIN + (WIDTH - 2 * MARGIN) * (value - low) / ((high - low) or 1)

    parts, counts, numbers = [], [], []
    for start, end, count in bars:
        tall = room * count / most
        x, y = across(start) + 1, HEIGHT - FOOT - tall
        parts.append(f'<rect class="column" x="{x:.1f}" y="{y:.1f}" width="{across(end) - across(start) - 2:.1f}" height="{tall:.1f}"/>')
        if count:
            numbers.append(((across(start) + across(end)) / 2, y - 3, len(str(count))))
            counts.append(f'<text class="count" x="{(across(start) + across(end)) / 2:.1f}" y="{y - 3:.1f}">{count}</text>')
    parts.append(f'<line class="axis" x1="{MARGIN}" x2="{WIDTH - MARGIN}" y1="{HEIGHT - FOOT}" y2="{HEIGHT - FOOT}"/>')
    for value in ([start for start, _, _ in bars] + [high])[::max(len(bars) // 5, 1)]:
        parts.append(f'<text class="tick" x="{across(value):.1f}" y="{HEIGHT - FOOT + 14}">{one(value)}</text>')
    middle = across(points["median"])
    for top, foot in _beside_counts(middle, numbers):
        parts.append(f'<line class="median" x1="{middle:.1f}" x2="{middle:.1f}" y1="{top:.1f}" y2="{foot:.1f}"/>')
    said = "; ".join(f"{one(start)}–{one(end)}: {count}" for start, end, count in bars)
    return Markup('<figure class="histogram"><svg viewBox="0 0 {} {}" role="img" aria-labelledby="histogram-title histogram-said">'
                  '<title id="histogram-title">{}</title><desc id="histogram-said">{}</desc>{}</svg>'
                  '<figcaption>{}</figcaption></figure>').format(
                      WIDTH, HEIGHT, t("How many students have how many points"), said, Markup("\n".join(parts + counts)),
                      t("Students by points; the line is the median."))
