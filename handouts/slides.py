# SPDX-License-Identifier: Apache-2.0
"""A chapter's slides: each figure of its page, large, with its heading, its caption and what to say about it.

They are taken out of the finished page, so that page and slides cannot differ."""
import re

from markupsafe import Markup

_PIECE = re.compile(r'<h(?P<level>[1-4])[^>]*>(?P<heading>.*?)</h(?P=level)>'
                    r'|(?P<figure><figure.*?</figure>)(?:\s*<p class="say">(?P<say>.*?)</p>)?', re.DOTALL)
_SPAN = re.compile(r"<span.*?</span>", re.DOTALL)


def of_page(page):
    """[{heading, figure, say}], in the order of the page; `say` is empty where the text has none."""
    slides, heading = [], ""
    for piece in _PIECE.finditer(page):
        if piece["heading"] is not None:
            heading = _SPAN.sub("", piece["heading"]).strip()  # Without points and minutes.
        else:
            say = re.sub(r"^<b>.*?</b>", "", piece["say"] or "").strip()
            slides.append({"heading": Markup(heading), "figure": Markup(piece["figure"]), "say": Markup(say)})
    return slides
