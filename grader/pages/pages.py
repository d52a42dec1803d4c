# SPDX-License-Identifier: Apache-2.0
"""What every HTML page of ours shares: handouts and class reports import this.

A page is one file that opens from disk: its style sheet and its script stand inside, it needs no font and no network.
Its Content-Security-Policy names the script by its SHA-256 and refuses others. Everything that a template prints is
escaped.

A script that uses it adds this folder to its path first:

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # in a folder of this one
    import pages
"""
import base64
import hashlib
import json
import os
import pathlib
import re
import sys

try:
    import jinja2
    from markupsafe import Markup
except ModuleNotFoundError:
    sys.exit("Jinja2 is missing for " + sys.executable + ". Install python3-jinja2 (Debian, Ubuntu), or: "
             "python3 -m pip install jinja2")

HERE = pathlib.Path(__file__).resolve().parent


def environment(*folders, styles=()):
    """Templates are looked for in `folders`, then here. `styles` are further style sheets, after pages.css.

    page.html.j2 is what a page extends; it shows `stylesheet`. A name that a template does not know is an error.
    """
    result = jinja2.Environment(
        loader=jinja2.FileSystemLoader([str(folder) for folder in (*folders, HERE)]),
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        extensions=["jinja2.ext.do"])
    result.globals["stylesheet"] = stylesheet(HERE / "pages.css", *styles)
    return result


def coded(text):
    """What stands in `backticks` as code."""
    parts = re.split(r"`([^`\n]+)`", text)
    return Markup("").join(Markup("<code>{}</code>").format(part) if number % 2 else part for number, part in enumerate(parts))


def stylesheet(*files):
    """The files' text for a <style> element. It is ours and not escaped, so it must not end that element."""
    text = "\n".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files)
    if "</" in text:
        raise ValueError("a style sheet may not hold '</'")
    return Markup(text)


def script(data, *files):
    """These files of plain JavaScript as one script, behind the data that it works on, which it finds by the id "data"."""
    code = _code(files)
    if "</" in code:
        raise ValueError(f"a script may not hold '</': {', '.join(map(str, files))}")
    # In JSON "<" can only stand in a string, where it may be written so.
    written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Markup('<script type="application/json" id="data">{}</script>\n<script>{}</script>').format(
        Markup(written), Markup(code))


def policy(*files):
    """What page.html.j2 adds to the policy of a page with that script."""
    digest = base64.b64encode(hashlib.sha256(_code(files).encode()).digest()).decode()
    return Markup(f"; script-src 'sha256-{digest}'")


def _code(files):
    return "\n" + "\n".join(pathlib.Path(file).read_text(encoding="utf-8") for file in files)


def write(file, text):
    """Writes a page so that a reader or a crash meets the old file or the new one, never a piece."""
    file = pathlib.Path(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_name(file.name + ".part")
    part.write_text(text, encoding="utf-8")
    os.replace(part, file)


def write_if_changed(file, text):
    """Leaves a file as old as it is if it would not change, so that what was made from it need not be made anew."""
    try:
        if pathlib.Path(file).read_text(encoding="utf-8") == text:
            return
    except (OSError, ValueError):
        pass
    write(file, text)
