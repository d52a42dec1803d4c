#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the texts of the handouts to their rule about numbers (handouts/README.md): a number in prose is computed, by
an expression, or it is a premise, which the text's own list names.

    literal_numbers.py TEXT.html.j2 ...

Prose is what stands between tags, outside of <code> and <pre>, and the strings in expressions that are sentences: those
with a blank. Not looked at: numbers that are spelled out.
"""
import re
import sys

import jinja2

NUMBER = re.compile(r"(?<![\w.,#&])\d[\d,]*(?:\.\d+)?(?![\w])")
PREMISES = re.compile(r"\{#-?\s*premises:(.*?)#\}", re.DOTALL)
# An expression that is nothing but a number, with filters at most: computed by nobody.
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
        elif kind == "string" and " " in value:
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


def check_itself():
    """The search finds what it is for."""
    text = ("{# premises: 32 #}<p class=\"a 5\">32 lanes, 17 banks, <code>a[9]</code> {{ 4 * 8 }} "
            "{{ f(\"in 6 steps\", \"key/7\") }}</p>")
    found = [fault.split(": ")[1].split()[0] for fault in faults_of("self", text)]
    assert found == ["17", "6"], found
    assert len(faults_of("self", "{# premises: 1 #}{{ 12 }}")) == 2
    assert faults_of("self", "no list")


def main(files):
    check_itself()
    faults = []
    for file in files:
        with open(file, encoding="utf-8") as text:
            faults += faults_of(file.rsplit("/", 1)[-1], text.read())
    print("\n".join(faults) or f"{len(files)} texts hold the rule")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
