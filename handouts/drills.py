# SPDX-License-Identifier: Apache-2.0
"""What the script of a chapter's page needs to check its drills (interactive/drills.js)."""
import languages
from finish import typographic


def data(drills, words):
    """Texts with the signs that finish.py gives to the rest of the page; it leaves scripts alone."""
    def said(text):
        return languages.spaced(typographic(text))

    rows = [{**drill, "text": said(drill["text"]), "why": said(drill["why"]),
             "choices": [said(each) for each in drill["choices"]],
             "wrong": [{**each, "text": said(each["text"]), "why": said(each["why"])} for each in drill["wrong"]]}
            for drill in drills]
    return {"drills": rows, "words": words}
