#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the texts of the handouts to their rule about numbers (handouts/README.md): a number in prose is computed, by
an expression, or it is a premise, which the text's own list names.

    literal_numbers.py FOLDER

Looks at the chapters' texts and at the start page of every language below FOLDER.

Prose is what stands between tags, outside of <code> and <pre>, and the strings in expressions that are sentences: those
with a blank or with Chinese letters. Not looked at: numbers that are spelled out.
"""
import pathlib
import re
import sys

import jinja2

NUMBER = re.compile(r"(?<![A-Za-z0-9_.,#&])\d[\d,]*(?:\.\d+)?(?![A-Za-z0-9_])")
PREMISES = re.compile(r"\{#-?\s*premises:(.*?)#\}", re.DOTALL)
SENTENCE = re.compile("[ \u4e00-\u9fff]")
# An expression that is nothing but a number, with filters at most: computed by nobody.
ADVICE = ("Compute the number: {{ 4 * 8 }}. If it is a premise, add it to the list {# premises: … #} at the head of the text. If "
          "it is a name, such as an element's, put it into <code>.")
BARE = re.compile(r"\{\{-?\s*[\d_.]+\s*(\|[^}]*)?\}\}")


def prose(source):
    """(line, text) of all that a reader sees as prose and that no expression computes."""
    code = 0
    for line, kind, value in jinja2.Environment().lex(source):
        if kind == "data":
            for part in re.split(r"(<[^>]*>)", value):
                if re.match(r"<(code|pre)\b", part):
                    code += 1
                elif re.match(r"</(code|pre)>", part):
                    code -= 1
                elif not part.startswith("<") and code == 0:
                    yield line, part
                line += part.count("\n")
        elif kind == "string" and SENTENCE.search(value):
            yield line, value[1:-1]


def faults_of(name, source):
    listed = PREMISES.search(source)
    if listed is None:
        return [f"{name}: no list of premises ({{# premises: 32 256 #}})"]
    premises = {each: False for each in listed.group(1).split()}
    faults = []
    for line, text in prose(source):
        for number in NUMBER.findall(text.replace("&nbsp;", " ")):
            number = number.rstrip(",")
            if number in premises:
                premises[number] = True
            else:
                faults.append(f"{name}:{line}: {number} is written by hand in: {' '.join(text.split())[:90]}")
    unused = [each for each, used in premises.items() if not used]
    faults += [f"{name}: {each} is listed as a premise and stands nowhere" for each in unused]
    faults += [f"{name}: {match.group(0)} computes nothing" for match in BARE.finditer(source)]
    return faults


def with_advice(faults):
    return [*faults, ADVICE] if any("is written by hand" in fault for fault in faults) else faults


def check_itself():
    """The search finds what it is for."""
    text = ("{# premises: 32 #}<p class=\"a 5\">32 lanes, 17 banks, <code>a[9]</code> {{ 4 * 8 }} "
            "{{ f(\"in 6 steps\", \"key/7\") }}</p>")
    found = [fault.split(": ")[1].split()[0] for fault in faults_of("self", text)]
    assert found == ["17", "6"], found
    assert with_advice(faults_of("self", text))[-1] == ADVICE
    assert with_advice(["no list"]) == ["no list"]
    assert len(faults_of("self", "{# premises: 1 #}{{ 12 }}")) == 2
    assert len(faults_of("self", '{# premises: 32 #}<p>32 個執行緒，第17列</p>{{ f("共6步") }}')) == 2
    assert faults_of("self", "no list")
    # A new chapter begins with it.
    template = pathlib.Path(__file__).resolve().parents[2] / "grader/authoring/template/handout.html.j2"
    assert faults_of("template", template.read_text(encoding="utf-8")) == []


def main(folder):
    check_itself()
    faults = []
    files = sorted([*folder.glob("*/[0-9]*.html.j2"), *folder.glob("*/start.html.j2")])
    for file in files:
        faults += faults_of(f"{file.parent.name}/{file.name}", file.read_text(encoding="utf-8"))
    print("\n".join(with_advice(faults)) or f"{len(files)} texts hold the rule")
    return 1 if faults or len(files) < 7 else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
