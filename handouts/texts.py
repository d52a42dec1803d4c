# SPDX-License-Identifier: Apache-2.0
"""Numbers, code and contracts as the handouts write them."""
import re
import sys
import textwrap

import languages
from markupsafe import Markup, escape

try:
    import pygments
    import pygments.lexers
    from pygments.token import Comment, Keyword, Name, Number, String
except ModuleNotFoundError:
    sys.exit("Pygments is missing for " + sys.executable + ". Install python3-pygments (Debian, Ubuntu), or: "
             "python3 -m pip install pygments")


def kb(words):
    """The filter that writes bytes: "164 KB", "2.5 KB", "96 bytes"."""
    def written(count):
        if count < 1024:
            return words["count_of_bytes"].format(count=count)
        return f"{count / 1024:.1f}".removesuffix(".0") + " KB"

    return written


def percent(share):
    return f"{100 * share:.1f}".removesuffix(".0") + " %"


def number(value):
    """"1,048,576", "12.8"."""
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    return f"{value:,}"


def to(value, digits):
    """Rounded to so many digits behind the point: 15.5551|to(1) is "15.6"."""
    return f"{value:,.{digits}f}"


def giga(count):
    """Bytes of a card's memory: "40 GiB"; "128 GB" where it is told in powers of ten."""
    return f"{count // 2**30} GiB" if count % 2**30 == 0 else f"{count / 1e9:.0f} GB"


def minutes(count, words):
    """"45 min", "2 h", "2 h 30 min"."""
    hours, rest = divmod(count, 60)
    parts = [words["hours"].format(hours=hours)] if hours else []
    return " ".join(parts + ([words["minutes"].format(minutes=rest)] if rest or not hours else []))


def point(row, name):
    """Of a row of facts: (its `name`, its occupancy), as a chart wants it."""
    return (row[name], row["occupancy"])


def stride_degrees(facts, first, last):
    """(stride, degree of conflict) for each stride."""
    return [(stride, facts[str(stride)]["degree"]) for stride in range(first, last + 1)]


def ratio(fast, slow):
    """How many times faster, of two measured times."""
    return f"{float(slow) / float(fast):.1f}"


def code(body, language="cuda"):
    """A block of code: {% filter code %} ... {% endfilter %}. What stands in it is shown as it is, in colour; commands
    for a shell, and what is said to be of no language (""), in none."""
    text = textwrap.dedent(str(body).strip("\n")).rstrip()
    if not language or text.startswith(("./", "$ ", "warplings ")):
        return Markup("<pre><code>{}</code></pre>").format(text)
    lexer = pygments.lexers.get_lexer_by_name(language, stripnl=False)
    coloured = Markup("").join(_coloured(kind, value) for kind, value in pygments.lex(text, lexer))
    return Markup("<pre><code>{}</code></pre>").format(coloured.rstrip("\n"))


def _coloured(kind, value):
    """One word of a program, with a class of pages.css where it has a colour."""
    for kinds, name in ((Comment.Preproc, "pp"), (Comment, "co"), (Keyword, "kw"), (String, "st"), (Number, "nu"),
                        (Name.Builtin, "bi")):
        if kind in kinds:
            return Markup('<span class="{}">{}</span>').format(name, value)
    return escape(value)


def example(file, part):
    """The lines of an example between "// [part]" and "// [end]"; a test compiles and runs the whole of it."""
    lines = file.read_text(encoding="utf-8").split("\n")
    start = next(i for i, line in enumerate(lines) if line.strip() == f"// [{part}]")
    stop = next(i for i in range(start, len(lines)) if lines[i].strip() == "// [end]")
    return code("\n".join(lines[start + 1:stop]))


def contract(exercise):
    """The contract header: its comments as prose, its declarations as code."""
    lines = [line for line in exercise["contract"].split("\n")
             if not line.startswith(("// SPDX", "#pragma once"))]
    parts, block, prose = [], [], None
    for line in lines + [""]:
        is_prose = line.startswith("//")
        if (not line.strip() and not block) or (line.strip() and is_prose == prose):
            block += [line] if line.strip() else []
            continue
        if block:
            parts.append(_prose(block) if prose else code("\n".join(block)))
        block, prose = ([line], is_prose) if line.strip() else ([], None)
    return Markup("\n").join(parts)


def _joined(lines):
    """As one line: with a blank between the lines, but for Chinese letters and punctuation."""
    return re.sub(r"(?<=[\u3000-\u303f\uff00-\uffef])\n", "", languages.spaced("\n".join(lines))).replace("\n", " ")


def _prose(lines):
    """Comment lines: paragraphs, and pictures and tables where they are indented."""
    parts, paragraph, picture = [], [], []

    def finish():
        if paragraph:
            parts.append(Markup("<p>{}</p>").format(_with_code(_joined(paragraph))))
        if picture:
            parts.append(_listed(picture) or code("\n".join(picture), language=""))
        paragraph.clear()
        picture.clear()

    for line in [each[2:] for each in lines]:
        if line.startswith("   "):
            if paragraph:
                finish()
            picture.append(line)
        elif line.strip():
            if picture:
                finish()
            paragraph.append(line.strip())
        else:
            finish()
    finish()
    return Markup("\n").join(parts)


def _listed(lines):
    """Lines that begin with "- " or "1. ", and their continuations, as a list; None where they are a picture.
    Entries that are indented further are a list below the entry before them."""
    entries, first_indent = [], None
    for line in lines:
        bullet = re.match(r"(\s*)(-|\d+\.) (.*)", line)
        if not bullet and not entries:
            return None
        if not bullet:
            below = entries[-1][1]
            if below:
                below[-1] += "\n" + line
            else:
                entries[-1][0] = _joined([entries[-1][0], line.strip()])
        elif first_indent is None or len(bullet.group(1)) <= first_indent:
            first_indent = len(bullet.group(1))
            entries.append([bullet.group(3), []])
        else:
            entries[-1][1].append(line)
    kind = "ul" if re.match(r"\s*-", lines[0]) else "ol"
    rows = Markup("").join(
        Markup("<li>{}{}</li>").format(_with_code(text), _listed("\n".join(below).split("\n")) if below else "")
        for text, below in entries)
    return Markup("<{}>{}</{}>").format(kind, rows, kind)


# `code`; an index like M[r * width + c]; a call; a name with an underscore, in capitals, or like kName.
_CODE = re.compile(
    r"`([^`]+)`|(\w+(?:\[[^\]]*\])+|\w+\([\w:, ]*\)|\b\w+_\w+\b|\b(?!CUDA)[A-Z][A-Z_]{3,}\b|\bk[A-Z]\w+\b)")


def _with_code(text):
    parts, last = [], 0
    for match in _CODE.finditer(text):
        word = match.group(1) or match.group(2)
        parts += [escape(text[last:match.start()]), Markup("<code>{}</code>").format(word)]
        last = match.end()
    return Markup("").join(parts + [escape(text[last:])])


def prose(text):
    """A sentence given as a string, whose code stands in `backticks` or is recognised."""
    return _with_code(text)


def paragraph(text):
    """One text of chapter.toml, whose lines are wrapped."""
    return " ".join(text.split())


def without_head(source):
    """A source file without its first comment, which the page has said already."""
    lines = source.split("\n")
    while lines and (lines[0].startswith("//") or not lines[0].strip()):
        lines.pop(0)
    return "\n".join(lines)


FILTERS = {each.__name__: each for each in (
    code, contract, giga, minutes, number, paragraph, percent, point, prose, ratio, stride_degrees, to,
    without_head)}
