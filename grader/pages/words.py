# SPDX-License-Identifier: Apache-2.0
"""The words of a page's frame in the reader's language: English stands in the templates and the code, and
FOLDER/LANGUAGE.json has the translation beside each text. What is missing there stays English.
"""
import json
import re

# A blank belongs between a Chinese letter and a Latin one or a digit, whichever of them a text was given.
_HAN = "\u3400-\u9fff"
_SPACE = re.compile(rf"(?<=[{_HAN}])(?=[A-Za-z0-9(\[])|(?<=[A-Za-z0-9)%\]])(?=[{_HAN}])")


class Words:
    """t("page {page} of {pages}", page=1, pages=3)."""

    def __init__(self, texts):
        self.texts = texts

    def __call__(self, english, **values):
        text = self.texts.get(english, english)
        if not values:
            return text
        filled = text.format(**values)
        return filled if text is english else _SPACE.sub(" ", filled)


ENGLISH = Words({})


def translation(folder, language):
    """What says the frame's English words in this language, and how HTML calls the language."""
    if language == "en":
        return ENGLISH, "en"
    texts = json.loads((folder / f"{language}.json").read_text(encoding="utf-8"))
    return Words(texts), texts["language tag"]
