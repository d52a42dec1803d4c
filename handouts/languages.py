# SPDX-License-Identifier: Apache-2.0
"""The languages of the handouts: a folder below text/ for each. English is the one they are written in first; what
another language lacks stands there in English, and Language.missing says what that is. A block that it leaves empty is
English on purpose, for want of somebody who speaks the language: Language.left.

Pages lie in OUT, those of another language in OUT/LANGUAGE.
"""
import json
import pathlib
import re

import fonts
import glossary

HERE = pathlib.Path(__file__).resolve().parent
TEXT = HERE / "text"
MAIN = "en"
# Blocks of a text, of which none lies in another one, and what its head sets.
_BLOCK = re.compile(r"(\{%-? *block +(\w+).*?%\})(.*?)(\{%-? *endblock.*?%\})", re.DOTALL)
_SET = re.compile(r"^\{% set (\w+) = .*%\}$", re.MULTILINE)


class Language:
    """`words` are whole: what its words.json lacks is English."""

    def __init__(self, name):
        self.name = name
        self.folder, self.main_folder = TEXT / name, TEXT / MAIN
        self.missing, self.left, self._has_font = [], [], None
        self.words = self._merged(_json(self.main_folder / "words.json"), _json(self.folder / "words.json"), "words.json")
        self.is_main = name == MAIN
        for file in sorted(self.main_folder.glob("*.html.j2")):
            if not (self.folder / file.name).exists():
                self.missing.append(file.name)
            for name, is_empty in self._english_blocks(file.name).items():
                (self.left if is_empty else self.missing).append(f"{file.name}: block {name}")

    def _merged(self, main, own, at):
        """`main` with what `own` has, as far as it has the same shape."""
        if isinstance(main, dict) and isinstance(own, dict):
            self.missing += [f"{at}: {key}" for key in main if key not in own]
            return own | {key: self._merged(value, own.get(key, value), f"{at}: {key}") for key, value in main.items()}
        if isinstance(main, list) and isinstance(own, list) and len(main) != len(own):
            self.missing.append(at)
            return main
        return own

    def tag_of(self, text):
        """The language that a page made from this template or text is in, as HTML calls it."""
        lacks = (self.main_folder / text).exists() and not (self.folder / text).exists()
        return _json(self.main_folder / "words.json")["tag"] if lacks else self.words["tag"]

    def source_of(self, text):
        """For Jinja: this language's text, with the blocks that only the English one has. None: it has no such text."""
        if not (self.folder / text).is_file():
            return None
        own = (self.folder / text).read_text(encoding="utf-8")
        english = self._english_blocks(text)
        if not english:
            return own
        main = (self.main_folder / text).read_text(encoding="utf-8")
        own = _BLOCK.sub(lambda block: "" if block[2] in english else block[0], own)
        names = {each[1] for each in _SET.finditer(_BLOCK.sub("", own))}
        sets = [each[0] for each in _SET.finditer(_BLOCK.sub("", main)) if each[1] not in names]
        tag = _json(self.main_folder / "words.json")["tag"]
        blocks = [f'{each[1]}\n<div lang="{tag}">{each[3]}</div>\n{each[4]}' for each in _BLOCK.finditer(main) if each[2] in english]
        return "\n".join([own, *sets, *blocks])

    def _english_blocks(self, text):
        """{name: whether it is there, but empty} of the blocks that a text of this language lacks."""
        if not (self.folder / text).is_file() or not (self.main_folder / text).is_file():
            return {}
        own, main = ({each[2]: each[3].strip() for each in _BLOCK.finditer((folder / text).read_text(encoding="utf-8"))}
                     for folder in (self.folder, self.main_folder))
        return {name: name in own for name, source in main.items() if source and not own.get(name)}

    def entries(self):
        """The glossary's, in the order of their terms; another language's in that of the English ones, which it shows
        beside its own."""
        main = {entry["id"]: entry | {"english": ""} for entry in glossary.read(self.main_folder / "glossary.toml")}
        file = self.folder / "glossary.toml"
        own = {entry["id"]: entry for entry in glossary.read(file)} if file.exists() else {}
        self.missing += [f"glossary.toml: {each}" for each in main if each not in own]
        return [self._entry(own[name], english) if name in own else english for name, english in main.items()]

    @staticmethod
    def _entry(own, english):
        """Where a class says the English word, the term is that, and there is nothing to add."""
        return english | own | {"english": "" if own["term"] == english["term"] else english["term"]}

    def has_font(self):
        """Whether a browser here would print letters and no boxes."""
        if self._has_font is None:
            self._has_font = fonts.of_language(self.words)
        return self._has_font


def _json(file):
    return json.loads(file.read_text(encoding="utf-8"))


def switch(languages, here, out, building):
    """For templates: other_languages(file) are the languages in which a page like `file` is there or being built."""
    def others(file):
        links = []
        for each in languages:
            if each is here or not (each in building or (folder_of(out, each) / file).exists()):
                continue
            href = (each.name + "/" if here.is_main else "../" if each.is_main else f"../{each.name}/") + file
            links.append({"tag": each.words["tag"], "name": each.words["language_name"], "href": href})
        return links

    return others


def folder_of(out, language):
    return out if language.is_main else out / language.name


def all_languages():
    names = sorted(file.parent.name for file in TEXT.glob("*/words.json"))
    return [Language(name) for name in sorted(names, key=lambda name: name != MAIN)]


# Chinese letters; with what is written around them and between them and Latin ones.
_HAN = r"\u3400-\u9fff\uf900-\ufaff"
_WIDE = _HAN + r"\u3000-\u303f\uff00-\uffef"
_BEFORE_LATIN = re.compile(rf"(?<=[{_HAN}])(?=[A-Za-z0-9(\[])|(?<=[A-Za-z0-9)%\]])(?=[{_HAN}])")
_BROKEN_LINE = re.compile(rf"(?<=[{_WIDE}])[ \t]*\n\s*(?=[{_WIDE}])")


def is_han(character):
    return re.fullmatch(rf"[{_HAN}]", character) is not None


def parts_words(before, after):
    """Whether a blank belongs between these two letters: one Chinese, the other Latin."""
    return _BEFORE_LATIN.search(before + after) is not None


def spaced(text):
    """Chinese text with a blank beside Latin words and numbers, and none where only a line of the source ended."""
    return _BEFORE_LATIN.sub(" ", _BROKEN_LINE.sub("", text))
