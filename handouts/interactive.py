# SPDX-License-Identifier: Apache-2.0
"""Scripts of the interactive pages: plain JavaScript in interactive/, put into the page, which loads nothing.

A page's Content-Security-Policy names the script by its SHA-256, so no other runs there.
"""
import base64
import hashlib
import json
import pathlib

from markupsafe import Markup

HERE = pathlib.Path(__file__).resolve().parent / "interactive"


def text(*files):
    return "\n" + "\n".join((HERE / file).read_text(encoding="utf-8") for file in files)


def script(data, *files):
    """The files as one script, behind the data that it works on, which it finds by the id "data"."""
    code = text(*files)
    if "</" in code:
        raise ValueError(f"a script may not hold '</': {', '.join(files)}")
    # In JSON "<" can only stand in a string, where it may be written so.
    written = json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
    return Markup('<script type="application/json" id="data">{}</script>\n<script>{}</script>').format(
        Markup(written), Markup(code))


def policy(*files):
    """What page.html.j2 adds to the policy of a page with that script."""
    digest = base64.b64encode(hashlib.sha256(text(*files).encode()).digest()).decode()
    return Markup(f"; script-src 'sha256-{digest}'")
