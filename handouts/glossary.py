# SPDX-License-Identifier: Apache-2.0
"""The glossary: text/LANGUAGE/glossary.toml, and the links from a page's first use of each term.

    [[entry]]
    id = "bank_conflict"                        # the entry's anchor in glossary.html
    term = "bank conflict"                      # how the glossary calls it
    forms = ["bank conflict", "bank conflicts"] # what a text may say; the first that a page has becomes a link
    chapter = "05_bank_conflicts"               # where it is explained; may be left out
    text = "..."                                # one or two sentences, `code` in backticks

Nobody places the links by hand, so a text that is rewritten or translated keeps them.
"""
import re

import tomllib
from markupsafe import escape

# Terms are not linked in headings, code, figures and what is a link already.
_NOT_IN = {"a", "button", "code", "dt", "figure", "h1", "h2", "h3", "h4", "label", "nav", "option", "pre", "script", "style",
           "summary", "svg", "th"}


def read(file):
    """The entries, sorted by term; every id and form occurs once."""
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["entry"]
    for names in ([entry["id"] for entry in entries], [form for entry in entries for form in entry["forms"]]):
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError(f"{file}: there twice: {', '.join(sorted(twice))}")
    return sorted(entries, key=lambda entry: entry["term"].casefold())


def _pattern(entries):
    """Finds any form, the longest first: in "bank conflict" nobody wants the link to "bank"."""
    forms = sorted((form for entry in entries for form in entry["forms"]), key=len, reverse=True)
    return re.compile("|".join(_of_form(form) for form in forms))


def _of_form(form):
    text = re.escape(str(escape(form)))
    if form == form.lower() and form[0].isalpha() and form.isascii():
        text = f"[{form[0]}{form[0].upper()}]" + text[1:]  # It may begin a sentence.
    # A word of letters that are written without blanks between words (Chinese) has no ends to look for.
    return rf"(?<![A-Za-z0-9_-]){text}(?![A-Za-z0-9_])" if form.isascii() else text


class Links:
    """Makes a text's first use of each term a link to its entry."""

    def __init__(self, entries):
        self._entry = {str(escape(form)).casefold(): entry["id"] for entry in entries for form in entry["forms"]}
        self._pattern = _pattern(entries)

    def page(self, page):
        """Of a page only what stands in <main> is looked at."""
        start, end = page.index("<main"), page.index("</main>")
        return page[:start] + self.text(page[start:end], "glossary.html") + page[end:]

    def text(self, html, to="", found=()):
        """The terms in `found` have had their link."""
        found = set(found)

        def linked(match):
            entry = self._entry[match.group().casefold()]
            if entry in found:
                return match.group()
            found.add(entry)
            return f'<a class="term" href="{to}#{entry}">{match.group()}</a>'

        parts, inside = [], []
        for part in re.split(r"(<[^>]*>)", html):
            tag = re.match(r"<(/?)(\w+)", part)
            if not tag:
                parts.append(part if inside else self._pattern.sub(linked, part))
                continue
            parts.append(part)
            closing, name = tag.groups()
            if name in _NOT_IN and not part.endswith("/>"):
                inside.pop() if closing else inside.append(name)
        return "".join(parts)
