# SPDX-License-Identifier: Apache-2.0
"""A chapter's slides: each figure of its page, large, with its heading, its caption, what to say and what to ask.

They are taken out of the finished page, so that page and slides cannot differ."""
import re

from markupsafe import Markup

_PIECE = re.compile(r'<h(?P<level>[1-4])[^>]*>(?P<heading>.*?)</h(?P=level)>'
                    r'|(?P<figure><figure.*?</figure>)(?:\s*<p class="say">(?P<say>.*?)</p>\s*<p class="ask">(?P<ask>.*?)</p>)?', re.DOTALL)
_WIDE = re.compile(r'<div class="scroll[^>]*><svg viewBox="0 0 (?P<width>[0-9.]+) (?P<height>[0-9.]+)"')
_SPAN = re.compile(r"<span.*?</span>", re.DOTALL)

# Room for the drawings on a slide, width and height in CSS pixels: above the words, and to their left. Between two of
# them is a gap.
_ABOVE, _BESIDE, _GAP = (1140, 290), (680, 460), 26
# What a time line's buttons and the sentence of its step take below the drawings.
TIMELINE, _CONTROLS = '<figure class="timeline"', 100
# Drawings wider than that stand below each other on a page. So they do here: what is said of them calls one the upper.
_HALF_A_PAGE = 400


def _arrangement(figure):
    """(how these drawings lie on a slide, as course.css calls it, how many times larger they are than on the page)"""
    widths, heights = zip(*((float(each["width"]), float(each["height"])) for each in _WIDE.finditer(figure)), strict=True)
    gaps = _GAP * (len(widths) - 1)
    stacked = len(widths) > 1 and max(widths) > _HALF_A_PAGE
    width = max(widths) if stacked else sum(widths) + gaps
    height = sum(heights) + gaps if stacked else max(heights)
    controls = _CONTROLS if figure.startswith(TIMELINE) else 0
    above, beside = (min(most[0] / width, (most[1] - controls) / height) for most in (_ABOVE, _BESIDE))
    layout = ["stacked"] * stacked + ["beside"] * (beside > above)
    return " ".join(layout), f"{max(above, beside):.2f}"


def of_page(page):
    """[{heading, figure, say, ask, layout, zoom}], in the order of the page; `say` and `ask` are empty where the text has
    none."""
    slides, heading = [], ""
    for piece in _PIECE.finditer(page):
        if piece["heading"] is not None:
            heading = _SPAN.sub("", piece["heading"]).strip()  # Without points and minutes.
        else:
            say, ask = (Markup(re.sub(r"^<b>.*?</b>", "", piece[part] or "").strip()) for part in ("say", "ask"))
            layout, zoom = _arrangement(piece["figure"])
            slides.append({"heading": Markup(heading), "figure": Markup(piece["figure"]), "say": say, "ask": ask,
                           "layout": layout, "zoom": zoom})
    return slides
