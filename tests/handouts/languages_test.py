#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The handouts in all their languages: languages_test.py WARPLINGS_CLI. Writes TAP, a line for each test.

A page in another language has the structure of the English one, its numbers, its code and its links; nothing is missing;
Traditional Chinese keeps to Taiwan's letters and words (text/zh_Hant/terms.toml).
"""
import collections
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = ROOT / "handouts" / "text"
sys.path.insert(0, str(ROOT / "handouts"))

import languages  # noqa: E402

# Within a sentence each language puts its words in an order of its own, and a term is linked at its first use.
WITHIN_A_SENTENCE = {"a", "b", "code", "em", "i", "kbd", "span", "strong", "sub", "sup", "cite"}
VOID = {"meta", "br", "hr", "img", "link", "input"}
NUMBER = re.compile(r"(?<![A-Za-z0-9_.,])\d[\d,]*(?:\.\d+)?(?![A-Za-z0-9_])")
# Simplified letters that Big5 has all the same, so that it does not tell them from traditional ones.
SIMPLIFIED_IN_BIG5 = "体"


class Page(html.parser.HTMLParser):
    """What two languages' pages must have in common."""

    def __init__(self, source):
        super().__init__(convert_charrefs=True)
        self.structure, self.links, self.code = [], collections.Counter(), collections.Counter()
        self.text, self._open, self.tag, self._code = "", [], None, None
        self.feed(source)
        self.numbers = collections.Counter(each.rstrip(",") for each in NUMBER.findall(self.text))

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "html":
            self.tag = attributes.get("lang")
        if tag not in VOID:
            self._open.append((tag, attributes.get("class", "")))
        if self._inside("languages"):
            return
        is_english_block = tag == "div" and list(attributes) == ["lang"]
        if tag not in WITHIN_A_SENTENCE and not is_english_block:
            self.text += " "
            self.structure.append((tag, attributes.get("class", ""), attributes.get("id", "")))
        if tag == "code":
            self._code = ""
        if "href" in attributes and attributes.get("class") != "term":
            self.links[attributes["href"]] += 1

    def handle_endtag(self, tag):
        if tag == "code" and self._code is not None:
            self.code[re.sub(r"\s+", " ", self._code)] += 1
            self._code = None
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        # A report breaks its lines by each language's own lengths, so that other numbers of lines are left out.
        if self._inside("languages") or self._inside("report"):
            return
        if self._open and self._open[-1][0] in ("style", "script"):
            return
        self.text += data
        # Comments of a program are in the page's language; so are the contracts' drawings and declarations. Those
        # that translate a contract are held against it by tests/translations/chapters.py.
        if self._code is not None and not self._inside("co") and not (self._inside("contract") and self._is_in("pre")):
            self._code += data

    def _is_in(self, tag):
        return any(name == tag for name, _ in self._open)

    def _inside(self, kind):
        return any(kind in names.split() for _, names in self._open)


def differences(ours, theirs):
    """Sentences that say how two pages differ in what they should have in common."""
    found = []
    pairs = zip(ours.structure, theirs.structure, strict=False)
    first = next((i for i, (one, other) in enumerate(pairs) if one != other), None)
    if first is not None or len(ours.structure) != len(theirs.structure):
        first = min(len(ours.structure), len(theirs.structure)) if first is None else first
        found.append(f"element {first}: {ours.structure[first - 1:first + 2]} against {theirs.structure[first - 1:first + 2]}")
    for what in ("numbers", "code", "links"):
        one, other = getattr(ours, what), getattr(theirs, what)
        if one != other:
            found.append(f"{what}: only in English {dict(one - other)}, only here {dict(other - one)}")
    return found


TESTS = []


def test(function):
    TESTS.append(function)
    return function


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


class Built:
    """Both versions in all languages, as a user builds them."""

    def __init__(self, program, folder):
        self.said, self.folder = {}, folder
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state")}
        for version, options in (("students", []), ("instructor", ["--instructor"])):
            run = subprocess.run([program, "handouts", "--strict", "--paper", "none", "--out", folder / version, *options],
                                 env=environment, capture_output=True, text=True, check=False)
            expect(run.returncode == 0, f"handouts {options}: {run.stdout}{run.stderr}")
            self.said[version] = run.stdout

    def pairs(self):
        """(English page, another language, its page)"""
        for language in others():
            for page in sorted(self.folder.glob("*/*.html")):
                yield page, language, page.parent / language.name / page.name


def others():
    return [each for each in languages.all_languages() if not each.is_main]


@test
def there_is_another_language(built):
    expect("zh_Hant" in [each.name for each in others()], "no Traditional Chinese")
    expect(len(list(built.pairs())) >= 2 * 11, f"only {len(list(built.pairs()))} pages")


@test
def nothing_is_missing(built):
    for version, said in built.said.items():
        expect("lacks" not in said, f"{version}: {said}")
    for language in others():
        language.entries()
        expect(not language.missing, f"{language.name}: {language.missing}")


@test
def a_block_that_only_english_has_appears_in_english(_built):
    texts = languages.TEXT
    with tempfile.TemporaryDirectory(prefix="warplings-blocks-") as folder:
        languages.TEXT = pathlib.Path(folder)
        try:
            for name in ("en", "de"):
                (languages.TEXT / name).mkdir()
                (languages.TEXT / name / "words.json").write_text(f'{{"tag": "{name}"}}', encoding="utf-8")
            idea, about = "{% block idea %}<p>I</p>{% endblock %}\n", "{% block about_x %}\n<p>{{ n }}</p>\n{% endblock %}\n"
            empty = "{% block about_x %}\n{% endblock %}\n"
            (languages.TEXT / "en" / "1.html.j2").write_text("{% set n = 1 %}\n{% set m = 2 %}\n" + idea + about, encoding="utf-8")
            own = "{% set m = 3 %}\n" + idea
            (languages.TEXT / "de" / "1.html.j2").write_text(own, encoding="utf-8")
            english, german = languages.all_languages()
            source = german.source_of("1.html.j2")
            (languages.TEXT / "de" / "1.html.j2").write_text(own + empty, encoding="utf-8")
            on_purpose = languages.Language("de")
            same = on_purpose.source_of("1.html.j2")
            whole, unknown = english.source_of("1.html.j2"), german.source_of("2.html.j2")
        finally:
            languages.TEXT = texts
    expect((german.missing, german.left) == (["1.html.j2: block about_x"], []), f"{german.missing} {german.left}")
    expect((on_purpose.missing, on_purpose.left) == ([], ["1.html.j2: block about_x"]), f"{on_purpose.missing} {on_purpose.left}")
    block = '{% block about_x %}\n<div lang="en">\n<p>{{ n }}</p>\n</div>\n{% endblock %}'
    expect(source == f"{own}\n{{% set n = 1 %}}\n{block}", source)
    expect(same.split() == source.split(), same)
    expect(whole.endswith(about) and unknown is None, "a whole text changes")


@test
def pages_have_the_same_structure(built):
    found = []
    for page, _, other in built.pairs():
        expect(other.exists(), f"{other} is missing")
        ours, theirs = Page(page.read_text(encoding="utf-8")), Page(other.read_text(encoding="utf-8"))
        found += [f"{other.relative_to(built.folder)}: {each}" for each in differences(ours, theirs)]
    expect(not found, "\n".join(found))


@test
def pages_say_their_language_and_lead_to_the_others(built):
    for page, language, other in built.pairs():
        ours, theirs = page.read_text(encoding="utf-8"), other.read_text(encoding="utf-8")
        expect('<html lang="en">' in ours, f"{page}")
        expect(f'<html lang="{language.words["tag"]}">' in theirs, f"{other}")
        expect(f'href="{language.name}/{page.name}"' in ours, f"{page} does not lead to {language.name}")
        expect(f'href="../{page.name}"' in theirs, f"{other} does not lead to English")


@test
def reports_are_in_the_language_of_their_page(built):
    found, seen = [], 0
    for _, _, other in built.pairs():
        text = other.read_text(encoding="utf-8")
        seen += text.count('<pre class="report"')
        found += [str(other)] if '<pre class="report" lang' in text else []
    expect(seen >= 6, f"only {seen} reports")
    expect(not found, f"{found} show an English report, because the notes below it are found by English words: give them keys "
                      "that the reports of all languages have (a piece of source), or none (handouts/README.md, Another language)")


@test
def a_page_that_differs_would_be_found(built):
    one = Page('<html lang="en"><p class="a">32 lanes of <code>x</code>, <a href="b.html">b</a></p></html>')
    same = '<html><p class="a"><a href="b.html">b</a><code>x</code> <a class="term" href="g">lane</a> 32 個</p></html>'
    expect(differences(one, Page(same)) == [], f"{differences(one, Page(same))}")
    english = same.replace("<p", '<div lang="en"><p').replace("</p>", "</p></div>")
    expect(differences(one, Page(english)) == [], "a block in English is no difference")
    for change in (("32", "31"), ("32 個", "32 個 7"), ("<code>x", "<code>y"), ("b.html", "c.html"), ('"a"', '"c"'),
                   ("</p>", "</p><p></p>")):
        expect(differences(one, Page(same.replace(*change))), f"{change} is not seen")


@test
def the_checklist_names_what_is_shown(built):
    """What it sets as code, but for commands, is written so on the page of a profile."""
    shown = " ".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "grader" / "pages" / "profile").iterdir())
                     if file.suffix in (".py", ".j2"))
    for version in ("students", "instructor"):
        names = Page((built.folder / version / "checklist.html").read_text(encoding="utf-8")).code
        names = [name for name in names if not name.startswith("./warplings") and name != "float4"]
        expect(len(names) >= 12, f"only {names}")
        missing = [name for name in names if name not in shown]
        expect(not missing, f"the profile shows no {missing}")


def chinese_sources():
    """All that is written in Traditional Chinese."""
    yield from (file for file in sorted((TEXT / "zh_Hant").iterdir()) if file.name != "terms.toml")
    yield from sorted((ROOT / "chapters").glob("*/*.zh_Hant.*"))


def wrong_letters(text):
    """Letters that Taiwan's own set has not, as simplified ones."""
    return sorted({letter for letter in text if languages.is_han(letter)
                   and (letter in SIMPLIFIED_IN_BIG5 or not letter.encode("cp950", "ignore"))})


@test
def chinese_is_traditional_and_of_taiwan(built):
    avoid = tomllib.loads((TEXT / "zh_Hant" / "terms.toml").read_text(encoding="utf-8"))["avoid"]
    expect(len(avoid) >= 40, "hardly any words to avoid")
    expect(wrong_letters("线程内存变量，數組") == list("内变线"), f"{wrong_letters('线程内存变量，數組')}")
    found = []
    for file in chinese_sources():
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            at = f"{file.name}:{number}: "
            found += [f"{at}the letter {letter}" for letter in wrong_letters(line)]
            found += [f"{at}{word}: here it is {say}" for word, say in avoid.items() if word in line]
            if re.search(r"[\u4e00-\u9fff]\s*[,;:?!]|[\u4e00-\u9fff]\.(\s|<|$)", re.sub(r"\{[{%].*?[}%]\}", "", line)):
                found.append(f"{at}half-width punctuation behind Chinese: {line[:80]}")
    for file in (ROOT / "po" / "zh_Hant.po", *sorted((ROOT / "grader" / "pages").glob("*/zh_Hant.json"))):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            found += [f"{file.name}:{number}: {word}: here it is {say}" for word, say in avoid.items() if word in line]
    expect(not found, "\n".join(found))


@test
def the_pages_words_fill_in_the_same_values(built):
    for file in sorted((ROOT / "grader" / "pages").glob("*/zh_Hant.json")):
        for english, chinese in json.loads(file.read_text(encoding="utf-8")).items():
            ours, theirs = (sorted(set(re.findall(r"\{\w+\}", text))) for text in (english, chinese))
            expect(ours == theirs, f"{file.parent.name}: {english!r} has {ours}, {chinese!r} has {theirs}")


def main(program):
    print(f"1..{len(TESTS)}", flush=True)
    failed = False
    with tempfile.TemporaryDirectory(prefix="warplings-languages-") as folder:
        try:
            built = Built(program, pathlib.Path(folder))
        except AssertionError as fault:
            print(f"Bail out! {fault}")
            print(fault, file=sys.stderr)
            return 1
        for number, each in enumerate(TESTS, 1):
            try:
                each(built)
                print(f"ok {number} - {each.__name__}", flush=True)
            except Exception as fault:
                failed = True
                said = str(fault) if isinstance(fault, AssertionError) else traceback.format_exc()
                print(f"not ok {number} - {each.__name__}", *said.splitlines(), sep="\n# ", flush=True)
                # Of a test that writes TAP, meson prints only what comes here.
                print(f"{each.__name__}: {said}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
