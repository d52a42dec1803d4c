# SPDX-License-Identifier: Apache-2.0
"""An SVG drawing: boxes, lines and words with classes of handout.css, which gives them colours for screen and paper.

Built with ElementTree, so that it is well-formed whatever a text puts into it.
"""
import contextlib
import xml.etree.ElementTree as ElementTree

from markupsafe import Markup, escape

# A figure may have a second drawing of the same for screens too narrow for the first: as wide as a phone's text.
NARROW = 350


class Drawing:
    """width x height in units of about a CSS pixel. `title` is read aloud, `description` says what it shows."""

    _count = 0
    _step = None  # Of a time line: the step that adds what is drawn now.
    narrow = None  # The drawing that stands here on a phone, if there is one.

    def __init__(self, width, height, title, description=""):
        Drawing._count += 1
        self.name = f"drawing-{Drawing._count}"
        self.width, self.height = width, height
        named = f"{self.name}-title" + (f" {self.name}-desc" if description else "")
        self.root = ElementTree.Element("svg", {
            "viewBox": f"0 0 {width:g} {height:g}", "width": f"{width:g}", "height": f"{height:g}", "role": "img",
            "aria-labelledby": named, "style": f"min-width:{min(width, 0.8 * width + 40):g}px"})
        self._child("title", {"id": f"{self.name}-title"}).text = title
        if description:
            self._child("desc", {"id": f"{self.name}-desc"}).text = description
        self._hatches()

    def _child(self, tag, attributes, parent=None):
        written = {key: f"{value:g}" if isinstance(value, float) else str(value) for key, value in attributes.items()}
        if self._step is not None:
            written["data-step"] = str(self._step)
        return ElementTree.SubElement(self.root if parent is None else parent, tag, written)

    def _hatches(self):
        """Two hatchings, because a print may have no colours."""
        definitions = self._child("defs", {})
        for kind, lines in (("other", "M0 6 L6 0"), ("behind", "M0 6 L6 0 M0 0 L6 6")):
            pattern = self._child("pattern", {"id": f"{self.name}-{kind}", "width": 6, "height": 6,
                                              "patternUnits": "userSpaceOnUse"}, definitions)
            self._child("path", {"d": lines, "class": f"hatch-{kind}"}, pattern)

    @contextlib.contextmanager
    def step(self, number):
        """What is drawn within belongs to that step of a time line (figures/timelines.py)."""
        self._step = number
        yield
        self._step = None

    def box(self, x, y, width, height, kind="cell"):
        self._child("rect", {"x": x, "y": y, "width": width, "height": height, "class": f"box-{kind}"})
        if kind in ("other", "behind"):
            self._child("rect", {"x": x, "y": y, "width": width, "height": height,
                                 "fill": f"url(#{self.name}-{kind})"})

    def line(self, x1, y1, x2, y2, kind="thin"):
        self._child("line", {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "class": f"line-{kind}"})

    def dot(self, x, y):
        self._child("circle", {"cx": x, "cy": y, "r": 4, "class": "dot"})

    def path(self, points, kind="thin"):
        text = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
        self._child("path", {"d": text, "class": f"line-{kind}"})

    def arrow(self, x1, y1, x2, y2):
        """A straight arrow to (x2, y2)."""
        length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-6)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        self.line(x1, y1, x2 - 5 * dx, y2 - 5 * dy, "arrow")
        tip = [(x2, y2), (x2 - 8 * dx - 4 * dy, y2 - 8 * dy + 4 * dx), (x2 - 8 * dx + 4 * dy, y2 - 8 * dy - 4 * dx)]
        self._child("path", {"d": "M" + " L".join(f"{x:g} {y:g}" for x, y in tip) + " Z", "class": "tip"})

    def words(self, x, y, text, kind="label", anchor="middle"):
        """`y` is the middle of the line."""
        self._child("text", {"x": x, "y": y, "class": f"text-{kind}", "text-anchor": anchor,
                             "dominant-baseline": "central"}).text = str(text)

    def cell(self, x, y, width, height, text="", kind="cell", words="small"):
        self.box(x, y, width, height, kind)
        if text != "":
            self.words(x + width / 2, y + height / 2 + 0.5, text, words)

    def markup(self):
        return Markup(ElementTree.tostring(self.root, encoding="unicode"))


def start_page():
    """Drawings are numbered by page, so that a page does not depend on those built before it."""
    Drawing._count = 0


def figure(drawings, caption, kinds=()):
    """A <figure> of one or more drawings. `kinds` are (class of a box, meaning) pairs for the legend."""
    parts = [Markup('<figure>\n<div class="drawings">')]
    for drawing in drawings:
        parts.append(Markup('<div class="scroll{}">{}</div>').format(" wide" if drawing.narrow else "",
                                                                     drawing.markup()))
        if drawing.narrow:
            parts.append(Markup('<div class="narrow">{}</div>').format(drawing.narrow.markup()))
    parts.append(Markup("</div>\n"))
    if kinds:
        entries = [Markup('<span class="key">{}{}</span>').format(_swatch(kind), escape(words))
                   for kind, words in kinds]
        parts.append(Markup('<p class="legend">{}</p>\n').format(Markup(" ").join(entries)))
    if caption:
        parts.append(Markup("<figcaption>{}</figcaption>\n").format(caption))
    parts.append(Markup("</figure>"))
    return Markup("").join(parts)


def _swatch(kind):
    swatch = Drawing(18, 14, kind)
    swatch.root.set("aria-hidden", "true")
    swatch.root.attrib.pop("style")
    swatch.box(1, 1, 16, 12, kind)
    return swatch.markup()
